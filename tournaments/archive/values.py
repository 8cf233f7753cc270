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
    """Resolves an archive's references to accounts.

    ``owner`` is the account that restores the archive, None for the site itself; rows that need an
    owner get it. ``names`` maps e-mail addresses to names, for archives of version 1. ``accounts``
    is None for an archive from outside, whose people stay names; for an internal document it maps
    keys, in older documents also e-mail addresses, to accounts.
    """

    owner: User | None
    names: Mapping[str, str]
    accounts: Mapping[int | str, User] | None = field(default=None)

    def values(self, column: Any, cell: Any) -> dict[str, Any]:
        """Return the values of a column that refers to an account, and of its name column.

        Raises TypeError for a cell that is neither a name nor a known kind of key.
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
    """Return a cell of an archive as a column's value; references are looked up in ``kept``.

    Raises ValueError for a reference that is no row number.
    """
    if value is None:
        return None
    if column.is_relation:
        if type(value) is not int or value < 1:
            raise ValueError(f"{column.name}: {value!r}")
        return kept[column.related_model][value - 1]
    return column.to_python(value)
