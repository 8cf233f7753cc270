"""Results: reported, confirmed, disputed, decided, corrected; nothing is overwritten."""

import pytest
from django.core.exceptions import PermissionDenied

from rules.errors import BadInput, RuleError
from rules.matches.settling import Claim
from rules.results import EndedBy, Winner
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.lots import services as draws
from tournaments.models import Match, Report, StaffRole
from tournaments.players.services import departures
from tournaments.results.services import matches, reports, results
from tournaments.stages import services as stages
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.started(by, 12)


@pytest.fixture
def match(event, by):
    return make.next_round(event, by).matches.get(table=1)


def report(match, entry, *score):
    return reports.report_result(match=match, claim=Claim(score=score), by=Actor(entry=entry))


def decide(match, by, *score, version=None):
    return results.decide_result(
        match=match,
        version=match.version if version is None else version,
        claim=Claim(score=score),
        by=by,
    )


def test_two_equal_reports_make_a_result(match):
    assert report(match, match.a, 40, 22).state == Match.State.REPORTED
    final = report(match, match.b, 40, 22)
    assert final.state == Match.State.FINAL
    assert (final.decision.score_a, final.decision.score_b) == (40, 22)
    assert match.reports.count() == 2


def test_two_different_reports_are_a_dispute_and_both_stay(match):
    report(match, match.a, 40, 22)
    disputed = report(match, match.b, 22, 40)
    assert disputed.state == Match.State.DISPUTED
    assert disputed.decision is None
    assert list(match.reports.values_list("winner", flat=True)) == ["a", "b"]


def test_a_player_may_mend_their_own_report_before_it_is_confirmed(match):
    report(match, match.a, 40, 22)
    report(match, match.a, 40, 23)
    final = report(match, match.b, 40, 23)
    assert (final.state, final.decision.score_b) == (Match.State.FINAL, 23)


def test_the_same_report_sent_again_changes_nothing(match):
    for _attempt in range(3):
        sent = report(match, match.a, 40, 22)
    assert (sent.state, sent.version, match.reports.count()) == (Match.State.REPORTED, 1, 1)
    final = reports.confirm_result(match=match, version=1, by=Actor(entry=match.b))
    assert final.state == Match.State.FINAL
    again = reports.confirm_result(match=match, version=1, by=Actor(entry=match.b))
    late = report(match, match.a, 40, 22)
    assert again.decision_id == late.decision_id == final.decision_id
    assert match.reports.count() == 2


def test_a_different_report_sent_again_is_the_same_dispute(match):
    report(match, match.a, 40, 22)
    report(match, match.b, 22, 40)
    assert report(match, match.b, 22, 40).state == Match.State.DISPUTED
    assert match.reports.count() == 2
    with pytest.raises(RuleError) as refused:
        report(match, match.b, 30, 22)
    assert refused.value.code == "match_final"


def test_a_report_mended_back_is_a_new_one(match):
    for other in (22, 23, 22):
        report(match, match.a, 40, other)
    assert match.reports.count() == 3
    assert report(match, match.b, 40, 22).state == Match.State.FINAL


def test_sending_again_does_not_go_round_what_the_staff_decided(match, by):
    match = report(match, match.a, 40, 22)
    decide(match, by, 40, 22)
    with pytest.raises(RuleError) as refused:
        report(match, match.a, 40, 22)
    assert refused.value.code == "match_final"


def claim_of(match, side, **values):
    by_one = Actor(entry=getattr(match, side))
    return reports.report_result(match=match, claim=Claim(**values), by=by_one)


@pytest.fixture
def games_match(by):
    event = make.playing(by, 4, format="creatures-of-exo", formula="single-group")
    return event.rounds.get().matches.order_by("table")[0]


DRAWN = ("a", "draw", "b", "a")


@pytest.mark.parametrize("fuller_first", [True, False])
def test_games_in_order_and_totals_agree_and_the_games_count(games_match, by, fuller_first):
    both = [{"games": DRAWN}, {"score": (2, 1)}]
    for side, said in zip("ab", both if fuller_first else both[::-1], strict=True):
        final = claim_of(games_match, side, **said)
    assert final.state == Match.State.FINAL
    assert tuple(final.decision.games) == DRAWN
    assert final.decision.games_drawn == 1
    assert final.decision.version == final.version
    said = list(games_match.reports.filter(kind=Report.Kind.REPORT).values_list("games", flat=True))
    assert sorted(map(len, said)) == [0, 4]  # what each said stays as said
    event = final.round.event
    make.play_round(final.round, by)
    make.next_round(event, by)
    event.refresh_from_db()
    assert list(verify_event(event)) == []


def test_two_orders_of_the_same_games_agree_but_not_other_drawn_ones(games_match):
    claim_of(games_match, "a", games=("a", "b", "a"))
    assert claim_of(games_match, "b", games=("b", "a", "a")).state == Match.State.FINAL


def test_drawn_games_that_both_tell_differently_are_a_dispute(games_match):
    claim_of(games_match, "a", games=DRAWN)
    assert claim_of(games_match, "b", games=("a", "b", "a")).state == Match.State.DISPUTED


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_concession_counts_when_the_other_side_says_so_too(games_match, side):
    other = "ab".replace(side, "")
    conceded = {"winner": Winner(other), "ended_by": EndedBy.CONCESSION}
    assert claim_of(games_match, side, **conceded).decision is None
    final = claim_of(games_match, other, **conceded)
    assert (final.decision.winner, final.decision.ended_by) == (other, EndedBy.CONCESSION)


def test_nobody_concedes_for_somebody_else(games_match):
    claimed = claim_of(games_match, "a", winner=Winner.A, ended_by=EndedBy.CONCESSION)
    assert (claimed.state, claimed.decision) == (Match.State.REPORTED, None)
    assert claim_of(games_match, "b", score=(2, 1)).state == Match.State.DISPUTED


@pytest.mark.parametrize(
    "claim",
    [
        {"winner": Winner.NONE},
        {"winner": Winner.VOID},
        {"winner": Winner.A, "ended_by": EndedBy.NO_SHOW},
        {"winner": Winner.A, "ended_by": EndedBy.DISQUALIFICATION},
        {"ended_by": EndedBy.DOUBLE_LOSS},
        {"winner": Winner.A, "note": "they left"},
        {"score": (2, 0), "winner": Winner.B, "note": "wrong deck"},
        {"games": ("a", "a", "b")},
    ],
)
def test_what_judges_decide_players_do_not_report(games_match, claim):
    with pytest.raises(BadInput) as refused:
        claim_of(games_match, "a", **claim)
    assert refused.value.code == "impossible_result"
    assert "Possible: 2-0" in str(refused.value.sentence)
    assert not games_match.reports.exists()


def test_the_opponent_confirms_what_the_page_showed(match):
    report(match, match.a, 40, 22)
    final = reports.confirm_result(match=match, version=1, by=Actor(entry=match.b))
    assert final.state == Match.State.FINAL
    assert final.decision.kind == Report.Kind.CONFIRMATION


def test_a_confirmation_of_an_older_report_is_stale(match):
    report(match, match.a, 40, 22)
    report(match, match.a, 40, 39)
    with pytest.raises(matches.StaleError) as refused:
        reports.confirm_result(match=match, version=1, by=Actor(entry=match.b))
    assert refused.value.match.version == 2


def test_nobody_confirms_their_own_report(match):
    report(match, match.a, 40, 22)
    with pytest.raises(RuleError) as refused:
        reports.confirm_result(match=match, version=1, by=Actor(entry=match.a))
    assert refused.value.code == "own_report"


def test_others_can_not_report(match, event):
    stranger = event.entries.exclude(pk__in=[match.a_id, match.b_id]).first()
    with pytest.raises(PermissionDenied):
        report(match, stranger, 40, 22)
    assert not match.reports.exists()


def test_the_staff_decides_at_once_and_a_late_report_is_refused(match, by):
    assert decide(match, by, 40, 22).state == Match.State.FINAL
    with pytest.raises(RuleError) as refused:
        report(match, match.a, 0, 40)
    assert refused.value.code == "match_final"


def test_of_two_desks_the_second_sees_that_it_is_stale(match, by):
    decide(match, by, 40, 22, version=0)
    with pytest.raises(matches.StaleError):
        decide(match, by, 40, 30, version=0)
    match.refresh_from_db()
    assert match.decision.score_b == 22


def test_a_judge_settles_a_dispute(match, event):
    report(match, match.a, 40, 22)
    match = report(match, match.b, 22, 40)
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
    assert {move.number for move in effects.moves} >= {match.a.number, match.b.number}
    table = load_facts(event).stages[0].outcome.standings[match.group.name]
    points = {row.player: row.values["points"] for row in table.rows}
    assert (points[match.a.number], points[match.b.number]) == (0, 3)


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
    match = Match.objects.select_related("round__event").get(
        group__name="A", a__number__in=(winner, runner_up), b__number__in=(winner, runner_up)
    )
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
    match = Match.objects.select_related("round__event").get(
        group__name="A", a__number__in=pair, b__number__in=pair
    )
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
    departures.withdraw(entry=match.a, reason="ill", by=by)
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


def level_claims(match, index):
    """Everybody wins from seat a with the same score: cycles that only lots can break."""
    return Claim(score=(20, 20))


def test_lots_are_needed_drawn_once_and_recorded(event, by):
    make.play_stage(event, by, level_claims)
    with pytest.raises(RuleError) as refused:
        stages.close_stage(event=event, expected_stage=1, by=by)
    assert refused.value.code == "lots_needed"
    needed = load_facts(event).open_stage.outcome.lots_needed
    announced = event.draws.get(state="announced")
    draw = draws.draw_lots(event=event, tied=needed[0], by=by)
    assert draw.fingerprint == announced.fingerprint
    with pytest.raises(RuleError) as refused:
        draws.draw_lots(event=event, tied=needed[0], by=by)
    assert refused.value.code == "not_tied"
    order = [row.player for row in load_facts(event).stages[0].outcome.standings["A"].rows]
    assert order == draw.order


def test_lots_by_hand_need_witnesses_and_every_name_once(event, by):
    make.play_stage(event, by, level_claims)
    tied = list(load_facts(event).open_stage.outcome.lots_needed[0])
    with pytest.raises(BadInput):
        draws.record_lots(event=event, order=tied, witnesses=" ", by=by)
    draw = draws.record_lots(event=event, order=tied[::-1], witnesses="Ada, Bea", by=by)
    assert (draw.by_hand, draw.order) == (True, tied[::-1])
