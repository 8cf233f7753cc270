"""Standings, draws and rankings as everybody sees them, and why they are as they are."""

import re

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import strip_tags

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import read, signed_in, text, url
from tests.level_players import all_drawn
from tournaments.core.event_state import load_facts
from tournaments.exports.loading import load_source
from tournaments.exports.workbook import ties_table
from tournaments.lots import services as draws
from tournaments.models import Draw
from tournaments.players.services.departures import withdraw
from tournaments.stages.services import close_stage
from tournaments.standings.selectors.proofs import stage_ties
from tournaments.standings.selectors.standings import stage_standings

pytestmark = pytest.mark.django_db


@pytest.mark.deep
def test_standings_say_why(client: Client, by) -> None:
    event = make.started(by, 3, formula="single-group")

    make.play_stage(event, by, lambda match, index: Claim(score=(40, 20)))
    path = f"/events/{event.slug}/standings/"
    names = [row.player for row in load_facts(event).stages[0].outcome.standings["A"].rows]
    entries = load_facts(event).entries
    first, second = entries[names[0]].name, entries[names[1]].name
    assert f"Points: 6; {second}: 3." in read(client, path)
    assert f"Punti: 3; {first}: 6." in read(client, path, "it")


@pytest.mark.deep
def test_a_cycle_is_explained_by_its_mini_table(client: Client, by) -> None:
    event = make.started(by, 4, formula="single-group")
    order = load_facts(event).stages[0].state.seats["A"]
    stronger = {order[0]: {order[1], order[3]}, order[1]: {order[2], order[3]}}
    stronger |= {order[2]: {order[0]}, order[3]: {order[2]}}

    def claims(match: object, index: int) -> Claim:
        a, b = match.players[0].number, match.players[1].number  # type: ignore[attr-defined]
        return Claim(score=(40, 10)) if b in stronger[a] else Claim(score=(10, 40))

    make.play_stage(event, by, claims)
    words = read(client, f"/events/{event.slug}/standings/")
    assert re.search(r"Head-to-head(?: \([^)]+\))?: 3; [^:]+: 0\.", words)
    italian = read(client, f"/events/{event.slug}/standings/", "it")
    assert re.search(r"Scontro diretto(?: \([^)]+\))?: 3; [^:]+: 0\.", italian)


def test_who_is_level_shares_the_rank(client: Client, by) -> None:
    event = make.started(by, 3, formula="single-group")
    make.play_stage(event, by, lambda match, index: Claim(score=(30, 30), ended_by="time"))
    words = read(client, f"/events/{event.slug}/standings/")
    assert "Tied with" in words


@pytest.mark.deep
def test_the_formula_names_places_before_players_hold_them(client: Client, by) -> None:
    event = make.started(by, 12)
    words = read(client, f"/events/{event.slug}/formula/")
    assert "style=" not in words
    for place in ("1st of group A", "2nd at the start", "Finalist 1", "Repechage"):
        assert place in words
    assert not re.search(r"\b[A-C][1-9]\b|\b[RSX][1-9]?\b", strip_tags(words))
    make.play_stage(event, by)
    holder = load_facts(event).entries[load_facts(event).stages[0].outcome.places["A1"]]
    picture = read(client, f"/events/{event.slug}/formula/").split(">As a list<")[0]
    assert picture.count(f"<title>{holder.name}</title>") == 2


@pytest.mark.deep
def test_the_standings_are_the_final_ones_with_the_podium_at_the_end(client: Client, by) -> None:
    event = make.started(by, 12)
    address = f"/events/{event.slug}/standings/"
    tabs = read(client, address).split('aria-label="Event pages"')[1].split("</nav>")[0]
    assert 'class="steps"' not in read(client, address)
    assert "Final standings" not in read(client, address)
    make.play_event(event, by)
    shown, front = read(client, address), read(client, f"/events/{event.slug}/")
    parts = [page.split('<div id="live"')[1].split("</main>")[0] for page in (shown, front)]
    assert parts[0] == parts[1]
    assert shown.count('class="place-') == 3
    assert shown.count("<h1") == 1
    assert shown.index('id="final"') < shown.index('id="stage-2"')
    after = shown.split('aria-label="Event pages"')[1].split("</nav>")[0]
    assert (tabs.count("Now"), after.count("Now")) == (1, 0)
    assert tabs.count("/standings/") == after.count("/standings/") == 1


@pytest.mark.deep
def test_places_that_are_final_stand_below_the_stages_while_others_play(client, by) -> None:
    event = make.started(by, 8, formula="swiss-cut", options={"rounds": 2, "cut": 4})
    make.play_stage(event, by)
    close_stage(event=event, expected_stage=1, by=by)
    make.next_round(event, by)
    page = read(client, f"/events/{event.slug}/standings/")
    assert page.index('id="stage-1"') < page.rindex('id="final-heading"')
    assert "Still playing: 4." in page


@pytest.mark.parametrize("former", ["ranking/", "standings/why/"])
def test_former_addresses_lead_to_the_standings(client: Client, by, former: str) -> None:
    event = make.started(by, 3)
    answer = client.get(f"/events/{event.slug}/{former}?find=ada")
    assert answer.status_code == 301
    assert answer["Location"] == f"/events/{event.slug}/standings/?find=ada"


def test_a_draw_can_be_checked_but_not_foreseen(client: Client, by) -> None:
    event = make.open_event(by)
    make.players(event, 4, by)
    drawn = draws.draw_start_order(event=event, by=by)
    coming = event.draws.get(state=Draw.State.ANNOUNCED)
    words = read(client, f"/events/{event.slug}/record/")
    for shown in (drawn.seed, drawn.fingerprint, coming.fingerprint, "sha256sum"):
        assert shown in words
    assert coming.seed not in words


def test_a_draw_by_hand_names_its_witnesses(client: Client, by) -> None:
    event = make.open_event(by)
    make.players(event, 3, by)
    draws.record_start_order(event=event, order=[2, 3, 1], witnesses="Rita, Olga", by=by)
    words = read(client, f"/events/{event.slug}/record/")
    assert "Rita, Olga" in words
    assert "By hand" in words


@pytest.mark.deep
def test_who_has_left_is_marked_and_the_next_goes_on(client: Client, by) -> None:
    event = make.started(by, 12)
    make.play_stage(event, by)
    winner = load_facts(event).stages[0].outcome.places["A1"]
    withdraw(entry=event.entries.get(number=winner), by=by)
    facts = load_facts(event)
    with translation.override("it"):
        table = stage_standings(facts)[0].tables[0]
    first, second = table.rows[:2]
    assert (first.entry.number, first.left, first.through) == (winner, "Ritirato", "")
    assert second.through == "Girone I"
    assert "Dropped" in read(client, f"/events/{event.slug}/standings/")


@pytest.mark.deep
def test_a_finished_event_shows_who_won(client: Client, by) -> None:
    ended = make.started(by, 3, formula="single-group")
    assert 'class="steps"' not in read(client, f"/events/{ended.slug}/")
    make.play_event(ended, by)
    assert 'class="steps"' in read(client, f"/events/{ended.slug}/")


@pytest.fixture
def level_event(by):
    """Return an event of four players who have drawn all their matches."""
    event = make.started(by, 4, formula="single-group", options={"final": 3})
    make.play_stage(event, by, all_drawn)
    return event


def test_workbook_and_api_tell_the_same(client, level_event) -> None:
    stage = load_facts(level_event).stages[0]
    (table,) = stage_ties(stage)
    (tied,) = table.sets
    told = [(step.criterion, step.separates, len(step.level)) for step in tied.steps]
    assert [criterion for criterion, _separates, _count in told] == level_event.criteria[1:]
    assert not any(separates for _criterion, separates, _count in told)

    (row,) = client.get(f"/api/v1/events/{level_event.slug}/tie-breaks/").json()
    assert row["players"] == list(tied.players)
    assert (row["group"], row["rank"], row["value"]) == ("A", None, [3])
    assert [
        (step["criterion"], step["separates"], len(step["players"])) for step in row["steps"]
    ] == told
    assert row["steps"][0]["values"] == {str(player): [9] for player in tied.players}
    assert row["steps"][-1]["values"] == {}

    lines = ties_table(load_source(level_event, staff=False)).rows
    assert len(lines) == sum(count for _criterion, _separates, count in told)
    assert {line[10] for line in lines} == {"no"}


@pytest.mark.deep
def test_nothing_is_said_before_a_match_and_other_groups_are_not_there(client, by) -> None:
    event = make.started(by, 12)
    facts = load_facts(event)
    stage = facts.stages[0]
    assert list(stage_ties(stage)) == []
    url = f"/api/v1/events/{event.slug}/tie-breaks/"
    assert client.get(url).json() == []
    assert client.get(f"{url}?group=Z").status_code == 404
    make.play_stage(event, by)
    rows = client.get(url).json()
    assert {row["rank"] for row in rows if row["group"] is None} <= {3}
    assert {row["group"] for row in client.get(f"{url}?group=B").json()} <= {"B"}


def test_the_sheet_names_a_group_that_is_alone_as_pages_do(by) -> None:
    event = make.started(by, 8, formula="swiss-cut")
    make.next_round(event, by)
    make.play_round(event.rounds.get(), by, all_drawn)
    with translation.override("it"):
        lines = ties_table(load_source(event, staff=False)).rows
        assert {line[1] for line in lines} == {"Turni alla svizzera"}


def test_the_staffs_standings_keep_their_navigation(by):
    event = make.halfway(by, 8, formula="swiss-cut", format="creatures-of-exo")
    own = text(signed_in(by).get(url("standings", event)))
    everybody = text(signed_in(make.organiser()).get(url("standings", event)))
    assert '<header class="staff-head"' in own
    assert '<header class="staff-head"' not in everybody
    assert '<p class="bar-name"' in everybody


@pytest.mark.deep
def test_why_says_how_tied_players_did_who_have_met(client: Client, by) -> None:
    criteria = ["points", "head_to_head", "score_difference", "lots"]
    event = make.started(by, 4, formula="single-group", criteria=criteria)
    beats = {(1, 2): 1, (2, 3): 2, (1, 3): 3}

    def in_a_circle(match, _index):
        one, other = match.players
        pair = tuple(sorted((one.number, other.number)))
        won = one.number == beats.get(pair, pair[0])
        return Claim(score=(40, 10) if won else (10, 40))

    make.play_stage(event, by, in_a_circle)
    words = read(client, f"/events/{event.slug}/standings/")
    assert len(re.findall(r"Head-to-head \([^)]+\): 1–1–0\.", words)) == 3


def test_why_says_it_of_draws_too(client: Client, level_event) -> None:
    words = read(client, f"/events/{level_event.slug}/standings/")
    assert words.count("): 0–0–3.") == 4


@pytest.mark.deep
def test_why_says_it_where_not_all_have_met(client: Client, by) -> None:
    criteria = ["points", "head_to_head", "lots"]
    options = {"rounds": 2, "cut": 2}
    event = make.started(by, 8, formula="swiss-cut", options=options, criteria=criteria)
    make.play_round(make.next_round(event, by), by)
    assert "Head-to-head" not in read(client, f"/events/{event.slug}/standings/")
