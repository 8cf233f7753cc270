"""Kinds of single values: what a column may hold. ``core.valid_json`` has those of JSON.

A kind is a validator of Django. Called with a value as JSON holds it, it raises :class:`Wrong`,
which says what should stand there and where inside the value that is; it converts nothing, so
``"3"`` is no number. ``core.valid_columns`` says which column holds what.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import slug_re
from django.utils.translation import gettext_lazy as _

from tournaments.core.moments import FIRST_YEAR, LAST_YEAR, zone_choices

SMALL, LARGE = 32_767, 2_147_483_647
"""Largest numbers of the columns for whole numbers, on every database."""
FARTHEST = timedelta(hours=14)
"""How far a time zone is from UTC at most."""
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
HEX = re.compile(r"[0-9a-f]*")

Kind = Callable[[Any], None]


class Wrong(ValidationError):  # noqa: N818 - named as BadInput is
    """A value of another kind; ``path`` leads to it inside the value that was checked."""

    def __init__(self, sentence: Any, path: str = "") -> None:
        self.sentence, self.path = sentence, path
        super().__init__(sentence, code="invalid")

    def inside(self, step: str) -> "Wrong":
        """Return the same error, seen from one level further up."""
        return Wrong(self.sentence, step + self.path)


@dataclass(frozen=True, slots=True)
class Text:
    """A text; ``shown_in_lists`` without control characters, which no feed can hold."""

    most: int | None = None
    least: int = 0
    shown_in_lists: bool = False

    def __call__(self, value: Any) -> None:
        if not isinstance(value, str):
            raise Wrong(_("This must be a text."))
        if UNSTORABLE.search(value) or (self.shown_in_lists and CONTROLS.search(value)):
            raise Wrong(_("This must be a text without control characters."))
        if self.least and len(value) < self.least:
            raise Wrong(_("This must be a text that is not empty."))
        if self.most is not None and len(value) > self.most:
            raise Wrong(
                _("This must be a text of at most %(most)s characters.") % {"most": self.most}
            )


@dataclass(frozen=True, slots=True)
class Slug:
    """Letters, digits, hyphens and underscores."""

    most: int

    def __call__(self, value: Any) -> None:
        Text(self.most, least=1)(value)
        if not slug_re.match(value):
            raise Wrong(_("This must be a word of letters, digits, hyphens and underscores."))


@dataclass(frozen=True, slots=True)
class Digest:
    """``length`` hexadecimal digits, or nothing where ``empty``."""

    length: int
    empty: bool = False

    def __call__(self, value: Any) -> None:
        Text()(value)
        if not HEX.fullmatch(value) or len(value) not in {self.length, 0 if self.empty else None}:
            raise Wrong(
                _("This must be a number of %(length)s hexadecimal digits.")
                % {"length": self.length}
            )


@dataclass(frozen=True, slots=True)
class OneOf:
    """Validator of a text that is one of several."""

    known: Collection[str]

    def __call__(self, value: Any) -> None:
        if not isinstance(value, str) or value not in self.known:
            named = ", ".join(f"“{each}”" for each in list(self.known)[:20])
            raise Wrong(_("This must be one of: %(known)s.") % {"known": named})


@dataclass(frozen=True, slots=True)
class Whole:
    """Validator of a whole number from ``least`` to ``most``."""

    least: int = 0
    most: int = LARGE

    def __call__(self, value: Any) -> None:
        if type(value) is not int or not self.least <= value <= self.most:
            limits = {"least": self.least, "most": self.most}
            raise Wrong(_("This must be a whole number from %(least)s to %(most)s.") % limits)


@dataclass(frozen=True, slots=True)
class Seconds:
    """Validator of a number of seconds, never negative."""

    def __call__(self, value: Any) -> None:
        if type(value) not in (int, float) or not 0 <= value <= LARGE:
            raise Wrong(_("This must be a number that is not negative."))


@dataclass(frozen=True, slots=True)
class YesNo:
    """Validator of a boolean."""

    def __call__(self, value: Any) -> None:
        if type(value) is not bool:
            raise Wrong(_("This must be true or false."))


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in ISO 8601 with its offset, or a datetime with one, of the years that count.

    The year may be that of any time zone.
    """

    def __call__(self, value: Any) -> None:
        try:
            moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
            good = moment.tzinfo is not None and _is_near(moment)
        except (TypeError, ValueError, OverflowError):
            good = False
        if not good:
            years = {"first": FIRST_YEAR, "last": LAST_YEAR}
            raise Wrong(
                _("This must be a moment of the years %(first)s to %(last)s, with its offset.")
                % years
            )


def _is_near(moment: datetime) -> bool:
    utc = moment.astimezone(UTC)
    return (utc + FARTHEST).year >= FIRST_YEAR and (utc - FARTHEST).year <= LAST_YEAR


@dataclass(frozen=True, slots=True)
class Day:
    """A date in ISO 8601; lists of cards may be older than events."""

    def __call__(self, value: Any) -> None:
        try:
            good = 1900 <= date.fromisoformat(value).year <= LAST_YEAR
        except (TypeError, ValueError):
            good = False
        if not good:
            raise Wrong(_("This must be a date such as 2026-12-05."))


@cache
def _zones() -> frozenset[str]:
    return frozenset(name for name, _label in zone_choices())


@dataclass(frozen=True, slots=True)
class Zone:
    """Validator of the name of a time zone."""

    def __call__(self, value: Any) -> None:
        if not isinstance(value, str) or value not in _zones():
            raise Wrong(_("This must be a time zone such as Europe/Rome."))
