"""Wrong values for every field of an archive: twenty and more of each, chosen by what it holds.

What is wrong is said here once more, by the model's field and the value that the archive has; the
program's own list (``core.valid_columns``) is not asked.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models

from tournaments.core.valid_columns import ARCHIVED

MARK = "@@spoilt@@"
FAR = "9999-12-31T23:59:59+00:00"
HUGE = 10**30


def nested(levels: int, inside: Any, *, named: bool) -> Any:
    """Return a value within many lists or objects."""
    for _level in range(levels):
        inside = {"a": inside} if named else [inside]
    return inside


DEEP_LIST, DEEP_OBJECT = nested(60, 1, named=False), nested(60, 1, named=True)
NO_TEXT: tuple[Any, ...] = (
    *(True, False, 0, -1, 1.5, HUGE, 1e308, [], ["a"], [None], [[[]]], {}, {"a": 1}, {"": []}),
    *("a\x00b", "\x00", "\ud800", DEEP_LIST, DEEP_OBJECT, [1, 2], {"a": "\x00"}),
)
NO_NUMBER = (
    *(True, False, "1", "", "x", 1.5, -1, HUGE, 2**31, -HUGE, 1e308, [], [1], {}, {"a": 1}, FAR),
    *("\x00", [None], [[[]]], "x" * 5000, DEEP_LIST, DEEP_OBJECT),
)
NO_FLAG = (
    *(0, 1, -1, 1.5, HUGE, "", "true", "yes", "\x00", [], [True], {}, {"a": True}, FAR, "x" * 5000),
    *([None], [[[]]], 1e308, DEEP_LIST, DEEP_OBJECT),
)
NO_MOMENT = (
    *(True, 0, -1, 1.5, HUGE, "", "x", FAR, "0001-01-01T00:00:00+00:00", "2026-12-05x", "\x00"),
    *("1999-06-01T10:00:00+00:00", "2102-06-01T10:00:00+00:00", "2026-12-05T10:00:00"),
    *("2026-13-45T10:00:00+00:00", "2026-12-05T10:00:00+99:00", [], {}, ["2026-12-05"], {"a": 1}),
    *("x" * 5000, DEEP_LIST, DEEP_OBJECT),
)
NO_DAY = (*NO_MOMENT, "9999-12-31", "0001-01-01")
NO_LIST = (
    *(True, 0, -1, 1.5, HUGE, 1e308, "", "x", "\x00", FAR, {}, {"a": 1}, [None], [1.5], [-1]),
    *(["a\x00"], ["\ud800"], [{"zibibbo": []}], [[[[1]]]], [{"a": "\x00"}], DEEP_LIST, DEEP_OBJECT),
)
NO_OBJECT = (
    *(True, False, 0, -1, 1.5, HUGE, 1e308, "", "x", "\x00", FAR, [], [1], [None], [{}], [[]]),
    *({"a": "\x00"}, {"a": "\ud800"}, {"\x00": 1}, DEEP_LIST, DEEP_OBJECT, "x" * 5000),
)
SHAPELESS = frozenset({"before", "after", "facts", "words"})
"""Objects in which anything may stand; in others an unknown name is wrong, too."""
CODES = frozenset(
    {
        *("slug", "time_zone", "format", "formula", "base", "fingerprint", "token_hash", "head"),
        *("digest", "closed_digest", "salt", "winner", "ended_by", "tie_break", "kind"),
    }
)
"""Texts of which not every word is one."""


@dataclass(frozen=True)
class Field:
    """A column of an archived table, in its first row."""

    table: str
    column: Any
    value: Any

    @property
    def path(self) -> str:
        """Return where a refusal says that it is."""
        return f"tables.{self.table}[0].{self.column.name}"

    def wrong(self) -> tuple[Any, ...]:
        """Return the wrong values."""
        missing = () if self.column.null else (None,)
        return (*missing, *self._by_kind())

    def _by_kind(self) -> tuple[Any, ...]:
        match self.column:
            case models.ForeignKey() if self.column.related_model.__name__ == "User":
                return (*NO_TEXT, "x" * 300)
            case models.ForeignKey() if self.column.name == "source":  # a slug, known here or not
                return (*NO_TEXT, "Nowhere/X Y", " ", "x" * 300)
            case models.ForeignKey():
                return (*NO_NUMBER, 0, 2**31 - 1)
            case models.BooleanField():
                return NO_FLAG
            case models.IntegerField() | models.FloatField():
                fine = 1.5 if isinstance(self.column, models.FloatField) else None
                return tuple(each for each in NO_NUMBER if each != fine and self._is_wrong(each))
            case models.DateTimeField():
                return NO_MOMENT
            case models.DateField():
                return NO_DAY
            case models.JSONField() if isinstance(self.value, list):
                return NO_LIST
            case models.JSONField():
                more = () if self.column.name in SHAPELESS else ({"zibibbo": [{}]},)
                return (*NO_OBJECT, *more)
        longest = self.column.max_length
        more = ("x" * (longest + 1),) if longest else ()
        coded = self.column.choices or self.column.name in CODES
        return (*NO_TEXT, *more, *(("Nowhere/X Y", " ", "é") if coded else ()))

    def _is_wrong(self, value: Any) -> bool:
        return not (isinstance(self.column, models.FloatField) and value == 2**31 - 1)


def fields_of(document: dict[str, Any]) -> Iterator[Field]:
    """Yield every field of every table of an archive."""
    for table in ARCHIVED:
        for row in document["tables"].get(table.key, [])[:1]:
            for column in table.columns:
                if column.name in row:
                    yield Field(table.key, column, row[column.name])


def spoilt(document: dict[str, Any], field: Field) -> Iterator[tuple[Any, bytes]]:
    """Yield each wrong value of a field with the archive that holds it; written once."""
    row = document["tables"][field.table][0]
    kept, row[field.column.name] = row[field.column.name], MARK
    written = json.dumps(document)
    row[field.column.name] = kept
    for value in field.wrong():
        yield value, written.replace(f'"{MARK}"', json.dumps(value)).encode()
