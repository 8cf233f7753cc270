"""Tables of a workbook: their columns and values, and texts that a sheet can hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

from django.utils.translation import pgettext

Value = str | int | Fraction | datetime | None

TEXT, WHOLE, NUMBER, SHARE, TIME = "text", "whole", "number", "share", "time"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: ``key`` is independent of the language; ``kind`` is the number format.

    ``text``, ``whole`` (0), ``number`` (whole, or up to four decimals), ``share`` (per cent)
    or ``time`` (date and time in the event's zone). Columns that are not ``printed`` stand behind
    those that are.
    """

    key: str
    label: str
    kind: str = TEXT
    printed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Lines drawn beside a table: one for each of the rows, counted from 0, over these columns."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Content of one sheet; ``sheet_title`` makes its ``title`` legal and unique.

    The columns up to ``beside`` stay in view beside the others. A ``hidden`` sheet is for programs.
    ``note`` stands below the rows.
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
    """Return the number format of each kind of column, with dates as the language writes them."""
    return FORMATS | {TIME: pgettext("in a spreadsheet", "d mmm yyyy hh:mm")}


def xml_legal_text(text: str) -> str:
    """Return a text that is legal in XML: control characters become visible symbols."""
    if not text.isprintable():  # translating takes ten times as long as asking
        text = text.translate(_CONTROL)
    return _truncated(text, MOST_CHARACTERS)


def _truncated(text: str, size: int) -> str:
    """Return the beginning of a text, counted in UTF-16 as spreadsheet programs do."""
    if 2 * len(text) > size:
        text = text.encode("utf-16-le")[: 2 * size].decode("utf-16-le", "ignore")
    return text


def displayed_width(value: Value, kind: str) -> int:
    """Return the displayed width of a value in characters; for text, of its longest line."""
    if isinstance(value, str):
        return max(map(len, value.splitlines()), default=0)
    if kind == TIME:
        return len("2026-12-05 10:00")
    return min(len(str(value)), 8) if value is not None else 0


def sheet_title(wish: str, taken: set[str]) -> str:
    """Return a legal, unique title of at most 31 characters; adds it to ``taken``.

    Titles are compared without regard to capitals, as spreadsheet programs do.
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
