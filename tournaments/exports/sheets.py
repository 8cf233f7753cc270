"""Writing of tables as an .xlsx file, by XlsxWriter, with values that no program misreads."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from io import BytesIO
from zoneinfo import ZoneInfo

from django.utils.translation import pgettext
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from decks.files.tables import write_text_cell
from tournaments.core.names import width_in_characters

Value = str | int | Fraction | datetime | None


class BracketedNumber(Fraction):
    """A number that a workbook displays in brackets, as it doesn't count."""


TEXT, WHOLE, NUMBER, SHARE, TIME = "text", "whole", "number", "share", "time"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table; ``key``: name that is the same in all languages.

    ``kind``: number format, one of ``text``, ``whole``, ``number`` (up to four decimals), ``share``
    (percentage), ``time`` (in the event's zone). ``printed``: part of the printed area.
    """

    key: str
    label: str
    kind: str = TEXT
    printed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A line chart beside a table: one line for each of ``rows`` (indices).

    ``columns`` are the keys of the columns with its values.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTable:
    """The content of a worksheet.

    Columns up to the one with key ``beside`` stay in view when scrolling. ``hidden``: a sheet for
    programs. ``note``: text below. `sheet_title` makes the title legal and unique.
    """

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]] = field(default_factory=tuple)
    beside: str = ""
    charts: Sequence[Chart] = ()
    note: str = ""
    hidden: bool = False

    def place(self, key: str) -> int:
        """Return the place of a column, counted from 0; raises ValueError if there is none."""
        return [column.key for column in self.columns].index(key)


MOST_CHARACTERS = 32_767  # what a cell can hold
FORMATS = {WHOLE: "0", NUMBER: "0.####", SHARE: "0.00%"}
TITLE_SIZE = 31
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_CONTROL = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) != "\n"}
_CONTROL |= {0x7F: "\u2421", 0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}
_CONTROL |= dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def number_formats() -> dict[str, str]:
    """Return {kind of column: number format}, dates in the active language."""
    return FORMATS | {TIME: pgettext("in a spreadsheet", "d mmm yyyy hh:mm")}


def xml_legal_text(text: str) -> str:
    """Return text as a cell can hold it.

    Control characters become visible symbols; text is cut to a cell's limit.
    """
    if not text.isprintable():  # translating takes ten times as long as asking
        text = text.translate(_CONTROL)
    return _truncated(text, MOST_CHARACTERS)


def _truncated(text: str, size: int) -> str:
    """Return the beginning of a text, counted in UTF-16 as spreadsheet programs do."""
    if 2 * len(text) > size:
        text = text.encode("utf-16-le")[: 2 * size].decode("utf-16-le", "ignore")
    return text


def sheet_title(wish: str, taken: set[str]) -> str:
    """Return a legal, unique sheet title of at most 31 characters.

    It is added to ``taken``, which holds titles in lower case.
    """
    clean = " ".join(_NOT_IN_TITLES.sub(" ", wish).split())
    title, number = _truncated_title(clean, TITLE_SIZE), 1
    while title.casefold() in taken:
        number += 1
        ending = f" ({number})"
        title = _truncated_title(clean, TITLE_SIZE - len(ending)) + ending
    taken.add(title.casefold())
    return title


def _truncated_title(title: str, size: int) -> str:
    """Return the beginning of a title, without outer quotes."""
    return _truncated(title, size).strip("' ") or "-"


NARROWEST, WIDEST = 6, 48
"""Signs of a column; a longer text is wrapped between words."""
HEADER = 12
"""Signs of a header that stay on one line."""
ARROW = 4
"""Signs that the arrow of the filter takes."""
UPRIGHT = 92
"""Signs that stand beside each other on a page of the archive workbook that stands."""
RIGHT = (WHOLE, NUMBER, SHARE)
"""Kinds of columns whose values are aligned at the right."""
A4 = 9
MARGINS = {"left": 0.4, "right": 0.4, "top": 0.7, "bottom": 0.6}  # inches
HEAD, BAND = "#DDE9E4", "#F3F7F5"
CHART = {"width": 720, "height": 360}
SMALL = 7  # points
LONGEST_HEADER = 255
"""In UTF-16, codes included; a longer one is left out by XlsxWriter."""
_AS_IT_IS = '&"-,Regular"'
"""The code of the usual font, where without a code two characters would read as a picture."""


def build_workbook(
    tables: Iterable[SheetTable], *, heading: str, footing: str, zone: ZoneInfo
) -> bytes:
    """Return an .xlsx file with one sheet for each table.

    ``heading`` and ``footing`` are printed on every page; times are in ``zone``.
    """
    file = BytesIO()
    # Each row is written when the next begins, so that memory does not grow with the decklists.
    book = Workbook(file, {"in_memory": True, "constant_memory": True})
    sheets = SheetWriter(book, heading=heading, footing=footing, zone=zone)
    for table in tables:
        sheets.add(table)
    book.close()
    return file.getvalue()


class SheetWriter:
    """Writer of tables as worksheets.

    Header rows are frozen, filtered and printed on each page, with ``heading`` and ``footing``;
    times are in ``zone``. Tables wider than ``upright`` characters are printed in landscape.
    """

    def __init__(
        self, book: Workbook, *, heading: str, footing: str, zone: ZoneInfo, upright: int = UPRIGHT
    ) -> None:
        self.book, self.heading, self.footing, self.zone = book, heading, footing, zone
        self.upright = upright
        look = {"bold": True, "text_wrap": True, "valign": "top", "bottom": 1, "bg_color": HEAD}
        self.head: Format = book.add_format({**look, "align": "left", "indent": 1})
        self.band: Format = book.add_format({"bg_color": BAND})
        self.right: Format = book.add_format({**look, "align": "right"})
        text = {"text_wrap": True, "valign": "top", "align": "left", "indent": 1}
        self.text: Format = book.add_format(text)
        self.quoted: Format = book.add_format({**text, "quote_prefix": True})
        self.formats: dict[str, Format] = {
            kind: book.add_format({"num_format": shown, "valign": "top"})
            for kind, shown in number_formats().items()
        }
        self.bracketed: dict[str, Format] = {
            kind: book.add_format({"num_format": f"({FORMATS[kind]})", "valign": "top"})
            for kind in (WHOLE, NUMBER)
        }

    def add(self, table: SheetTable) -> None:
        """Add a sheet with a table."""
        sheet = self.book.add_worksheet(table.title)
        _lay_out(sheet, table, self.upright)
        self.print_around(sheet)
        self.table(sheet, table)
        if table.note:
            sheet.write_string(_last_row(table), 0, xml_legal_text(table.note))
        for number, chart in enumerate(table.charts):
            _draw(self.book, sheet, table, chart, number)
        if table.hidden:
            sheet.hide()

    def print_around(self, sheet: Worksheet) -> None:
        around = "&L", "&R&A"
        sheet.set_header(
            _header_text(self.heading, LONGEST_HEADER - sum(map(len, around))).join(around)
        )
        sheet.set_footer(self.footer)

    @property
    def footer(self) -> str:
        return f"&L&{SMALL} {self.footing}&C&P / &N"

    def table(self, sheet: Worksheet, table: SheetTable) -> None:
        """Write the header and the rows, every second one shaded."""
        last = len(table.columns) - 1
        if table.rows:
            band = {"type": "formula", "criteria": "=MOD(ROW(),2)=1", "format": self.band}
            sheet.conditional_format(1, 0, len(table.rows), last, band)
        for at, column in enumerate(table.columns):
            head = self.right if column.kind in RIGHT else self.head
            sheet.write_string(0, at, xml_legal_text(column.label), head)
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
        zone, quoted, text, formats = self.zone, self.quoted, self.text, self.formats
        whole = formats[SHARE if column.kind == SHARE else WHOLE]
        other = formats[column.kind if column.kind in formats else NUMBER]

        def bracketed(number: Fraction) -> Format:
            return self.bracketed[WHOLE if number.denominator == 1 else NUMBER]

        def write(row: int, at: int, value: str | int | Fraction | datetime) -> None:
            if isinstance(value, str):
                write_text_cell(sheet, row, at, xml_legal_text(value), quoted=quoted, style=text)
            elif isinstance(value, datetime):
                local = value.astimezone(zone).replace(tzinfo=None, microsecond=0)
                moment(row, at, local, formats[TIME])
            elif isinstance(value, BracketedNumber):
                number(row, at, float(value), bracketed(value))
            elif isinstance(value, int) or value.denominator == 1:
                number(row, at, int(value), whole)
            else:
                number(row, at, float(value), other)

        return write


def _lay_out(sheet: Worksheet, table: SheetTable, upright: int) -> None:
    """Set widths, header row and page setup."""
    widths = _widths(table)
    for at, width in enumerate(widths):
        sheet.set_column(at, at, width)
    sheet.freeze_panes(1, table.place(table.beside) + 1 if table.beside else 0)
    sheet.autofilter(0, 0, len(table.rows), len(table.columns) - 1)
    sheet.repeat_rows(0)
    printed = sum(column.printed for column in table.columns)
    if sum(widths[:printed]) > upright:
        sheet.set_landscape()
    else:
        sheet.set_portrait()
    sheet.set_paper(A4)
    sheet.set_margins(**MARGINS)
    sheet.fit_to_pages(1, 0)
    sheet.print_area(0, 0, _last_row(table), printed - 1)


def _last_row(table: SheetTable) -> int:
    return len(table.rows) + (2 if table.note else 0)


def _header_text(text: str, room: int) -> str:
    """Return as much of a text as there is room for, with ``&`` doubled, which begins a code.

    XlsxWriter counts the pictures of a header by ``&G`` and ``&[``, also behind a doubled sign.
    """
    found: list[str] = []
    for char in xml_legal_text(text):
        piece = "&&" if char == "&" else char
        if char in "G[" and found[-1:] == ["&&"]:
            piece = _AS_IT_IS + char
        room -= len(piece.encode("utf-16-le")) // 2
        if room < 0:
            break
        found.append(piece)
    return "".join(found)


def _widths(table: SheetTable) -> Sequence[int]:
    """Return the widths of the columns in signs, from the longest value of each."""
    widths = [_header_width(column.label) for column in table.columns]
    cells: Iterable[tuple[Value, ...]] = zip(*table.rows, strict=True)
    for at, (column, values) in enumerate(zip(table.columns, cells, strict=False)):
        widest = max(_width(value, column.kind) for value in {*values})
        widths[at] = max(widths[at], widest + 2)
    return [min(max(width, NARROWEST), WIDEST) for width in widths]


def _width(value: Value, kind: str) -> int:
    if isinstance(value, str):
        return width_in_characters(value)
    if kind == TIME:
        return len("2026-12-05 10:00")
    return min(len(str(value)), 8) if value is not None else 0


def _header_width(label: str) -> int:
    longest = max(map(width_in_characters, label.split()), default=0)
    return max(longest, min(width_in_characters(label), HEADER)) + ARROW


def _draw(book: Workbook, sheet: Worksheet, table: SheetTable, chart: Chart, number: int) -> None:
    """Draw a chart below the table, behind the charts before it."""
    first, last = table.place(chart.columns[0]), table.place(chart.columns[-1])
    name = table.place(table.beside)
    drawn = book.add_chart({"type": "line"})
    for row in chart.rows:
        drawn.add_series(
            {
                "name": [table.title, row + 1, name],
                "categories": [table.title, 0, first, 0, last],
                "values": [table.title, row + 1, first, row + 1, last],
                "marker": {"type": "circle", "size": 5},
            }
        )
    drawn.set_title({"name": xml_legal_text(chart.title)})
    drawn.set_size(CHART)
    drawn.set_y_axis({"min": 0, "major_gridlines": {"visible": True, "line": {"color": HEAD}}})
    below = CHART["height"] // 20 + 2
    sheet.insert_chart(len(table.rows) + 2 + number * below, 0, drawn)
