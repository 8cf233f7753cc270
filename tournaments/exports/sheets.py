"""Writing of tables as an .xlsx file, by XlsxWriter."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from io import BytesIO
from zoneinfo import ZoneInfo

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from config.spreadsheets import write_text
from tournaments.exports.cells import (
    FORMATS,
    NUMBER,
    SHARE,
    TIME,
    WHOLE,
    Column,
    Table,
    Value,
    shown_text,
    width_of,
)

NARROWEST, WIDEST = 6, 60
WIDE = 90  # characters: more than a sheet of A4 holds upright
A4 = 9
SMALL = 7  # points
LONGEST_HEADER = 255
"""In UTF-16, codes included; a longer one is left out by XlsxWriter."""
_AS_IT_IS = '&"-,Regular"'
"""The code of the usual font, where without a code two characters would read as a picture."""


def workbook(tables: Iterable[Table], *, heading: str, footing: str, zone: ZoneInfo) -> bytes:
    """Return an .xlsx file with one sheet a table; the header row is frozen, filtered and repeated.

    ``heading`` and ``footing`` are printed on every page; times are shown in ``zone``.
    """
    file = BytesIO()
    # Each row is written when the next begins, so that memory does not grow with the decklists.
    book = Workbook(file, {"in_memory": True, "constant_memory": True})
    write = _Writer(book, zone)
    for table in tables:
        sheet = book.add_worksheet(table.title)
        _lay_out(sheet, table, heading, footing)
        write.table(sheet, table)
    book.close()
    return file.getvalue()


class _Writer:
    """Writes cells into the sheets of one book, whose formats they share."""

    def __init__(self, book: Workbook, zone: ZoneInfo) -> None:
        self.zone = zone
        self.bold: Format = book.add_format({"bold": True})
        self.quoted: Format = book.add_format({"quote_prefix": True})
        self.formats: dict[str, Format] = {
            kind: book.add_format({"num_format": shown}) for kind, shown in FORMATS.items()
        }

    def table(self, sheet: Worksheet, table: Table) -> None:
        """Write the header and the rows."""
        for at, column in enumerate(table.columns):
            sheet.write_string(0, at, shown_text(column.label), self.bold)
        writers = [self._writer(sheet, column) for column in table.columns]
        for number, row in enumerate(table.rows, start=1):
            for at, (value, write) in enumerate(zip(row, writers, strict=True)):
                if value is not None and value != "":
                    write(number, at, value)

    def _writer(
        self, sheet: Worksheet, column: Column
    ) -> Callable[[int, int, str | int | Fraction | datetime], None]:
        """Return the function that writes a value into a cell of this column.

        Times lose their zone, and fractions become decimals.
        """
        number, moment = sheet.write_number, sheet.write_datetime
        zone, quoted, formats = self.zone, self.quoted, self.formats
        whole = formats[SHARE if column.kind == SHARE else WHOLE]
        other = formats[column.kind if column.kind in formats else NUMBER]

        def write(row: int, at: int, value: str | int | Fraction | datetime) -> None:
            if isinstance(value, str):
                write_text(sheet, row, at, shown_text(value), quoted=quoted)
            elif isinstance(value, datetime):
                local = value.astimezone(zone).replace(tzinfo=None, microsecond=0)
                moment(row, at, local, formats[TIME])
            elif isinstance(value, int) or value.denominator == 1:
                number(row, at, int(value), whole)
            else:
                number(row, at, float(value), other)

        return write


def _lay_out(sheet: Worksheet, table: Table, heading: str, footing: str) -> None:
    """Set widths, header row and page setup."""
    widths = _widths(table)
    for at, width in enumerate(widths):
        sheet.set_column(at, at, width)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, len(table.rows), len(table.columns) - 1)
    sheet.repeat_rows(0)
    if sum(widths) > WIDE:
        sheet.set_landscape()
    else:
        sheet.set_portrait()
    sheet.set_paper(A4)
    sheet.fit_to_pages(1, 0)
    around = "&L", "&R&A"
    sheet.set_header(_printed(heading, LONGEST_HEADER - sum(map(len, around))).join(around))
    sheet.set_footer(f"&L&{SMALL} {footing}&C&P / &N")


def _printed(text: str, room: int) -> str:
    """Return as much of a text as there is room for, with ``&`` doubled, which begins a code.

    XlsxWriter counts the pictures of a header by ``&G`` and ``&[``, also behind a doubled sign.
    """
    found: list[str] = []
    for char in shown_text(text):
        piece = "&&" if char == "&" else char
        if char in "G[" and found[-1:] == ["&&"]:
            piece = _AS_IT_IS + char
        room -= len(piece.encode("utf-16-le")) // 2
        if room < 0:
            break
        found.append(piece)
    return "".join(found)


def _widths(table: Table) -> Sequence[int]:
    """Return the widths of the columns in characters, from the longest value of each."""
    widths = [len(column.label) + 4 for column in table.columns]  # room for the filter's arrow
    cells: Iterable[tuple[Value, ...]] = zip(*table.rows, strict=True)
    for at, (column, values) in enumerate(zip(table.columns, cells, strict=False)):
        widest = max(width_of(value, column.kind) for value in {*values})
        widths[at] = max(widths[at], widest + 2)
    return [min(max(width, NARROWEST), WIDEST) for width in widths]
