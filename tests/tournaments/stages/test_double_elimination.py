"""Double elimination from the draw to the ranking, on the pages, by the API and in the workbook."""

import pytest
from django.utils.translation import override

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.double_eliminations import double_elimination, entry, fresh, other_wins, play, seed_wins
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Match
from tournaments.players.services import departures
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.stages import services as stages
from tournaments.standings.selectors.ranking import ranking_page
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


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
    assert sorted(m.players[0].number for m in first.matches.exclude(match_seats__number=2)) == [
        1,
        2,
        3,
    ]
    make.play_round(first, by, seed_wins)
    play(event, by, 4)
    assert (
        not Match.objects.exclude(match_seats__number=2)
        .filter(round__event=event, round__ordinal__gt=1)
        .exists()
    )


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
    lost = item.matches.get(match_seats__entry__number=1, match_seats__number=1)
    assert (lost.decision.winner, lost.table) == ("b", None)
    make.play_round(item, by, seed_wins)
    event = make.play_event(event, by, seed_wins)
    assert load_facts(event).ranking[0] == (2,)
    assert not list(verify_event(fresh(event)))


def test_a_correction_says_which_rounds_it_reaches(by: Actor) -> None:
    """Match 5 is of the second round: its players went to rounds 3 and 4 of the event."""
    event = double_elimination(by)
    play(event, by, 4)
    match = Match.objects.select_related("round", "group__stage", "decision").get(
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
    match = Match.objects.select_related("round", "group__stage", "decision").get(
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
    assert {1, 4} & {m.players[0].number for m in again.matches.all()} == {1}
    assert not list(verify_event(fresh(event)))


def test_a_corrected_grand_final_needs_no_second_match(by: Actor) -> None:
    event = double_elimination(by, 4)
    play(event, by, 3)
    make.play_round(make.next_round(event, by), by, other_wins)
    make.next_round(event, by)
    match = Match.objects.select_related("round", "group__stage", "decision").get(
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


def test_a_taken_back_round_can_be_made_again(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 2)
    made = make.next_round(event, by)
    pairs = [m.seats for m in made.matches.order_by("number")]
    rounds.take_back_round(event=event, ordinal=3, by=by)
    again = make.next_round(event, by)
    assert [m.seats for m in again.matches.order_by("number")] == pairs
