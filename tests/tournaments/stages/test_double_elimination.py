"""Double elimination from the draw to the ranking, on pages, in pictures and in the workbook."""

from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override
from openpyxl import load_workbook

from rules.formulas import FORMULAS
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.double_eliminations import (
    ahead,
    double_elimination,
    entry,
    fresh,
    other_wins,
    play,
    seed_wins,
)
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import stored_plan
from tournaments.core.permissions import Actor, DeskRights
from tournaments.desk.selectors.desk import desk_content
from tournaments.diagrams.selectors.formula_layout import (
    formula_columns,
    formula_diagram,
    plan_columns,
)
from tournaments.models import Event, Match
from tournaments.players.services import departures
from tournaments.public.selectors.running_event import running_event
from tournaments.results.services import results
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.stages import services as stages
from tournaments.standings.selectors.ranking import ranking_page
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.mark.deep
@pytest.mark.parametrize("how_many", [2, 3, 5, 6, 8, 11])
def test_it_is_played_to_a_ranking_and_checks(by: Actor, how_many: int) -> None:
    event = make.play_event(double_elimination(by, how_many), by, seed_wins)
    page = ranking_page(load_facts(event))
    assert [row.entry.number for row in page.rows][:4] == list(range(1, how_many + 1))[:4]
    assert page.rows[0].rank == 1
    assert len(page.rows) == how_many
    assert not list(verify_event(fresh(event)))


@pytest.mark.deep
def test_the_lower_bracket_can_win_by_a_second_final(by: Actor) -> None:
    event = double_elimination(by, 4)
    play(event, by, 3)
    make.play_round(make.next_round(event, by), by, other_wins)
    facts = load_facts(event)
    assert not facts.open_stage.rounds_done
    assert facts.open_stage.total_rounds == 5
    make.play_round(make.next_round(event, by), by, other_wins)
    stages.close_stage(event=event, expected_stage=1, by=by)
    facts = load_facts(event)
    assert facts.stages[0].stage.places == {"W6": 2, "L6": 1, "L5": 3, "L4": 4}
    assert list(facts.ranking) == [(2,), (1,), (3,), (4,)]
    assert not list(verify_event(fresh(event)))


@pytest.mark.deep
def test_pairings_name_both_brackets_and_who_waits(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 1)
    make.next_round(event, by)
    with override("en"):
        shown = pairings_page(load_facts(event, for_staff=False))
    assert shown.label == "Upper bracket, semi-finals · Lower bracket, round 1"
    assert shown.shows_groups
    assert [row.group for row in shown.tables] == ["Upper bracket"] * 2 + ["Lower bracket"] * 2
    assert shown.resting == ()
    play_on = event.rounds.get(ordinal=2)
    make.play_round(play_on, by, seed_wins)
    make.next_round(event, by)
    with override("it"):
        shown = pairings_page(load_facts(event, for_staff=False))
    assert shown.label == "Tabellone perdenti, turno 2"
    assert sorted(each.number for each in shown.resting) == [1, 2]


@pytest.mark.deep
def test_an_earlier_round_keeps_who_waited_then(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 6)
    shown = pairings_page(load_facts(event, for_staff=False), 3)
    assert sorted(each.number for each in shown.resting) == [1, 2]


@pytest.mark.deep
def test_first_byes_are_shown_and_lower_ones_are_not_made(by: Actor) -> None:
    event = double_elimination(by, 5)
    first = make.next_round(event, by)
    byes = Match.objects.exclude(match_seats__number=2).filter(round__event=event)
    assert sorted(bye.players[0].number for bye in byes) == [1, 2, 3]
    make.play_round(first, by, seed_wins)
    play(event, by, 4)
    assert not byes.filter(round__ordinal__gt=1).exists()


@pytest.mark.parametrize("formula", ["double-elimination", "single-elimination"])
def test_a_bracket_with_nobody_left_can_be_closed(by: Actor, formula: str) -> None:
    event = make.started(by, 4, formula=formula, format="creatures-of-exo")
    item = make.next_round(event, by)
    nobody = Claim(winner="none", ended_by="double_loss", by_staff=True, note="late")
    make.play_round(item, by, lambda _match, _index: nobody)
    facts = load_facts(event)
    assert facts.open_stage.rounds_done
    stages.close_stage(event=event, expected_stage=1, by=by)
    assert [sorted(level) for level in load_facts(event).ranking] == [[1, 2, 3, 4]]


@pytest.mark.deep
def test_who_leaves_loses_where_they_come(by: Actor) -> None:
    event = double_elimination(by, 4)
    play(event, by, 1)
    departures.withdraw(entry=entry(event, 1), by=by)
    item = make.next_round(event, by)
    lost = item.matches.get(match_seats__entry__number=1, match_seats__number=1)
    assert (lost.decision.winner, lost.table) == ("b", None)
    make.play_round(item, by, seed_wins)
    event = make.play_event(event, by, seed_wins)
    assert load_facts(event).ranking[0] == (2,)
    assert not list(verify_event(fresh(event)))


def turned(event: Event, number: int, wins: Any, by: Actor, **more: bool) -> results.Effects:
    """Correct a match so that somebody wins; return what that reaches."""
    match = Match.objects.get(round__event=event, number=number)
    values = {"version": match.version, "claim": wins(match), "reason": "swapped", "by": by}
    return results.correct_result(match=match, **values, **more)[1]


@pytest.mark.deep
def test_a_correction_says_which_rounds_it_reaches(by: Actor) -> None:
    """Match 5 is of the second round: its players went to rounds 3 and 4 of the event."""
    event = double_elimination(by)
    play(event, by, 4)
    effects = turned(event, 5, other_wins, by)
    assert [item.ordinal for item in effects.rounds] == [3, 4]


@pytest.mark.deep
def test_a_correction_takes_back_the_round_made_from_it(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 2)
    make.next_round(event, by)
    turned(event, 5, other_wins, by, take_back=True)
    assert event.rounds.count() == 2
    again = make.next_round(event, by)
    assert {1, 4} & {m.players[0].number for m in again.matches.all()} == {1}
    assert not list(verify_event(fresh(event)))


@pytest.mark.deep
def test_a_corrected_grand_final_needs_no_second_match(by: Actor) -> None:
    event = double_elimination(by, 4)
    play(event, by, 3)
    make.play_round(make.next_round(event, by), by, other_wins)
    make.next_round(event, by)
    effects = turned(event, 6, seed_wins, by, take_back=True)
    assert [item.ordinal for item in effects.rounds] == [5]
    assert load_facts(event).open_stage.rounds_done


@pytest.mark.deep
def test_what_comes_next_is_said_for_a_win_and_a_loss(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 1)
    make.next_round(event, by)
    assert ahead(event, 1) == (
        "If you win: Upper bracket, final · winner of “Bea – Carlo”",
        "If you lose: Lower bracket, round 2, match 2 · winner of “Gino – Fosca”",
    )
    assert ahead(event, 8) == (
        "If you win: Lower bracket, round 2, match 1 · loser of “Bea – Carlo”",
        "If you lose: Out",
    )


@pytest.mark.deep
def test_who_waits_knows_for_what(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 2)
    make.next_round(event, by)
    assert ahead(event, 1) == ("Next match: Upper bracket, final · Bea",)
    assert ahead(event, 8) == ("out",)
    assert ahead(event, 3) == (
        "If you win: Lower bracket, semi-final · winner of “Dora – Fosca”",
        "If you lose: Out",
    )


@pytest.mark.deep
def test_the_grand_final_may_go_on(by: Actor) -> None:
    event = double_elimination(by, 4)
    play(event, by, 3)
    make.next_round(event, by)
    assert ahead(event, 1) == ("If you lose: Grand final, second match",)
    assert ahead(event, 2) == ("If you win: Grand final, second match",)
    assert running_event(load_facts(event))["left"] == 0, "nobody knows of a second final yet"
    make.play_round(event.rounds.last(), by, other_wins)
    assert running_event(load_facts(event))["left"] == 1


def test_single_eliminations_say_it_as_well(by: Actor) -> None:
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    item = make.next_round(event, by)
    first = item.matches.get(number=1)
    names = " – ".join(map(str, item.matches.get(number=2).players))
    assert ahead(event, first.players[0].number) == (
        f"If you win: Final · winner of “{names}”",
        f"If you lose: Third place · loser of “{names}”",
    )


@pytest.mark.deep
def test_the_picture_stands_in_two_rows(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 6)
    facts = load_facts(event)
    with override("en"):
        columns = formula_columns(facts, stored_plan(event))
    assert [column.opens for column in columns if column.opens] == [
        *("Upper bracket", "Lower bracket", "Grand final")
    ]
    assert columns[-1].heading == "Grand final", "a second match is not needed"
    fresh_one = double_elimination(by, 4)
    with override("en"):
        to_come = formula_columns(load_facts(fresh_one), stored_plan(fresh_one))
    assert to_come[-1].heading == "If needed"
    drawn = formula_diagram(columns)
    tops = {head["heading"]: head["y"] for head in drawn["heads"]}
    assert tops["Semi-final"] > tops["Semi-finals"] == 42


@pytest.mark.parametrize("how_many", [2, 3, 7, 9, 13, 16, 40])
def test_boxes_never_overlap(how_many: int) -> None:
    plan = FORMULAS.get("double-elimination").plan(how_many)
    drawn = formula_diagram(plan_columns(plan))
    assert all(box.x + box.width <= drawn["width"] for box in drawn["boxes"])
    spots = [(box.x, box.y, box.y + box.height) for box in drawn["boxes"]]
    for x, top, bottom in spots:
        beside = [spot for spot in spots if spot[0] == x and spot != (x, top, bottom)]
        assert all(other[2] <= top or other[1] >= bottom for other in beside)
        assert bottom <= drawn["height"]


def test_the_desk_says_the_bracket_of_each_table(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 1)
    make.next_round(event, by)
    with override("en"):
        desk = desk_content(load_facts(event), DeskRights(run=True, rule=True, manage=True))
    assert [row.bracket for row in desk.rows] == ["Upper bracket"] * 2 + ["Lower bracket"] * 2


@pytest.mark.deep
def test_the_workbook_names_rounds_and_brackets(client: Client, by: Actor) -> None:
    event = make.play_event(double_elimination(by, 4), by, seed_wins)
    found = client.get(
        reverse("tournaments:workbook", args=[event.slug]) + "?whole=1",
        headers={"accept-language": "en"},
    )
    book = load_workbook(BytesIO(found.content))
    rows = list(book["Results"].iter_rows(values_only=True))
    where = {(row[3], row[1]) for row in rows[1:]}
    assert ("Lower bracket, semi-final", "Lower bracket") in where
    assert ("Grand final", "Grand final") in where


@pytest.mark.deep
@pytest.mark.parametrize("name", ["standings", "formula", "pairings"])
def test_pages_make_as_many_queries_for_any_number(client: Client, by: Actor, name: str) -> None:
    counted = []
    for how_many in (4, 20):
        event = double_elimination(by, how_many)
        play(event, by, 2)
        url = reverse(f"tournaments:{name}", args=[event.slug])
        client.get(url)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url).status_code == 200
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_the_options_are_in_the_form_of_a_new_event(client: Client, by: Actor) -> None:
    client.force_login(by.user)
    text = client.get("/events/new/?formula=double-elimination").content.decode()
    assert "option_double-elimination_second_final" in text
