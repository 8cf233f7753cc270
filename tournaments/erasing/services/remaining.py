"""Texts in which a word of an erased person's name may still stand: listed, blanked, accepted.

Erasing replaces whole names; a single word of one ("la signora Rossi") may mean somebody else, so
people decide. A text is listed by its digest (``RemainingMention``), so nothing of the name is
kept; a text that stands in several places, such as a row and the log line of its act, is one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from config import transaction
from rules.errors import BadInput, RuleError
from tournaments.chain.kept_digests import kept_as_logged, log_anew
from tournaments.chain.lines import CLOSED, rewrite_closed
from tournaments.core.event_tables import ARCHIVED, BY_MODEL, BY_NAME, SEARCHED, UNDOABLE
from tournaments.core.permissions import Actor, can_manage, require
from tournaments.erasing.acts import TEXT_BLANKED, TEXTS_ACCEPTED
from tournaments.erasing.services.copies import Row, rewrite_kept_rows, rewrite_snapshots
from tournaments.erasing.services.rows import Person
from tournaments.log.services import begin, locked, record
from tournaments.models import Event, LogLine, RemainingMention
from tournaments.models.tables import Model, Words

BLANK = "…"


@dataclass(frozen=True, slots=True)
class Text:
    """A text of an event: the model and the key of its row, or the number of its log line."""

    model: Model
    key: int
    text: str


def digest_of(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def texts_of(event: Event) -> Iterator[Text]:
    """Yield the texts of an event that people wrote, the log last; one query a table."""
    for table in UNDOABLE:
        if wanted := table.columns_with_text(Words.SEARCHED):
            for key, *values in table.rows(event).values_list("pk", *wanted):
                for value in values:
                    yield from (Text(table.model, key, text) for text in strings_in(value))
    lines = LogLine.objects.filter(event=event).order_by("number")
    for number, *values in lines.values_list("number", *CLOSED):
        for value in values:
            yield from (Text(LogLine, number, text) for text in strings_in(value))


def strings_in(value: Any) -> Iterator[str]:
    """Yield the strings in JSON data, keys not included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings_in(item)


def listed_texts(event: Event) -> tuple[dict[str, Any], ...]:
    """Return the listed texts that still occur; one query, and one a table if any.

    ``number`` is that of the erased player, ``models`` are those of the rows that hold the text,
    the log last.
    """
    numbers = dict(event.remaining_mentions.values_list("digest", "number"))
    found: dict[str, list[Text]] = {}
    for each in texts_of(event) if numbers else ():
        digest = digest_of(each.text)
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


def store_remaining(person: Person) -> int:
    """Store the digests of texts that may still name a redacted person; return how many."""
    may_remain = person.mentions.may_remain
    found = {digest_of(each.text) for each in texts_of(person.event) if may_remain(each.text)}
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
    """Replace a listed text in all rows of the event, the log and all copies included.

    Raises RuleError ``text_gone`` if it is not listed any more; BadInput ``reason_missing``.
    """
    event, reason = locked(event), reason.strip()[:500]
    require(can_manage(by, event))
    listed = event.remaining_mentions.filter(digest=digest)
    text = next((each.text for each in texts_of(event) if digest_of(each.text) == digest), None)
    if not listed.exists() or text is None:
        raise RuleError(
            "text_gone",
            "This text is not listed any more. Nothing was changed: load the page again.",
        )
    if not reason:
        raise BadInput("reason_missing", "Say why the text is blanked. Nothing was changed.")
    kept = kept_as_logged(event)
    _blank_rows(event, text)
    lines = _blank_log(event, text)
    rewrite_kept_rows(event, partial(_without_in_rows, text=text))
    rewrite_snapshots(event, partial(_without_in_document, text=text))
    listed.delete()
    log_anew(event, kept)
    record(event, TEXT_BLANKED, by=by, reason=reason, after={"lines": len(lines)}, erased=lines)


@transaction.atomic
def accept_texts(*, event: Event, by: Actor) -> int:
    """Accept all listed texts as they are; return how many were listed."""
    event = begin(event, TEXTS_ACCEPTED, by=by)
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
            rewrite_closed(line, changed)
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
