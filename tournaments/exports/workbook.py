"""The workbook of an event."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet.properties import PageSetupProperties

from tournaments.core.permissions import Actor, is_staff
from tournaments.core.visibility import Sight, sight_of
from tournaments.exports.cells import Column, Table, cell, sheet_title, shown_text, width_of
from tournaments.exports.event import decklists_table, event_table, players_table
from tournaments.exports.loading import Source, load_source
from tournaments.exports.results import results_table
from tournaments.exports.standings import cross_tables, ranking_table, standings_tables
from tournaments.exports.ties import draws_table, ties_table
from tournaments.models import Event

NARROWEST, WIDEST = 6, 60
WIDE = 90  # characters: more than a sheet of A4 holds upright
A4 = 9
SMALL = 7  # points


def workbook(tables: Iterable[Table], *, heading: str, footing: str, zone: ZoneInfo) -> bytes:
    """Return an .xlsx file with one sheet a table; the header row is frozen, filtered and repeated.

    ``heading`` and ``footing`` are printed on every page; times are shown in ``zone``.
    """
    book = Workbook(write_only=True)
    for table in tables:
        sheet = book.create_sheet(table.title)
        _lay_out(sheet, table, heading)
        sheet.oddFooter.left.text, sheet.oddFooter.left.size = footing, SMALL
        sheet.append(_header(sheet, table))
        for row in table.rows:
            sheet.append(
                cell(sheet, value, column.kind, zone)
                for value, column in zip(row, table.columns, strict=True)
            )
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def _lay_out(sheet: WriteOnlyWorksheet, table: Table, heading: str) -> None:
    """Set widths, header row and page setup, which write-only sheets need before their rows."""
    widths = _widths(table)
    for index, width in enumerate(widths, start=1):
        sheet.column_dimensions[get_column_letter(index)].width = width
    last = get_column_letter(len(table.columns))
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{last}{len(table.rows) + 1}"
    sheet.print_title_rows = "1:1"
    sheet.page_setup.orientation = "landscape" if sum(widths) > WIDE else "portrait"
    sheet.page_setup.paperSize = A4
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.oddHeader.left.text = shown_text(heading).replace("&", "&&")[:120]
    sheet.oddHeader.right.text = "&A"
    sheet.oddFooter.center.text = "&P / &N"


def _widths(table: Table) -> Sequence[int]:
    widths = [len(column.label) + 4 for column in table.columns]  # room for the filter's arrow
    for row in table.rows:
        for index, value in enumerate(row):
            widths[index] = max(widths[index], width_of(value, table.columns[index].kind) + 2)
    return [min(max(width, NARROWEST), WIDEST) for width in widths]


def _header(sheet: WriteOnlyWorksheet, table: Table) -> list[WriteOnlyCell]:
    cells = []
    for column in table.columns:
        made = WriteOnlyCell(sheet, shown_text(column.label))
        made.data_type = "s"
        made.font = Font(bold=True)
        cells.append(made)
    return cells


def event_workbook(event: Event, *, staff: bool, sight: Sight) -> bytes:
    """Return the .xlsx file of an event in the active language; nine queries.

    ``staff`` adds rounds that are not published, the staff's names and who has handed in what;
    ``sight`` says whose lists there are. Files are passed on: who may read some lists only,
    such as their own, gets none.
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
    return Table(key="schema", title="Schema", columns=columns, rows=rows)


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def workbook_response(event: Event, actor: Actor) -> HttpResponse:
    """Return a response with the workbook as the actor may see it."""
    sight = sight_of(actor, event)
    content = event_workbook(event, staff=is_staff(actor, event), sight=sight)
    day = timezone.localdate(event.starts_at, event.zone)
    response = HttpResponse(content, content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{event.slug}-{day:%Y-%m-%d}.xlsx"'
    response["Cache-Control"] = "no-store"
    return response
