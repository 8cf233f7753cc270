"""Shares in words and as measures of a drawing; no query."""

from dataclasses import dataclass
from fractions import Fraction

from rules.deckbuilding.statistics import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A segment of a stacked bar of 100, and its label."""

    kind: str
    x: str
    width: str


def per_cent(share: Fraction) -> str:
    """Return a share in words, in whole per cent."""
    return f"{round(share * 100)} %"


def percentage(share: Fraction) -> str:
    """Return a percentage with a decimal point, for a drawing."""
    return f"{float(share * 100):.2f}".rstrip("0").rstrip(".")


def parts_of(record: Record) -> tuple[Part, ...]:
    """Return the bar of matches won, drawn and lost; empty without a match."""
    parts, x = [], Fraction(0)
    for kind in ("won", "drawn", "lost"):
        width = Fraction(getattr(record, kind), record.played or 1)
        if width:
            parts.append(Part(kind=kind, x=percentage(x), width=percentage(width)))
        x += width
    return tuple(parts)
