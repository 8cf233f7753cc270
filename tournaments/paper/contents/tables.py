"""Sheets of standings and of brackets."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import PlayerId
from rules.ties.extra_matches import criterion_named
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.diagrams.selectors.brackets import bracket_columns
from tournaments.diagrams.selectors.nodes import Box, Column, Known, Line
from tournaments.paper.contents.shared import Content, named, shared, under
from tournaments.standings.selectors.standings import (
    StageStandings,
    StandingRow,
    StandingsTable,
    ranking_page,
    stage_standings,
)


def standings(facts: EventFacts, now: datetime) -> Content:
    """Return the tables of the latest stage that has some; empty before the first.

    A finished event begins with its final ranking.
    """
    content = shared(
        facts.event,
        now,
        rank=_("Rank"),
        player=_("Player"),
        record=_("W-D-L"),
        why=_("what decided"),
    )
    found = next((each for each in stage_standings(facts) if each.tables), None)
    after = _("after %(count)s rounds") % {"count": facts.last_ordinal}
    placed = _placed_by(facts)
    latest = _tables(found, under(content, after), placed)
    return content | {"tables": [*_ranking(facts, content), *latest]}


def _placed_by(facts: EventFacts) -> Mapping[PlayerId, str]:
    """Return the criterion that put each player behind the one before, by number of the player.

    Points, the first criterion, need no words: they stand beside the name.
    """
    first = facts.event.criteria[:1]
    return {
        row.player: translate(criterion_named(row.placed_by).label)
        for stage in facts.stages
        if stage.state.seats and not stage.kind.has_bracket
        for table in stage.outcome.standings.values()
        for row in table.rows
        if row.placed_by and row.placed_by not in first
    }


def _tables(
    stage: StageStandings | None, below: str, placed: Mapping[PlayerId, str]
) -> list[Content]:
    if stage is None:
        return []
    several = len(stage.tables) > 1
    return [
        {
            "title": f"{stage.label} – {table.caption}" if several else stage.label,
            "under": below,
            "columns": [column.short for column in table.columns],
            "rows": _rows(table, placed),
        }
        for table in stage.tables
        if table.rows
    ]


def _rows(table: StandingsTable, placed: Mapping[PlayerId, str]) -> list[Content]:
    return [
        _row(row, "" if table.compared else placed.get(row.entry.number, "")) | {"cut": cut}
        for row, cut in zip(table.rows, table.cuts, strict=True)
    ]


def _row(row: StandingRow, placed: str) -> Content:
    return {
        **named(row.entry),
        "rank": str(row.rank),
        "record": f"{row.won}-{row.drawn}-{row.lost}",
        "values": list(row.values),
        "why": row.left or placed,
    }


def _ranking(facts: EventFacts, content: Content) -> list[Content]:
    page = ranking_page(facts)
    if not page.rows or facts.event.state != facts.event.State.FINISHED:
        return []
    rows = [
        {
            **named(row.entry),
            "rank": str(row.rank),
            "record": "",
            "values": [],
            "why": row.entry.club,
            "cut": False,
        }
        for row in page.rows
    ]
    return [{"title": _("Final ranking"), "under": under(content), "columns": [], "rows": rows}]


def bracket_stage(facts: EventFacts) -> StageFacts | None:
    """Return the latest stage with a bracket that has begun, None if there is none."""
    found = (each for each in reversed(facts.stages) if each.kind.has_bracket and each.state.seats)
    return next(found, None)


def bracket(facts: EventFacts, stage: StageFacts, now: datetime) -> Content:
    """Return a bracket as columns of matches: one part, or upper and lower."""
    known = Known(entries=facts.entries, places={})
    columns = bracket_columns(stage.plan, stage, known, "")
    upper = [column for column in columns if not column.below]
    lower = [column for column in columns if column.below]
    content = shared(facts.event, now)
    return content | {
        "title": columns[0].stage,
        "under": under(content),
        "parts": [_part(part) for part in (upper, lower) if part],
    }


def _part(columns: Sequence[Column]) -> list[Content]:
    """Return columns of matches; the match for third place, which nobody is drawn from, apart."""
    return [
        {
            "heading": column.short or column.heading,
            "matches": [_match(box) for box in column.boxes if not _is_apart(column, box)],
            "apart": [_match(box) for box in column.boxes if _is_apart(column, box)],
        }
        for column in columns
    ]


def _is_apart(column: Column, box: Box) -> bool:
    last = max(each.number for each in column.boxes)
    return len(column.boxes) > 1 and not box.feeds and box.number != last


def _match(box: Box) -> Content:
    return {"heading": box.heading, "sides": [_side(line) for line in box.lines]}


def _side(line: Line) -> Content:
    return {
        "name": line.entry.name if line.entry else line.place,
        "known": line.entry is not None,
        "mark": line.mark,
        "won": line.strong,
    }
