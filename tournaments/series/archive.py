"""A series as one file, and back: with the archives of its events inside.

The file holds settings, who is who, bonuses and penalties, prizes handed out and the log, players
by event and number, accounts as names. Roles are left out: who restores it becomes its organiser.
Events that the actor does not organise stand in it by their head alone.

An event of the file that is here with the same head is linked, another is restored from its
archive. All is stored, or nothing; a round trip is byte for byte identical.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from accounts.ceilings import check_account_limit
from accounts.models import User
from config import transaction
from rules.errors import BadInput
from rules.events.prizes import read_prizes
from rules.json_reader import (
    JsonObjectReader,
    Reader,
    WholeNumber,
    any_json,
    any_of,
    boolean,
    list_of,
    mapping_of,
    name_text,
    nullable,
    one_of,
    text,
)
from rules.people.mentions import NameRedactor
from rules.series.points import LONGEST_REASON, MOST_EVENTS, read_series_points
from rules.series.table import SERIES_CRITERIA
from rules.wording import Sentence
from tournaments.archive.checking import (
    INVALID,
    check_value,
    invalid_archive_error,
    refuse_archive_errors,
)
from tournaments.archive.reader import (
    check_length,
    check_row_count,
    count_recent_restores,
    read_json,
    restore_archive,
)
from tournaments.archive.writer import (
    archive_document,
    export_document,
    json_value,
    serialize_document,
)
from tournaments.core.names import erased_player_label
from tournaments.core.permissions import Actor, can_manage
from tournaments.core.valid_columns import (
    OBJECT,
    SHA256,
    object_reader,
    read_moment,
    reader_with_check,
    slug_reader,
)
from tournaments.erasing.services.rows import ErasureSubject as Erased
from tournaments.models import (
    Entry,
    ErasedPlayer,
    Event,
    PersonDecision,
    Series,
    SeriesAdjustment,
    SeriesEvent,
    SeriesLine,
    SeriesPrize,
    SeriesStaff,
)
from tournaments.series.closing import find_changed_events
from tournaments.series.erasing import redact_player_in_series
from tournaments.series.selectors import load_series_facts, load_series_people, load_series_table
from tournaments.series.services import LONGEST_NAME, choose_series_slug

VERSION = 1
MOST_ROWS = 20_000
Row = dict[str, Any]
SETTINGS = (
    *("slug", "name", "points", "order", "seed", "names_are_people", "prizes"),
    *("version", "closed_at", "pinned", "created_at"),
)
PLAYER: Mapping[str, Reader[Any]] = {"event": slug_reader(80), "player": WholeNumber(1)}
SIGNED: Mapping[str, Reader[Any]] = {"by": nullable(text(80)), "at": read_moment}
PINNED_ADJUSTMENTS = list_of(list_of(any_of(WholeNumber(), text(80)), 3, least=3))
SLUG_AND_NUMBER = list_of(any_of(WholeNumber(), text(80)), 3, least=2)
PINNED = object_reader(
    {
        "events": mapping_of(object_reader({"head": text(64), "rows": SHA256})),
        "points": any_json,
        "order": list_of(text(40)),
        "adjustments": PINNED_ADJUSTMENTS,
        "people": SHA256,
    }
)
INVITED = object_reader(
    {"first": WholeNumber(), "byes": WholeNumber(), "people": list_of(SLUG_AND_NUMBER)}
)


def _nothing(value: object) -> object:
    return object_reader({})(value)


def _told(value: object) -> object:
    """Read the values of a line of the log; what readers of the log look at has to be theirs."""
    given = JsonObjectReader(value)
    given.optional("players", list_of(SLUG_AND_NUMBER), [])
    given.optional("adjustments", PINNED_ADJUSTMENTS, [])
    given.optional("events", list_of(text(80)), [])
    given.optional("event", text(80), "")
    return any_json(value)


READERS: Mapping[str, Reader[Any]] = {
    "series": object_reader(
        {
            "slug": slug_reader(80),
            "name": name_text(LONGEST_NAME),
            "points": nullable(reader_with_check(read_series_points)),
            "order": list_of(one_of(SERIES_CRITERIA.keys())),
            "seed": text(64),
            "names_are_people": boolean,
            "prizes": any_of(_nothing, reader_with_check(read_prizes)),
            "version": WholeNumber(),
            "closed_at": nullable(read_moment),
            "pinned": any_of(_nothing, PINNED),
            "created_at": read_moment,
        }
    ),
    "members": list_of(
        object_reader(
            {
                "event": slug_reader(80),
                "head": text(64),
                "added_at": read_moment,
                "invited": any_of(_nothing, INVITED),
            }
        ),
        MOST_EVENTS,
    ),
    "decisions": list_of(
        object_reader({**PLAYER, "number": WholeNumber(), "same": boolean}), MOST_ROWS
    ),
    "adjustments": list_of(
        object_reader({**PLAYER, **SIGNED, "points": text(16, 1), "reason": text(LONGEST_REASON)}),
        MOST_ROWS,
    ),
    "prizes_given": list_of(object_reader({**PLAYER, "at": read_moment}), MOST_ROWS),
    "log": list_of(
        object_reader(
            {
                **SIGNED,
                "number": WholeNumber(1),
                "action": text(40, 1),
                "values": _told,
                "reason": text(LONGEST_REASON),
            }
        ),
        MOST_ROWS,
    ),
    "events": list_of(OBJECT, MOST_EVENTS),
}


# --- Out ------------------------------------------------------------------------------------
def series_archive(series: Series, actor: Actor | None, *, events: bool = True) -> bytes:
    """Return the archive of a series as UTF-8 JSON.

    With ``events`` it includes the archives of the events that the actor organises (actor None: of
    all). Six queries, and those of each event's archive.
    """
    members = list(series.members.select_related("event").order_by("event__starts_at", "event_id"))
    inside = [
        export_document(archive_document(each.event))
        for each in members
        if events and (actor is None or can_manage(actor, each.event))
    ]
    return serialize_document(
        {
            "girone_series": VERSION,
            "series": {name: json_value(getattr(series, name)) for name in SETTINGS},
            "members": [
                {
                    "event": each.event.slug,
                    "head": each.event.head,
                    "added_at": json_value(each.added_at),
                    "invited": each.invited,
                }
                for each in members
            ],
            "decisions": _rows(series.decisions.order_by("pk"), "number", "same"),
            "adjustments": _rows(
                series.adjustments.order_by("pk"), "points", "reason", "at", signed=True
            ),
            "prizes_given": _rows(series.prizes_given.order_by("pk"), "at"),
            "log": [_line(line) for line in series.log.select_related("by").order_by("number")],
            "events": inside,
        }
    )


def _rows(found: Any, *columns: str, signed: bool = False) -> list[Row]:
    """Return rows about players, who are named by event and number; one query."""
    rows = found.select_related("entry__event", *(["by"] if signed else []))
    return [
        {"event": row.entry.event.slug, "player": row.entry.number}
        | {name: json_value(getattr(row, name)) for name in columns}
        | ({"by": _writer(row)} if signed else {})
        for row in rows
    ]


def _line(line: SeriesLine) -> Row:
    """Return a line of the log; accounts of this site are no part of it."""
    values = {key: value for key, value in line.values.items() if key != "user"}
    columns = {"number": line.number, "action": line.action, "reason": line.reason}
    return {**columns, "at": json_value(line.at), "by": _writer(line), "values": values}


def _writer(row: SeriesAdjustment | SeriesLine) -> str | None:
    return (str(row.by) if row.by is not None else row.by_name) or None


# --- In -------------------------------------------------------------------------------------
def restore_if_series(content: bytes, slug: str, caller: User | None) -> Series | None:
    """Restore a file by ``restore_series`` if it is a series archive, else return None.

    ``slug`` replaces the archived slug unless "".
    """
    return restore_series(content, slug=slug, caller=caller) if is_series_archive(content) else None


def is_series_archive(content: bytes) -> bool:
    """Return whether a file claims to be the archive of a series; it is not checked."""
    return b'"girone_series"' in content


@transaction.atomic
def restore_series(
    content: bytes, *, slug: str = "", caller: User | None = None, of_any_length: bool = False
) -> Series:
    """Restore a series from its archive and return it; ``caller`` becomes its organiser.

    ``slug`` replaces the archived slug unless ""; ``of_any_length`` lifts the limits of size and
    per day. Raises BadInput ``slug_taken``, ``archive_invalid`` with the ``path`` of the wrong
    value, and the errors of ``restore_archive`` for the events inside.
    """
    if not of_any_length:
        check_length(content)
        check_account_limit(caller, "restores_a_day", count_recent_restores)
    document = _parsed(content)
    inside = {_slug_of(each, at): (at, each) for at, each in enumerate(document["events"])}
    events: dict[str, Event] = {}
    for at, member in enumerate(document["members"]):
        name = member["event"]
        if name in events:
            raise _does_not_match(f"members[{at}].event")
        events[name] = _linked(member, caller, at, known=name in inside) or _restored(
            *inside[name], caller, of_any_length
        )
    if inside.keys() - events.keys():
        raise _does_not_match("events")
    series = _store(document, events, slug, caller)
    for name, event in events.items():
        _erase_again(event, inside[name][1] if name in inside else None)
    with refuse_archive_errors("series"):
        facts = load_series_facts(series, "organiser")
        load_series_table(facts), load_series_people(facts), find_changed_events(facts)
    return series


def _parsed(content: bytes) -> dict[str, Any]:
    """Parse and check an archive, but for the archives inside."""
    try:
        document = read_json(content)
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get("girone_series") != VERSION:
        raise invalid_archive_error(
            "girone_series", Sentence("This is not the archive of a series.")
        )
    for key in READERS.keys() | (document.keys() - {"girone_series"}):
        if key not in document:
            raise invalid_archive_error(key, Sentence("This field is required."))
        if key not in READERS:
            raise _does_not_match(key)
    for key, reader in READERS.items():
        check_value(key, reader, document[key])
    return document


def _does_not_match(path: str) -> BadInput:
    return invalid_archive_error(path, Sentence("This doesn’t match the rest of the file."))


def _slug_of(archive: Row, at: int) -> str:
    """Return the address of an event whose archive is inside; it is checked when restored."""
    try:
        return str(archive["tables"]["events"][0]["slug"])
    except (KeyError, TypeError, IndexError):
        raise _does_not_match(f"events[{at}]") from None


def _linked(member: Row, caller: User | None, at: int, *, known: bool) -> Event | None:
    """Return the event of this site that a member means; None if it has to be restored."""
    event = Event.objects.filter(slug=member["event"]).first()
    same = event is not None and event.head == member["head"]
    if event is not None and same and (caller is None or can_manage(Actor(caller), event)):
        return event
    if known and not same:
        return None
    raise invalid_archive_error(
        f"members[{at}].event", Sentence("Choose an event that you organise.")
    )


def _restored(at: int, archive: Row, caller: User | None, of_any_length: bool) -> Event:
    """Restore an event whose archive is inside."""
    try:
        if not of_any_length and isinstance(archive.get("tables"), dict):
            check_row_count(archive["tables"])
        content = json.dumps(archive).encode()
        return restore_archive(content, caller=caller, of_any_length=True, daily=False)
    except BadInput as wrong:
        values = wrong.sentence.values
        if wrong.code != INVALID:
            raise
        raise invalid_archive_error(f"events[{at}].{values['path']}", values["what"]) from None


def _store(document: Row, events: Mapping[str, Event], slug: str, caller: User | None) -> Series:
    """Store the rows of a series whose events are here."""
    given = document["series"]
    series = Series(
        **given | {"slug": choose_series_slug(slug or given["slug"], ""), "created_by": caller}
    )
    _save_as_told(series, given, "created_at")
    if caller is not None:
        SeriesStaff.objects.create(series=series, user=caller, role=SeriesStaff.Role.ORGANISER)
    for row in document["members"]:
        member = SeriesEvent(series=series, event=events[row["event"]], invited=row["invited"])
        _save_as_told(member, row, "added_at")
    entries = _entries(events.values())
    for model, key in (
        (PersonDecision, "decisions"),
        (SeriesAdjustment, "adjustments"),
        (SeriesPrize, "prizes_given"),
    ):
        with refuse_archive_errors(key):
            for at, row in enumerate(document[key]):
                entry = entries.get((row["event"], row["player"]))
                if entry is None:
                    raise _does_not_match(f"{key}[{at}].player")
                model.objects.create(series=series, entry=entry, **_values(row))
    with refuse_archive_errors("log"):
        for row in document["log"]:
            SeriesLine.objects.create(series=series, **_values(row))
    return Series.objects.get(pk=series.pk)


def _save_as_told(row: Any, told: Row, moment_column: str) -> None:
    """Store a row with the moment of the archive, which saving replaces by now."""
    with refuse_archive_errors("series"):
        row.save()
        at = row._meta.get_field(moment_column).to_python(told[moment_column])
        type(row).objects.filter(pk=row.pk).update(**{moment_column: at})


def _values(row: Row) -> Row:
    values = {key: value for key, value in row.items() if key not in ("event", "player", "by")}
    return values | ({"by_name": row["by"] or ""} if "by" in row else {})


def _entries(events: Iterable[Event]) -> dict[tuple[str, int], Entry]:
    found = Entry.objects.filter(event__in=list(events)).select_related("event")
    return {(entry.event.slug, entry.number): entry for entry in found}


def _erase_again(event: Event, archive: Row | None) -> None:
    """Erase from the rows of its series whoever was erased from an event since its archive."""
    gone = ErasedPlayer.objects.filter(slug=event.slug, made=event.created_at)
    names = dict(_names(archive)) if archive is not None else {}
    for number in gone.values_list("number", flat=True):
        label = erased_player_label(number)
        own = NameRedactor(frozenset({names[number]} - {label} if number in names else ()), label)
        entry = event.entries.filter(number=number).first()
        redact_player_in_series(
            person=Erased(event=event, mentions=own, own=own, number=number, entry=entry)
        )


def _names(archive: Row) -> Iterator[tuple[int, str]]:
    for row in archive["tables"].get("entries", ()):
        yield row["number"], row["name"]
