"""A correction that was kept, and what the next one is compared with."""

import pytest

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match, Round, Stage
from tournaments.players.services import departures
from tournaments.results.services import results
from tournaments.stages import services as stages
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def test_back_to_what_the_next_stage_was_made_from_affects_nothing() -> None:
    by = make.organiser()
    event = make.started(by, 5)
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    first = event.stages.get(number=1)
    winner, second = first.places["X"], first.places["Y"]
    match = make.among(Match.objects.filter(round__stage=first), (winner, second)).get()
    assert match.decision is not None
    was = (match.decision.score_a, match.decision.score_b)
    turned = (0, 90) if match.players[0].number == winner else (90, 0)

    def corrected(score: tuple[int, int]) -> results.Effects:
        found = Match.objects.get(pk=match.pk)
        _match, effects = results.correct_result(
            match=found, version=found.version, claim=Claim(score=score), reason="typo", by=by
        )
        return effects

    lost = corrected(turned)
    assert [stage.number for stage in lost.stages] == [2]
    back = corrected(was)
    assert lost.places
    assert not back.places
    assert not back.stages
    assert Stage.objects.get(pk=first.pk).places["X"] == winner


def test_before_is_who_holds_a_place_also_after_a_correction_that_was_kept() -> None:
    """Three corrections, all kept: each begins from the seats, not from the one before it."""
    by = make.organiser()
    event = make.started(by, 5)
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    first = event.stages.get(number=1)
    held = dict(first.places)
    seen = set()
    for match in Match.objects.filter(round__stage=first):
        found = Match.objects.get(pk=match.pk)
        _match, effects = results.correct_result(
            match=found,
            version=found.version,
            claim=Claim(score=(0, 90) if found.decision.winner == "a" else (90, 0)),
            reason="typo",
            by=by,
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


def test_nothing_is_kept_in_silence_after_the_last_stage() -> None:
    """Taking back is refused, not passed over, where all stages are closed and played."""
    by = make.organiser()
    event = make.started(by, 5)
    while (stage := load_facts(event).open_stage) is not None:
        make.play_stage(event, by)
        stages.close_stage(event=event, expected_stage=stage.stage.number, by=by)
    first = event.stages.get(number=1)
    pair = (first.places["X"], first.places["Y"])
    match = make.among(Match.objects.filter(round__stage=first), pair).get()
    turned = (0, 90) if match.players[0].number == pair[0] else (90, 0)
    with pytest.raises(RuleError) as refused:
        results.correct_result(
            match=match,
            version=match.version,
            claim=Claim(score=turned),
            reason="typo",
            take_back=True,
            by=by,
        )
    assert refused.value.code == "round_has_results"
    assert "Keep what was made, or throw away its rounds at the desk" in str(refused.value)


def forfeited_to_the_end(event: Event, by: Actor) -> None:
    """Close every stage; in those after the first all but one are away, so nobody plays."""
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    first, *others = event.stages.get(number=1).places.values()
    for number in {*others} - {first}:
        departures.withdraw(entry=event.entries.get(number=number), by=by)
    while (stage := load_facts(event).open_stage) is not None:
        while not load_facts(event).open_stage.rounds_done:
            make.next_round(event, by)
        stages.close_stage(event=event, expected_stage=stage.stage.number, by=by)
    for number in {*others} - {first}:
        departures.come_back(entry=event.entries.get(number=number), by=by)


def turned(event: Event, by: Actor) -> results.Effects:
    """Take back what was made from the match of those who came out of the first stage."""
    first = event.stages.get(number=1)
    pair = (first.places["X"], first.places["Y"])
    match = make.among(Match.objects.filter(round__stage=first), pair).get()
    _match, effects = results.correct_result(
        match=match,
        version=match.version,
        claim=Claim(score=(0, 90) if match.players[0].number == pair[0] else (90, 0)),
        reason="typo",
        take_back=True,
        by=by,
    )
    return effects


def test_a_last_stage_of_forfeits_is_taken_back() -> None:
    by = make.organiser()
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


def test_a_closed_stage_that_loses_a_forfeited_round_is_open_again() -> None:
    """The winner of a semi-final would not meet the withdrawn finalist again."""
    by = make.organiser()
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
    _match, effects = results.correct_result(
        match=match,
        version=match.version,
        claim=Claim(games=("b", "b")),
        reason="typo",
        take_back=True,
        by=by,
    )
    assert [item.pk for item in effects.rounds] == [final.pk]
    assert load_facts(event).open_stage.stage.number == 1
    assert event.rounds.count() == 1
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


def test_rounds_that_an_earlier_correction_contradicts_are_no_effect_of_the_next_one() -> None:
    """A result of the last Swiss round changes no pairing of the rounds before it."""
    by = make.organiser()
    options = {"rounds": 3, "cut": 4}
    event = make.started(by, 8, formula="swiss-cut", format="creatures-of-exo", options=options)
    make.play_stage(event, by)

    def turned_round(ordinal: int) -> list[int]:
        match = Match.objects.filter(round__event=event, round__ordinal=ordinal).first()
        _match, effects = results.correct_result(
            match=match, version=match.version, claim=Claim(games=("b", "b")), reason="typo", by=by
        )
        return [item.ordinal for item in effects.rounds]

    assert 2 in turned_round(1)
    assert turned_round(3) == []
