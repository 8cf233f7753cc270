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
from tournaments.archive.named import house_format, saved_formula
from tournaments.archive.out import VERSION
from tournaments.archive.tables import TABLES, Table
from tournaments.archive.values import value_of
from tournaments.chain.lines import take_over
from tournaments.models import Event, PersonalLink, SavedFormula
from tournaments.selectors.facts import load_facts
from tournaments.selectors.formulas import formula_of
from tournaments.services.slugs import RESERVED
from tournaments.verification.event import UNREADABLE, verify_event

LARGEST = 64 * 1024 * 1024
"""Bytes; an event of a thousand players with lists and log needs some twenty million."""


def restore(content: bytes, *, slug: str = "", caller: User | None = None) -> Event:
    """Store an archived event, under its own slug unless another is given.

    Without ``caller`` people without an account are given one that nobody can sign in with until
    they ask for a new password; with one they stay unnamed, and the caller takes the place of a
    maker who is not known here. Raises BadInput ``bad_archive``; RuleError ``slug_taken``.
    """
    document = read(content)
    try:
        with transaction.atomic():
            event = store(document, slug=slug, caller=caller)
            take_over(event)
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
    if not isinstance(document, dict) or document.get("girone") != VERSION:
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
    """An event that an archive of it is to fill, emptied, and rows of tables that may be shared.

    ``known`` are those rows as the archive would write them, with what stands for them here.
    """

    event: Event
    known: Mapping[type, list[tuple[dict[str, Any], models.Model]]]


def store(
    document: Mapping[str, Any], *, slug: str = "", caller: User | None, into: Into | None = None
) -> Event:
    """Store the rows of an archive inside a transaction: as a new event, or into one there is."""
    people = _people(document, caller)
    kept: dict[type, list[models.Model]] = {}
    for table in TABLES:
        rows = list(document["tables"].get(table.key, []))
        if table.model is Event and into is None:
            rows = [_own(rows, slug)]
        if table.model is PersonalLink:
            rows = _free_links(rows)
        if table.model is SavedFormula:
            has_plan = into is not None or document["tables"]["events"][0]["plan"] is not None
            kept[SavedFormula] = [
                saved_formula(row, table, people, caller, has_plan=has_plan) for row in rows
            ]
        elif into is not None and table.model is Event:
            kept[Event] = [_filled(into.event, table, rows, kept, people, caller)]
        elif into is not None and table.model in into.known:
            known = list(into.known[table.model])
            kept[table.model] = [_known(table, row, known, people, caller) for row in rows]
        else:
            kept[table.model] = _table(table, rows, kept, people, caller)
    for table in TABLES:
        if table.later:
            _fill_in(table, document["tables"].get(table.key, []), kept)
    (event,) = kept[Event]
    if not isinstance(event, Event):
        raise TypeError(event)
    return Event.objects.get(pk=event.pk)


def _filled(
    event: Event,
    table: Table,
    rows: list[dict[str, Any]],
    kept: dict[type, list[models.Model]],
    people: dict[str, User],
    caller: User | None,
) -> Event:
    (row,) = rows
    for field in table.columns:
        setattr(event, field.name, value_of(field, _cell(field, row), kept, people, caller))
    event.save()
    return event


def _known(
    table: Table,
    row: dict[str, Any],
    known: list[tuple[dict[str, Any], models.Model]],
    people: dict[str, User],
    caller: User | None,
) -> models.Model:
    """Return the row that is here already, once; else store it."""
    at = next((at for at, (own, _one) in enumerate(known) if own == row), None)
    if at is not None:
        return known.pop(at)[1]
    (made,) = _table(table, [row], {}, people, caller)
    return made


def _own(rows: list[dict[str, Any]], slug: str) -> dict[str, Any]:
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


def _free_links(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the links that lead nowhere else here: beside the original a copy has none."""
    hashes = [str(row["token_hash"]) for row in rows]
    taken = set(
        PersonalLink.objects.filter(token_hash__in=hashes).values_list("token_hash", flat=True)
    )
    return [row for row, own in zip(rows, hashes, strict=True) if own not in taken]


def _people(document: Mapping[str, Any], caller: User | None) -> dict[str, User]:
    """Return the people of the archive who have an account here, by e-mail address."""
    found: dict[str, User] = {}
    for person in document["people"]:
        email = str(person["email"])
        user = User.objects.filter(email__iexact=email).first()
        if user is None and caller is None:
            user = User.objects.create_user(email, name=str(person["name"])[:80])
        if user is not None:
            found[email] = user
    return found


def _table(
    table: Table,
    rows: list[dict[str, Any]],
    kept: dict[type, list[models.Model]],
    people: dict[str, User],
    caller: User | None,
) -> list[models.Model]:
    if table.model is HouseFormat:
        return [house_format(row, people, caller) for row in rows]
    made = []
    for row in rows:
        values: dict[str, Any] = {}
        for field in table.columns:
            if field.name in table.later:
                continue
            values[field.name] = value_of(field, _cell(field, row), kept, people, caller)
        one = table.model(**values)
        empty = [name for name, value in values.items() if value in ("", [], {})]
        one.clean_fields(exclude=[*table.left_out, *table.later, *_unchecked(table), *empty])
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


def _cell(field: Any, row: dict[str, Any]) -> Any:
    """Return a value of a row; what archives did not have yet is as in an old row."""
    if field.name not in row and field.has_default():
        return field.get_default()
    return row[field.name]


def _unchecked(table: Table) -> list[str]:
    """Return columns whose choices depend on the site: what they mean is tried out later."""
    by_site = ("format", "formula")
    return [field.name for field in table.columns if field.is_relation or field.name in by_site]


def _fill_in(
    table: Table, rows: list[dict[str, Any]], kept: dict[type, list[models.Model]]
) -> None:
    """Store the columns that name rows of later tables."""
    made = kept[table.model]
    for one, row in zip(made, rows, strict=True):
        for name in table.later:
            field: Any = table.model._meta.get_field(name)
            setattr(one, name, value_of(field, row[name], kept, {}, None))
    if made:
        table.model._default_manager.bulk_update(made, sorted(table.later), batch_size=500)


def try_out(event: Event) -> None:
    """Compute everything once: an archive that no page could show is refused."""
    formula_of(event.formula)
    facts = load_facts(event)
    if facts.plan is not None and len(facts.stages) != len(facts.plan.stages):
        raise ValueError("stages")
    _ranking = facts.ranking
    stopped = [str(found) for found in verify_event(event) if found.check == UNREADABLE]
    if stopped:
        raise ValueError(stopped[0])
