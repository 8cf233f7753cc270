"""Restore of an event from an archive, in one transaction."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from accounts.models import User
from decks.models import HouseFormat
from rules.errors import BadInput, RuleError
from rules.events.questions import questions_of
from rules.wording import gettext_noop as _
from tournaments.archive.references import check_named, named_here, own_columns, with_free_slugs
from tournaments.archive.values import People, value_of
from tournaments.archive.writer import VERSION, names_of_addresses
from tournaments.chain.lines import adopt_log
from tournaments.core.event_state import load_facts
from tournaments.core.event_tables import ARCHIVED, Table
from tournaments.decklists.selectors.rules import format_of_event
from tournaments.erasing.services.erase import apply_erasures
from tournaments.events.services.events import RESERVED
from tournaments.formulas.selectors import formula_of
from tournaments.models import Event, PersonalLink, Restoration, SavedFormula, StaffRole
from tournaments.verification.event import UNREADABLE, verify_event

LARGEST = 64 * 1024 * 1024
"""Maximum size in bytes; an event of 1,000 players with lists and log takes about 20 MB."""
READABLE = (1, VERSION)

Row = dict[str, Any]
Made = dict[type, list[models.Model]]


def restore(content: bytes, *, slug: str = "", caller: User | None = None) -> Event:
    """Restore an archived event as a new one, with its own slug unless ``slug`` is given.

    The caller becomes its organiser; without a caller the site's administrators run it. People
    are restored as names, without accounts; formats, formulas and card lists of the archive are
    valid for this event alone. Erasures listed here are applied to it.

    Raises BadInput ``bad_archive``; RuleError ``slug_taken``.
    """
    document = read(content)
    try:
        with transaction.atomic():
            people = People(owner=caller, names=names_of_addresses(document))
            tables = with_free_slugs(document["tables"])
            tables["events"] = [_event_row(tables["events"], slug)]
            tables["links"] = _free_links(tables.get("links", []))
            event = store(tables, people=people)
            Restoration.objects.create(event=event, by=caller, version=event.version)
            if caller is not None:
                StaffRole.objects.create(event=event, user=caller, role=StaffRole.Role.ORGANISER)
            adopt_log(event)
            if apply_erasures(event, archived_as=str(document["tables"]["events"][0]["slug"])):
                event.refresh_from_db()
            check_computable(event)
    except (
        *(KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError),
        *(ValidationError, IntegrityError, OverflowError),
    ) as fault:
        raise _bad_archive(f"{type(fault).__name__}: {fault}") from None
    return event


def read(content: bytes) -> dict[str, Any]:
    """Parse an archive and check its outermost structure. Raises BadInput ``bad_archive``."""
    if len(content) > LARGEST:
        raise _bad_archive("size")
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise _bad_archive("JSON") from None
    if not isinstance(document, dict) or document.get("girone") not in READABLE:
        raise _bad_archive("girone")
    if not isinstance(document.get("tables"), dict):
        raise _bad_archive("tables")
    return document


def _bad_archive(what: str) -> BadInput:
    return BadInput(
        "bad_archive",
        _(
            "This is not an archive of an event (%(what)s). Nothing was stored: take the whole "
            "file."
        ),
        what=what[:200],
    )


@dataclass(frozen=True, slots=True)
class Target:
    """An emptied event to restore into, and rows of shared tables that may be reused.

    ``known`` holds pairs (exported row, stored object) by model.
    """

    event: Event
    known: Mapping[type, list[tuple[Row, models.Model]]]


def store(tables: Mapping[str, list[Row]], *, people: People, into: Target | None = None) -> Event:
    """Store the rows of all tables, as a new event or into ``into``; return the event.

    Runs inside a transaction. Raises whatever malformed rows cause: KeyError, TypeError,
    ValueError, ValidationError, IntegrityError and others that :func:`restore` translates.
    """
    kept: Made = {}
    for table in ARCHIVED:
        rows = list(tables.get(table.key, []))
        if table.here_only and into is None:
            continue
        if into is None:
            kept[table.model] = _store_rows(table, rows, kept, people)
        elif table.model is Event:
            kept[Event] = [_update_event(into.event, table, rows, kept, people)]
        elif table.model in (HouseFormat, SavedFormula):
            here = named_here(table.model)
            kept[table.model] = [
                here(row) or _store_rows(table, [row], kept, people)[0] for row in rows
            ]
        elif table.model in into.known:
            known = list(into.known[table.model])
            kept[table.model] = [_reuse_or_store(table, row, known, people) for row in rows]
        else:
            kept[table.model] = _store_rows(table, rows, kept, people)
    for table in ARCHIVED:
        if table.later:
            _store_later_columns(table, tables.get(table.key, []), kept)
    (event,) = kept[Event]
    return Event.objects.get(pk=event.pk)


def _update_event(event: Event, table: Table, rows: list[Row], kept: Made, people: People) -> Event:
    (row,) = rows
    for name, value in _values(table, row, kept, people).items():
        setattr(event, name, value)
    event.save()
    return event


def _reuse_or_store(
    table: Table, row: Row, known: list[tuple[Row, models.Model]], people: People
) -> models.Model:
    """Return a stored object equal to the row, each at most once, else store the row."""
    same = (at for at, (own, _one) in enumerate(known) if own.items() <= row.items())
    at = next(same, None)
    if at is not None:
        return known.pop(at)[1]
    (made,) = _store_rows(table, [row], {}, people)
    return made


def _event_row(rows: list[Row], slug: str) -> Row:
    """Return the row of the event with its final slug. Raises RuleError ``slug_taken``."""
    (row,) = rows
    wanted = slug or str(row["slug"])
    if wanted in RESERVED or Event.objects.filter(slug=wanted).exists():
        raise RuleError(
            "slug_taken",
            _("There is an event “%(slug)s” already. Nothing was stored: name another slug."),
            slug=wanted,
        )
    return {**row, "slug": wanted}


def _free_links(rows: list[Row]) -> list[Row]:
    """Return the personal links whose token is not in use here; one query."""
    hashes = [str(row["token_hash"]) for row in rows]
    taken = set(
        PersonalLink.objects.filter(token_hash__in=hashes).values_list("token_hash", flat=True)
    )
    return [row for row, own in zip(rows, hashes, strict=True) if own not in taken]


def _values(table: Table, row: Row, kept: Made, people: People) -> dict[str, Any]:
    """Return the column values of a row, without the columns that refer to later tables."""
    accounts, values = table.people, dict[str, Any]()
    for field in table.columns:
        if field in accounts:
            values |= people.values(field, row.get(field.name))
        elif field.name not in table.later:
            values[field.name] = value_of(field, _column_value(field, row), kept)
    return values | own_columns(table.model, row, people.owner)


def _store_rows(table: Table, rows: list[Row], kept: Made, people: People) -> list[models.Model]:
    made = []
    for row in rows:
        values = _values(table, row, kept, people)
        one = table.model(**values)
        empty = [name for name, value in values.items() if value in ("", [], {})]
        one.clean_fields(exclude=[*table.later, *_unchecked(table), *empty])
        check_named(one)
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
    """Return the value of a column; the default if the archive is older than the column."""
    if field.name not in row and field.has_default():
        return field.get_default()
    return row[field.name]


def _unchecked(table: Table) -> list[str]:
    """Return the columns that ``clean_fields`` must not validate.

    Formats and formulas depend on the site and are checked by :func:`check_computable`; relations
    by the database.
    """
    by_site = ("format", "formula")
    fields = table.model._meta.concrete_fields
    relations = [f.name for f in fields if f.is_relation or f.name in by_site]
    return [*relations, *table.left_out]


def _store_later_columns(table: Table, rows: list[Row], kept: Made) -> None:
    """Store the columns that refer to rows of later tables."""
    made = kept[table.model]
    for one, row in zip(made, rows, strict=True):
        for name in table.later:
            field: Any = table.model._meta.get_field(name)
            setattr(one, name, value_of(field, row[name], kept))
    if made:
        table.model._default_manager.bulk_update(made, sorted(table.later), batch_size=500)


def check_computable(event: Event) -> None:
    """Compute stages, ranking and verification once; some fifty queries.

    Raises ValueError, or whatever the computation raises, if pages could not show the event.
    """
    formula_of(event.formula), format_of_event(event)
    questions_of(event.questions)
    if not all(isinstance(told, dict) for told in event.entries.values_list("answers", flat=True)):
        raise ValueError("answers")
    facts = load_facts(event)
    if facts.plan is not None and len(facts.stages) != len(facts.plan.stages):
        raise ValueError("stages")
    _ranking = facts.ranking
    stopped = [str(found) for found in verify_event(event) if found.check == UNREADABLE]
    if stopped:
        raise ValueError(stopped[0])
