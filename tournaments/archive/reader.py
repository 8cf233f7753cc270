"""Restore of an event from an archive, in one transaction, with the limits for an account."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from types import MappingProxyType
from typing import Any

from django.db import models, transaction
from django.db.models import Sum
from django.dispatch import Signal
from django.utils import timezone

from accounts.ceilings import check_account_limit, check_storage_limit, register_byte_counter
from accounts.models import User
from config.sizes import MEBIBYTE
from decks.models import FormatVersion, HouseFormat
from rules.errors import BadInput
from rules.json_reader import WholeNumber, check_depth, list_of, mapping_of, nullable, text
from rules.people.contacts import (
    LONGEST_ADDRESS,
    LONGEST_NUMBER,
    ParsedContact,
    clean_email,
    clean_memberships,
)
from rules.wording import Sentence
from tournaments.archive.checking import (
    assign_unused_slugs,
    check_document,
    check_row_parses,
    check_value,
    invalid_archive_error,
    overridden_columns,
    refuse_archive_errors,
    slug_finder,
)
from tournaments.archive.writer import CONTACTS, LATER, VERSION, names_by_email
from tournaments.chain.lines import continue_log
from tournaments.core.event_state import load_facts
from tournaments.core.formulas import formula_by_slug
from tournaments.core.permissions import Actor, can_manage, count_unstarted_events
from tournaments.core.slugs import check_slug
from tournaments.core.valid_columns import ARCHIVED, column_reader, object_reader, read_moment
from tournaments.decklists.selectors.rules import event_rules_without_cards
from tournaments.erasing.services.erase import apply_erasures
from tournaments.models import (
    Contact,
    ErasedPlayer,
    Event,
    PersonalLink,
    Restoration,
    SavedFormula,
    StaffRole,
)
from tournaments.models.tables import Table, name_column
from tournaments.players.services.contacts import insert_contacts
from tournaments.verification.event import UNREADABLE, verify_event

ROWS = list_of(
    object_reader(
        {
            "player": WholeNumber(1, 10**6),
            "email": text(LONGEST_ADDRESS),
            "memberships": mapping_of(text(LONGEST_NUMBER)),
        },
        {LATER: nullable(read_moment)},
    )
)


def restore_contacts(event: Event, document: Mapping[str, Any]) -> None:
    """Store the players' contacts that an archive holds, if any.

    event: the restored one. document: the parsed archive. Two queries. Raises BadInput
    ``archive_invalid``.
    """
    rows = document.get(CONTACTS, [])
    check_value(CONTACTS, ROWS, rows)
    entries = {entry.number: entry for entry in event.entries.all()} if rows else {}
    contacts = []
    for at, row in enumerate(rows):
        entry = entries.pop(row["player"], None)
        if entry is None:
            raise invalid_archive_error(
                f"{CONTACTS}[{at}].player", Sentence("This doesn’t match the rest of the file.")
            )
        with refuse_archive_errors(f"{CONTACTS}[{at}]"):
            email, known = clean_email(row["email"]), clean_memberships(row["memberships"])
        contacts.append((entry, ParsedContact(email=email, memberships=known)))
    with refuse_archive_errors(CONTACTS):
        insert_contacts(event, contacts)
    for row in rows:
        if row["email"] and row.get(LATER):
            found = Contact.objects.filter(entry__event=event, entry__number=row["player"])
            found.update(later_since=datetime.fromisoformat(row[LATER]))


OF_THE_OWNER = frozenset({"created_by", "owner"})
"""Columns that say whose a row is."""


@dataclass(frozen=True, kw_only=True)
class AccountResolver:
    """Resolves the references to accounts in an archive or internal document.

    ``owner`` is the account that restores it, None for the site itself; rows that need an owner get
    it. ``names`` maps email addresses to names, for archives of version 1. ``accounts`` maps keys,
    in older documents also email addresses, to accounts of an internal document; it is None for an
    archive, whose people stay names.
    """

    owner: User | None
    names: Mapping[str, str]
    accounts: Mapping[int | str, User] | None = field(default=None)

    @cached_property
    def elsewhere(self) -> "OtherEventFinder":
        """Return what finds rows of other events; an internal document may name any."""
        return OtherEventFinder(owner=self.owner if self.accounts is None else None)

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


@dataclass(frozen=True, kw_only=True)
class OtherEventFinder:
    """Finds rows of other events to which a document refers; cached in ``found``.

    Only in events that ``owner`` manages; None: in all events.
    """

    owner: User | None
    found: dict[str, dict[int | None, models.Model]] = field(default_factory=dict)

    def row(self, told: Any) -> models.Model | None:
        """Return the event of a slug, or the entry of a slug and a number; None without one.

        Nobody who was erased. Three queries an event.
        """
        if told is None:
            return None
        slug, number = told if isinstance(told, list) else (told, None)
        if slug not in self.found:
            self.found[slug] = dict(self._rows(slug))
        return self.found[slug].get(number)

    def _rows(self, slug: str) -> Iterator[tuple[int | None, models.Model]]:
        event = Event.objects.filter(slug=slug).first()
        if event is None or (self.owner is not None and not can_manage(Actor(self.owner), event)):
            return
        yield None, event
        erased = ErasedPlayer.objects.filter(slug=slug, made=event.created_at)
        gone = set(erased.values_list("number", flat=True))
        yield from ((one.number, one) for one in event.entries.exclude(number__in=gone))


def column_value(column: Any, value: Any, kept: Mapping[type, list[models.Model]]) -> Any:
    """Return a cell of an archive as a column's value.

    column: the model field. kept: restored rows by model; references are row numbers from 1. Raises
    ValueError for a bad reference.
    """
    if value is None:
        return None
    if column.is_relation:
        if type(value) is not int or value < 1:
            raise ValueError(f"{column.name}: {value!r}")
        return kept[column.related_model][value - 1]
    return column.to_python(value)


def check_restore_limits(caller: User | None, size: int, *, daily: bool = True) -> None:
    """Raise BadInput if an account has restored too much.

    Call it after storing the event. caller: the account, None for the site itself. size: bytes of
    the archive. daily: whether it counts towards the daily limit; the events of a series don't.
    """
    if daily:
        check_account_limit(caller, "restores_a_day", count_recent_restores)
    check_account_limit(caller, "events", count_unstarted_events, adding=0)
    check_storage_limit(caller, adding=size)


def count_recent_restores(user: User) -> int:
    """Return the number of archives that a user restored within the last 24 hours.

    One query.
    """
    day = timezone.now() - timedelta(days=1)
    return Restoration.objects.filter(by=user, at__gt=day).count()


@register_byte_counter
def count_restored_bytes(user: User) -> int:
    """Return the total bytes of archives of a user's restored events; one query.

    Deleted events don't count.
    """
    restored = Restoration.objects.filter(by=user, event__isnull=False)
    return int(restored.aggregate(size=Sum("size", default=0))["size"])


LARGEST, MOST_BRACKETS, MOST_ROWS = 10 * MEBIBYTE, 400_000, 18_000
"""What anybody may send, in five seconds of the processor and 300 MB: bytes, lists and objects, and
rows of all tables. An event of 500 players with its log takes 9.6 MB, 100,000 and some 15,000;
longer ones the command restores."""
DEEPEST_FILE = 100
"""Levels of JSON; each column refuses what is too deep for it, and names itself."""
SEATS_NUMBERED = 3
"""The first version whose seats tell their numbers."""
SEATS_ALONE = 4
"""The first version whose matches have no columns of their seats."""
READABLE = range(1, VERSION + 1)
OTHER_ARCHIVES: list[Callable[[bytes, str, User | None], Any]] = []
"""Each restores a file of another kind, with a slug and a caller; None if it is of no such kind."""
event_restored = Signal()
"""Sent with ``event`` inside the transaction of a restore: a receiver that raises undoes it.

Features that show events of others draw this one, so that what they can't show is not stored.
"""

Row = dict[str, Any]
Made = dict[type, list[models.Model]]


def restore_archive(
    content: bytes,
    *,
    slug: str = "",
    caller: User | None = None,
    of_any_length: bool = False,
    daily: bool = True,
) -> Event:
    """Restore an archive as a new event, and return the event.

    content: JSON. slug: replaces the archived one. caller: becomes its organiser; None: only
    administrators have access. of_any_length: ignore the limits of size. daily: see
    ``check_restore_limits``.

    People are restored as names, without accounts; formats, formulas and card lists of the archive
    apply to this event alone. Erasures recorded on this site are applied. Raises BadInput
    ``archive_invalid`` with the ``path`` of what is wrong, ``too_many_restores``,
    ``too_many_events``, ``too_much_stored``; RuleError ``slug_taken``.
    """
    if not of_any_length:
        check_length(content)
    document = parse_archive(content)
    if not of_any_length:
        check_row_count(document["tables"])
    check_document(document)
    upgrade_seats(document)
    with transaction.atomic():
        people = AccountResolver(owner=caller, names=names_by_email(document))
        tables = assign_unused_slugs(document["tables"])
        tables["events"] = [_event_row(tables["events"], slug)]
        tables["links"] = _free_links(tables.get("links", []))
        event = store_tables(tables, people=people)
        check_restore_limits(caller, len(content), daily=daily)
        Restoration.objects.create(event=event, by=caller, version=event.version, size=len(content))
        if caller is not None:
            StaffRole.objects.create(event=event, user=caller, role=StaffRole.Role.ORGANISER)
        restore_contacts(event, document)
        with refuse_archive_errors("tables"):
            continue_log(event)
            if apply_erasures(event, archived_as=str(document["tables"]["events"][0]["slug"])):
                event.refresh_from_db()
            check_computable(event)
            event_restored.send(sender=Event, event=event)
    return event


def check_length(content: bytes) -> None:
    """Raise BadInput ``archive_invalid`` if an archive has too many bytes or objects."""
    if len(content) > LARGEST or content.count(b"[") + content.count(b"{") > MOST_BRACKETS:
        raise _too_long("$")


def check_row_count(tables: Mapping[str, Any]) -> None:
    """Raise BadInput ``archive_invalid`` if an archive's tables have too many rows."""
    if sum(len(rows) for rows in tables.values() if isinstance(rows, list)) > MOST_ROWS:
        raise _too_long("tables")


def _too_long(path: str) -> BadInput:
    return invalid_archive_error(
        path,
        Sentence(
            "The archive is too large. The site’s operator can restore it with “manage.py restore”."
        ),
    )


def parse_archive(content: bytes) -> dict[str, Any]:
    """Parse an archive's JSON and check its top level.

    Raises BadInput ``archive_invalid``.
    """
    try:
        document = read_json(content)
    except ValueError:
        raise invalid_archive_error("$", Sentence("This is not an event archive.")) from None
    if not isinstance(document, dict) or document.get("girone") not in READABLE:
        raise invalid_archive_error("girone", Sentence("This is not an event archive."))
    if not isinstance(document.get("tables"), dict):
        raise invalid_archive_error("tables", Sentence("This field is required."))
    return document


def read_json(content: bytes) -> Any:
    """Return the parsed JSON of a file.

    Raises ValueError for invalid or too deep JSON.
    """
    check_depth(content, DEEPEST_FILE)
    return json.loads(content, parse_constant=_no_number)


def upgrade_seats(document: Mapping[str, Any]) -> None:
    """Convert matches of an older document in place: only seats name players.

    Before seats had numbers, ``a`` had seat 1 and ``b`` seat 2.
    """
    matches = document["tables"].get("matches", [])
    if document["girone"] < SEATS_NUMBERED:
        for seat in document["tables"].get("match_seats", []):
            seat["number"] = 2 if seat["entry"] == matches[seat["match"] - 1].get("b") else 1
    if document["girone"] < SEATS_ALONE:
        for match in matches:
            for column in ("a", "b", "size"):
                match.pop(column, None)


def _no_number(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are no JSON


Known = Mapping[type, list[tuple[Row, models.Model]]]
"""Pairs (exported row, stored object) by model, of shared tables whose rows may be reused."""


def store_tables(
    tables: Mapping[str, list[Row]],
    *,
    people: AccountResolver,
    into: Event | None = None,
    known: Known = MappingProxyType({}),
) -> Event:
    """Store the rows of all tables as a new event, and return it.

    tables: rows by the table's key. people: finds the accounts. into: an existing event without
    rows to fill instead. known: stored objects of shared tables to reuse, with their exported rows.
    Runs inside a transaction. Raises BadInput ``archive_invalid`` for rows that do not fit
    together; single values are checked by ``check_document``.
    """
    kept: Made = {}
    for table in ARCHIVED:
        rows = list(tables.get(table.key, []))
        if table.here_only and into is None:
            continue
        with refuse_archive_errors(f"tables.{table.key}"):
            kept[table.model] = (
                _store_rows(table, rows, kept, people)
                if into is None
                else _store_into(into, known, table, rows, kept, people)
            )
    for table in ARCHIVED:
        if table.later:
            with refuse_archive_errors(f"tables.{table.key}"):
                _store_later_columns(table, tables.get(table.key, []), kept)
    (event,) = kept[Event]
    return Event.objects.get(pk=event.pk)


def _store_into(
    event: Event, known: Known, table: Table, rows: list[Row], kept: Made, people: AccountResolver
) -> list[models.Model]:
    """Store the rows of a table for an event that is here; those of shared tables are reused."""
    if table.model is Event:
        return [_update_event(event, table, rows, kept, people)]
    if table.model in (HouseFormat, FormatVersion, SavedFormula):
        here = slug_finder(table.model)
        return [here(row) or _store_rows(table, [row], kept, people)[0] for row in rows]
    if table.model in known:
        left = list(known[table.model])
        return [_reuse_or_store(table, row, left, people) for row in rows]
    return _store_rows(table, rows, kept, people)


def _update_event(
    event: Event, table: Table, rows: list[Row], kept: Made, people: AccountResolver
) -> Event:
    (row,) = rows
    for name, value in _values(table, row, kept, people).items():
        setattr(event, name, value)
    event.save()
    return event


def _reuse_or_store(
    table: Table, row: Row, known: list[tuple[Row, models.Model]], people: AccountResolver
) -> models.Model:
    """Return a stored object equal to the row, each at most once, else store the row."""
    same = (at for at, (own, _one) in enumerate(known) if own.items() <= row.items())
    at = next(same, None)
    if at is not None:
        return known.pop(at)[1]
    (made,) = _store_rows(table, [row], {}, people)
    return made


def _event_row(rows: list[Row], slug: str) -> Row:
    """Return the row of the event with its final slug.

    Raises RuleError ``slug_taken``; BadInput ``archive_invalid`` for one that is no slug.
    """
    (row,) = rows
    if slug:
        check_value("slug", column_reader(Event._meta.get_field("slug")), slug)
    wanted = slug or str(row["slug"])
    check_slug(wanted)
    return {**row, "slug": wanted}


def _free_links(rows: list[Row]) -> list[Row]:
    """Return the personal links whose token is not in use here; one query."""
    hashes = [str(row["token_hash"]) for row in rows]
    taken = set(
        PersonalLink.objects.filter(token_hash__in=hashes).values_list("token_hash", flat=True)
    )
    return [row for row, own in zip(rows, hashes, strict=True) if own not in taken]


def _values(table: Table, row: Row, kept: Made, people: AccountResolver) -> dict[str, Any]:
    """Return the column values of a row, without the columns that refer to later tables."""
    accounts, values = table.people, dict[str, Any]()
    elsewhere = people.elsewhere
    for column in table.columns:
        if column in accounts:
            values |= people.values(column, row.get(column.name))
        elif column.name in table.elsewhere:
            values[column.name] = elsewhere.row(row.get(column.name))
        elif column.name not in table.later:
            values[column.name] = column_value(column, _column_value(column, row), kept)
    return values | overridden_columns(table.model, row, people.owner)


def _store_rows(
    table: Table, rows: list[Row], kept: Made, people: AccountResolver
) -> list[models.Model]:
    made = []
    for row in rows:
        values = _values(table, row, kept, people)
        one = table.model(**values)
        check_row_parses(one)
        made.append(one)
    manager = table.model._default_manager
    manager.bulk_create(made, batch_size=500)
    moments = [field for field in table.columns if getattr(field, "auto_now_add", False)]
    if moments and made:  # auto_now_add has overwritten them
        for one, row in zip(made, rows, strict=True):
            for field in moments:
                setattr(one, field.name, field.to_python(_column_value(field, row)))
        manager.bulk_update(made, [field.name for field in moments], batch_size=500)
    return made


def _column_value(field: Any, row: Row) -> Any:
    """Return the value of a column; its default, else null, if the archive is older than it.

    Raises KeyError if it has neither.
    """
    if field.name not in row and (field.has_default() or field.null):
        return field.get_default()
    return row[field.name]


def _store_later_columns(table: Table, rows: list[Row], kept: Made) -> None:
    """Store the columns that refer to rows of later tables."""
    made = kept[table.model]
    for one, row in zip(made, rows, strict=True):
        for name in table.later:
            field: Any = table.model._meta.get_field(name)
            setattr(one, name, column_value(field, _column_value(field, row), kept))
    if made:
        table.model._default_manager.bulk_update(made, sorted(table.later), batch_size=500)


def check_computable(event: Event) -> None:
    """Check that stages and standings of a restored event can be computed.

    Raises BadInput ``archive_invalid`` if not; findings of the verification are ignored. Some fifty
    queries.
    """
    with refuse_archive_errors("tables.events[0].formula"):
        formula_by_slug(event.formula)
    with refuse_archive_errors("tables.events[0].format"):
        event_rules_without_cards(event)
    with refuse_archive_errors("tables"):
        facts = load_facts(event)
        if facts.plan is not None and len(facts.stages) != len(facts.plan.stages):
            raise invalid_archive_error(
                "tables.stages", Sentence("This doesn’t match the rest of the file.")
            )
        _ranking = facts.ranking
        for found in verify_event(event):
            if found.check == UNREADABLE:
                raise invalid_archive_error("tables", str(found))
