"""Conversion of single values of an archive to column values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import models

from accounts.models import User
from tournaments.models.tables import name_column

OF_THE_OWNER = frozenset({"created_by", "owner"})
"""Columns that say whose a row is."""


@dataclass(frozen=True, kw_only=True)
class People:
    """Who is meant by the people of an archive.

    ``owner`` is who restores it: whatever comes with it is theirs, or without them the site's.
    ``names`` are those of an old archive by e-mail address. ``accounts`` are None for an archive
    from outside, whose people are names; else by key, and by address in what was kept formerly.
    """

    owner: User | None
    names: Mapping[str, str]
    accounts: Mapping[int | str, User] | None = field(default=None)

    def values(self, column: Any, cell: Any) -> dict[str, Any]:
        """Return what the column of an account holds, and the one with its name if it has one.

        Raises TypeError for what names nobody.
        """
        inside = self.accounts is not None and type(cell) is int
        if cell is not None and not isinstance(cell, str) and not inside:
            raise TypeError(f"{column.name}: {cell!r}")
        user = None if self.accounts is None else self.accounts.get(cell)
        if user is None and column.name in OF_THE_OWNER:
            user = self.owner
        values: dict[str, Any] = {column.name: user}
        name = name_column(column)
        if name is not None:
            known = isinstance(cell, str) and user is None
            values[name] = self.names.get(cell, cell) if known else ""
        return values


def value_of(column: Any, value: Any, kept: Mapping[type, list[models.Model]]) -> Any:
    """Return what a column holds; ``kept`` are the rows read before, by their model."""
    if value is None:
        return None
    if column.is_relation:
        if type(value) is not int or value < 1:
            raise ValueError(f"{column.name}: {value!r}")
        return kept[column.related_model][value - 1]
    return column.to_python(value)
