"""An archive read back into the database, whole or not at all."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from accounts.models import User
from decks.models import HouseFormat
from rules.errors import BadInput, RuleError
from rules.wording import gettext_noop as _
from tournaments.archive.named import apart, check_named, named_here, own_columns
from tournaments.archive.out import VERSION, names_of_addresses
from tournaments.archive.values import People, value_of
from tournaments.chain.lines import take_over
from tournaments.core.event_state import load_facts
from tournaments.core.event_tables import ARCHIVED, Table
from tournaments.decklists.selectors.rules import format_of_event
from tournaments.erasing.services.erase import apply_erasures
from tournaments.events.services.events import RESERVED
from tournaments.formulas.selectors import formula_of
from tournaments.models import Event, PersonalLink, Restoration, SavedFormula, StaffRole
from tournaments.verification.event import UNREADABLE, verify_event

LARGEST = 64 * 1024 * 1024
"""Bytes; an event of a thousand players with lists and log needs some twenty million."""
READABLE = (1, VERSION)

Row = dict[str, Any]
Made = dict[type, list[models.Model]]


def restore(content: bytes, *, slug: str = "", caller: User | None = None) -> Event:
    """Store an archived event, under its own slug unless another is given.

    It belongs to the caller, who organises it from now on; without one to the site, whose
    administrators do. Its people are names, and what it brings holds for it alone. Raises
    BadInput ``bad_archive``; RuleError ``slug_taken``.
    """
    document = read(content)
    try:
        with transaction.atomic():
            people = People(owner=caller, names=names_of_addresses(document))
            tables = apart(document["tables"])
            tables["events"] = [_own(tables["events"], slug)]
            tables["links"] = _free_links(tables.get("links", []))
            event = store(tables, people=people)
            Restoration.objects.create(event=event, by=caller, version=event.version)
            if caller is not None:
                StaffRole.objects.create(event=event, user=caller, role=StaffRole.Role.ORGANISER)
            take_over(event)
            if apply_erasures(event, archived_as=str(document["tables"]["events"][0]["slug"])):
                event.refresh_from_db()
            try_out(event)
    except (
        *(KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError),
        *(ValidationError, IntegrityError, OverflowError),
    ) as fault:
        raise _bad(f"{type(fault).__name__}: {fault}") from None
    return event


def read(content: bytes) -> dict[str, Any]:
    """Return an archive as plain data; raises BadInput ``bad_archive``."""
    if len(content) > LARGEST:
        raise _bad("size")
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise _bad("JSON") from None
    if not isinstance(document, dict) or document.get("girone") not in READABLE:
        raise _bad("girone")
    if not isinstance(document.get("tables"), dict):
        raise _bad("tables")
    return document


def _bad(what: str) -> BadInput:
    return BadInput(
        "bad_archive",
        _(
            "This is not an archive of an event (%(what)s). Nothing was stored: take the whole "
            "file."
        ),
        what=what[:200],
    )


@dataclass(frozen=True, slots=True)
class Into:
    """An event that is to be filled again, emptied, and rows of tables that may be shared.

    ``known`` are those rows as they would be written now, with what stands for them here.
    """

    event: Event
    known: Mapping[type, list[tuple[Row, models.Model]]]


def store(tables: Mapping[str, list[Row]], *, people: People, into: Into | None = None) -> Event:
    """Store rows inside a transaction: as a new event, or into the one there is."""
    kept: Made = {}
    for table in ARCHIVED:
        rows = list(tables.get(table.key, []))
        if table.here_only and into is None:
            continue
        if into is None:
            kept[table.model] = _table(table, rows, kept, people)
        elif table.model is Event:
            kept[Event] = [_filled(into.event, table, rows, kept, people)]
        elif table.model in (HouseFormat, SavedFormula):
            here = named_here(table.model)
            kept[table.model] = [here(row) or _table(table, [row], kept, people)[0] for row in rows]
        elif table.model in into.known:
            known = list(into.known[table.model])
            kept[table.model] = [_known(table, row, known, people) for row in rows]
        else:
            kept[table.model] = _table(table, rows, kept, people)
    for table in ARCHIVED:
        if table.later:
            _fill_in(table, tables.get(table.key, []), kept)
    (event,) = kept[Event]
    return Event.objects.get(pk=event.pk)


def _filled(event: Event, table: Table, rows: list[Row], kept: Made, people: People) -> Event:
    (row,) = rows
    for name, value in _values(table, row, kept, people).items():
        setattr(event, name, value)
    event.save()
    return event


def _known(
    table: Table, row: Row, known: list[tuple[Row, models.Model]], people: People
) -> models.Model:
    """Return the row that is here already, once; else store it."""
    same = (at for at, (own, _one) in enumerate(known) if own.items() <= row.items())
    at = next(same, None)
    if at is not None:
        return known.pop(at)[1]
    (made,) = _table(table, [row], {}, people)
    return made


def _own(rows: list[Row], slug: str) -> Row:
    """Return the event's row under the slug it is to have."""
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
    """Return the links that lead nowhere else here: beside the original a copy has none."""
    hashes = [str(row["token_hash"]) for row in rows]
    taken = set(
        PersonalLink.objects.filter(token_hash__in=hashes).values_list("token_hash", flat=True)
    )
    return [row for row, own in zip(rows, hashes, strict=True) if own not in taken]


def _values(table: Table, row: Row, kept: Made, people: People) -> dict[str, Any]:
    """Return the columns of a row, but those that are filled in later."""
    accounts, values = table.people, dict[str, Any]()
    for field in table.columns:
        if field in accounts:
            values |= people.values(field, row.get(field.name))
        elif field.name not in table.later:
            values[field.name] = value_of(field, _cell(field, row), kept)
    return values | own_columns(table.model, row, people.owner)


def _table(table: Table, rows: list[Row], kept: Made, people: People) -> list[models.Model]:
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
    if moments and made:  # their creation set them to now
        for one, row in zip(made, rows, strict=True):
            for field in moments:
                setattr(one, field.name, field.to_python(_cell(field, row)))
        manager.bulk_update(made, [field.name for field in moments], batch_size=500)
    return made


def _cell(field: Any, row: Row) -> Any:
    """Return a value of a row; what archives did not have yet is as in an old row."""
    if field.name not in row and field.has_default():
        return field.get_default()
    return row[field.name]


def _unchecked(table: Table) -> list[str]:
    """Return columns that are checked otherwise.

    What may stand in some depends on the site: it is tried out later; others are left out.
    """
    by_site = ("format", "formula")
    fields = table.model._meta.concrete_fields
    relations = [f.name for f in fields if f.is_relation or f.name in by_site]
    return [*relations, *table.left_out]


def _fill_in(table: Table, rows: list[Row], kept: Made) -> None:
    """Store the columns that name rows of later tables."""
    made = kept[table.model]
    for one, row in zip(made, rows, strict=True):
        for name in table.later:
            field: Any = table.model._meta.get_field(name)
            setattr(one, name, value_of(field, row[name], kept))
    if made:
        table.model._default_manager.bulk_update(made, sorted(table.later), batch_size=500)


def try_out(event: Event) -> None:
    """Compute everything once: an archive that no page could show is refused."""
    formula_of(event.formula), format_of_event(event)
    facts = load_facts(event)
    if facts.plan is not None and len(facts.stages) != len(facts.plan.stages):
        raise ValueError("stages")
    _ranking = facts.ranking
    stopped = [str(found) for found in verify_event(event) if found.check == UNREADABLE]
    if stopped:
        raise ValueError(stopped[0])
