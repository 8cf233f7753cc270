"""A sheet as a page: columns that tables of different widths share, and cells put over several.

The columns of the main table are whole cells, so that it can be filtered and sorted; only those of
texts may be cut by the edges of what stands below, and their texts run on over the empty cells.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from config.spreadsheets import write_text
from tournaments.core.names import width_of
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
    """Return the width of a text in pixels."""
    return width_of(text, bold=bold) * size * 96 / 72


class Grid:
    """The edges of columns in pixels from the left, made before anything is written.

    ``fixed`` are edges of columns that stay whole, ``open_`` those in which edges may be put.
    """

    def __init__(self, widths: Sequence[float], open_: Iterable[int]) -> None:
        self.edges = [0.0]
        for width in widths:
            self.edges.append(self.edges[-1] + width)
        self.main = list(self.edges)
        self._open = [(self.edges[at], self.edges[at + 1]) for at in open_]

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


class Page:
    """Writes on a sheet with the columns of a grid; formats are shared by the book."""

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
            write_text(self.sheet, row, at, xml_legal_text(value), quoted=quoted, style=style)
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
