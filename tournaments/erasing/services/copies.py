"""Redaction of an event's stored row differences (undo) and snapshots."""

import gzip
import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial
from typing import Any

from decks.models import Decklist
from tournaments.core.event_tables import ARCHIVED, BY_MODEL, BY_NAME
from tournaments.erasing.services import rows as texts
from tournaments.erasing.services.rows import Person, address_of, erased_row, matches_of
from tournaments.models import Entry, Event, LogLine
from tournaments.models.tables import Table, Words

Row = dict[str, Any]


class RowRedactor:
    """Redacts stored row differences for one person."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.entry = person.entry.pk if person.entry else None
        self.matches = matches_of(person)

    def without(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        """Return the row difference of one act without the person."""
        seats = (rows.get(part, {}).get("MatchSeat", {}) for part in ("removed", "added"))
        matches = self.matches | {
            row["match_id"]
            for of_part in seats
            for row in of_part.values()
            if row["entry_id"] == self.entry
        }
        whole = {
            part: {
                name: {
                    key: self._redacted_row(
                        name, key, row, texts.is_about(row, self.entry, matches)
                    )
                    for key, row in of_table.items()
                    if not self._is_dropped(name, row)
                }
                for name, of_table in rows.get(part, {}).items()
            }
            for part in ("added", "removed")
        }
        changed = {
            name: {
                key: self._redacted_pairs(name, key, columns) for key, columns in of_table.items()
            }
            for name, of_table in rows.get("changed", {}).items()
        }
        return dict(rows) | whole | {"changed": changed}

    def _is_dropped(self, name: str, row: Row) -> bool:
        """Return whether a row is dropped: personal links and drafts, roles of an account."""
        whose = BY_NAME[name].deleted_with
        own = {"entry": self.entry, "user": self.person.user and self.person.user.pk}.get(whose)
        return own is not None and row[f"{whose}_id"] == own

    def _redacted_row(self, name: str, key: str, row: Row, about: bool) -> Row:
        if BY_NAME[name].model is Entry and _is_own(key, row, self.person):
            own = erased_row(self.person)
            return row | {column: own[column] for column in own if column in row}
        return row | texts.redact_row(BY_NAME[name].model, row, self.person.mentions, about=about)

    def _redacted_pairs(self, name: str, key: str, columns: Row) -> Row:
        """Return the old and new values of a changed row, both redacted; one query."""
        model = BY_NAME[name].model
        named = model._default_manager.filter(pk=key).values(
            *texts.subject_columns(model) or ["pk"]
        )
        about = texts.is_about(named.first() or {}, self.entry, self.matches)
        sides = [
            self._redacted_row(
                name, key, {column: pair[side] for column, pair in columns.items()}, about
            )
            for side in (0, 1)
        ]
        return {column: [side[column] for side in sides] for column in columns}


def clear_kept_rows(person: Person) -> None:
    """Redact the row differences stored for undo; one query, and one a changed row."""
    seen = RowRedactor(person)
    rewrite_kept_rows(person.event, seen.without)


def rewrite_kept_rows(event: Event, rewritten: Callable[[Row], Row]) -> int:
    """Replace each row difference stored for undo by what a function returns for it.

    Return how many differ.
    """
    count = 0
    for kept in event.kept_rows.all():
        rows = rewritten(kept.rows)
        if rows != kept.rows:
            kept.rows = rows
            kept.save(update_fields=["rows"])
            count += 1
    return count


def without_origin(rows: Mapping[str, Any], key: int) -> dict[str, Any]:
    """Return the row difference of one act in which no player came from the entry ``key``."""
    new = deepcopy(dict(rows))
    for part in ("added", "removed"):
        for row in new.get(part, {}).get("Entry", {}).values():
            if row.get("origin_id") == key:
                row["origin_id"] = None
    for columns in new.get("changed", {}).get("Entry", {}).values():
        if "origin_id" in columns:
            columns["origin_id"] = [None if one == key else one for one in columns["origin_id"]]
    return new


def document_without_origin(document: Mapping[str, Any], told: list[Any]) -> dict[str, Any]:
    """Return an internal document in which no player came from ``told``, slug and number."""
    tables = dict(document["tables"])
    tables["entries"] = [
        row | {"origin": None} if row.get("origin") == told else row
        for row in tables.get("entries", [])
    ]
    return dict(document) | {"tables": tables}


def _is_own(key: str, row: Row, person: Person) -> bool:
    if person.entry is not None:
        return int(key) == person.entry.pk
    return person.number is not None and row.get("number") == person.number


def clear_snapshots(person: Person) -> None:
    """Redact the snapshots of an event; one query, and one a changed snapshot."""
    rewrite_snapshots(person.event, partial(clear_document, person=person))


def rewrite_snapshots(event: Event, rewritten: Callable[[Row], Row]) -> int:
    """Replace each snapshot's document by what a function returns for it.

    Return how many differ.
    """
    count = 0
    for snapshot in event.snapshots.all():
        document = json.loads(gzip.decompress(snapshot.document))
        new = rewritten(document)
        if new != document:
            text = json.dumps(new, ensure_ascii=False, indent=1, sort_keys=True)
            snapshot.document = gzip.compress(f"{text}\n".encode(), mtime=0)
            snapshot.save(update_fields=["document"])
            count += 1
    return count


def clear_document(document: Mapping[str, Any], person: Person) -> dict[str, Any]:
    """Return a redacted copy of an internal document."""
    tables = {key: list(rows) for key, rows in document["tables"].items()}
    own = _place_of_player(tables.get("entries", []), person.number)
    matches = {
        seat["match"] for seat in tables.get("match_seats", []) if own and seat["entry"] == own
    }
    lists = {
        row["decklist"] for row in tables.get("submissions", []) if own and row["entry"] == own
    }
    for table in ARCHIVED:
        rows = tables.get(table.key, [])
        if table.deleted_with == "entry":
            tables[table.key] = [row for row in rows if own is None or row["entry"] != own]
        elif table.model is LogLine:
            tables[table.key] = _redacted_log(rows, person)
        elif table.model is Decklist:
            numbered = enumerate(rows, start=1)
            tables[table.key] = [
                _without_personal_values(
                    table, row, table.values_when_erased | {"raw": row["text"]}
                )
                if n in lists
                else row
                for n, row in numbered
            ]
        elif table.model is Entry:
            tables[table.key] = [_redacted_entry(row, person) for row in rows]
        else:
            tables[table.key] = [
                row
                | texts.redact_row(
                    table.model, row, person.mentions, about=texts.is_about(row, own, matches)
                )
                for row in rows
            ]
    return _without_address(dict(document) | {"tables": tables}, person)


def _redacted_log(rows: list[Row], person: Person) -> list[Row]:
    """Return redacted log lines; a changed line loses its salt."""
    whole: list[Row] = [
        {"words": {}, "facts": {}} | row for row in rows
    ]  # older snapshots have no chain
    places = texts.match_places(whole, person.number)
    changed = [texts.redact_line(row, person, places) for row in whole]
    return [
        row
        | new
        | ({"salt": ""} if new and "salt" in row else {})
        | ({"by_name": person.mentions.text(row["by_name"])} if row.get("by_name") else {})
        for row, new in zip(rows, changed, strict=True)
    ]


def _place_of_player(entries: list[Row], number: int | None) -> int | None:
    return next((n for n, row in enumerate(entries, start=1) if row["number"] == number), None)


def _redacted_entry(row: Row, person: Person) -> Row:
    if person.number is None or row["number"] != person.number:
        return row | texts.redact_row(Entry, row, person.mentions)
    return _without_personal_values(BY_MODEL[Entry], row, erased_row(person))


def _without_personal_values(table: Table, row: Row, values: Mapping[str, Any]) -> Row:
    """Return the person's row with the columns of their own replaced by ``values``, or emptied."""
    return row | {
        name: values.get(name) for name in table.columns_with_text(Words.OWN) if name in row
    }


def _without_address(document: dict[str, Any], person: Person) -> dict[str, Any]:
    """Return a document with the address of an account replaced."""
    user = person.user
    if user is None:
        return document
    names = {"email": address_of(user), "name": person.mentions.label}
    return _replace_address(document, user.email, names)


def _replace_address(value: Any, address: str, names: Mapping[str, str]) -> Any:
    """Replace an e-mail address and its name in plain data, as in archives of version 1."""
    if isinstance(value, dict):
        if value.get("email") == address:
            return value | dict(names)
        return {key: _replace_address(item, address, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_replace_address(item, address, names) for item in value]
    return names["email"] if value == address else value
