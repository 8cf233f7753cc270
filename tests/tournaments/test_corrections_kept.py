"""A correction that was kept, and what the next one is compared with."""

import pytest

from rules.errors import RuleError
from rules.matches import Claim
from tests import factories as make
from tournaments.models import Match, Stage
from tournaments.selectors.facts import load_facts
from tournaments.services import results, stages

pytestmark = pytest.mark.django_db


def test_back_to_what_the_next_stage_was_made_from_affects_nothing() -> None:
    by = make.organiser()
    event = make.started(by, 5)
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    first = event.stages.get(number=1)
    winner, second = first.places["X"], first.places["Y"]
    both = {"a__number__in": (winner, second), "b__number__in": (winner, second)}
    match = Match.objects.select_related("decision", "a").get(round__stage=first, **both)
    assert match.decision is not None
    was = (match.decision.score_a, match.decision.score_b)
    turned = (0, 90) if match.a.number == winner else (90, 0)

    def corrected(score: tuple[int, int]) -> results.Effects:
        found = Match.objects.get(pk=match.pk)
        _match, effects = results.correct_result(
            match=found, version=found.version, claim=Claim(score=score), reason="typo", by=by
        )
        return effects

    lost = corrected(turned)
    assert [stage.number for stage in lost.stages] == [2]
    back = corrected(was)
    assert [change.place for change in back.places] == [change.place for change in lost.places]
    assert not back.stages
    assert Stage.objects.get(pk=first.pk).places["X"] == winner


def test_nothing_is_kept_in_silence_after_the_last_stage() -> None:
    """Taking back is refused, not passed over, where all stages are closed and played."""
    by = make.organiser()
    event = make.started(by, 5)
    while (stage := load_facts(event).open_stage) is not None:
        make.play_stage(event, by)
        stages.close_stage(event=event, expected_stage=stage.stage.number, by=by)
    first = event.stages.get(number=1)
    pair = (first.places["X"], first.places["Y"])
    both = {"a__number__in": pair, "b__number__in": pair}
    match = Match.objects.select_related("a").get(round__stage=first, **both)
    turned = (0, 90) if match.a.number == pair[0] else (90, 0)
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
