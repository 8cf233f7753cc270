"""The archive workbook of an event, with its tables of rounds and ties, and the answers with a
workbook.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import PlayerId, Result
from rules.stages.base import has_multiplayer_tables
from rules.tables.results import UNITS
from rules.ties.decisions import tiebreaker_by_key
from tournaments.core.draw_origins import DrawOrigin, draw_kind_label, draw_origins
from tournaments.core.event_state import StageFacts
from tournaments.core.labels import group_label, round_label
from tournaments.core.permissions import Actor, is_staff
from tournaments.core.rows import RoundRow
from tournaments.core.visibility import VisibleDecklists, visible_decklists
from tournaments.exports.handout.file import standings_workbook
from tournaments.exports.loading import (
    WorkbookSource,
    has_begun_multiplayer_stage,
    load_source,
    seats_table,
    stage_sheet_name,
)
from tournaments.exports.sheets import (
    NUMBER,
    TIME,
    WHOLE,
    Chart,
    Column,
    SheetTable,
    Value,
    build_workbook,
    sheet_title,
)
from tournaments.exports.tables import (
    cross_tables,
    decklists_table,
    event_table,
    players_table,
    ranking_table,
    results_table,
    standings_tables,
)
from tournaments.models import Draw, Event
from tournaments.standings.selectors.proofs import TableTies, stage_ties

MOST_LINES = 8
"""Lines that a chart holds at most, so that each can be followed."""


def points_tables(source: WorkbookSource) -> Iterator[SheetTable]:
    """Yield a table of points after each round for each stage with standings.

    Only stages with two or more rounds played.
    """
    for stage in source.begun:
        begun = [
            item
            for item, played in zip(stage.regular_rounds, stage.state.rounds, strict=True)
            if any(result.counts for _pairing, result in played)
        ]
        if stage.kind.has_table and len(begun) > 1:
            yield _points(source, stage, begun)


def _points(source: WorkbookSource, stage: StageFacts, begun: Sequence[RoundRow]) -> SheetTable:
    rounds = [
        Column(key=f"round.{item.ordinal}", label=round_label(stage, item), kind=NUMBER)
        for item in begun
    ]
    columns = (
        Column(key="group", label=_("Group")),
        Column(key="rank", label=_("Rank"), kind=WHOLE),
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        *rounds,
    )
    gained = points_by_round(stage)
    rows: list[tuple[Value, ...]] = []
    charts: list[Chart] = []
    many = len(stage.groups) > 1
    for group, standings in stage.outcome.standings.items():
        first = len(rows)
        for row in standings.rows:
            number = int(row.player)
            points = accumulate(gained[row.player][: len(begun)])
            rows.append((group if many else "", row.rank, number, source.name(number), *points))
        shown = range(first, min(len(rows), first + MOST_LINES))
        title = _("Points by round")
        title = f"{title} – {group}" if many else title
        charts.append(Chart(title=title, columns=tuple(each.key for each in rounds), rows=shown))
    return SheetTable(
        key=f"points.{stage.stage.number}",
        title=stage_sheet_name(_("Points"), stage, ""),
        columns=columns,
        rows=rows,
        beside="name",
        charts=charts,
    )


def points_by_round(stage: StageFacts) -> dict[PlayerId, list[Fraction]]:
    """Return {player: points gained in each regular round} of a stage."""
    played = stage.state.rounds
    gained = {player: [Fraction(0)] * len(played) for player in stage.state.players}
    for at, matches in enumerate(played):
        for _pairing, result in matches:
            for player, points in zip(result.seats, _points_of(stage, result), strict=False):
                gained[player][at] += points
    return gained


def _points_of(stage: StageFacts, result: Result) -> list[Fraction]:
    """Return the points of each seat of a match, of two or at a table."""
    if has_multiplayer_tables(stage.plan):
        return [Fraction(each, UNITS) for each in stage.state.table_points.of(result)]
    worth = stage.state.points
    return [Fraction(each, worth.parts) for each in worth.of(result)]


def ties_table(source: WorkbookSource) -> SheetTable:
    """Return a table of tied players and the tiebreakers that separated them."""
    columns = (
        Column(key="stage", label=_("Stage")),
        Column(key="group", label=_("Group")),
        Column(key="set", label=_("Set"), kind=WHOLE),
        Column(key="criterion", label=_("Tiebreakers")),
        Column(key="rank", label=_("Rank"), kind=WHOLE),
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="value", label=_("Value"), kind=NUMBER),
        Column(key="placed", label=_("Placed by")),
        Column(key="step", label=_("Step"), kind=WHOLE),
        Column(key="separates", label=_("Separates")),
        Column(key="more", label=_("All figures")),
    )
    rows = [row for stage in source.begun for row in _of_stage(source, stage)]
    return SheetTable(key="ties", title=_("Tiebreakers"), columns=columns, rows=rows)


def _of_stage(source: WorkbookSource, stage: StageFacts) -> Iterator[tuple[Value, ...]]:
    label, number = translate(stage.plan.label), 0
    for table in stage_ties(stage):
        group = _group(stage, table)
        found = {row.player: row for row in table.standings.rows}
        for tied in table.sets:
            number += 1
            for at, step in enumerate(tied.steps, start=1):
                for player in step.level:
                    figures = [Fraction(value) for value in step.values.get(player, ())]
                    yield (
                        label,
                        group,
                        number,
                        translate(tiebreaker_by_key(step.criterion).label),
                        found[player].rank,
                        int(player),
                        source.name(player),
                        figures[0] if figures else None,
                        _("yes") if found[player].placed_by == step.criterion else "",
                        at,
                        _("yes") if step.separates else _("no"),
                        " / ".join(map(str, figures)) if len(figures) > 1 else "",
                    )


def _group(stage: StageFacts, table: TableTies) -> str:
    """Return the label of a set: its group, its stage for one group alone, or a compared rank."""
    if not table.group:
        return _("rank %(rank)s") % {"rank": table.rank}
    return table.group if len(stage.groups) > 1 else group_label(stage.plan, table.group)


def draws_table(source: WorkbookSource) -> SheetTable:
    """Return a table of the random draws made, with seeds to verify them."""
    columns = (
        Column(key="number", label=_("Random draw"), kind=WHOLE),
        Column(key="kind", label=_("Kind")),
        Column(key="stage", label=_("Stage")),
        Column(key="order", label=_("Order")),
        Column(key="seed", label=_("Seed")),
        Column(key="fingerprint", label=_("Fingerprint")),
        Column(key="witnesses", label=_("Witnesses")),
        Column(key="note", label=_("Note")),
        Column(key="drawn_at", label=_("Made at"), kind=TIME),
        Column(key="origin", label=_("Origin")),
        Column(key="count", label=_("Draws so far"), kind=WHOLE),
    )
    drawn = [draw for draw in source.facts.draws if draw.state == Draw.State.DRAWN]
    origins = draw_origins(source.event, drawn)
    rows = [_draw(source, draw, origins[draw.number]) for draw in drawn]
    return SheetTable(key="draws", title=_("Random draws"), columns=columns, rows=rows)


def _draw(source: WorkbookSource, draw: Draw, origin: DrawOrigin) -> tuple[Value, ...]:
    labels = {s.stage.pk: translate(s.plan.label) for s in source.facts.stages}
    known = source.facts.entries
    order = ", ".join(known[n].name if n in known else str(n) for n in draw.order)
    return (
        draw.number,
        draw_kind_label(draw),
        labels.get(draw.stage_id or 0, ""),
        order,
        draw.seed,
        draw.fingerprint,
        draw.witnesses,
        draw.note,
        draw.drawn_at,
        origin.words,
        origin.count,
    )


def event_workbook(event: Event, *, staff: bool, sight: VisibleDecklists) -> bytes:
    """Return an event's archive as .xlsx, in the active language; nine queries.

    ``staff``: with drafted rounds, staff names and who submitted a decklist. Decklists are in it
    only if the reader may see all (``sight``).
    """
    source = load_source(event, staff=staff, lists=sight.whole)
    taken = {"schema"}
    tables = [
        replace(table, title=sheet_title(table.title, taken))
        for table in event_tables(source, sight=sight)
    ]
    sheets = [*tables, schema_table(tables)]
    return build_workbook(sheets, heading=event.name, footing=event.head[:32], zone=source.zone)


def event_tables(source: WorkbookSource, *, sight: VisibleDecklists) -> Iterator[SheetTable]:
    """Yield the tables of an event's archive in order; no query.

    The final standings come first if there are any; ``sight``: the decklists that the reader may
    see.
    """
    ranking = ranking_table(source)
    if ranking.rows:
        yield ranking
    yield event_table(source)
    yield players_table(source)
    yield from standings_tables(source)
    yield from cross_tables(source)
    yield from points_tables(source)
    yield results_table(source)
    if has_begun_multiplayer_stage(source.facts):
        yield seats_table(source)
    yield ties_table(source)
    yield draws_table(source)
    if not ranking.rows:
        yield ranking
    if sight.whole and source.event.decklists != Event.Decklists.OFF:
        yield decklists_table(source, sight)


def schema_table(tables: Sequence[SheetTable]) -> SheetTable:
    """Return a hidden table of sheets and columns with their keys, for programs."""
    columns = (
        Column(key="sheet", label=_("Sheet")),
        Column(key="sheet_key", label="sheet_key"),
        Column(key="column", label=_("Column")),
        Column(key="column_key", label="column_key"),
    )
    rows = [
        (table.title, table.key, column.label, column.key)
        for table in tables
        for column in table.columns
    ]
    return SheetTable(key="schema", title="Schema", columns=columns, rows=rows, hidden=True)


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def wants_archive(asked: Mapping[str, str]) -> bool:
    """Return whether query parameters request the archive (``whole=1``)."""
    return asked.get("whole") == "1"


def workbook_response(event: Event, actor: Actor, *, as_archive: bool) -> HttpResponse:
    """Return a download of the standings for the actor.

    With ``as_archive`` the archive instead.
    """
    staff = is_staff(actor, event)
    if as_archive:
        content = event_workbook(event, staff=staff, sight=visible_decklists(actor, event))
    else:
        content = standings_workbook(event, staff=staff)
    day = timezone.localdate(event.starts_at, event.zone)
    name = f"{event.slug}-{day:%Y-%m-%d}{'-archive' if as_archive else ''}"
    return workbook_download(content, name)


def workbook_download(content: bytes, name: str) -> HttpResponse:
    """Return a download response for an .xlsx file.

    ``name`` is the file name without its ending.
    """
    response = HttpResponse(content, content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{name}.xlsx"'
    response["Cache-Control"] = "no-store"
    return response
