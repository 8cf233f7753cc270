"""Tables to an .xlsx file."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from zoneinfo import ZoneInfo

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet.properties import PageSetupProperties

from tournaments.exports.cells import cell, shown_text, width_of
from tournaments.exports.tables import Table

NARROWEST, WIDEST = 6, 60
WIDE = 90  # characters: more than a sheet of A4 holds upright
A4 = 9
SMALL = 7  # points


def workbook(tables: Iterable[Table], *, heading: str, footing: str, zone: ZoneInfo) -> bytes:
    """Return the file: one sheet a table, each with its header frozen, filtered and repeated.

    ``heading`` stands at the top of every printed page, ``footing`` small at its bottom; times
    are shown in ``zone``.
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
    """Set widths, header and paper; a sheet written row by row wants them before its rows."""
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
