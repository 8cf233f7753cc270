"""On paper: record and points in the final ranking, the names of matches of a bracket."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.paper.contents import rounds, tables
from tournaments.players.services.departures import withdraw
from tournaments.rounds.selectors.pairings import pairings_page

pytestmark = pytest.mark.django_db


def first_drawn(match, index):
    """Return a claim: a draw at the first table of Swiss rounds, else a win of the first seat."""
    level = index == 0 and match.round.ordinal <= 3
    return Claim(score=(1, 1)) if level else make.a_wins(match, index)


@pytest.mark.deep
@pytest.mark.parametrize("halves", [{}, {"points_win": 2, "points_draw": 1, "points_parts": 2}])
def test_the_final_ranking_has_record_and_points(by, halves):
    values = {"options": {"rounds": 3, "cut": 2}, "format": "creatures-of-exo"}
    event = make.started(by, 8, formula="swiss-cut", **values, **halves)
    event = make.play_event(event, by, first_drawn)
    with override("en"):
        content = tables.standings_sheet(load_facts(event), timezone.now())
    ranking, swiss = content["tables"]
    assert ranking["caption"] == "Final standings"
    assert (ranking["records"], ranking["columns"]) == (True, ["Pts"])
    assert "W–L–D, Pts: Swiss rounds" in ranking["under"]
    told = {row["sorted"] + row["rest"]: (row["record"], row["values"][0]) for row in swiss["rows"]}
    points = {points for _record, points in told.values()}
    assert any("½" in each for each in points) == bool(halves), points
    assert not any("." in each for each in points)
    for row in ranking["rows"]:
        assert (row["record"], *row["values"]) == told[row["sorted"] + row["rest"]]


def columns_of(content):
    """Return the matches of each column of a bracket, from the top."""
    found = [[] for _column in range(content["columns"])]
    for match in sorted(content["matches"], key=lambda each: each["top"]):
        found[match["at"]].append(match)
    return found


def test_a_printed_bracket_calls_matches_what_pages_call_them(by):
    event = make.playing(by, 8, formula="single-elimination", format="creatures-of-exo")
    facts = load_facts(event)
    with override("en"):
        content = tables.bracket_sheet(facts, tables.bracket_stage(facts), timezone.now())
    quarters, semis, last = columns_of(content)
    assert [each["called"] for each in quarters] == [f"Quarter-final {n}" for n in range(1, 5)]
    assert [each["called"] for each in semis] == ["Semi-final 1", "Semi-final 2"]
    sides = [side["words"] for each in semis for side in each["sides"]]
    assert sides == [f"Winner: Quarter-final {number}" for number in range(1, 5)]
    assert [each["called"] for each in last] == ["Final", "Third place"]
    assert [side["words"] for side in last[1]["sides"]] == [
        *("Loser: Semi-final 1", "Loser: Semi-final 2"),
    ]


def test_the_last_matches_of_a_preliminary_stand_in_their_column(by):
    event = make.playing(by, 33)
    facts = load_facts(event)
    content = tables.bracket_sheet(facts, tables.bracket_stage(facts), timezone.now())
    assert list(map(len, columns_of(content))) == [9, 12]  # of 24, 15 have a bye


def test_who_left_is_marked_in_the_final_ranking(by):
    event = make.halfway(by, 4, formula="single-group")
    withdraw(entry=event.entries.get(number=2), by=by)
    event = make.play_event(event, by)
    facts = load_facts(event)
    with override("en"):
        ranking = tables.standings_sheet(facts, timezone.now())["tables"][0]
        assert tables.standings_sheet(facts, timezone.now(), ranked=False)["tables"][0] != ranking
    assert ranking["remark"] == "Note"
    assert [row["why"] for row in ranking["rows"] if row["why"]] == ["Dropped"]


def test_a_match_at_no_table_says_how_it_ended(by, in_english):
    event = make.halfway(by, 4, formula="single-group")
    gone = event.entries.get(number=2)
    withdraw(entry=gone, by=by)
    make.next_round(event, by)
    facts = load_facts(event)
    shown = pairings_page(facts)
    names = rounds.pairings_sheet(facts, shown, timezone.now())["players"]
    said = [each["against"] for each in names if each["table"] == "–"]
    assert said == [f"{gone} concedes"] * 2
    lines = rounds.tables_sheet(facts, shown, timezone.now())["tables"]
    assert [each["group"] for each in lines] == ["", f"{gone} concedes"]


@pytest.mark.deep
def test_standings_held_back_are_after_the_round_that_they_count(by, in_english):
    event = make.stage_played(by, 4, formula="single-group", standings_held="last")
    content = tables.standings_sheet(load_facts(event, for_staff=False), timezone.now())
    assert {row["record"] for row in content["tables"][0]["rows"]} == {"2–0–0", "1–1–0", "0–2–0"}
    assert content["tables"][0]["caption"] == "Group · after round 2"
