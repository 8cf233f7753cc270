"""What the desk's next step waits for."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from rules.ties.deciding import Classes
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.models import Round
from tournaments.selectors.desk_rows import TableRow

NAMED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Something that the next step waits for; each item is (words, address or "")."""

    kind: str
    heading: str
    items: tuple[tuple[str, str], ...] = ()


def blocks_of(
    facts: EventFacts, stage: StageFacts | None, rows: tuple[TableRow, ...]
) -> tuple[Block, ...]:
    """Return what the open stage waits for; ``rows`` are the tables of the round shown."""
    if stage is None:
        return ()
    draft = _draft(stage)
    found = (
        draft,
        _disputed(facts.event.slug, rows),
        None if draft else _missing(rows),
        _undecided(facts, stage),
    )
    return tuple(block for block in found if block is not None)


def _draft(stage: StageFacts) -> Block | None:
    last = stage.last_round
    if last is None or last.state != Round.State.DRAFT:
        return None
    heading = _("Round %(number)s is a draft: nobody sees it yet.") % {"number": last.ordinal}
    return Block(kind="draft", heading=heading)


def _disputed(slug: str, rows: tuple[TableRow, ...]) -> Block | None:
    items = tuple(
        (_named(row), reverse("tournaments:match", args=[slug, row.match.pk]))
        for row in rows
        if row.is_disputed
    )
    heading = _("Two different reports")
    return Block(kind="disputed", heading=heading, items=items) if items else None


def _missing(rows: tuple[TableRow, ...]) -> Block | None:
    missing = [row for row in rows if not row.is_final and not row.is_disputed]
    if not missing:
        return None
    more = len(missing) - NAMED
    items = [(_named(row), f"#row-{row.match.pk}") for row in missing[:NAMED]]
    items += [(_("and %(count)s more") % {"count": more}, "")] if more > 0 else []
    return Block(kind="missing", heading=_("Results missing"), items=tuple(items))


def _undecided(facts: EventFacts, stage: StageFacts) -> Block | None:
    items = tuple(
        (" = ".join(str(facts.entries[number]) for number in tied), "")
        for tied in _to_decide(stage)
    )
    heading = _("Lots or an extra match must decide")
    return Block(kind="lots", heading=heading, items=items) if items else None


def _to_decide(stage: StageFacts) -> Classes:
    """Return the tied sets of which no extra match is being played."""
    open_rounds = {match.round_id for match in stage.missing}
    playing = [
        set(level)
        for item in stage.extra_rounds
        if item.pk in open_rounds
        for level in item.level_sets
    ]
    return tuple(tied for tied in stage.outcome.lots_needed if set(tied) not in playing)


def _named(row: TableRow) -> str:
    place = row.table or row.match.number
    return _("Table %(table)s: %(a)s – %(b)s") % {"table": place, "a": row.a, "b": row.b}
