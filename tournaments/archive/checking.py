"""Check of an archive's values before anything is stored, and the refusal of what does not fit."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError

from rules.errors import BadInput, RuleError
from rules.json_reader import Fields, Reader, Whole, WrongValue, list_of, maybe, text
from rules.json_sentences import any_json
from rules.wording import Sentence
from tournaments.core.column_values import record
from tournaments.core.event_tables import ARCHIVED
from tournaments.core.valid_columns import reader_of
from tournaments.models import Event
from tournaments.models.tables import Table, name_column

logger = logging.getLogger(__name__)
INVALID = "archive_invalid"
LONGEST_NAME = 80
ADDRESS = text(254)
"""How version 1 names people; ``people`` has their names."""
NAME = text(LONGEST_NAME)
ROWS = list_of(Fields)
PEOPLE = list_of(record({"email": ADDRESS, "name": text(254)}, {"verified": any_json}))

Row = dict[str, Any]
Brought = Mapping[str, Any]


def invalid(path: str, what: object) -> BadInput:
    """Return the refusal of an archive; ``path`` leads to the value that is wrong."""
    return BadInput(
        INVALID,
        "This archive can't be restored. In “%(path)s”: %(what)s Nothing was stored: take the "
        "whole file, as it was written.",
        path=path,
        what=what,
    )


@contextmanager
def refusing(path: str) -> Iterator[None]:
    """Context manager: turn errors that an archive's rows cause into ``archive_invalid``.

    Errors of a busy or unreachable database are not the archive's fault, so they pass.
    """
    try:
        yield
    except (OperationalError, InterfaceError):
        raise
    except Exception as fault:  # a stranger's rows may cause anything
        if isinstance(fault, RuleError) and fault.code == INVALID:
            raise
        logger.info("An archive was refused for %s.", path, exc_info=True)
        if isinstance(fault, WrongValue):
            raise invalid(fault.inside(path).path, fault.problem) from None
        raise invalid(path, _reason(fault)) from None


def _reason(fault: Exception) -> object:
    if isinstance(fault, RuleError):
        return fault.sentence
    if isinstance(fault, ValidationError):
        return " ".join(fault.messages)
    shown = f"{type(fault).__name__}: {fault}"
    return Sentence("It does not fit the rest of the file (%(fault)s).", {"fault": shown[:200]})


def check_document(document: Mapping[str, Any]) -> None:
    """Raise BadInput ``archive_invalid`` for the first value that its column can't hold.

    Missing columns and tables are fine where ``may_be_missing``: the archive is older.
    """
    names = {}
    if "people" in document:
        check_value("people", PEOPLE, document["people"])
        names = {person["email"]: person["name"] for person in document["people"]}
    tables = document["tables"]
    sizes = {table.model: _row_count(table, tables.get(table.key, [])) for table in ARCHIVED}
    if sizes[Event] != 1:
        raise invalid("tables.events", Sentence("An archive has one event."))
    for table in ARCHIVED:
        if not table.here_only:
            _check_rows(table, tables.get(table.key, []), sizes, names)


def _row_count(table: Table, rows: Any) -> int:
    check_value(f"tables.{table.key}", ROWS, rows)
    return len(rows)


def _check_rows(
    table: Table, rows: list[Row], sizes: Mapping[Any, int], names: Mapping[str, str]
) -> None:
    readers = {field.name: _reader_of(table, field, sizes, names) for field in table.columns}
    needed = [field.name for field in table.columns if not may_be_missing(table, field)]
    for at, row in enumerate(rows):
        path = f"tables.{table.key}[{at}]"
        for name in needed:
            if name not in row:
                raise invalid(f"{path}.{name}", Sentence("This is missing."))
        for name, reader in readers.items():
            if name in row:
                check_value(f"{path}.{name}", reader, row[name])


def may_be_missing(table: Table, field: Any) -> bool:
    """Return whether rows of an older archive may lack a column: it has a default, or is empty."""
    return field.has_default() or field.null or field in table.people


def _reader_of(
    table: Table, field: Any, sizes: Mapping[Any, int], names: Mapping[str, str]
) -> Reader[Any]:
    """Return the reader of an archive's column; references are numbers of rows."""
    if field in table.people:
        return maybe(_person(names) if name_column(field) else ADDRESS)
    reader = Whole(1, sizes[field.related_model]) if field.is_relation else reader_of(field)
    return maybe(reader) if field.null else reader


def _person(names: Mapping[str, str]) -> Reader[str]:
    """Return a reader of a person: a name, in version 1 also an address that has a name."""

    def read(value: object) -> str:
        address = ADDRESS(value)
        return address if address in names else NAME(value)

    return read


def check_value(path: str, reader: Reader[Any], value: Any) -> None:
    """Raise BadInput ``archive_invalid`` with the path of what is wrong in a value."""
    try:
        reader(value)
    except WrongValue as wrong:
        raise invalid(wrong.inside(path).path, wrong.problem) from None
