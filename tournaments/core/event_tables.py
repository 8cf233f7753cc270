"""The tables that hold an event, ordered so that rows follow the rows they refer to.

Record, archives, snapshots, undo and erasures read these lists; each model declares what its table
and its columns are (``models.tables``).
"""

from collections.abc import Mapping

from tournaments.models.tables import DECLARED, LogPart, Model, Table, Words

TABLES = tuple(
    sorted((t for t in DECLARED.values() if not t.beside), key=lambda table: not table.named)
)
ARCHIVED = tuple(table for table in TABLES if table.key)
"""Tables stored in snapshots and, unless ``here_only``, in archives."""
OWN = tuple(table for table in TABLES if table.path)
"""Tables whose rows belong to exactly one event."""
UNDOABLE = tuple(table for table in OWN if not (table.grows or table.forgotten))
"""Tables whose rows undo restores."""
LOGGED = tuple(table for table in OWN if not table.unlogged)
"""Tables whose rows are in the log."""
BY_MODEL: Mapping[Model, Table] = {table.model: table for table in TABLES}
BY_NAME: Mapping[str, Table] = {table.model.__name__: table for table in TABLES}

Columns = tuple[str, ...]
OPEN: Mapping[str, Columns] = {t.model.__name__: t.logged_columns(LogPart.OPEN) for t in LOGGED}
CLOSED: Mapping[str, Columns] = {t.model.__name__: t.logged_columns(LogPart.CLOSED) for t in LOGGED}
"""Closed columns by model; of a submitted decklist, its fingerprint."""
SEARCHED: Mapping[Model, Columns] = {
    table.model: columns
    for table in UNDOABLE
    if (columns := table.columns_with_text(Words.SEARCHED | Words.WRITER))
}
"""Columns with free text by model; a line of the log is redacted by code of its own."""
