"""Results decided and corrected by the staff, and forfeits, through the services."""

import pytest
from django.core.exceptions import PermissionDenied

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from rules.results import EndedBy, Winner
from tests import factories as make
from tests.reporting import decide, report
from tournaments.core.event_state import load_facts
from tournaments.matches import services as matches
from tournaments.models import Match, Report, StaffRole
from tournaments.players.services import departures
from tournaments.results.services import results
from tournaments.stages import services as stages

pytestmark = pytest.mark.django_db


def test_the_staff_decides_at_once_and_a_late_report_is_refused(match, by):
    assert decide(match, by, 40, 22).state == Match.State.FINAL
    with pytest.raises(RuleError) as refused:
        report(match, match.players[0], 0, 40)
    assert refused.value.code == "match_final"


def test_of_two_desks_the_second_sees_that_it_is_stale(match, by):
    decide(match, by, 40, 22, version=0)
    with pytest.raises(matches.StaleError):
        decide(match, by, 40, 30, version=0)
    match.refresh_from_db()
    assert match.decision.score_b == 22


def test_a_judge_settles_a_dispute(match, event):
    report(match, match.players[0], 40, 22)
    match = report(match, match.players[1], 22, 40)
    final = decide(match, make.staff(event), 40, 22)
    assert final.state == Match.State.FINAL
    assert final.reports.count() == 3


def test_an_impossible_result_stores_nothing(match, by):
    with pytest.raises(BadInput) as refused:
        decide(match, by, -1, 40)
    assert refused.value.code == "impossible_result"
    assert not match.reports.exists()


def test_a_winner_against_the_score_needs_a_reason(match, by):
    against = Claim(score=(10, 40), winner=Winner.A)
    with pytest.raises(BadInput):
        results.decide_result(match=match, version=0, claim=against, by=by)
    with_reason = Claim(score=(10, 40), winner=Winner.A, note="Ruling 3")
    final = results.decide_result(match=match, version=0, claim=with_reason, by=by)
    assert (final.decision.winner, final.decision.by_decision) == ("a", True)


def test_a_correction_keeps_the_old_result_and_moves_the_standings(match, event, by):
    make.play_round(match.round, by)
    match.refresh_from_db()
    claim = Claim(score=(3, 40))
    corrected, effects = results.correct_result(
        match=match, version=1, claim=claim, reason="wrong slip", by=by
    )
    assert corrected.reports.count() == 2
    assert {move.number for move in effects.moves} >= {
        match.players[0].number,
        match.players[1].number,
    }
    table = load_facts(event).stages[0].outcome.standings[match.group.name]
    points = {row.player: row.values["points"] for row in table.rows}
    assert (points[match.players[0].number], points[match.players[1].number]) == (0, 3)


def test_a_correction_needs_a_reason_and_the_present_version(match, by):
    match = decide(match, by, 40, 22)
    with pytest.raises(BadInput):
        results.correct_result(match=match, version=1, claim=Claim(score=(1, 40)), reason="", by=by)
    with pytest.raises(matches.StaleError):
        results.correct_result(
            match=match, version=0, claim=Claim(score=(1, 40)), reason="slip", by=by
        )


def test_results_of_a_former_round_are_for_organiser_and_head_judge(match, event, by):
    make.play_round(match.round, by)
    make.next_round(event, by)
    match.refresh_from_db()
    fix = {"match": match, "version": 1, "claim": Claim(score=(1, 40)), "reason": "slip"}
    with pytest.raises(PermissionDenied):
        results.correct_result(**fix, by=make.staff(event, StaffRole.Role.SCOREKEEPER))
    head = make.staff(event, StaffRole.Role.HEAD_JUDGE)
    assert results.correct_result(**fix, by=head)[0].decision.winner == "b"


def test_a_correction_behind_a_closed_stage_is_kept_or_taken_back(event, by):
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    second = make.next_round(event, by)
    facts = load_facts(event)
    table = facts.stages[0].outcome.standings["A"].rows
    winner, runner_up = table[0].player, table[1].player
    match = make.among(Match.objects.filter(group__name="A"), (winner, runner_up)).get()
    score = (0, 90) if match.decision.winner == "a" else (90, 0)
    match, effects = results.correct_result(
        match=match, version=match.version, claim=Claim(score=score), reason="slip", by=by
    )
    assert {change.place for change in effects.places} >= {"A1", "A2"}
    assert [stage.number for stage in effects.stages] == [2]
    assert load_facts(event).open_stage.stage.number == 2
    match, _ = results.correct_result(
        match=match,
        version=match.version,
        claim=Claim(score=score[::-1]),
        reason="it was right",
        by=by,
    )
    match, _ = results.correct_result(
        match=match,
        version=match.version,
        claim=Claim(score=score),
        reason="it was not",
        take_back=True,
        by=by,
    )
    assert load_facts(event).open_stage.stage.number == 1
    assert not type(second).objects.filter(pk=second.pk).exists()


def test_what_has_been_played_is_not_taken_back(event, by):
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    make.play_round(make.next_round(event, by), by)
    table = load_facts(event).stages[0].outcome.standings["A"].rows
    pair = (table[0].player, table[1].player)
    match = make.among(Match.objects.filter(group__name="A"), pair).get()
    score = (0, 90) if match.decision.winner == "a" else (90, 0)
    with pytest.raises(RuleError) as refused:
        results.correct_result(
            match=match,
            version=match.version,
            claim=Claim(score=score),
            reason="slip",
            take_back=True,
            by=by,
        )
    assert refused.value.code == "round_has_results"
    match.refresh_from_db()
    assert match.reports.count() == 1


def test_who_withdraws_forfeits_the_match_in_progress_and_the_later_ones(match, event, by):
    departures.withdraw(entry=match.players[0], reason="ill", by=by)
    match.refresh_from_db()
    assert (match.state, match.decision.winner) == (Match.State.FINAL, "b")
    make.play_round(match.round, by)
    make.play_stage(event, by)
    forfeits = Report.objects.filter(match__round__event=event, ended_by=EndedBy.CONCESSION)
    assert forfeits.count() == 3


def test_who_withdrew_keeps_the_rank_but_the_next_advances(event, by):
    make.play_stage(event, by)
    first = load_facts(event).stages[0].outcome.standings["A"].rows[0].player
    second = load_facts(event).stages[0].outcome.standings["A"].rows[1].player
    departures.withdraw(entry=event.entries.get(number=first), by=by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    stage = load_facts(event).stages[0]
    assert stage.outcome.standings["A"].rows[0].player == first
    assert stage.stage.places["A1"] == second
