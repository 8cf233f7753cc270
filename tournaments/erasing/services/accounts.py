"""Closing of an account: its row stays, as others refer to it, without personal data."""

from collections.abc import Iterator
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone

from accounts.models import User
from decks.models import FormatVersion, HouseFormat
from rules.people.mentions import Mentions
from tournaments.core.event_tables import OWN
from tournaments.erasing.services.people import address_of
from tournaments.models import (
    Event,
    GivenAnswer,
    LogLine,
    SavedFormula,
    Snapshot,
    StaffInvitation,
    StaffRole,
)

OWN_APPS = ("account", "knox", "mfa", "socialaccount", "usersessions", "auth")
"""Apps whose rows of an account are deleted: addresses, tokens, second factors, sessions."""


def events_of(user: User) -> list[Event]:
    """Return the events with a row, log line, role or invitation of an account.

    One query for each column that refers to accounts, and three more.
    """
    found: set[int] = set()
    tables: dict[type[models.Model], str] = {table.model: table.path for table in OWN}
    for model, path in (tables | {Snapshot: "event"}).items():
        for field in model._meta.concrete_fields:
            if field.related_model is User:
                rows = model._default_manager.filter(**{field.name: user})
                found |= set(rows.values_list(path, flat=True))
    given = LogLine.objects.filter(action__startswith="staff.", subject=str(user))
    found |= set(given.values_list("event", flat=True))
    found |= set(
        StaffInvitation.objects.filter(email__iexact=user.email).values_list("event", flat=True)
    )
    return list(Event.objects.filter(pk__in=found).order_by("pk"))


def close_account(user: User, *, name: str, label: str) -> None:
    """Delete all credentials and personal data of an account, and deactivate it."""
    address = user.email
    mentions = Mentions(frozenset({name}), label, exact={address: address_of(user)})
    formats = HouseFormat.objects.filter(owner=user)
    former = FormatVersion.objects.filter(format__in=formats.values("slug"))
    _redact_names(SavedFormula.objects.filter(owner=user), mentions, "name")
    _redact_names(formats, mentions, "name", "game")
    _redact_names(former, mentions, "name", "game")
    for related in _rows_of_own_apps(user):
        related.delete()
    StaffRole.objects.filter(user=user).delete()
    StaffInvitation.objects.filter(email__iexact=address).delete()
    GivenAnswer.objects.filter(user=user).delete()
    user.groups.clear()
    user.user_permissions.clear()
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.filter(content_type=kind, object_id=str(user.pk)).update(object_repr=label)
    _end_sessions(user)
    user.email, user.name = address_of(user), label
    user.is_active = user.is_staff = user.is_superuser = user.can_create_events = False
    user.last_login = user.person_key = None
    user.set_unusable_password()
    user.save()


def _redact_names(rows: models.QuerySet[Any], mentions: Mentions, *columns: str) -> None:
    """Redact the names that formulas or formats of an account have in these columns."""
    for row in rows.values("pk", *columns):
        new = {name: mentions.text(row[name])[:80] for name in columns}
        rows.filter(pk=row["pk"]).update(**new)


def _rows_of_own_apps(user: User) -> Iterator[models.QuerySet[models.Model]]:
    for relation in User._meta.related_objects:
        model = relation.related_model
        if not isinstance(model, str) and model._meta.app_label in OWN_APPS:
            yield model._default_manager.filter(**{relation.field.name: user})


def _end_sessions(user: User) -> None:
    """Delete the sessions of an account, and all expired ones."""
    for session in Session.objects.iterator(chunk_size=500):
        if str(session.get_decoded().get("_auth_user_id", "")) == str(user.pk):
            session.delete()
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
