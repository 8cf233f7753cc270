"""The reasons for the ranks of a table, for a page of their own; cached."""

from dataclasses import dataclass, replace

from django.utils.translation import get_language

from rules.results import PlayerId
from tournaments.core.draw_origins import draw_origins
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import AnyEntry
from tournaments.core.values_cache import cached
from tournaments.models import Draw
from tournaments.standings.selectors.proofs import rank_reasons
from tournaments.standings.selectors.rows import StandingRow
from tournaments.standings.selectors.standings import StandingsTable, stage_standings
from tournaments.standings.selectors.tie_trace import SetRow, set_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReasons:
    """The standings of a group with why each player stands there, and ties by criterion."""

    id: str
    caption: str
    rows: tuple[StandingRow, ...]
    ties: tuple[SetRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLots:
    """Lots that were drawn: the players in the order drawn, and where the draw comes from."""

    number: int
    players: tuple[AnyEntry, ...]
    origin: str


def drawn_lots(facts: EventFacts) -> tuple[DrawnLots, ...]:
    """Return the lots drawn so far; no query without lots, else those of `draw_origins`."""
    made = [draw for draw in facts.rows.lots if draw.state == Draw.State.DRAWN]
    if not made:
        return ()
    origins = draw_origins(facts.event, made)
    return tuple(
        DrawnLots(
            number=draw.number,
            players=tuple(facts.entries[one] for one in draw.order if one in facts.entries),
            origin=origins[draw.number].words,
        )
        for draw in made
    )


def event_reasons(facts: EventFacts) -> tuple[TableReasons, ...]:
    """Return every group's standings with their reasons, the latest stage first; no query."""

    def make() -> tuple[TableReasons, ...]:
        return tuple(
            reasons_of(facts, stage, table)
            for shown in stage_standings(facts)
            for stage in facts.stages
            if shown.id == f"stage-{stage.stage.number}"
            for table in shown.tables
        )

    return cached(facts, ("reasons", get_language()), make)


def reasons_of(facts: EventFacts, stage: StageFacts, table: StandingsTable) -> TableReasons:
    """Return the standings of a group with why each player stands there; no query."""
    if table.standings is None:
        return TableReasons(id=table.id, caption=table.caption, rows=(), ties=())
    names: dict[PlayerId, str] = {key: entry.display_name for key, entry in facts.entries.items()}
    because = rank_reasons(table.standings, names)
    return TableReasons(
        id=table.id,
        caption=table.caption,
        rows=tuple(replace(row, why=because.get(row.entry.number, "")) for row in table.rows),
        ties=set_rows(facts, stage, table.standings),
    )
