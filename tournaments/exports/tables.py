"""A sheet of the workbook as data: columns with kinds, and rows of plain values.

Nothing here knows the file format, so that what a sheet holds can be read and tested as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

Value = str | int | Fraction | datetime | None

TEXT, WHOLE, NUMBER, SHARE, TIME = "text", "whole", "number", "share", "time"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column: ``key`` never changes with the language; ``kind`` says how values are shown.

    ``text``, ``whole`` (0), ``number`` (whole, or up to four decimals), ``share`` (per cent)
    or ``time`` (date and time in the event's zone).
    """

    key: str
    label: str
    kind: str = TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One sheet. ``title`` is a wish until ``sheet_title`` has made it legal."""

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]] = field(default_factory=tuple)
