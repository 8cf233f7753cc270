"""A round as its draft: its version, its matches, and the stage before it."""

from dataclasses import replace

from django.db.models import Max, Q

from rules.drafts.draft import DraftMatch
from rules.results import Effect
from rules.stages.base import StageState
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.mapping import outcome_of
from tournaments.core.rows import AnyMatch, AnyRound
from tournaments.keeping_apart.selectors import pairs_apart
from tournaments.models import Event


def round_version(event: Event, ordinal: int) -> int:
    """Return the version of a round: the number of the last log line about it; one query."""
    own = Q(action__startswith="round.") | Q(action__startswith="act.")
    lines = event.log.filter(own, subject=str(ordinal))
    return int(lines.aggregate(last=Max("number"))["last"] or 0)


def before_draft(facts: EventFacts, stage: StageFacts, item: AnyRound) -> StageState:
    """Return the state of a stage without its draft, with the pairs to keep apart; one query."""
    index = sum(other.ordinal < item.ordinal for other in stage.regular_rounds)
    by_points = stage.kind.pairs_by_points
    apart = pairs_apart(facts.event, facts.entries) if by_points else frozenset()
    return replace(stage.state, rounds=stage.state.rounds[:index], apart=apart)


def seated(facts: EventFacts, stage: StageFacts, item: AnyRound) -> tuple[DraftMatch, ...]:
    """Return the matches of a round as `rules.drafts` sees them; no query."""
    numbers = facts.numbers
    return tuple(
        DraftMatch(
            number=match.number,
            seats=tuple(numbers[key] for key in match.seats),
            table=match.table,
            missed=match.missed,
            half=match.size == 1 and _is_half(match),
        )
        for match in stage.matches_of(item)
    )


def _is_half(match: AnyMatch) -> bool:
    """Return whether who rests in a match has half a bye."""
    report = match.decision
    return report is not None and outcome_of(report, match.size).effect is Effect.HALF_BYE
