"""Results entered and corrected by the staff, corrections that were kept, and forfeits."""

from copy import deepcopy

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from rules.results import MatchEnding
from tests import factories as make
from tests.browsers import signed_in, url
from tests.reporting import correct, decide, report
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.matches import services as matches
from tournaments.models import Event, Match, Report, Round, StaffRole, Stage
from tournaments.players.services import departures
from tournaments.results.services import results
from tournaments.results.services.results import ChoiceNeededError
from tournaments.stages import services as stages
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def test_the_staff_decides_at_once_and_a_late_report_is_refused(match, by):
    assert decide(match, by, 40, 22).state == Match.State.FINAL
    with pytest.raises(RuleError) as refused:
        report(match, match.players[0], 0, 40)
    assert refused.value.code == "match_final"


def test_a_correction_keeps_the_old_result_and_moves_the_standings(match, event, by):
    make.play_round(match.round, by)
    match.refresh_from_db()
    claim = Claim(score=(3, 40))
    corrected, effects = results.correct_result(
        match=match, version=1, claim=claim, reason="wrong slip", by=by
    )
    assert corrected.reports.count() == 2
    loser, winner = (player.number for player in match.players)
    assert {move["number"] for move in effects.moves} >= {loser, winner}
    table = load_facts(event).stages[0].outcome.standings[match.group.name]
    points = {row.player: row.values["points"] for row in table.rows}
    assert (points[loser], points[winner]) == (0, 3)


def test_results_of_a_former_round_are_for_organiser_and_head_judge(match, event, by):
    make.play_round(match.round, by)
    make.next_round(event, by)
    match.refresh_from_db()
    fix = {"match": match, "version": 1, "claim": Claim(score=(1, 40)), "reason": "slip"}
    with pytest.raises(PermissionDenied):
        results.correct_result(**fix, by=make.staff(event, StaffRole.Role.SCOREKEEPER))
    head = make.staff(event, StaffRole.Role.HEAD_JUDGE)
    assert results.correct_result(**fix, by=head)[0].decision.winner == "b"


@pytest.mark.deep
def test_a_correction_behind_a_closed_stage_is_kept_or_taken_back(event, by):
    make.play_stage(event, by)
    make.close_stage(event, by)
    second = make.next_round(event, by)
    facts = load_facts(event)
    table = facts.stages[0].outcome.standings["A"].rows
    winner, runner_up = table[0].player, table[1].player
    match = make.among(Match.objects.filter(group__name="A"), (winner, runner_up)).get()
    score = (0, 90) if match.decision.winner == "a" else (90, 0)
    match, effects = correct(match, by, score=score)
    assert {change.place for change in effects.places} >= {"A1", "A2"}
    assert [stage.number for stage in effects.stages] == [2]
    assert load_facts(event).open_stage.stage.number == 2
    match, _ = correct(match, by, score=score[::-1])
    match, _ = correct(match, by, take_back=True, score=score)
    assert load_facts(event).open_stage.stage.number == 1
    assert not type(second).objects.filter(pk=second.pk).exists()


@pytest.mark.deep
def test_who_withdraws_forfeits_the_match_in_progress_and_the_later_ones(match, event, by):
    departures.withdraw(entry=match.players[0], reason="ill", by=by)
    match.refresh_from_db()
    assert (match.state, match.decision.winner) == (Match.State.FINAL, "b")
    make.play_round(match.round, by)
    make.play_stage(event, by)
    forfeits = Report.objects.filter(match__round__event=event, ended_by=MatchEnding.CONCESSION)
    assert forfeits.count() == 3


@pytest.mark.deep
def test_who_withdrew_keeps_the_rank_but_the_next_advances(event, by):
    make.play_stage(event, by)
    table = load_facts(event).stages[0].outcome.standings["A"].rows
    first, second = table[0].player, table[1].player
    departures.withdraw(entry=event.entries.get(number=first), by=by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    stage = load_facts(event).stages[0]
    assert stage.outcome.standings["A"].rows[0].player == first
    assert stage.stage.places["A1"] == second


FIRST, OTHER = Claim(score=(40, 22)), Claim(score=(22, 40))


def enter(match, claim, by, *, version=0, reason="slip", **more):
    return results.enter_result(
        match=match, version=version, claim=claim, reason=reason, by=by, **more
    )


def stored(match):
    match.refresh_from_db()
    return (match.version, match.decision.score_a, match.decision.score_b)


def test_an_open_match_is_decided_and_a_final_one_corrected(match, by):
    first = enter(match, FIRST, by)
    assert (first.match.state, first.effects, first.refused) == (Match.State.FINAL, None, None)
    corrected = enter(match, OTHER, by, version=1)
    assert corrected.effects is not None
    assert stored(match) == (2, 22, 40)
    assert [line.action for line in match.round.event.log.order_by("number")][-2:] == [
        "result.entered",
        "result.corrected",
    ]


def test_the_state_that_counts_is_the_one_under_the_lock(match, by):
    """Whoever loaded the match before somebody else's result, and sends the version after it."""
    open_still = deepcopy(match)
    enter(match, FIRST, by)
    assert open_still.state == Match.State.OPEN
    assert enter(open_still, OTHER, by, version=1).effects is not None
    assert stored(match) == (2, 22, 40)


def test_without_a_reason_a_final_result_stays(match, by):
    enter(match, FIRST, by)
    with pytest.raises(RuleError) as refused:
        enter(match, OTHER, by, version=1, reason=None)
    assert refused.value.code == "match_final"
    with pytest.raises(matches.StaleError):
        enter(match, OTHER, by, reason=None)
    with pytest.raises(BadInput):
        enter(match, OTHER, by, version=1, reason=" ")
    assert stored(match) == (1, 40, 22)


@pytest.mark.parametrize("version", [0, 1])
def test_compared_the_same_result_is_one_and_another_is_told(match, by, version):
    enter(match, FIRST, by)
    same = enter(match, FIRST, by, version=version, reason=None, compare=True)
    assert (same.match.version, same.refused) == (1, None)
    other = enter(match, OTHER, by, version=version, reason=None, compare=True)
    assert (other.match.version, other.refused.score) == (1, (22, 40))
    assert stored(match) == (1, 40, 22)


def test_compared_an_impossible_result_is_an_error_all_the_same(match, by):
    enter(match, FIRST, by)
    level = Claim(score=(1, 1), ended_by=MatchEnding.PLAYED)
    with pytest.raises(BadInput) as refused:
        enter(match, level, by, reason=None, compare=True)
    assert refused.value.code == "impossible_result"


def test_an_open_choice_is_asked_for_before_anything_is_stored(by):
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    match = Match.objects.filter(round__event=event, round__ordinal=1).first()
    turned = Claim(games=("b", "b"))
    with CaptureQueriesContext(connection) as sent, pytest.raises(ChoiceNeededError) as asked:
        enter(match, turned, by, version=match.version, take_back=None)
    assert asked.value.effects.reaches_further
    assert not [q["sql"] for q in sent if q["sql"].startswith(("INSERT", "UPDATE"))]
    assert enter(match, turned, by, version=match.version, take_back=True).effects is not None
    assert list(Round.objects.filter(event=event).values_list("ordinal", flat=True)) == [1]


def test_a_result_saved_at_the_desk_is_settled_once(match, by, monkeypatch):
    settled, settle = [], results.resolve_claim
    monkeypatch.setattr(
        results, "resolve_claim", lambda *args: settled.append(args) or settle(*args)
    )
    address = url("desk-save", match.round.event, match.pk)
    desk = signed_in(by)
    for text in ("40-22", "40-22", "22-40"):
        desk.post(address, {"version": 0, "text": text})
        assert len(settled) == 1, text
        settled.clear()
    assert stored(match) == (1, 40, 22)


@pytest.mark.deep
def test_back_to_what_the_next_stage_was_made_from_affects_nothing(by: Actor) -> None:
    event = make.started(by, 5)
    make.play_stage(event, by)
    make.close_stage(event, by)
    first = event.stages.get(number=1)
    winner, second = first.places["X"], first.places["Y"]
    match = make.among(Match.objects.filter(round__stage=first), (winner, second)).get()
    assert match.decision is not None
    was = (match.decision.score_a, match.decision.score_b)
    turned = (0, 90) if match.players[0].number == winner else (90, 0)

    def corrected(score: tuple[int, int]) -> results.Effects:
        return correct(Match.objects.get(pk=match.pk), by, score=score)[1]

    lost = corrected(turned)
    assert [stage.number for stage in lost.stages] == [2]
    back = corrected(was)
    assert lost.places
    assert not back.places
    assert not back.stages
    assert Stage.objects.get(pk=first.pk).places["X"] == winner


@pytest.mark.deep
def test_before_is_who_holds_a_place_also_after_a_correction_that_was_kept(by: Actor) -> None:
    """Three corrections, all kept: each begins from the seats, not from the one before it."""
    event = make.started(by, 5)
    make.play_stage(event, by)
    make.close_stage(event, by)
    first = event.stages.get(number=1)
    held = dict(first.places)
    seen = set()
    for match in Match.objects.filter(round__stage=first):
        found = Match.objects.get(pk=match.pk)
        _match, effects = correct(
            found, by, score=(0, 90) if found.decision.winner == "a" else (90, 0)
        )
        now = load_facts(event).stages[0].outcome.places
        for change in effects.places:
            assert change.before == held[change.place] != change.after
            assert change.after == now.get(change.place)
            seen.add(change.place)
        if effects.places:
            stands = {p for p in held if now.get(p) == held[p]}
            assert {change.place for change in effects.places} == set(held) - stands
            assert [stage.number for stage in effects.stages] == [2]
    assert seen
    seats = event.stages.get(number=2).groups.get().seats.order_by("number")
    assert [seat.entry.number for seat in seats] == [held[name] for name in "XYZ"]


@pytest.mark.deep
def test_nothing_is_kept_in_silence_after_the_last_stage(by: Actor) -> None:
    """Taking back is refused, not passed over, where all stages are closed and played."""
    event = make.started(by, 5)
    while load_facts(event).open_stage is not None:
        make.play_stage(event, by)
        make.close_stage(event, by)
    with pytest.raises(RuleError) as refused:
        turned(event, by)
    assert refused.value.code == "round_has_results"
    assert "Keep it, or discard it at the desk" in str(refused.value)


def forfeited_to_the_end(event: Event, by: Actor) -> None:
    """Close every stage; in those after the first all but one are away, so nobody plays."""
    make.play_stage(event, by)
    make.close_stage(event, by)
    first, *others = event.stages.get(number=1).places.values()
    for number in {*others} - {first}:
        departures.withdraw(entry=event.entries.get(number=number), by=by)
    while (stage := load_facts(event).open_stage) is not None:
        while not load_facts(event).open_stage.rounds_done:
            make.next_round(event, by)
        stages.close_stage(event=event, expected_stage=stage.stage.number, by=by)
    for number in {*others} - {first}:
        departures.rejoin(entry=event.entries.get(number=number), by=by)


def turned(event: Event, by: Actor) -> results.Effects:
    """Take back what was made from the match of those who came out of the first stage."""
    first = event.stages.get(number=1)
    pair = (first.places["X"], first.places["Y"])
    match = make.among(Match.objects.filter(round__stage=first), pair).get()
    score = (0, 90) if match.players[0].number == pair[0] else (90, 0)
    return correct(match, by, take_back=True, score=score)[1]


@pytest.mark.deep
def test_a_last_stage_of_forfeits_is_taken_back(by: Actor) -> None:
    event = make.started(by, 5)
    forfeited_to_the_end(event, by)
    before = list(Stage.objects.filter(event=event).values_list("state", "places"))
    effects = turned(event, by)
    assert [stage.number for stage in effects.stages] == [2, 3]
    assert load_facts(event).open_stage.stage.number == 1
    assert not Round.objects.filter(event=event, stage__number__gt=1).exists()
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []
    while load_facts(event).open_stage is not None:
        act = last_act(Event.objects.get(pk=event.pk))
        assert act.why_not is None
        undo(event=event, expected=act.line.number, by=by)
    assert list(Stage.objects.filter(event=event).values_list("state", "places")) == before


@pytest.mark.deep
def test_a_closed_stage_that_loses_a_forfeited_round_is_open_again(by: Actor) -> None:
    """The winner of a semi-final would not meet the withdrawn finalist again."""
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    semi = make.next_round(event, by)
    make.play_round(semi, by)
    one, other = (match for match in semi.matches.order_by("number"))
    for gone in other.players:
        departures.withdraw(entry=gone, by=by)
    final = make.next_round(event, by)
    assert set(final.matches.values_list("state", flat=True)) == {Match.State.FINAL}
    stages.close_stage(event=event, expected_stage=1, by=by)
    match = Match.objects.get(pk=one.pk)
    _match, effects = correct(match, by, take_back=True, games=("b", "b"))
    assert [item.pk for item in effects.rounds] == [final.pk]
    assert load_facts(event).open_stage.stage.number == 1
    assert event.rounds.count() == 1
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


@pytest.mark.deep
def test_rounds_that_an_earlier_correction_contradicts_are_no_effect_of_the_next_one(
    by: Actor,
) -> None:
    """A result of the last Swiss round changes no pairing of the rounds before it."""
    options = {"rounds": 3, "cut": 4}
    event = make.started(by, 8, formula="swiss-cut", format="creatures-of-exo", options=options)
    make.play_stage(event, by)

    def turned_round(ordinal: int) -> list[int]:
        match = Match.objects.filter(round__event=event, round__ordinal=ordinal).first()
        _match, effects = correct(match, by, games=("b", "b"))
        return [item.ordinal for item in effects.rounds]

    assert 2 in turned_round(1)
    assert turned_round(3) == []
