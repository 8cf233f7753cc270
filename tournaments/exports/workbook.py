"""The archive workbook of an event, and the answers with a workbook."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.core.permissions import Actor, is_staff
from tournaments.core.visibility import Sight, sight_of
from tournaments.exports.at_tables import has_tables, seats_table
from tournaments.exports.cells import Column, Table, sheet_title
from tournaments.exports.event import decklists_table, event_table, players_table
from tournaments.exports.handout.file import standings_file
from tournaments.exports.loading import Source, load_source
from tournaments.exports.results import results_table
from tournaments.exports.rounds import points_tables
from tournaments.exports.sheets import workbook
from tournaments.exports.standings import cross_tables, ranking_table, standings_tables
from tournaments.exports.ties import draws_table, ties_table
from tournaments.models import Event


def event_workbook(event: Event, *, staff: bool, sight: Sight) -> bytes:
    """Return the .xlsx file of an event in the active language; nine queries.

    ``staff`` adds rounds that are not published, the staff's names and who has handed in what;
    ``sight`` says whose lists there are. Files are passed on: who may read some lists only,
    such as their own, gets none.
    """
    source = load_source(event, staff=staff, lists=sight.whole)
    taken = {"schema"}
    tables = [
        replace(table, title=sheet_title(table.title, taken))
        for table in event_tables(source, sight=sight)
    ]
    sheets = [*tables, _schema(tables)]
    return workbook(sheets, heading=event.name, footing=event.head[:32], zone=source.zone)


def event_tables(source: Source, *, sight: Sight) -> Iterator[Table]:
    """Yield the sheets in their order, the final ranking first once there is one; no query."""
    ranking = ranking_table(source)
    if ranking.rows:
        yield ranking
    yield event_table(source)
    yield players_table(source)
    yield from standings_tables(source)
    yield from cross_tables(source)
    yield from points_tables(source)
    yield results_table(source)
    if has_tables(source.facts):
        yield seats_table(source)
    yield ties_table(source)
    yield draws_table(source)
    if not ranking.rows:
        yield ranking
    if sight.whole and source.event.decklists != Event.Decklists.OFF:
        yield decklists_table(source, sight)


def _schema(tables: list[Table]) -> Table:
    """Return the sheet with language-independent keys of sheets and columns, for programs."""
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
    return Table(key="schema", title="Schema", columns=columns, rows=rows, hidden=True)


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def is_whole(asked: Mapping[str, str]) -> bool:
    """Return whether the parameters of an address ask for the archive workbook."""
    return asked.get("whole") == "1"


def workbook_response(event: Event, actor: Actor, *, whole: bool) -> HttpResponse:
    """Return a response with the standings, or the archive workbook, as the actor may see it."""
    staff = is_staff(actor, event)
    if whole:
        content = event_workbook(event, staff=staff, sight=sight_of(actor, event))
    else:
        content = standings_file(event, staff=staff)
    day = timezone.localdate(event.starts_at, event.zone)
    name = f"{event.slug}-{day:%Y-%m-%d}{'-archive' if whole else ''}.xlsx"
    response = HttpResponse(content, content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response
