"""An archive read back into the database, whole or not at all."""

import json
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from accounts.models import User
from decks.models import HouseFormat
from rules.errors import BadInput, RuleError
from rules.wording import gettext_noop as _
from tournaments.archive.out import VERSION
from tournaments.archive.tables import TABLES, Table
from tournaments.models import Event, PersonalLink
from tournaments.selectors.facts import load_facts
from tournaments.services.events import RESERVED
from tournaments.verification.event import verify_event

LARGEST = 64 * 1024 * 1024
"""Bytes; an event of a thousand players with lists and log needs some twenty million."""


def restore(content: bytes, *, slug: str = "", caller: User | None = None) -> Event:
    """Store an archived event, under its own slug unless another is given.

    Without ``caller`` people without an account are given one that nobody can sign in with until
    they ask for a new password; with one they stay unnamed, and the caller takes the place of a
    maker who is not known here. Raises BadInput ``bad_archive``; RuleError ``slug_taken``.
    """
    document = _read(content)
    try:
        with transaction.atomic():
            event = _stored(document, slug, caller)
            _try(event)
    except (
        *(KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError),
        *(ValidationError, IntegrityError, OverflowError),
    ) as fault:
        raise _bad(f"{type(fault).__name__}: {fault}") from None
    return event


def _read(content: bytes) -> dict[str, Any]:
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
        _("This is no archive of an event (%(what)s). Nothing was stored: take the whole file."),
        what=what[:200],
    )


def _stored(document: Mapping[str, Any], slug: str, caller: User | None) -> Event:
    people = _people(document, caller)
    kept: dict[type, list[models.Model]] = {}
    for table in TABLES:
        rows = list(document["tables"].get(table.key, []))
        if table.model is Event:
            rows = [_own(rows, slug)]
        if table.model is PersonalLink:
            rows = _free_links(rows)
        kept[table.model] = _table(table, rows, kept, people, caller)
    for table in TABLES:
        if table.later:
            _fill_in(table, document["tables"].get(table.key, []), kept)
    (event,) = kept[Event]
    if not isinstance(event, Event):
        raise TypeError(event)
    return Event.objects.get(pk=event.pk)


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
        return [_house_format(row, people, caller) for row in rows]
    made = []
    for row in rows:
        values: dict[str, Any] = {}
        for field in table.columns:
            if field.name in table.later:
                continue
            values[field.name] = _value(field, row[field.name], kept, people, caller)
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
                setattr(one, field.name, field.to_python(row[field.name]))
        manager.bulk_update(made, [field.name for field in moments], batch_size=500)
    return made


def _unchecked(table: Table) -> list[str]:
    """Return columns whose choices depend on the site: what they mean is tried out later."""
    return [field.name for field in table.columns if field.is_relation or field.name == "format"]


def _value(
    field: Any,
    value: Any,
    kept: dict[type, list[models.Model]],
    people: dict[str, User],
    caller: User | None,
) -> Any:
    if value is None and field.related_model is not User:
        return None
    if field.related_model is User:
        user = people.get(str(value)) if value is not None else None
        return caller if user is None and not field.null else user
    if field.is_relation:
        if type(value) is not int or value < 1:
            raise ValueError(f"{field.name}: {value!r}")
        return kept[field.related_model][value - 1]
    return field.to_python(value)


def _house_format(row: dict[str, Any], people: dict[str, User], caller: User | None) -> HouseFormat:
    """Return the format as it is here, if it is the same; else store it."""
    known = HouseFormat.objects.filter(slug=row["slug"]).first()
    if known is not None:
        if (known.base, known.changes) != (row["base"], row["changes"]):
            raise RuleError(
                "slug_taken",
                _("There is another house format “%(slug)s” here. Nothing was stored."),
                slug=str(row["slug"]),
            )
        return known
    names = [field.name for field in HouseFormat._meta.concrete_fields if not field.primary_key]
    fields = {name: HouseFormat._meta.get_field(name) for name in names}
    values = {name: _value(field, row[name], {}, people, caller) for name, field in fields.items()}
    made = HouseFormat.objects.create(**values)
    HouseFormat.objects.filter(pk=made.pk).update(created_at=values["created_at"])
    return made


def _fill_in(
    table: Table, rows: list[dict[str, Any]], kept: dict[type, list[models.Model]]
) -> None:
    """Store the columns that name rows of later tables."""
    made = kept[table.model]
    for one, row in zip(made, rows, strict=True):
        for name in table.later:
            field: Any = table.model._meta.get_field(name)
            setattr(one, name, _value(field, row[name], kept, {}, None))
    if made:
        table.model._default_manager.bulk_update(made, sorted(table.later), batch_size=500)


def _try(event: Event) -> None:
    """Compute everything once: an archive that no page could show is refused."""
    facts = load_facts(event)
    if facts.plan is not None and len(facts.stages) != len(facts.plan.stages):
        raise ValueError("stages")
    _ranking, _findings = facts.ranking, list(verify_event(event))
