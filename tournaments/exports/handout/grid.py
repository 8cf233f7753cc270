"""A sheet as a page: columns that tables of different widths share, cells put over several, and
brackets drawn in them.

The columns of the main table are whole cells, so that it can be filtered and sorted; only those of
texts may be cut by the edges of what stands below, and their texts run on over the empty cells.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import inf
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from decks.files.tables import write_text_cell
from tournaments.core.names import em_width
from tournaments.diagrams.selectors.placed_brackets import BracketLayout, PlacedDrawing, PlacedMatch
from tournaments.exports.sheets import xml_legal_text

Value = str | int | Fraction | None
FONT = "Arial"
SIZE = 9.5  # points
OPTIONS = {
    "in_memory": True,
    "default_format_properties": {"font_name": FONT, "font_size": 9},
}
"""Of a workbook: the usual font decides how wide a column is."""
NEAR = 4
"""Pixels: edges that are nearer are one."""
SPARED = 1 / 8
"""What the square of the pixels that a cell lacks costs, so that none lacks many."""


def text_width(text: str, size: float = SIZE, *, bold: bool = False) -> float:
    """Return the width of a text in pixels; font ``size`` in points."""
    return em_width(text, bold=bold) * size * 96 / 72


class Grid:
    """Column edges of a sheet, in pixels from the left, planned before writing.

    ``widths``: of the main table's columns; ``splittable``: indices of columns that further edges
    may split.
    """

    def __init__(self, widths: Sequence[float], splittable: Iterable[int]) -> None:
        self.edges = [0.0]
        for width in widths:
            self.edges.append(self.edges[-1] + width)
        self.main = list(self.edges)
        self._open = [(self.edges[at], self.edges[at + 1]) for at in splittable]

    def cut(self, wanted: Iterable[float]) -> None:
        """Add the wanted edges, but those too near to another or in a column that stays whole."""
        for edge in wanted:
            inside = any(left + NEAR < edge < right - NEAR for left, right in self._open)
            if inside and all(abs(edge - other) > NEAR for other in self.edges):
                self.edges.insert(bisect_left(self.edges, edge), edge)

    def columns(self, wanted: Sequence[float], costs: Sequence[float] = ()) -> list[int]:
        """Return edges, by number, in the order of those wanted, each after the one before.

        Of all choices the one that lies nearest, and takes least from the widths wanted; ``costs``
        of each width are SPARED unless others are given.
        """
        count = len(self.edges)
        best: list[tuple[float, tuple[int, ...]]] = [
            (abs(edge - wanted[0]) / 3, (at,)) for at, edge in enumerate(self.edges)
        ]
        for at in range(1, len(wanted)):
            width = wanted[at] - wanted[at - 1]
            dear = costs[at - 1] if costs else SPARED
            longer: list[tuple[float, tuple[int, ...]]] = [(inf, ())] * count
            for here in range(at, count):
                off = abs(self.edges[here] - wanted[at]) / 3
                longer[here] = min(
                    (
                        cost
                        + off
                        + dear * max(0, width - self.edges[here] + self.edges[before]) ** 2,
                        (*path, here),
                    )
                    for before, (cost, path) in enumerate(best[:here])
                )
            best = longer
        return list(min(best)[1])

    def whole(self, at: int) -> tuple[int, int]:
        """Return the first and the last column of a column of the main table."""
        return self.edges.index(self.main[at]), self.edges.index(self.main[at + 1]) - 1


class GridWriter:
    """Writer for a worksheet with the columns of a grid.

    Cell styles are shared within the workbook.
    """

    def __init__(self, book: Workbook, sheet: Worksheet, grid: Grid) -> None:
        self.sheet, self.grid = sheet, grid
        self._book = book
        self._formats: dict[tuple[tuple[str, Any], ...], Format] = {}
        for at, (left, right) in enumerate(pairwise(grid.edges)):
            sheet.set_column_pixels(at, at, round(right) - round(left))

    def style(self, **look: Any) -> Format:
        """Return the format of a look."""
        key = tuple(look.items())
        if key not in self._formats:
            usual = {"font_name": FONT, "font_size": SIZE, "valign": "vcenter"}
            self._formats[key] = self._book.add_format(usual | look)
        return self._formats[key]

    def put(
        self, row: int, first: int, last: int, value: Value = None, *, rows: int = 1, **look: Any
    ) -> None:
        """Write a value over the columns ``first`` to ``last`` and ``rows`` of them."""
        style = self.style(**look)
        if last > first or rows > 1:
            self.sheet.merge_range(row, first, row + rows - 1, last, "", style)
        self._write(row, first, value, style, look)

    def write(self, row: int, at: int, value: Value = None, **look: Any) -> None:
        """Write a value into one cell: a text never as a formula, a fraction as a decimal."""
        self._write(row, at, value, self.style(**look), look)

    def _write(self, row: int, at: int, value: Value, style: Format, look: dict[str, Any]) -> None:
        if value is None or value == "":
            self.sheet.write_blank(row, at, None, style)
        elif isinstance(value, str):
            quoted = style if value[0].isalnum() else self.style(quote_prefix=True, **look)
            write_text_cell(self.sheet, row, at, xml_legal_text(value), quoted=quoted, style=style)
        else:
            whole = isinstance(value, int) or value.denominator == 1
            self.sheet.write_number(row, at, int(value) if whole else float(value), style)

    def blank(self, row: int, first: int, last: int, **look: Any) -> None:
        """Give empty cells a look."""
        for at in range(first, last + 1):
            self.sheet.write_blank(row, at, None, self.style(**look))


Look = dict[str, Any]
"""The look of cells, as XlsxWriter's formats take it."""

GREEN, LINE, QUIET = "#0F5E4E", "#B9BDB8", "#4A4F4B"
THIN = "#D3D6D1"
HEAD, PALE, GOLDEN = "#E3E8E3", "#F1F6F3", "#FDF0CF"
MEDALS = {1: "#FBE1A2", 2: "#E4E8EA", 3: "#EED4C1"}


ROW = 6  # points, eight pixels
TITLE = 20
MARK = 26
"""Pixels of the column of the games won."""
IN_BRACKET = 9
PADDING = 6
"""Pixels of a cell beside what stands in it."""
LETTERS = 7
"""Points of the letters of the longest name, at least, as they are printed."""
LEAST, WIDEST = 100, 240
"""Pixels of a match at least, and at most."""
COSTS = (0.08, 0.5, 0.1, 0.1)
"""What names, marks, and lines before and after their turn lack costs, where edges are shared."""
A4 = 9
UPRIGHT, LYING = (700, 715), (1030, 480)
"""Pixels and points of a page between its margins, a little less than there are."""
SMALLEST = 0.78
"""How much smaller than it is made a whole bracket may be printed."""
NARROWER = 0.91
"""How much of a page is used: without Arial other letters make columns a tenth wider."""
MOST = 5
"""Rounds beside each other where not all of them fit on one page."""


class DrawnBracket:
    """A bracket to draw below its label, ``wide`` pixels, on ``columns`` columns.

    ``sets_rows``: also set the heights of rows.
    """

    def __init__(
        self,
        label: str,
        drawing: PlacedDrawing,
        wide: float,
        *,
        columns: int = 0,
        note: str = "",
        sets_rows: bool = True,
    ) -> None:
        self.label, self.note, self.drawing = label, note, drawing
        self._sets_rows = sets_rows
        self.columns = columns or drawing.columns
        self._gap = _gap(self.columns)
        self._box = min(WIDEST, (wide - self._gap * (self.columns - 1)) / self.columns)

    @property
    def height(self) -> float:
        """Return the height in points."""
        return (TITLE if self.label else 0) + (self.drawing.rows + 1) * ROW

    def edges(self) -> Iterator[float]:
        """Yield the column edges, in pixels: four a round, of name, mark, and half the gap."""
        for at in range(self.columns):
            left = at * (self._box + self._gap)
            yield from (left, left + self._box - MARK, left + self._box)
            if at < self.columns - 1:
                yield left + self._box + self._gap / 2

    def draw(self, page: GridWriter, row: int) -> int:
        """Draw the bracket from a row on; return the first row below it."""
        costs = [*COSTS * (self.columns - 1), *COSTS[:2]]
        edges = page.grid.columns(list(self.edges()), costs)
        if self.label:
            last = len(page.grid.edges) - 2
            (half,) = page.grid.columns([2 * page.grid.edges[-1] / 3])
            page.sheet.set_row(row, TITLE)
            page.put(row, 0, half - 1, self.label, bold=True, font_size=11)
            page.put(row, half, last, self.note, align="right", font_size=9, font_color=QUIET)
            row += 1
        if self._sets_rows:
            for each in range(self.drawing.rows + 1):
                page.sheet.set_row(row + each, ROW)
        for words in self.drawing.captions:
            quiet: Look = {"font_color": QUIET} if words.small else {}
            last = words.at if words.small else min(1, self.columns - 1)
            left, right = edges[4 * words.at], edges[4 * last + 2]
            look: Look = {"bold": True, "font_size": IN_BRACKET, "shrink": True, **quiet}
            page.put(row + words.row, left, right - 1, words.words, rows=2, **look)
        size = self._size_of_marks(page, edges)
        for match in self.drawing.matches:
            _draw_match(page, row, match, edges, size)
            _draw_lines(page, row, match, edges)
        return row + self.drawing.rows + 1

    def _size_of_marks(self, page: GridWriter, edges: Sequence[int]) -> float:
        """Return the points of all marks: as many as the narrowest of their columns has room for.

        A program would make smaller only those of the round whose column it is.
        """
        at = page.grid.edges
        used = {match.at for match in self.drawing.matches}
        room = min(at[edges[4 * column + 2]] - at[edges[4 * column + 1]] for column in used)
        marks = [str(side.mark or 0) for each in self.drawing.matches for side in each.sides]
        wide = max((text_width(mark, IN_BRACKET, bold=True) for mark in marks), default=0)
        fits = int(2 * IN_BRACKET * (room - PADDING) / wide) / 2 if wide else IN_BRACKET
        return min(IN_BRACKET, fits)


def _gap(columns: int) -> float:
    """Return the pixels between two rounds."""
    return 28 if columns < 4 else 16


def _draw_match(
    page: GridWriter, row: int, match: PlacedMatch, edges: Sequence[int], size: float
) -> None:
    left, mark, right = edges[4 * match.at : 4 * match.at + 3]
    if match.heading:
        own: Look = {"bold": True, "font_size": IN_BRACKET, "font_color": QUIET, "shrink": True}
        page.put(row + match.top - 2, left, right - 1, match.heading, rows=2, **own)
    for at, side in enumerate(match.sides):
        top = row + match.top + 2 * at
        name, figure = _looks(below=at > 0, won=side.won, last=match.last, size=size)
        page.put(top, left, mark - 1, side.shown, rows=2, **name)
        page.put(top, mark, right - 1, side.mark, rows=2, **figure)


@cache
def _looks(*, below: bool, won: bool, last: bool, size: float) -> tuple[Look, Look]:
    """Return the looks of a side's name and of its mark, of so many points."""
    thick = 2 if last else 1
    look: Look = {"border_color": GREEN if last else LINE, "font_size": IN_BRACKET, "shrink": True}
    look |= {"bold": True, "bg_color": PALE} if won else {}
    look |= {"top": 1, "top_color": THIN, "bottom": thick} if below else {"top": thick}
    return look | {"left": thick}, look | {"right": thick, "font_size": size}


def _draw_lines(page: GridWriter, row: int, match: PlacedMatch, edges: Sequence[int]) -> None:
    """Draw from each match to the middle of the last gap, down or up, and on to where it leads."""
    if not match.feeds:
        return
    middle, left = edges[4 * match.at - 1], edges[4 * match.at]
    looks: dict[tuple[int, int], Look] = {}
    for column, feed in match.feeds:
        for at in range(edges[4 * column + 2], middle):
            looks.setdefault((feed - 1, at), {})["bottom"] = 1
        for each in range(min(feed, match.middle), max(feed, match.middle)):
            looks.setdefault((each, middle - 1), {})["right"] = 1
    for at in range(middle, left):
        looks.setdefault((match.middle - 1, at), {})["bottom"] = 1
    for (each, at), look in looks.items():
        colours = {f"{side}_color": LINE for side in look}
        page.write(row + each, at, None, **look, **colours)


def draw_bracket_sheet(
    book: Workbook, sheet: Worksheet, brackets: Sequence[BracketLayout], margins: dict[str, float]
) -> None:
    """Draw whole brackets on a worksheet, on one page if they fit.

    It is landscape if need be. On several pages they break between subtrees, and repeat the names
    of the rounds.
    """
    drawings, lies, scale = _chosen(brackets)
    wide = (LYING if lies else UPRIGHT)[0] * NARROWER / scale
    columns = max(drawing.columns for _label, drawing in drawings)
    several = len(brackets) > 1
    parts = [
        DrawnBracket(label if several else "", drawing, wide, columns=columns, sets_rows=False)
        for label, drawing in drawings
    ]
    grid = Grid([wide], [0])
    grid.cut(parts[0].edges())
    page = GridWriter(book, sheet, grid)
    last = len(grid.edges) - 2
    sheet.set_default_row(ROW)
    sheet.set_row(0, TITLE)
    title = " · ".join(bracket.label for bracket in brackets)
    page.put(0, 0, last, title, bold=True, font_size=11, shrink=True)
    breaks = [1]
    for part in parts:
        breaks.append(part.draw(page, breaks[-1]))
    sheet.hide_gridlines(2)
    sheet.set_landscape() if lies else sheet.set_portrait()
    sheet.set_paper(A4)
    sheet.set_margins(**margins)
    sheet.print_area(0, 0, breaks[-1] - 1, last)
    sheet.repeat_rows(0)
    sheet.freeze_panes(1, 0)
    sheet.center_horizontally()
    sheet.set_print_scale(int(100 * scale))
    sheet.set_h_pagebreaks(breaks[1:-1])


def _chosen(
    brackets: Sequence[BracketLayout],
) -> tuple[list[tuple[str, PlacedDrawing]], bool, float]:
    """Return the drawings of a sheet with their names, one a page; if it lies; and its scale."""
    sides = (side for bracket in brackets for side in bracket.sides)
    longest = max((text_width(side.shown, LETTERS) for side in sides), default=0)
    least = max(LEAST, longest + MARK + 8)
    wide, high = UPRIGHT
    if max(bracket.least_rows for bracket in brackets) * ROW * SMALLEST <= high:
        wholes = [(bracket.label, bracket.last()) for bracket in brackets]
        rows = max(whole.rows for _label, whole in wholes) + 1
        columns = max(whole.columns for _label, whole in wholes)
        for lies, (width, height) in ((False, UPRIGHT), (True, LYING)):
            scale = min(1, height / (2 * TITLE + rows * ROW))
            if scale >= SMALLEST and columns <= _fitting(width / scale, least / scale):
                return wholes, lies, scale
    rows = int((high - 2 * TITLE) / ROW) - 1
    columns = max(2, min(MOST, _fitting(wide, least)))
    pages = [(one.label, each) for one in brackets for each in one.on_pages(columns, rows)]
    return pages, False, 1


def _fitting(wide: float, least: float) -> int:
    """Return how many matches of at least so many pixels stand beside each other."""
    gap = _gap(MOST)
    return int((NARROWER * wide + gap) / (least + gap))
