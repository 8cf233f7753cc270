"""What the form of rules takes as text: cards one a line, shares of a win."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from django import forms

BETWEEN = " + "
"""Stands between two cards that exclude each other."""


def lines(label: Any, help_text: Any = "") -> forms.CharField:
    """Return a field with one entry a line."""
    area = forms.Textarea(attrs={"rows": 3, "spellcheck": "false"})
    return forms.CharField(
        label=label, help_text=help_text, required=False, max_length=60_000, widget=area
    )


def lines_of(text: str) -> list[str]:
    """Return the lines that are not empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def limit_of(line: str) -> tuple[str, object]:
    """Return name and limit of a card; what is no number is refused by the rules."""
    name, _colon, most = line.rpartition(":")
    return (name.strip() or line), int(most) if most.strip().isdecimal() else most.strip()


def pair_of(line: str) -> list[str]:
    """Return the cards of a line; the rules refuse what is not two."""
    return [name.strip() for name in line.split(BETWEEN)]


def pair_line(pair: Iterable[str]) -> str:
    """Return two cards as a line."""
    return BETWEEN.join(pair)


def share_of(typed: str) -> str:
    """Return a share as the rules read it: ``1/3`` and ``0.25`` as they are, ``25 %`` as 1/4."""
    text = "".join(typed.split()).replace(",", ".")
    if not text.endswith("%"):
        return text
    try:
        return str(Fraction(text[:-1]) / 100)
    except (ValueError, ZeroDivisionError):
        return text
