"""Export of an event to an archive."""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import reduce
from typing import Any

from accounts.models import User
from tournaments.core.slugs import archived_slugs
from tournaments.core.valid_columns import ARCHIVED
from tournaments.models import Contact, Event
from tournaments.models.tables import Table, name_column

VERSION = 4
"""Version of the archive format.

Earlier ones are read: version 1 has email addresses for people, before version 3 seats have no
numbers, and before version 4 matches have columns of their seats.
"""

CONTACTS = "contacts"
"""Beside the tables: the player's number, the address and the numbers by membership."""
LATER = "later_since"
"""Since when the address may be used for later events; older archives have it not."""

Row = dict[str, Any]


def serialize_document(document: Mapping[str, Any]) -> bytes:
    """Return a document as JSON bytes in UTF-8, with sorted keys."""
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)
    return f"{text}\n".encode()


def export_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return an internal document (`archive_document`) converted to an archive.

    Accounts become names, and slugs of restored formats and formulas those of their archive. At
    most three queries.
    """
    tables: Mapping[str, list[Row]] = document["tables"]
    names = _names(document)
    (event,) = tables["events"]
    slugs = archived_slugs(event["format"], event["formula"])
    players = [row.get("user") for row in tables["entries"]]
    found: dict[str, list[Row]] = {}
    for table in ARCHIVED:
        if not table.here_only:
            rows = tables.get(table.key, [])
            found[table.key] = [_row(table, row, names, slugs, players) for row in rows]
    return {"girone": VERSION, "tables": found}


def _row(
    table: Table, row: Row, names: Mapping[Any, str], slugs: Mapping[str, str], players: list[Any]
) -> Row:
    left = {field.name for field in table.people if name_column(field) is None}
    named = {field.name for field in table.people} - left
    values = {key: value for key, value in row.items() if key not in left | table.not_archived}
    for key in named & values.keys():
        account = values[key]
        own = table.key == "submissions" and account in (None, players[row["entry"] - 1])
        values[key] = (
            None if own else names.get(account, account if isinstance(account, str) else None)
        )
    for key in SLUGS.get(table.key, ()):
        values[key] = slugs.get(values[key], values[key])
    return values


SLUGS = {
    "card_lists": ("format",),
    "house_formats": ("slug",),
    "format_versions": ("format",),
    "formulas": ("slug",),
    "events": ("format", "formula"),
    "decklists": ("format",),
}
"""By table: the columns that hold the slug of a house format or saved formula."""


def _names(document: Mapping[str, Any]) -> dict[Any, str]:
    """Return the names of people by account key (version 1: by email address); one query."""
    names: dict[Any, str] = {key: str(user) for key, user in document_accounts(document).items()}
    return names | names_by_email(document)


def document_accounts(document: Mapping[str, Any]) -> dict[Any, User]:
    """Return {primary key: account} of the accounts in an internal document.

    One query.
    """
    cells = {
        row.get(field.name)
        for table in ARCHIVED
        for field in table.people
        for row in document["tables"].get(table.key, [])
    }
    return User.objects.in_bulk([cell for cell in cells if type(cell) is int])


def names_by_email(document: Mapping[str, Any]) -> dict[str, str]:
    """Return {email address: name} of an archive of version 1; {} for later versions."""
    return {
        str(person["email"]): str(person["name"])[:80] or str(person["email"]).partition("@")[0]
        for person in document.get("people", [])
    }


Numbers = dict[type, dict[Any, int]]


def event_archive(event: Event, *, contacts: bool = False) -> bytes:
    """Return the archive of an event as JSON bytes.

    contacts: include the players' email addresses and membership numbers; one query more. One query
    a table, at most three more.
    """
    found = export_document(archive_document(event))
    if contacts:
        found[CONTACTS] = _contacts(event)
    return serialize_document(found)


def _contacts(event: Event) -> list[Row]:
    """Return the contacts of an event for its archive, by player; one query."""
    found = Contact.objects.filter(entry__event=event).order_by("entry__number")
    rows = found.values_list("entry__number", "email", "memberships", "later_since")
    keys = ("player", "email", "memberships", LATER)
    return [dict(zip(keys, map(json_value, row), strict=True)) for row in rows]


def internal_archive(event: Event) -> bytes:
    """Return the internal document of an event as JSON bytes; one query a table.

    It refers to accounts by primary key, an archive by name.
    """
    return serialize_document(archive_document(event))


def archive_from_internal(content: bytes) -> bytes:
    """Return an archive made from the JSON of ``internal_archive``, of any version."""
    return serialize_document(export_document(json.loads(content)))


def archive_document(event: Event) -> dict[str, Any]:
    """Return the internal document of an event: the rows of all archived tables.

    Its references are primary keys for accounts, else row numbers from 1. One query a table.
    """
    found = [(table, list(_rows_of(table, event))) for table in ARCHIVED]
    numbers: Numbers = {
        table.model: {row.pk: number for number, row in enumerate(rows, start=1)}
        for table, rows in found
    }
    tables = {table.key: [_values(table, row, numbers) for row in rows] for table, rows in found}
    return {"girone": VERSION, "tables": tables}


def _rows_of(table: Table, event: Event) -> Any:
    """Return the rows of a table with what they name of other events."""
    rows, paths = table.rows(event), set[str]()
    for column, lookups in table.elsewhere.items():
        paths |= {"__".join([column, *lookup.split("__")[:-1]]) for lookup in lookups}
    return rows.select_related(*sorted(paths)) if paths else rows


def _told_elsewhere(row: Any, lookups: tuple[str, ...]) -> Any:
    """Return what stands for a row of another event: the value of one lookup, or a list."""
    if row is None:
        return None
    found = [reduce(getattr, lookup.split("__"), row) for lookup in lookups]
    return found if len(found) > 1 else found[0]


def _values(table: Table, row: Any, numbers: Numbers) -> Row:
    """Return the columns of a stored row, references as the numbers of rows."""
    values: Row = {}
    for field in table.columns:
        value = field.value_from_object(row)
        if field in table.people:
            name = name_column(field)
            values[field.name] = value or (name and getattr(row, name)) or None
        elif field.name in table.elsewhere:
            named = getattr(row, field.name)
            values[field.name] = _told_elsewhere(named, table.elsewhere[field.name])
        elif field.is_relation:
            values[field.name] = None if value is None else numbers[field.related_model][value]
        else:
            values[field.name] = json_value(value)
    return values


def json_value(value: Any) -> Any:
    """Return a column's value for the JSON of an archive.

    Datetimes in UTC and dates become ISO 8601 texts.
    """
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return value
