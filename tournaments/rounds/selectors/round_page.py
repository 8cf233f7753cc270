"""The tables of a round by group, for review."""

from dataclasses import dataclass

from config.wording import translate
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.round_words import stage_beside
from tournaments.core.rows import AnyRound
from tournaments.models import Report
from tournaments.rounds.selectors.desk_rows import ReportsByMatch, TableRow, reports_in, table_rows


def has_reports(by_match: ReportsByMatch) -> bool:
    """Return whether a round has a report by a person."""
    return any(
        reports[-1].kind != Report.Kind.AUTOMATIC for reports in by_match.values() if reports
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPage:
    """A round's pairings by group, for review."""

    round: AnyRound
    label: str
    stage_label: str
    groups: tuple[tuple[str, tuple[TableRow, ...]], ...]
    is_last: bool
    has_results: bool


def round_page(facts: EventFacts, stage: StageFacts, item: AnyRound) -> RoundPage:
    """Return a round of the event, which may be a draft; one query."""
    reports = reports_in(item)
    by_group: dict[str, list[TableRow]] = {}
    for row in table_rows(facts, stage, item, reports):
        by_group.setdefault(row.group, []).append(row)
    return RoundPage(
        round=item,
        label=round_label(stage, item),
        stage_label=stage_beside(translate(stage.plan.label), round_label(stage, item)),
        groups=tuple((group, tuple(rows)) for group, rows in by_group.items()),
        is_last=item.ordinal == facts.last_ordinal and stage is facts.open_stage,
        has_results=has_reports(reports),
    )
