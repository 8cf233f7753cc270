"""Who goes on: the table with its line, what closing shows, and the button that names both acts."""

from fractions import Fraction

import pytest
from django.utils.translation import override

from rules.matches.match_rules import Claim
from rules.standings.table import Separation
from tests import factories as make
from tests.browsers import page, signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.desk.selectors.closing import closing_effects, describe_gap_to_cut
from tournaments.models import Entry, Event, Round, Stage
from tournaments.players.services import departures

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(by):
    """Return an event of which the Swiss rounds are played; the best four go on."""
    options = {"rounds": 4, "cut": 4}
    event = make.stage_played(
        by, 12, formula="swiss-cut", options=options, format="creatures-of-exo"
    )
    make.draw_lots(event, by)
    return event


@pytest.fixture(autouse=True)
def _english():
    with override("en"):
        yield


def table_of(event):
    (table,) = closing_effects(load_facts(event))["tables"]
    return table


def test_the_line_lies_below_the_last_who_goes_on_and_says_who_missed_it_by_what(played, by):
    table = table_of(played)
    through = [row for row in table["rows"] if row["zone"] == "through"]
    assert [row["goes"] for row in through] == [f"Seed {n}" for n in (1, 2, 3, 4)]
    assert [bool(row["line"]) for row in table["rows"]].index(True) == 3
    last, missed = table["rows"][3], table["rows"][4]
    name = last["row"].entry.display_name
    decides = [at for at, (_value, marked) in enumerate(missed["figures"]) if marked]
    assert len(decides) == 1
    assert last["figures"][decides[0]][1]
    assert name in missed["words"] or "−" in missed["words"]
    shown = text(signed_in(by).get(url("advance", played)))
    assert "Advance: 4" in shown
    assert missed["words"] in shown
    assert 'class="columns"' not in shown  # no seats without a name


def test_who_left_is_struck_and_the_next_comes_in(played, by):
    second = table_of(played)["rows"][1]["row"].entry
    departures.withdraw(entry=played.entries.get(number=second.number), by=by)
    make.draw_lots(played, by)
    rows = {row["row"].entry.number: row for row in table_of(played)["rows"]}
    assert rows[second.number]["left"]
    assert rows[second.number]["words"].startswith("Dropped: ")
    (last,) = [row for row in rows.values() if row["goes"] == "Seed 4"]
    assert last["words"] == f"Replaces: {second.name}"
    assert last["line"]


def test_a_place_without_consequence_is_only_said_to_have_left(played, by):
    last = table_of(played)["rows"][-1]["row"].entry
    departures.withdraw(entry=played.entries.get(number=last.number), by=by)
    assert table_of(played)["rows"][-1]["words"].startswith("Dropped: ")


def test_the_matches_named_beforehand_are_those_that_are_drafted(played, by):
    closing = closing_effects(load_facts(played))
    named = [{entry.number for entry, _seed in match["players"]} for match in closing["matches"]]
    client = signed_in(by)
    shown = client.get(url("advance", played))
    assert "Close “Swiss rounds” and prepare “Semi-finals”" in text(shown)
    sent = {"expected_stage": 1, "expected_round": 5}
    answer = client.post(url("advance-close", played), sent)
    assert answer.headers["Location"] == url("desk-round", played, 5)
    item = played.rounds.get(ordinal=5)
    assert item.state == Round.State.DRAFT
    assert [
        {player.number for player in m.players} for m in item.matches.order_by("table")
    ] == named
    assert [match["table"] for match in closing["matches"]] == [1, 2]


def test_a_round_that_cannot_be_drafted_as_shown_leaves_the_stage_open(played, by):
    answer = signed_in(by).post(
        url("advance-close", played), {"expected_stage": 1, "expected_round": 9}
    )
    assert answer.status_code == 409
    assert played.stages.get(number=1).state == Stage.State.OPEN


def test_players_without_the_list_that_is_asked_for_are_named(played, by):
    played.decklists = "required"
    played.save()
    closing = closing_effects(load_facts(played))
    going = [row["row"].entry.number for row in table_of(played)["rows"][:4]]
    assert {entry.number: words for entry, words in closing["no_list"]} == dict.fromkeys(
        going, "No decklist"
    )
    shown = text(signed_in(by).get(url("advance", played)))
    assert "No legal decklist (Semi-finals):" in shown


def test_an_illegal_list_is_named_as_a_missing_one_is(played, by):
    Event.objects.update(decklists="required")
    played.refresh_from_db()
    first, second, third, last = (row["row"].entry for row in table_of(played)["rows"][:4])
    for entry in (first, second, third):
        make.hand_in(Entry.objects.get(event=played, number=entry.number), by=by, reason="late")
    entry = Entry.objects.get(event=played, number=second.number)
    entry.submission.decklist.legal = False
    entry.submission.decklist.save()
    closing = closing_effects(load_facts(played))
    assert {each.number: words for each, words in closing["no_list"]} == {
        second.number: "Illegal decklist",
        last.number: "No decklist",
    }
    lacks = [row["list"] for row in table_of(played)["rows"][:4]]
    assert lacks == ["", "Illegal decklist", "", "No decklist"]
    shown = text(signed_in(by).get(url("advance", played)))
    assert shown.count("Illegal decklist") == 2


@pytest.mark.deep
def test_seeds_told_beforehand_are_those_of_the_bracket_that_keeps_groups_apart(by):
    """Groups of four, six by rank and two thirds: keeping apart moves seeds five to eight."""
    event = make.started(by, 12, formula="groups-knockout")
    groups = load_facts(event).open_stage.state.seats.values()
    places = {
        player: (at, group) for group, seats in enumerate(groups) for at, player in enumerate(seats)
    }

    def as_seated(match, index):  # the first and the second of the third group would meet at once
        (one, group), (other, _same) = (places[player.number] for player in match.players)
        best = 40 - 2 * group
        return Claim(score=(best, 50 - best) if one < other else (50 - best, best))

    make.play_stage(event, by, as_seated)
    closing = closing_effects(load_facts(event))
    told = {
        (row["row"].entry.number, words)
        for table in closing["tables"]
        for row in table["rows"]
        for words in (row["goes"], row["words"])
        if words.startswith("Seed ")
    }
    matched = {
        entry.number: words for match in closing["matches"] for entry, words in match["players"]
    }
    make.close_stage(event, by)
    facts = load_facts(event)
    (seats,) = facts.open_stage.state.seats.values()
    found = {player: f"Seed {at}" for at, player in enumerate(seats, start=1)}
    ranked = facts.stages[0].outcome.places
    assert any(ranked[name.lower()] != player for player, name in found.items()), "nobody was moved"
    assert matched == found
    assert told == set(found.items())


def test_closing_says_beforehand_what_becomes_public(played, by):
    played.standings_held, played.open_lists = "last", ["knockout"]
    played.save()
    words = {each.name: each.words for each in closing_effects(load_facts(played))["public"]}
    assert words["Final standings: Swiss rounds"] == "Hidden since: Round 4"
    assert words["Bracket"] == "With the standings"
    assert words["Decklists"] == "To the opponent, once pairings are published"


@pytest.mark.deep
def test_level_in_everything_is_said(by):
    event = make.started(
        by, 4, formula="swiss-cut", options={"rounds": 1, "cut": 2}, format="creatures-of-exo"
    )
    make.play_stage(event, by, lambda match, index: Claim(games=("a", "b")))
    rows = table_of(event)["rows"]
    assert rows[2]["words"] == f"Tied with {rows[1]['row'].entry.display_name}"
    assert "Tied for the last spots" in rows[1]["line"]
    assert "Make the random draw" in page(signed_in(by), "advance", event)


@pytest.mark.deep
def test_the_rows_far_below_the_line_fold(by):
    event = make.playing(by, 33, formula="swiss-cut", options={"rounds": 5, "cut": 8})
    make.play_round(event.rounds.get(ordinal=1), by)
    table = table_of(event)
    assert (len(table["rows"]), len(table["rest"])) == (15, 18)
    assert "The other 18" in page(signed_in(by), "advance", event)


@pytest.mark.parametrize(
    ("apart", "words", "italian"),
    [
        (-27, "−2.7", "−2,7"),
        (10, "+1.0", "+1,0"),
        (-0.5, "> −0.1", "> −0,1"),
    ],
)
def test_percentages_differ_by_percentage_points(apart, words, italian):
    found = Separation("opponents_match_win", Fraction(apart) / 1000)
    assert describe_gap_to_cut(found, "Ada").endswith(f": {words}")
    with override("it"):
        assert describe_gap_to_cut(found, "Ada").endswith(f": {italian}")
