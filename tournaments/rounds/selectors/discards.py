"""What discarding a round with results would delete, and a draft as the rules see it, with its
version.
"""

from dataclasses import dataclass, replace

from django.db.models import Max, Q
from django.utils.translation import override

from rules.drafts.draft import DraftMatch
from rules.drafts.given import ELSEWHERE
from rules.results import OutcomeEffect
from rules.stages.base import StageState
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.mapping import outcome_from_report
from tournaments.core.rows import AnyMatch, AnyRound, RoundRow
from tournaments.keeping_apart.selectors import pairs_to_avoid
from tournaments.matches.words import match_seat_names, result_with_names
from tournaments.models import (
    Event,
    JudgeCall,
    Match,
    Report,
    Ruling,
    StaffNote,
    TimeExtension,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardLoss:
    """What discarding a round deletes: ``results`` as (table, result), and counts of rows."""

    round: RoundRow
    name: str
    results: tuple[tuple[str, str], ...]
    reports: int
    rulings: int
    notes: int
    extensions: int
    calls: int


def discard_loss(facts: EventFacts, stage: StageFacts, round_: RoundRow) -> DiscardLoss:
    """Return what discarding a round deletes; five queries."""
    reported = Report.objects.filter(match__round=round_.pk).exclude(kind=Report.Kind.AUTOMATIC)
    return DiscardLoss(
        round=round_,
        name=round_label(stage, round_),
        results=reported_results(facts, stage, round_),
        reports=reported.count(),
        rulings=Ruling.objects.filter(match__round=round_.pk).count(),
        notes=StaffNote.objects.filter(match__round=round_.pk).count(),
        extensions=TimeExtension.objects.filter(match__round=round_.pk).count(),
        calls=JudgeCall.objects.filter(match__round=round_.pk).count(),
    )


def has_reported_results(item: int) -> bool:
    """Return whether people have reported results of a round, given by primary key.

    Reports of open matches don't count: they were undone. One query.
    """
    results = Report.objects.filter(match__round=item).exclude(kind=Report.Kind.AUTOMATIC)
    return results.exclude(match__state=Match.State.OPEN).exists()


def reported_results(
    facts: EventFacts, stage: StageFacts, round_: AnyRound
) -> tuple[tuple[str, str], ...]:
    """Return (table, result as text) of a round's results, automatic ones left out.

    No query.
    """
    names = {entry.pk: str(entry) for entry in facts.entries.values()}
    return tuple(
        (str(match.table or match.number), _words(match, names))
        for match in stage.matches_of(round_)
        if match.decision is not None and match.decision.kind != Report.Kind.AUTOMATIC
    )


def accepted_names(stage: StageFacts, round_: AnyRound) -> tuple[str, ...]:
    """Return the names that confirm a round when typed.

    They are in the active language and in English.
    """
    with override("en"):
        english = round_label(stage, round_)
    return round_label(stage, round_), english


def _words(match: AnyMatch, names: dict[int, str]) -> str:
    return (
        result_with_names(match.decision, *match_seat_names(match, names)) if match.decision else ""
    )


def round_version(event: Event, ordinal: int) -> int:
    """Return the number of the last log line about a round, 0 for none; one query.

    Pages send it to detect that a draft has changed.
    """
    own = Q(action__startswith="round.") | Q(action__startswith="act.")
    lines = event.log.filter(own, subject=str(ordinal))
    return int(lines.aggregate(last=Max("number"))["last"] or 0)


def state_before_draft(facts: EventFacts, stage: StageFacts, round_: AnyRound) -> StageState:
    """Return the state of a stage before a drafted round; one query.

    Pairs of players to keep apart are included.
    """
    index = sum(other.ordinal < round_.ordinal for other in stage.regular_rounds)
    by_points = stage.kind.pairs_by_points
    apart = pairs_to_avoid(facts.event, facts.entries) if by_points else frozenset()
    return replace(stage.state, rounds=stage.state.rounds[:index], apart=apart)


def is_paired_elsewhere(stage: StageFacts, round_: AnyRound) -> bool:
    """Return whether a round was paired by another program, even if changed since."""
    return any(
        match.reason.get("template") == ELSEWHERE.template for match in stage.matches_of(round_)
    )


def draft_matches(facts: EventFacts, stage: StageFacts, round_: AnyRound) -> tuple[DraftMatch, ...]:
    """Return the matches of a drafted round as values for `rules.drafts`; no query."""
    numbers = facts.numbers
    return tuple(
        DraftMatch(
            number=match.number,
            seats=tuple(numbers[key] for key in match.seats),
            table=match.table,
            missed=match.missed,
            half=match.size == 1 and _is_half(match),
        )
        for match in stage.matches_of(round_)
    )


def _is_half(match: AnyMatch) -> bool:
    report = match.decision
    return (
        report is not None
        and outcome_from_report(report, match.size).effect is OutcomeEffect.HALF_BYE
    )
