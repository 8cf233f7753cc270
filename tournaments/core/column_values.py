"""Readers of values that only columns hold: codes, moments, records; of others ``json_reader``.

They convert nothing, so ``"3"`` is no number. ``core.valid_columns`` says which column holds what.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from django.core.validators import slug_re

from rules.errors import RuleError
from rules.json_reader import (
    ANY_TEXT,
    LARGE,
    Fields,
    Reader,
    Whole,
    WrongValue,
    flag,
    list_of,
    maybe,
    text,
)
from rules.json_sentences import read_sentence
from tournaments.core.moments import FIRST_YEAR, LAST_YEAR, zone_choices

SMALL = 32_767
"""The largest number of a small column, on every database."""
FARTHEST = timedelta(hours=14)
"""How far a time zone is from UTC at most."""
HEX = re.compile(r"[0-9a-f]*")


def record(
    needed: Mapping[str, Reader[Any]], more: Mapping[str, Reader[Any]] | None = None
) -> Reader[dict[str, Any]]:
    """Return a reader of an object with these fields and no others; ``more`` may be missing."""
    readers = {**needed, **(more or {})}

    def read(value: object) -> dict[str, Any]:
        given = Fields(value, readers)
        for key in needed:
            if key not in given:
                raise WrongValue("This is missing.", at=key)
        return {key: given.read(key, readers[key]) for key in given.values}

    return read


def accepted(check: Callable[[Any], object], reader: Reader[Any] | None = None) -> Reader[Any]:
    """Return a reader of what the rules accept, of a value that ``reader`` has read before."""

    def read(value: object) -> object:
        if reader is not None:
            reader(value)
        try:
            return check(value)
        except WrongValue:
            raise
        except RuleError as refused:
            raise WrongValue(refused.sentence) from None

    return read


def slug(most: int) -> Reader[str]:
    """Return a reader of letters, digits, hyphens and underscores."""
    short = text(most, 1)

    def read(value: object) -> str:
        if not slug_re.match(short(value)):
            raise WrongValue("This must be a word of letters, digits, hyphens and underscores.")
        return str(value)

    return read


def digest(length: int, *, empty: bool = False) -> Reader[str]:
    """Return a reader of so many hexadecimal digits, or of nothing where ``empty``."""

    def read(value: object) -> str:
        found = ANY_TEXT(value)
        if not HEX.fullmatch(found) or len(found) not in {length, 0 if empty else None}:
            raise WrongValue(
                "This must be a number of %(length)s hexadecimal digits.", length=length
            )
        return found

    return read


def seconds(value: object) -> float:
    """Return a number of seconds, never negative."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= LARGE:
        raise WrongValue("This must be a number that is not negative.")
    return value


def moment(value: object) -> object:
    """Return a moment in ISO 8601 with its offset, or a datetime with one, of years that count.

    The year may be that of any time zone.
    """
    try:
        found = value if isinstance(value, datetime) else datetime.fromisoformat(value)  # type: ignore[arg-type]
        good = found.tzinfo is not None and _is_near(found)
    except (TypeError, ValueError, OverflowError):
        good = False
    if not good:
        raise WrongValue(
            "This must be a moment of the years %(first)s to %(last)s, with its offset.",
            first=FIRST_YEAR,
            last=LAST_YEAR,
        )
    return value


def _is_near(found: datetime) -> bool:
    utc = found.astimezone(UTC)
    return (utc + FARTHEST).year >= FIRST_YEAR and (utc - FARTHEST).year <= LAST_YEAR


def day(value: object) -> object:
    """Return a date in ISO 8601; lists of cards may be older than events."""
    try:
        good = 1900 <= date.fromisoformat(value).year <= LAST_YEAR  # type: ignore[arg-type]
    except (TypeError, ValueError):
        good = False
    if not good:
        raise WrongValue("This must be a date such as 2026-12-05.")
    return value


@cache
def _zones() -> frozenset[str]:
    return frozenset(name for name, _label in zone_choices())


def zone(value: object) -> str:
    """Return the name of a time zone."""
    if not isinstance(value, str) or value not in _zones():
        raise WrongValue("This must be a time zone such as Europe/Rome.")
    return value


def seeded(value: object) -> object:
    """Return a player's number with a seed or null."""
    number, _seed = list_of(maybe(PLAYER), 2, least=2)(value)
    if number is None:
        raise WrongValue("This must be a player's number with a seed or null.")
    return value


PLAYER = Whole(1)
SAT_BEFORE = record(
    {"until": Whole(), "seats": list_of(PLAYER, least=1)},
    {"again": Whole(), "beside": PLAYER, "table": PLAYER},
)
"""Who had the seats of a match before a correction; see ``Match.earlier``."""


def reason(value: object) -> object:
    """Return why two were paired: a sentence, which people may have done ``by_hand``, or {}."""
    if value != {}:
        given = Fields(value)
        given.read("by_hand", flag, False)
        read_sentence({key: item for key, item in given.values.items() if key != "by_hand"})
    return value
