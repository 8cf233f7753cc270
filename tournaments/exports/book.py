"""The workbook of an event."""

from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext as _

from tournaments.core.visibility import Sight
from tournaments.exports.cells import sheet_title
from tournaments.exports.event_sheet import event_table
from tournaments.exports.loading import Source, load_source
from tournaments.exports.people import decklists_table, players_table
from tournaments.exports.results import results_table
from tournaments.exports.standings import cross_tables, ranking_table, standings_tables
from tournaments.exports.tables import Column, Table
from tournaments.exports.ties import draws_table, ties_table
from tournaments.exports.writing import workbook
from tournaments.models import Event


def event_workbook(event: Event, *, staff: bool, sight: Sight) -> bytes:
    """Return the .xlsx file of an event in the active language; nine queries.

    ``staff`` adds rounds that are not published, the staff's names and who has handed in what;
    ``sight`` says whose lists there are. Files are passed on: who may read some lists only,
    such as the own one, gets none.
    """
    source = load_source(event, staff=staff)
    taken = {"schema"}
    tables = [
        replace(table, title=sheet_title(table.title, taken))
        for table in event_tables(source, sight=sight)
    ]
    sheets = [*tables, _schema(tables)]
    return workbook(sheets, heading=event.name, footing=event.head[:32], zone=source.zone)


def event_tables(source: Source, *, sight: Sight) -> Iterator[Table]:
    """Yield the sheets in their order; no query."""
    yield event_table(source)
    yield players_table(source)
    yield from standings_tables(source)
    yield from cross_tables(source)
    yield results_table(source)
    yield ties_table(source)
    yield draws_table(source)
    yield ranking_table(source)
    if sight.whole and source.event.decklists != Event.Decklists.OFF:
        yield decklists_table(source, sight)


def _schema(tables: list[Table]) -> Table:
    """Return the sheet that names sheets and columns for programs, whatever the language."""
    columns = (
        Column(key="sheet", label=_("Sheet")),
        Column(key="sheet_key", label=_("Key of the sheet")),
        Column(key="column", label=_("Column")),
        Column(key="column_key", label=_("Key of the column")),
    )
    rows = [
        (table.title, table.key, column.label, column.key)
        for table in tables
        for column in table.columns
    ]
    return Table(key="schema", title="Schema", columns=columns, rows=rows)
