"""Double elimination from the draw to the ranking, on the pages, by the API and in the workbook."""

from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override
from openpyxl import load_workbook

from rules.formulas import FORMULAS
from rules.matches.settling import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import plan_of
from tournaments.core.permissions import Actor
from tournaments.desk.selectors.desk import Rights, desk_of
from tournaments.diagrams.selectors.formula_layout import picture
from tournaments.diagrams.selectors.formula_picture import formula_columns, plan_columns
from tournaments.lots import services as draws
from tournaments.models import Entry, Event, Match
from tournaments.personal.selectors.upcoming_match import ahead_of
from tournaments.players.services import departures
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.stages import services as stages
from tournaments.standings.selectors.standings import ranking_page, stage_standings
from tournaments.starting import services as starting
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def double_elimination(by: Actor, how_many: int = 8, **values: object) -> Event:
    """Return an event in which the seeds are the players' numbers."""
    fresh = make.open_event(
        by, formula="double-elimination", format="creatures-of-exo", decklists="off", **values
    )
    make.players(fresh, how_many, by)
    for entry in fresh.entries.all():
        Entry.objects.filter(pk=entry.pk).update(seed=entry.number)
    draw = draws.draw_start_order(event=fresh, seed="seed", by=by)
    starting.start_event(event=fresh, draw_number=draw.number, by=by)
    return Event.objects.get(pk=fresh.pk)


def seed_wins(match: Match, _index: int = 0) -> Claim:
    first = match.a.number < match.b.number
    return Claim(games=("a" if first else "b",) * 2)


def other_wins(match: Match, _index: int = 0) -> Claim:
    first = match.a.number < match.b.number
    return Claim(games=("b" if first else "a",) * 2)


def play(event: Event, by: Actor, how_many: int) -> None:
    for _round in range(how_many):
        make.play_round(make.next_round(event, by), by, seed_wins)


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def entry(event: Event, number: int) -> Entry:
    return event.entries.get(number=number)


def ahead(event: Event, number: int) -> tuple[str, ...] | None:
    with override("en"):
        found = ahead_of(load_facts(event, drafts=False), entry(event, number))
    return ("out",) if found and found.is_out else found.sentences if found else None


@pytest.mark.parametrize("how_many", [2, 3, 5, 6, 8, 11])
def test_it_is_played_to_a_ranking_and_checks(by: Actor, how_many: int) -> None:
    event = make.play_event(double_elimination(by, how_many), by, seed_wins)
    page = ranking_page(load_facts(event))
    assert [row.entry.number for row in page.rows][:4] == list(range(1, how_many + 1))[:4]
    assert page.rows[0].rank == 1
    assert len(page.rows) == how_many
    assert not list(verify_event(fresh(event)))


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


def test_pairings_name_both_brackets_and_who_waits(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 1)
    make.next_round(event, by)
    with override("en"):
        shown = pairings_page(load_facts(event, drafts=False))
    assert shown.label == "Upper bracket, semi-finals · Lower bracket, round 1"
    assert shown.shows_groups
    assert [row.group for row in shown.tables] == ["Upper bracket"] * 2 + ["Lower bracket"] * 2
    assert shown.resting == ()
    play_on = event.rounds.get(ordinal=2)
    make.play_round(play_on, by, seed_wins)
    make.next_round(event, by)
    with override("it"):
        shown = pairings_page(load_facts(event, drafts=False))
    assert shown.label == "Tabellone perdenti, turno 2"
    assert sorted(each.number for each in shown.resting) == [1, 2]


def test_an_earlier_round_keeps_who_waited_then(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 6)
    shown = pairings_page(load_facts(event, drafts=False), 3)
    assert sorted(each.number for each in shown.resting) == [1, 2]


def test_first_byes_are_shown_and_lower_ones_are_not_made(by: Actor) -> None:
    event = double_elimination(by, 5)
    first = make.next_round(event, by)
    assert sorted(m.a.number for m in first.matches.filter(b=None)) == [1, 2, 3]
    make.play_round(first, by, seed_wins)
    play(event, by, 4)
    assert not Match.objects.filter(round__event=event, round__ordinal__gt=1, b=None).exists()


def test_a_bracket_with_nobody_left_can_be_closed(by: Actor) -> None:
    event = double_elimination(by, 4)
    item = make.next_round(event, by)
    nobody = Claim(winner="none", ended_by="double_loss", by_staff=True, note="late")
    make.play_round(item, by, lambda _match, _index: nobody)
    facts = load_facts(event)
    assert facts.open_stage.rounds_done
    stages.close_stage(event=event, expected_stage=1, by=by)
    assert load_facts(event).ranking == ((1, 2, 3, 4),)


def test_a_knock_out_with_nobody_left_can_be_closed_too(by: Actor) -> None:
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    nobody = Claim(winner="none", ended_by="double_loss", by_staff=True, note="late")
    make.play_round(make.next_round(event, by), by, lambda _match, _index: nobody)
    assert stages.close_stage(event=event, expected_stage=1, by=by) is None


def test_who_leaves_loses_where_they_come(by: Actor) -> None:
    event = double_elimination(by, 4)
    play(event, by, 1)
    departures.withdraw(entry=entry(event, 1), by=by)
    item = make.next_round(event, by)
    lost = item.matches.get(a__number=1)
    assert (lost.decision.winner, lost.table) == ("b", None)
    make.play_round(item, by, seed_wins)
    event = make.play_event(event, by, seed_wins)
    assert load_facts(event).ranking[0] == (2,)
    assert not list(verify_event(fresh(event)))


def test_a_correction_says_which_rounds_it_reaches(by: Actor) -> None:
    """Match 5 is of the second round: its players went to rounds 3 and 4 of the event."""
    event = double_elimination(by)
    play(event, by, 4)
    match = Match.objects.select_related("round", "group__stage", "a", "b", "decision").get(
        round__event=event, number=5
    )
    version = match.version
    match, effects = results.correct_result(
        match=match, version=version, claim=other_wins(match), reason="swapped", by=by
    )
    assert [item.ordinal for item in effects.rounds] == [3, 4]


def test_a_correction_takes_back_the_round_made_from_it(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 2)
    make.next_round(event, by)
    match = Match.objects.select_related("round", "group__stage", "a", "b", "decision").get(
        round__event=event, number=5
    )
    results.correct_result(
        match=match,
        version=match.version,
        claim=other_wins(match),
        reason="swapped",
        take_back=True,
        by=by,
    )
    assert event.rounds.count() == 2
    again = make.next_round(event, by)
    assert {1, 4} & {m.a.number for m in again.matches.all()} == {1}
    assert not list(verify_event(fresh(event)))


def test_a_corrected_grand_final_needs_no_second_match(by: Actor) -> None:
    event = double_elimination(by, 4)
    play(event, by, 3)
    make.play_round(make.next_round(event, by), by, other_wins)
    make.next_round(event, by)
    match = Match.objects.select_related("round", "group__stage", "a", "b", "decision").get(
        round__event=event, number=6
    )
    _match, effects = results.correct_result(
        match=match,
        version=match.version,
        claim=seed_wins(match),
        reason="swapped",
        take_back=True,
        by=by,
    )
    assert [item.ordinal for item in effects.rounds] == [5]
    assert load_facts(event).open_stage.rounds_done


def test_what_comes_next_is_said_for_a_win_and_a_loss(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 1)
    make.next_round(event, by)
    assert ahead(event, 1) == (
        "If you win: Upper bracket, final, against the winner of match 6 (Bea – Carlo).",
        "If you lose: Lower bracket, round 2, against the winner of match 8 (Gino – Fosca).",
    )
    assert ahead(event, 8) == (
        "If you win: Lower bracket, round 2, against the loser of match 6 (Bea – Carlo).",
        "If you lose you are out.",
    )


def test_who_waits_knows_for_what(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 2)
    make.next_round(event, by)
    assert ahead(event, 1) == ("Next: Upper bracket, final, against Bea.",)
    assert ahead(event, 8) == ("out",)
    assert ahead(event, 3) == (
        "If you win: Lower bracket, semi-final, against the winner of match 10 (Dora – Fosca).",
        "If you lose you are out.",
    )


def test_the_grand_final_may_go_on(by: Actor) -> None:
    event = double_elimination(by, 4)
    play(event, by, 3)
    make.next_round(event, by)
    assert ahead(event, 1) == ("If you lose you two meet once more.",)
    assert ahead(event, 2) == ("If you win you two meet once more.",)


def test_single_eliminations_say_it_as_well(by: Actor) -> None:
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    item = make.next_round(event, by)
    first = item.matches.get(number=1)
    names = " – ".join(str(m) for m in (item.matches.get(number=2).a, item.matches.get(number=2).b))
    assert ahead(event, first.a.number) == (
        f"If you win: Match 4, against the winner of match 2 ({names}).",
        f"If you lose: Third place, against the loser of match 2 ({names}).",
    )


def test_the_picture_stands_in_two_rows(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 6)
    facts = load_facts(event)
    with override("en"):
        columns = formula_columns(facts, plan_of(event))
    assert [column.opens for column in columns if column.opens] == [
        *("Upper bracket", "Lower bracket", "Grand final")
    ]
    assert columns[-1].heading == "Grand final", "a second match is not needed"
    fresh_one = double_elimination(by, 4)
    with override("en"):
        to_come = formula_columns(load_facts(fresh_one), plan_of(fresh_one))
    assert to_come[-1].heading == "If it is needed"
    drawn = picture(columns)
    tops = {head.heading: head.down for head in drawn.heads}
    assert tops["Semi-final"] > tops["Semi-finals"] == 0


@pytest.mark.parametrize("how_many", [2, 3, 7, 9, 13, 16, 40])
def test_boxes_never_overlap(how_many: int) -> None:
    plan = FORMULAS.get("double-elimination").plan(how_many)
    drawn = picture(plan_columns(plan))
    spots = [(box.x, box.y, box.y + box.height) for box in drawn.boxes]
    for x, top, bottom in spots:
        beside = [spot for spot in spots if spot[0] == x and spot != (x, top, bottom)]
        assert all(other[2] <= top or other[1] >= bottom for other in beside)
        assert bottom <= drawn.height
        assert x + drawn.box_width <= drawn.width


def test_the_standings_show_the_whole_bracket(client: Client, by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 2)
    (stage,) = stage_standings(load_facts(event, drafts=False))
    assert len(stage.bracket) == 9
    assert stage.rounds == stage.tables == ()
    page = client.get(
        reverse("tournaments:standings", args=[event.slug]), headers={"accept-language": "it"}
    )
    text = page.content.decode()
    assert "Tabellone vincenti, finale" in text
    assert "Perdente incontro 11" in text
    assert "Che cosa dicono le colonne" not in text


def test_the_desk_says_the_bracket_of_each_table(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 1)
    make.next_round(event, by)
    with override("en"):
        desk = desk_of(load_facts(event), Rights(run=True, rule=True, manage=True))
    assert [row.bracket for row in desk.rows] == ["Upper bracket"] * 2 + ["Lower bracket"] * 2


def test_the_workbook_names_rounds_and_brackets(client: Client, by: Actor) -> None:
    event = make.play_event(double_elimination(by, 4), by, seed_wins)
    found = client.get(
        reverse("tournaments:workbook", args=[event.slug]), headers={"accept-language": "en"}
    )
    book = load_workbook(BytesIO(found.content))
    rows = list(book["Results"].iter_rows(values_only=True))
    where = {(row[3], row[1]) for row in rows[1:]}
    assert ("Lower bracket, semi-final", "Lower bracket") in where
    assert ("Grand final", "Grand final") in where


def test_a_taken_back_round_can_be_made_again(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 2)
    made = make.next_round(event, by)
    pairs = [(m.a_id, m.b_id) for m in made.matches.order_by("number")]
    rounds.undo_round(event=event, ordinal=3, by=by)
    again = make.next_round(event, by)
    assert [(m.a_id, m.b_id) for m in again.matches.order_by("number")] == pairs


@pytest.mark.parametrize("name", ["standings", "formula", "pairings", "ranking"])
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
    text = client.get(reverse("tournaments:event-new")).content.decode()
    assert "option_double-elimination_second_final" in text
