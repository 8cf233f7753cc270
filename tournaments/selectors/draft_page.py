"""A drafted round on the desk: its tables, who can be chosen, and the check list."""

from collections import defaultdict
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.models import Entry, Match, Round
from tournaments.selectors.desk_rows import latest_reports, table_rows
from tournaments.selectors.drafts import (
    CheckLine,
    DraftCheck,
    before_draft,
    draft_check,
    points_so_far,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSeat:
    """A player who can be chosen; ``points`` None where pairings don't depend on them."""

    number: int
    name: str
    points: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRow:
    """A match of the draft; ``result`` in words where it needs no play."""

    match: Match
    table: int | None
    seats: tuple[DraftSeat, ...]
    result: str
    reason: str
    lines: tuple[CheckLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPage:
    """A draft by group. ``free``: who meets whom may be changed, else ``fixed`` says why not."""

    check: DraftCheck
    groups: tuple[tuple[str, tuple[DraftRow, ...]], ...]
    unpaired: tuple[DraftSeat, ...]
    free: bool
    fixed: str


def draft_page(facts: EventFacts, stage: StageFacts, item: Round) -> DraftPage:
    """Return the draft with its check list; five queries beside those of the facts."""
    check = draft_check(facts, stage, item)
    lines: dict[int, list[CheckLine]] = defaultdict(list)
    for line in check.lines:
        if line.match is not None:
            lines[line.match.pk].append(line)
    entries = {entry.pk: entry for entry in facts.entries.values()}
    swiss = stage.kind.pairs_by_points and not item.is_extra
    points = points_so_far(before_draft(facts, stage, item)) if swiss else {}

    def seat(entry: Entry) -> DraftSeat:
        return DraftSeat(number=entry.number, name=entry.name, points=points.get(entry.number))

    groups: dict[str, list[DraftRow]] = defaultdict(list)
    for row in table_rows(facts, stage, item, latest_reports(item)):
        players = (entries[key] for key in (row.match.a_id, row.match.b_id) if key is not None)
        groups[row.group].append(
            DraftRow(
                match=row.match,
                table=row.table,
                seats=tuple(map(seat, players)),
                result=row.result,
                reason=row.reason,
                lines=tuple(lines[row.match.pk]),
            )
        )
    return DraftPage(
        check=check,
        groups=tuple((group, tuple(rows)) for group, rows in groups.items()),
        unpaired=tuple(seat(entry) for entry, _points in check.unpaired),
        free=swiss,
        fixed="" if swiss else _why_fixed(stage, item),
    )


def _why_fixed(stage: StageFacts, item: Round) -> str:
    if item.is_extra:
        return _("Who plays an extra match follows from the standings; tables can be exchanged.")
    return translate(stage.kind.why_fixed)
