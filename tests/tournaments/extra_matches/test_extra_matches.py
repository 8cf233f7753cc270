"""Extra matches as a tie-break: made, played, counted, corrected, taken back."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from rules.matches.match_rules import Claim
from rules.matches.settling import resolve_claim
from tests import factories as make
from tests.extra_rounds import code, extra, faults, play, table, tied_in, win
from tests.level_players import all_drawn, four_level, two_level
from tests.reporting import correct
from tournaments.core.event_state import load_facts
from tournaments.core.labels import round_label
from tournaments.core.mapping import match_rules
from tournaments.lots import services as draws
from tournaments.models import Event, Match, StaffRole
from tournaments.players.services import departures
from tournaments.prospects.selectors import own_prospect
from tournaments.results.selectors import correction_effects
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.rounds.services import make_extra_round
from tournaments.stages import services as stages
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def two(by) -> Event:
    return two_level(by)


@pytest.fixture
def four(by) -> Event:
    return four_level(by)


def test_two_level_players_settle_it_in_one_match(two, by):
    before, tied = table(two), tied_in(two)
    item = extra(two, by)
    (match,) = item.matches.all()
    assert item.level == sorted(tied)
    assert {player.number for player in match.players} == set(tied)
    assert (match.draws, match.table, match.state) == (False, 1, "open")
    assert tied_in(two) == tied  # nothing is decided yet
    win(match, max(tied), by)
    stage = load_facts(two).open_stage
    assert stage.outcome.lots_needed == ()
    assert stage.outcome.places["finalist 2"] == max(tied)
    after = table(two)
    assert [row.player for row in after.rows][1:3] == [max(tied), min(tied)]
    assert after.rows[2].placed_by == "extra_match"
    kept = {row.player: (row.played, row.won, row.values) for row in before.rows}
    assert {row.player: (row.played, row.won, row.values) for row in after.rows} == kept
    assert faults(two) == []
    stages.close_stage(event=two, expected_stage=1, by=by)
    assert faults(two) == []


def test_a_drawn_extra_match_is_no_result(two, by):
    (match,) = extra(two, by).matches.all()
    claim = Claim(score=(20, 20))
    assert code(results.decide_result, match=match, version=0, claim=claim, by=by) == (
        "impossible_result"
    )
    assert match_rules(Match.objects.get(pk=match.pk), two).draws is False


def test_it_is_called_by_the_place(two, four, by):
    item = extra(two, by)
    assert round_label(load_facts(two).open_stage, item) == "Tiebreaker matches: Places 2–3"
    item = extra(four, by)
    assert round_label(load_facts(four).open_stage, item) == (
        "Tiebreaker matches: Places 1–4 · round 1 of 3"
    )


@pytest.mark.deep
def test_four_meet_each_other_in_three_rounds(four, by):
    for number in (1, 2, 3):
        assert len(tied_in(four)) == 4, number
        item = extra(four, by)
        assert item.matches.count() == 2
        play(item, by)
    assert [row.player for row in table(four).rows] == [4, 3, 2, 1]
    assert load_facts(four).open_stage.rounds_done
    assert load_facts(four).open_stage.total_rounds == 3
    assert faults(four) == []


def test_nothing_goes_on_while_it_is_open(two, by):
    tied = tied_in(two)
    item = extra(two, by, publish=False)
    assert code(extra, two, by, tied) == "round_not_published"
    rounds.publish_round(event=two, ordinal=item.ordinal, by=by)
    assert code(extra, two, by, tied) == "results_missing"
    assert code(draws.draw_tied_order, event=two, tied=tied, by=by) == "results_missing"
    assert code(stages.close_stage, event=two, expected_stage=1, by=by) == "results_missing"
    assert code(stages.decide_second_leg, event=two, expected_stage=1, by=by) == (
        "extra_matches_made"
    )
    assert code(make.next_round, two, by) == "results_missing"
    play(item, by)
    assert code(extra, two, by, tied) == "not_tied"
    assert code(draws.draw_tied_order, event=two, tied=tied, by=by) == "not_tied"
    assert code(make.next_round, two, by) == "stage_complete"


@pytest.mark.deep
def test_not_before_the_results_are_in_and_not_twice(by):
    event = make.started(by, 4)
    make.next_round(event, by)
    assert code(extra, event, by, (1, 2)) == "results_missing"
    make.play_round(event.rounds.get(), by, all_drawn)
    assert code(extra, event, by, (1, 2, 3, 4)) == "rounds_missing"
    make.play_stage(event, by, all_drawn)
    assert code(extra, event, by, (1, 2)) == "not_tied"
    extra(event, by)
    ordinal = load_facts(event).last_ordinal
    again = code(make_extra_round, event=event, sets=[(1, 2, 3, 4)], expected_round=ordinal, by=by)
    assert again == "round_exists"


def test_only_who_draws_lots_makes_it(two):
    for role in (StaffRole.Role.JUDGE, StaffRole.Role.SCOREKEEPER):
        with pytest.raises(PermissionDenied):
            extra(two, make.staff(two, role))
    judge = make.staff(two, StaffRole.Role.HEAD_JUDGE)
    assert extra(two, judge).pk


@pytest.mark.deep
def test_it_is_taken_back_as_any_round(two, by):
    version = load_facts(two).event.version
    item = extra(two, by, publish=False)
    act = last_act(Event.objects.get(pk=two.pk))
    assert (act.line.action, act.why_not) == ("round.drafted", None)
    undo(event=two, expected=act.line.number, by=by)
    assert not two.rounds.filter(pk=item.pk).exists()
    item = extra(two, by)
    rounds.delete_last_round(event=two, ordinal=item.ordinal, by=by)
    assert len(tied_in(two)) == 2
    assert Event.objects.get(pk=two.pk).version > version
    assert faults(two) == []


def test_a_correction_that_ends_the_tie_leaves_it_on_record(two, by):
    tied = tied_in(two)
    item = extra(two, by)
    play(item, by)
    own = make.among(Match.objects.filter(round__event=two), tied)
    match = own.exclude(round=item).select_related("round__event", "decision").get()
    claim = Claim(score=(40, 10), by_staff=True)
    facts, outcome = load_facts(two), resolve_claim(match_rules(match, two), claim)
    effects = correction_effects(facts, match, outcome)
    assert (effects.rounds, effects.reaches_further) == ((), False)
    assert [each.pk for each in effects.idle] == [item.pk]
    results.correct_result(match=match, version=match.version, claim=claim, reason="Typo", by=by)
    rows = table(two).rows
    assert [row.player for row in rows][1] == match.players[0].number
    assert rows[2].placed_by != "extra_match"
    assert item.matches.get().state == "final"
    assert faults(two) == []


def test_an_open_one_is_taken_back_with_the_correction(two, by):
    tied = tied_in(two)
    item = extra(two, by)
    own = make.among(Match.objects.filter(round__event=two), tied)
    match = own.exclude(round=item).select_related("round__event").get()
    _match, effects = correct(match, by, take_back=True, score=(40, 10))
    assert [each.pk for each in effects.rounds] == [item.pk]
    assert not two.rounds.filter(pk=item.pk).exists()
    assert faults(two) == []


def test_the_extra_match_itself_is_corrected(two, by):
    tied = tied_in(two)
    item = extra(two, by)
    play(item, by)
    stages.close_stage(event=two, expected_stage=1, by=by)
    match = item.matches.select_related("round__event").get()
    lower_first = match.players[0].number == min(tied)
    score = (40, 10) if lower_first else (10, 40)
    _match, effects = correct(match, by, take_back=True, score=score)
    assert [(one.place, one.after) for one in effects.places] == [("finalist 2", min(tied))]
    assert load_facts(two).open_stage.stage.number == 1
    assert load_facts(two).open_stage.outcome.places["finalist 2"] == min(tied)
    assert faults(two) == []


@pytest.mark.deep
def test_lots_after_a_series_that_decides_nothing(four, by):
    winners = {(1, 2), (2, 3), (3, 1), (1, 4), (2, 4), (3, 4)}
    for _round in range(3):
        item = extra(four, by)
        for match in item.matches.all():
            a, b = match.players[0].number, match.players[1].number
            win(match, a if (a, b) in winners else b, by)
    assert [row.player for row in table(four).rows][3] == 4
    assert set(tied_in(four)) == {1, 2, 3}
    draws.draw_tied_order(event=four, tied=tied_in(four), seed="x", by=by)
    rows = table(four).rows
    assert [row.placed_by for row in rows] == [None, "lots", "lots", "extra_match"]
    assert faults(four) == []


def test_who_has_left_is_not_paired(four, by):
    departures.withdraw(entry=four.entries.get(number=2), by=by)
    item = extra(four, by)
    assert item.matches.filter(missed=True).get().players[0].number == 2
    for _round in range(3):
        play(item, by)
        if not load_facts(four).open_stage.outcome.lots_needed:
            break
        item = extra(four, by)
    assert [row.player for row in table(four).rows] == [4, 3, 1, 2]
    departures.rejoin(entry=four.entries.get(number=2), by=by)
    assert [row.player for row in table(four).rows] == [4, 3, 1, 2]
    assert faults(four) == []


@pytest.mark.deep
def test_thirds_of_different_groups_play_for_the_place(by):
    event = make.started(by, 12)
    make.play_stage(event, by, lambda match, index: Claim(score=(40, 10)))
    groups = load_facts(event).open_stage.state.seats
    for _time in range(9):
        needed = load_facts(event).open_stage.outcome.lots_needed
        if not needed:
            break
        item = extra(event, by, needed[0])
        label = round_label(load_facts(event).open_stage, item)
        if not any(set(needed[0]) <= set(seats) for seats in groups.values()):
            assert "Rank 3" in label
        play(item, by)
    else:
        pytest.fail("The extra matches did not end.")
    compared = load_facts(event).open_stage.outcome.compared[3]
    assert "extra_match" in {row.placed_by for row in compared.rows}
    assert faults(event) == []
    stages.close_stage(event=event, expected_stage=1, by=by)
    assert faults(event) == []


def test_a_tampered_one_is_found(two, by):
    item = extra(two, by)
    play(item, by)
    item.level = sorted({1, 2, 3, 4} - set(item.level))
    item.save()
    assert "extra_matches" in {finding.check for finding in faults(two)}


@pytest.mark.parametrize("by_lots", [True, False])
def test_who_goes_on_is_known_once_it_is_decided(two, by, by_lots):
    tied = tied_in(two)

    def told(key: str) -> list[Any]:
        facts = load_facts(two, for_staff=False)
        return [own_prospect(facts, facts.entries[number])[key] for number in tied]

    assert set(told("depends")) == {"Random draw or tiebreaker match"}
    if by_lots:
        first = draws.draw_tied_order(event=two, tied=tied, seed="x", by=by).order[0]
    else:
        play(extra(two, by), by)
        first = max(tied)
    for number, said in zip(tied, told("now"), strict=True):
        assert said.words == ("Qualified" if number == first else "Out")
