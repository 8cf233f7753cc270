"""The table of a series as a workbook and as CSV."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import format_moment, translate
from rules.criteria.base import Criterion
from rules.series.points import EventResult
from rules.series.table import series_criterion
from rules.standings.table import Standing
from tournaments.exports.api import Rows, rows_to_csv
from tournaments.exports.sheets import (
    NUMBER,
    TIME,
    WHOLE,
    BracketedNumber,
    Column,
    SheetTable,
    Value,
    build_workbook,
    sheet_title,
)
from tournaments.exports.workbook import schema_table
from tournaments.models import Event, Series
from tournaments.series.selectors import SeriesTable, tiebreaker_keys

HEADS = ("rank", "person", "name", "club", "points", "not_counted", "placed_by", "short")


def series_workbook(series: Series, table: SeriesTable) -> bytes:
    """Return a series' standings as .xlsx in the active language: ranks, then all results."""
    taken = {"schema"}
    tables = [
        replace(one, title=sheet_title(one.title, taken))
        for one in (ranks_table(series, table), results_table(table))
    ]
    sheets = [*tables, schema_table(tables)]
    return build_workbook(sheets, heading=series.name, footing=series.slug, zone=ZoneInfo("UTC"))


def event_labels(table: SeriesTable) -> Mapping[str, str]:
    """Return {slug: event name}, with the date for events with the same name."""
    names = [event.name for event in table.events]
    return {
        event.slug: f"{event.name}, {format_moment(event.begins, 'day')}"
        if names.count(event.name) > 1
        else event.name
        for event in table.events
    }


# --- Workbook -------------------------------------------------------------------------------
def ranks_table(series: Series, table: SeriesTable) -> SheetTable:
    """Return the workbook's sheet of ranks, with a column of points for each event.

    Results that don't count are in brackets.
    """
    labels, criteria = event_labels(table), _numeric_criteria(series)
    adjusted = bool(table.rule.adjustments)
    columns = (
        Column(key="rank", label=pgettext("short", "Rank"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="club", label=_("Club")),
        Column(key="points", label=_("Points"), kind=NUMBER),
        Column(key="events", label=_("Events"), kind=WHOLE),
        *(
            Column(key=f"results.{slug}", label=label, kind=NUMBER)
            for slug, label in labels.items()
        ),
        *([Column(key="adjusted", label=_("Bonuses and penalties"), kind=NUMBER)] * adjusted),
        *(Column(key=one.key, label=translate(one.label), kind=NUMBER) for one in criteria),
        Column(key="placed_by", label=_("Placed by")),
    )
    rows: list[tuple[Value, ...]] = []
    for row in table.standings.rows:
        person, results = table.person(row.player), table.results(row.player)
        worth = {one.event: _cell(one) for one in results}
        rows.append(
            (
                row.rank,
                person.display_name,
                person.club,
                table.points(row),
                len(results),
                *(worth.get(slug) for slug in labels),
                *([table.history.adjusted(row.player)] * adjusted),
                *(row.values[one.key] for one in criteria),
                translate(series_criterion(row.placed_by).label) if row.placed_by else "",
            )
        )
    left_out = any(not one.counts for every in table.history.results.values() for one in every)
    note = " ".join(("(…)", _("doesn’t count"))) if left_out else ""
    return SheetTable(
        key="table", title=_("Standings"), columns=columns, rows=rows, beside="name", note=note
    )


def _cell(result: EventResult) -> Value:
    return result.points if result.counts else BracketedNumber(result.points)


def _numeric_criteria(series: Series) -> list[Criterion]:
    """Return the criteria of a series with a number, but points."""
    criteria = map(series_criterion, tiebreaker_keys(series))
    return [one for one in criteria if one.column is not None and one.key != "points"]


def results_table(table: SeriesTable) -> SheetTable:
    """Return the workbook's sheet of all results, by event and place."""
    columns = (
        Column(key="event", label=_("Event")),
        Column(key="starts_at", label=_("Date and time"), kind=TIME),
        Column(key="place", label=_("Place"), kind=WHOLE),
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="points", label=_("Points"), kind=NUMBER),
        Column(key="note", label=_("Note")),
    )
    rows = [row for event in table.events for row in _of_event(table, event)]
    return SheetTable(key="results", title=_("Results"), columns=columns, rows=rows, beside="event")


def _of_event(table: SeriesTable, event: Event) -> Iterator[tuple[Value, ...]]:
    results = [
        (one.place, table.number_in(key, event), table.names[key], one)
        for key, every in table.history.results.items()
        for one in every
        if one.event == event.slug
    ]
    for place, number, name, one in sorted(results, key=lambda each: each[:2]):
        note = "" if one.counts else _("doesn’t count")
        yield event.name, _local(event), place, number, name, one.points, note


def _local(event: Event) -> datetime:
    """Return when an event begins by its own clock, marked as UTC: a workbook has one zone."""
    return event.begins.replace(tzinfo=UTC)


# --- CSV ------------------------------------------------------------------------------------
def series_csv(series: Series, table: SeriesTable) -> bytes:
    """Return a series' standings as CSV with the API's field names.

    There is a column of points per event; ``not_counted`` lists the events whose points don't
    count.
    """
    rows: Rows = [_csv_row(series, table, row) for row in table.standings.rows]
    return rows_to_csv(rows, HEADS)


def _csv_row(series: Series, table: SeriesTable, row: Standing) -> dict[str, Any]:
    person, results = table.person(row.player), table.results(row.player)
    worth = {one.event: one.points for one in results}
    return {
        "rank": row.rank,
        "person": row.player,
        "name": person.display_name,
        "club": person.club,
        "points": table.points(row),
        **{f"results.{event.slug}": worth.get(event.slug) for event in table.events},
        "not_counted": [one.event for one in results if not one.counts],
        "adjusted": table.history.adjusted(row.player),
        **{one.key: row.values[one.key] for one in _numeric_criteria(series)},
        "placed_by": row.placed_by,
        "short": table.is_short(row.player),
    }
