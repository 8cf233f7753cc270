"""Redaction of what undo and snapshots keep, and of texts of others that name an erased person."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from config import transaction
from decks.models import Decklist
from rules.errors import BadInput, RuleError
from tournaments.chain.lines import (
    CLOSED,
    log_present_digests,
    matching_digests,
    replace_private_columns,
)
from tournaments.core.permissions import Actor, can_manage, require_permission
from tournaments.core.valid_columns import ARCHIVED, BY_MODEL, BY_NAME, SEARCHED, UNDOABLE
from tournaments.erasing.acts import TEXT_BLANKED, TEXTS_ACCEPTED
from tournaments.erasing.services import rows as texts
from tournaments.erasing.services.rows import (
    ErasureSubject,
    erased_entry_columns,
    person_match_ids,
    placeholder_address,
)
from tournaments.log.services import begin_act, lock_event, record
from tournaments.models import Entry, Event, LogLine, RemainingMention
from tournaments.models.tables import Model, Table, TextErasure

Row = dict[str, Any]


class RowRedactor:
    """Redacts one person in the row differences that are stored for undo."""

    def __init__(self, person: ErasureSubject) -> None:
        self.person = person
        self.entry = person.entry.pk if person.entry else None
        self.matches = person_match_ids(person)

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
                        name, key, row, texts.refers_to_player(row, self.entry, matches)
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
            own = erased_entry_columns(self.person)
            return row | {column: own[column] for column in own if column in row}
        return row | texts.redact_row(BY_NAME[name].model, row, self.person.mentions, about=about)

    def _redacted_pairs(self, name: str, key: str, columns: Row) -> Row:
        """Return the old and new values of a changed row, both redacted; one query."""
        model = BY_NAME[name].model
        named = model._default_manager.filter(pk=key).values(
            *texts.subject_columns(model) or ["pk"]
        )
        about = texts.refers_to_player(named.first() or {}, self.entry, self.matches)
        sides = [
            self._redacted_row(
                name, key, {column: pair[side] for column, pair in columns.items()}, about
            )
            for side in (0, 1)
        ]
        return {column: [side[column] for side in sides] for column in columns}


def redact_undo_rows(person: ErasureSubject) -> None:
    """Redact a person in the row differences stored for undo.

    One query, and one for each changed row.
    """
    seen = RowRedactor(person)
    rewrite_undo_rows(person.event, seen.without)


def rewrite_undo_rows(event: Event, rewritten: Callable[[Row], Row]) -> int:
    """Apply a function to all row differences stored for undo.

    Return how many changed. ``rewritten``: function of a row difference.
    """
    count = 0
    for kept in event.kept_rows.all():
        rows = rewritten(kept.rows)
        if rows != kept.rows:
            kept.rows = rows
            kept.save(update_fields=["rows"])
            count += 1
    return count


def unlink_origin_in_rows(rows: Mapping[str, Any], key: int) -> dict[str, Any]:
    """Return a row difference in which no player is linked to an erased one's entry.

    ``key``: primary key of the erased player's entry in the earlier event.
    """
    new = deepcopy(dict(rows))
    for part in ("added", "removed"):
        for row in new.get(part, {}).get("Entry", {}).values():
            if row.get("origin_id") == key:
                row["origin_id"] = None
    for columns in new.get("changed", {}).get("Entry", {}).values():
        if "origin_id" in columns:
            columns["origin_id"] = [None if one == key else one for one in columns["origin_id"]]
    return new


def unlink_origin_in_document(document: Mapping[str, Any], told: list[Any]) -> dict[str, Any]:
    """Return a snapshot's document in which no player is linked to an erased one.

    ``told``: [event slug, player number] of the erased player in the earlier event.
    """
    tables = dict(document["tables"])
    tables["entries"] = [
        row | {"origin": None} if row.get("origin") == told else row
        for row in tables.get("entries", [])
    ]
    return dict(document) | {"tables": tables}


def _is_own(key: str, row: Row, person: ErasureSubject) -> bool:
    if person.entry is not None:
        return int(key) == person.entry.pk
    return person.number is not None and row.get("number") == person.number


def redact_snapshots(person: ErasureSubject) -> None:
    """Redact a person in the event's snapshots.

    One query, and one a changed snapshot.
    """
    rewrite_snapshots(person.event, partial(redact_document, person=person))


def rewrite_snapshots(event: Event, rewritten: Callable[[Row], Row]) -> int:
    """Apply a function to the document of each snapshot; return how many changed.

    ``rewritten``: function of a document.
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


def redact_document(document: Mapping[str, Any], person: ErasureSubject) -> dict[str, Any]:
    """Return a copy of a snapshot's document with a person redacted."""
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
                    table.model,
                    row,
                    person.mentions,
                    about=texts.refers_to_player(row, own, matches),
                )
                for row in rows
            ]
    return _without_address(dict(document) | {"tables": tables}, person)


def _redacted_log(rows: list[Row], person: ErasureSubject) -> list[Row]:
    """Return redacted log lines; a changed line loses its salt."""
    whole: list[Row] = [
        {"words": {}, "facts": {}} | row for row in rows
    ]  # older snapshots have no chain
    places = texts.logged_match_places(whole, person.number)
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


def _redacted_entry(row: Row, person: ErasureSubject) -> Row:
    if person.number is None or row["number"] != person.number:
        return row | texts.redact_row(Entry, row, person.mentions)
    return _without_personal_values(BY_MODEL[Entry], row, erased_entry_columns(person))


def _without_personal_values(table: Table, row: Row, values: Mapping[str, Any]) -> Row:
    """Return the person's row with the columns of their own replaced by ``values``, or emptied."""
    return row | {
        name: values.get(name) for name in table.columns_with_text(TextErasure.OWN) if name in row
    }


def _without_address(document: dict[str, Any], person: ErasureSubject) -> dict[str, Any]:
    """Return a document with the address of an account replaced."""
    user = person.user
    if user is None:
        return document
    names = {"email": placeholder_address(user), "name": person.mentions.label}
    return _replace_address(document, user.email, names)


def _replace_address(value: Any, address: str, names: Mapping[str, str]) -> Any:
    """Replace an email address and its name in plain data, as in archives of version 1."""
    if isinstance(value, dict):
        if value.get("email") == address:
            return value | dict(names)
        return {key: _replace_address(item, address, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_replace_address(item, address, names) for item in value]
    return names["email"] if value == address else value


BLANK = "…"


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text written by people, where it is stored.

    ``model`` and ``key``: of its row, by primary key; in the log by line number.
    """

    model: Model
    key: int
    text: str


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def written_texts(event: Event) -> Iterator[WrittenText]:
    """Yield all texts of an event that people wrote, the log last; one query a table."""
    for table in UNDOABLE:
        if wanted := table.columns_with_text(TextErasure.SEARCHED):
            for key, *values in table.rows(event).values_list("pk", *wanted):
                for value in values:
                    yield from (WrittenText(table.model, key, text) for text in json_strings(value))
    lines = LogLine.objects.filter(event=event).order_by("number")
    for number, *values in lines.values_list("number", *CLOSED):
        for value in values:
            yield from (WrittenText(LogLine, number, text) for text in json_strings(value))


def json_strings(value: Any) -> Iterator[str]:
    """Yield the strings in JSON data, keys not included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from json_strings(item)


def texts_to_review(event: Event) -> tuple[dict[str, Any], ...]:
    """Return the texts that may still name an erased person, as dicts.

    Keys: ``digest``, ``text``, ``number`` (the erased player's), ``models`` (where the text occurs,
    the log last). One query, or one a table if there are any.
    """
    numbers = dict(event.remaining_mentions.values_list("digest", "number"))
    found: dict[str, list[WrittenText]] = {}
    for each in written_texts(event) if numbers else ():
        digest = text_digest(each.text)
        if digest in numbers:
            found.setdefault(digest, []).append(each)
    return tuple(
        {
            "digest": digest,
            "text": places[0].text,
            "number": numbers[digest],
            "models": tuple(dict.fromkeys(place.model for place in places)),
        }
        for digest, places in found.items()
    )


def store_texts_to_review(person: ErasureSubject) -> int:
    """List the texts that may still name a redacted person; return how many.

    Their digests are stored, not the texts.
    """
    may_remain = person.mentions.may_remain
    found = {
        text_digest(each.text) for each in written_texts(person.event) if may_remain(each.text)
    }
    RemainingMention.objects.bulk_create(
        (
            RemainingMention(event=person.event, number=person.number, digest=digest)
            for digest in sorted(found)
        ),
        ignore_conflicts=True,
    )
    return len(found)


@transaction.atomic
def blank_text(*, event: Event, digest: str, reason: str, by: Actor) -> None:
    """Blank a text listed for review in rows, log, undo data and snapshots.

    ``digest``: of the text. ``reason``: for the log. Raises RuleError ``text_gone`` if it is not
    listed any more; BadInput ``reason_missing``.
    """
    event, reason = lock_event(event), reason.strip()[:500]
    require_permission(can_manage(by, event))
    listed = event.remaining_mentions.filter(digest=digest)
    text = next(
        (each.text for each in written_texts(event) if text_digest(each.text) == digest), None
    )
    if not listed.exists() or text is None:
        raise RuleError(
            "text_gone",
            "Not found. Reload the page.",
        )
    if not reason:
        raise BadInput("reason_missing", "This field is required.")
    kept = matching_digests(event)
    _blank_rows(event, text)
    lines = _blank_log(event, text)
    rewrite_undo_rows(event, partial(_without_in_rows, text=text))
    rewrite_snapshots(event, partial(_without_in_document, text=text))
    listed.delete()
    log_present_digests(event, kept)
    record(event, TEXT_BLANKED, by=by, reason=reason, after={"lines": len(lines)}, erased=lines)


@transaction.atomic
def accept_reviewed_texts(*, event: Event, by: Actor) -> int:
    """Keep all texts listed for review and clear the list; return their number."""
    event = begin_act(event, TEXTS_ACCEPTED, by=by)
    count, _models = event.remaining_mentions.all().delete()
    if count:
        record(event, TEXTS_ACCEPTED, by=by, after={"texts": count})
    return count


def _blank_in_json(value: Any, text: str) -> Any:
    """Return JSON data in which each string that equals the text is blank."""
    if isinstance(value, str):
        return BLANK if value == text else value
    if isinstance(value, list):
        return [_blank_in_json(item, text) for item in value]
    if isinstance(value, dict):
        return {key: _blank_in_json(item, text) for key, item in value.items()}
    return value


def _blanked_columns(model: Model, row: Mapping[str, Any], text: str) -> dict[str, Any]:
    columns = CLOSED if model is LogLine else SEARCHED.get(model, ())
    found = {column: _blank_in_json(row[column], text) for column in columns if column in row}
    return {column: new for column, new in found.items() if new != row[column]}


def _blank_rows(event: Event, text: str) -> None:
    for model, columns in SEARCHED.items():
        for row in BY_MODEL[model].rows(event).values("pk", *columns):
            if changed := _blanked_columns(model, row, text):
                model._default_manager.filter(pk=row["pk"]).update(**changed)


def _blank_log(event: Event, text: str) -> list[int]:
    """Blank the text in the log; return the numbers of the changed lines."""
    found = []
    for line in LogLine.objects.filter(event=event).order_by("number"):
        row = {column: getattr(line, column) for column in CLOSED}
        if changed := _blanked_columns(LogLine, row, text):
            replace_private_columns(line, changed)
            found.append(line.number)
    return found


def _without_in_rows(rows: Row, text: str) -> Row:
    return {
        part: {
            name: {
                key: {**row, **_blanked_columns(BY_NAME[name].model, row, text)}
                for key, row in table.items()
            }
            for name, table in tables.items()
        }
        for part, tables in rows.items()
    }


def _without_in_document(document: Row, text: str) -> Row:
    tables = {
        table.key: [
            row | _without_salt_if_changed(row, _blanked_columns(table.model, row, text))
            for row in document["tables"].get(table.key, [])
        ]
        for table in ARCHIVED
    }
    return document | {"tables": document["tables"] | tables}


def _without_salt_if_changed(row: Mapping[str, Any], changed: Row) -> Row:
    """Return the changes of a row in a snapshot; a changed line of the log loses its salt."""
    return changed | {"salt": ""} if changed and row.get("salt") else changed
