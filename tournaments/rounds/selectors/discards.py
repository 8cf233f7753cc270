"""What discarding a round with results would delete."""

from dataclasses import dataclass

from django.utils.translation import override

from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.rows import AnyMatch, AnyRound, RoundRow
from tournaments.matches.words import names_at, with_names
from tournaments.models import JudgeCall, Report, Ruling, StaffNote, TimeExtension


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardLoss:
    """A round's results as (table, result text), and the number of other rows on its matches."""

    round: RoundRow
    name: str
    results: tuple[tuple[str, str], ...]
    reports: int
    rulings: int
    notes: int
    extensions: int
    calls: int


def discard_loss(facts: EventFacts, stage: StageFacts, item: RoundRow) -> DiscardLoss:
    """Return the results, and numbers of other rows, that discarding deletes; five queries."""
    reported = Report.objects.filter(match__round=item.pk).exclude(kind=Report.Kind.AUTOMATIC)
    return DiscardLoss(
        round=item,
        name=round_label(stage, item),
        results=results_of(facts, stage, item),
        reports=reported.count(),
        rulings=Ruling.objects.filter(match__round=item.pk).count(),
        notes=StaffNote.objects.filter(match__round=item.pk).count(),
        extensions=TimeExtension.objects.filter(match__round=item.pk).count(),
        calls=JudgeCall.objects.filter(match__round=item.pk).count(),
    )


def results_of(facts: EventFacts, stage: StageFacts, item: AnyRound) -> tuple[tuple[str, str], ...]:
    """Return (table, result text) of every result that people entered in a round; no query."""
    names = {entry.pk: str(entry) for entry in facts.entries.values()}
    return tuple(
        (str(match.table or match.number), _words(match, names))
        for match in stage.matches_of(item)
        if match.decision is not None and match.decision.kind != Report.Kind.AUTOMATIC
    )


def accepted_names(stage: StageFacts, item: AnyRound) -> tuple[str, ...]:
    """Return the accepted names of a round: in the active language, and in English."""
    with override("en"):
        english = round_label(stage, item)
    return round_label(stage, item), english


def _words(match: AnyMatch, names: dict[int, str]) -> str:
    return with_names(match.decision, *names_at(match, names)) if match.decision else ""
