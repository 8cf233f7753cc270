"""Erase a player of an event, or an account; the list of erasures. Erasing can't be undone.

The person is called "Player 7" afterwards. The list of erasures applies to restored backups and
archives too. It holds no names: slug and creation time of the event with the player's number; of an
account the HMAC of its address with the site's secret key.
"""

import json
import logging
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import Outgoing, User
from accounts.outbox.queue import erase_deliveries
from config import transaction
from config.pages import clear_page_cache
from decks.models import FormatVersion, HouseFormat
from rules.errors import BadInput, RuleError
from rules.people.mentions import NameRedactor
from tournaments.chain.lines import log_present_digests, matching_digests
from tournaments.core.permissions import Actor
from tournaments.core.valid_columns import OWN
from tournaments.erasing.acts import PERSON_ERASED
from tournaments.erasing.services import rows as people
from tournaments.erasing.services.copies import (
    redact_snapshots,
    redact_undo_rows,
    rewrite_snapshots,
    rewrite_undo_rows,
    store_texts_to_review,
    unlink_origin_in_document,
    unlink_origin_in_rows,
)
from tournaments.erasing.services.rows import (
    placeholder_address,
    redact_api_answers,
    redact_entry,
    redact_log,
    redact_texts,
    unrecorded_erasures,
)
from tournaments.log.services import begin_act, lock_event, record
from tournaments.models import (
    Entry,
    ErasedAccount,
    ErasedPlayer,
    Event,
    GivenAnswer,
    LogLine,
    SavedFormula,
    SeriesStaff,
    Snapshot,
    StaffInvitation,
    StaffRole,
)
from tournaments.players.services.mailing import LINK

player_erased = Signal()
"""Sent with ``person`` inside the transaction that redacts the rows of an event."""
account_erased = Signal()
"""Sent with ``user`` and the keys of its ``entries``, all erased, before the account is closed."""

logger = logging.getLogger(__name__)
SALT = "girone.erased-accounts"


def record_player_erasure(event: Event, number: int, at: datetime) -> None:
    """Add a player to the list of erasures, in database and file.

    ``number``: the player's; ``at``: when they were erased.
    """
    where = {"slug": event.slug, "made": event.created_at, "number": number}
    ErasedPlayer.objects.get_or_create(**where, defaults={"at": at})
    made, moment = event.created_at.isoformat(), at.isoformat()
    _append({"slug": event.slug, "made": made, "number": number, "at": moment})


def record_account_erasure(email: str, at: datetime) -> None:
    """Add an account to the list of erasures, by the hash of its email address.

    ``at``: when it was erased.
    """
    hashed = email_hashes(email)[0]
    ErasedAccount.objects.update_or_create(address_hash=hashed, defaults={"at": at})
    _append({"account": hashed, "at": at.isoformat()})


def email_hashes(email: str) -> list[str]:
    """Return the hashes of an email address, by present and former secret keys."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    found = [salted_hmac(SALT, email.lower(), secret=key, algorithm="sha256") for key in keys]
    return [one.hexdigest() for one in found]


def import_erasure_file() -> None:
    """Add the erasures to the database that only the file lists.

    Malformed lines are logged and skipped.
    """
    players = set(ErasedPlayer.objects.values_list("slug", "made", "number"))
    for row in _lines():
        try:
            at = datetime.fromisoformat(row["at"])
            if "account" in row:
                _keep_latest(str(row["account"]), at)
                continue
            made = datetime.fromisoformat(row["made"])
            where = {"slug": str(row["slug"]), "made": made, "number": int(row["number"])}
            if tuple(where.values()) not in players:
                ErasedPlayer.objects.get_or_create(**where, defaults={"at": at})
        except (KeyError, TypeError, ValueError):
            logger.warning("A line of %s can't be read and is passed over.", settings.ERASURES_FILE)


def _keep_latest(hashed: str, at: datetime) -> None:
    known, is_new = ErasedAccount.objects.get_or_create(address_hash=hashed, defaults={"at": at})
    if not is_new and known.at < at:
        known.at = at
        known.save(update_fields=["at"])


def _lines() -> Iterator[dict[str, Any]]:
    path = Path(settings.ERASURES_FILE)
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        yield row if isinstance(row, dict) else {}


def _append(row: dict[str, Any]) -> None:
    """Append a line to the file after the commit; a failure is logged."""
    transaction.on_commit(lambda: _write(row))


def _write(row: dict[str, Any]) -> None:
    path = Path(settings.ERASURES_FILE)
    try:
        path.touch(mode=0o600, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, sort_keys=True) + "\n")
    except OSError as fault:
        logger.warning("The erasure could not be written to %s: %s", path, fault)


OWN_APPS = ("account", "knox", "mfa", "socialaccount", "usersessions", "auth")
"""Apps whose rows of an account are deleted: addresses, tokens, second factors, sessions."""


def events_mentioning_user(user: User) -> list[Event]:
    """Return the events with rows, log lines, roles or invitations of an account.

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
    """Delete all credentials and personal data of an account, and deactivate it.

    ``name``: the account's, replaced by ``label`` in formats and formulas.
    """
    address = user.email
    mentions = NameRedactor(frozenset({name}), label, exact={address: placeholder_address(user)})
    formats = HouseFormat.objects.filter(owner=user)
    former = FormatVersion.objects.filter(format__in=formats.values("slug"))
    _redact_names(SavedFormula.objects.filter(owner=user), mentions, "name")
    _redact_names(formats, mentions, "name", "game")
    _redact_names(former, mentions, "name", "game")
    erase_deliveries(user)  # while its addresses are known
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
    user.email, user.name = placeholder_address(user), label
    user.is_active = user.is_staff = user.is_superuser = user.can_create_events = False
    user.last_login = user.person_key = None
    user.set_unusable_password()
    user.save()


def _redact_names(rows: models.QuerySet[Any], mentions: NameRedactor, *columns: str) -> None:
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


@transaction.atomic
def erase_player(*, event: Event, number: int, confirm: str, by: Actor) -> None:
    """Erase a player without an account; ``by``, the actor, must be an organiser.

    ``confirm``: typed name of the player, or number of a player who was removed. Raises RuleError
    ``no_such_player``, ``still_plays``, ``has_account``; BadInput ``not_confirmed``.
    """
    event = begin_act(event, PERSON_ERASED, by=by)
    entry = event.entries.filter(number=number).first()
    if entry is not None and entry.user_id is not None:
        raise RuleError(
            "has_account",
            "Only the player can erase their own account.",
        )
    check_confirmation(confirm, entry.name if entry is not None else str(number))
    erase_from_event(event, number, by=by)


def erase_from_event(event: Event, number: int, *, by: Actor) -> None:
    """Erase a player from a locked event, and add it to the list of erasures.

    Raises RuleError ``no_such_player``, ``still_plays``.
    """
    person = people.person_of_player(event, number)
    if person.entry is None and not person.mentions.names:
        raise RuleError("no_such_player", "Not found. Reload the page.")
    if person.entry is not None:
        check_not_in_unfinished_event(person.entry)
    record_player_erasure(event, number, timezone.now())
    redact_person(person, by=by)


@transaction.atomic
def erase_account(*, user: User, confirm: str) -> None:
    """Erase an account and its owner's data in every event.

    ``confirm``: its email address. Raises RuleError ``still_plays``, ``last_organiser``,
    ``last_administrator``; BadInput ``not_confirmed``.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    check_confirmation(confirm, user.email)
    check_account_erasable(user)
    record_account_erasure(user.email, timezone.now())
    erase_account_from_events(user, listed=True)


def erase_account_from_events(user: User, *, listed: bool) -> None:
    """Erase an account from every event and close it.

    ``listed``: also add its players to the list of erasures.
    """
    label, name, entries = people.erased_account_label(user), str(user), list[int]()
    for event in events_mentioning_user(user):
        event = lock_event(event)
        entry = event.entries.filter(user=user).first()
        if entry is None:
            redact_person(people.person_of_account(event, user), by=Actor())
        else:
            if listed:
                record_player_erasure(event, entry.number, timezone.now())
            redact_person(people.person_of_player(event, entry.number, user), by=Actor())
            entries.append(entry.pk)
    account_erased.send(sender=User, user=user, entries=entries)
    close_account(user, name=name, label=label)


def redact_person(person: people.ErasureSubject, *, by: Actor) -> bool:
    """Redact a person in a locked event; return whether there was anything to redact.

    Texts that may still contain a word of the name are listed (`store_texts_to_review`). Cached
    public pages are deleted on commit.
    """
    unnamed = unrecorded_erasures(person.event)
    is_known = bool(person.mentions.names or person.mentions.exact or unnamed)
    if not is_known and (person.entry is None or not people.is_identifiable(person.entry)):
        return False
    if person.user is not None:
        person.event.staff.filter(user=person.user).delete()
    kept = matching_digests(person.event)
    redact_texts(person)
    redact_entry(person)
    if person.entry is not None:
        Outgoing.objects.filter(kind=LINK.name, subject=person.entry.pk).delete()
    lines = unnamed | set(redact_log(person))
    redact_undo_rows(person)
    redact_snapshots(person)
    redact_api_answers(person)
    player_erased.send(sender=Event, person=person)
    store_texts_to_review(person)
    event = lock_event(person.event)
    after = {"number": person.number} if person.number is not None else {}
    after["lines"] = len(lines)
    label = person.mentions.label
    log_present_digests(event, kept)
    record(event, PERSON_ERASED, by=by, subject=label, after=after, erased=lines)
    _cut_origins(person, by)
    transaction.on_commit(clear_page_cache)
    return True


def _cut_origins(person: people.ErasureSubject, by: Actor) -> None:
    """Let no player of a later event have come from an erased one, in rows and copies of them.

    A line of each event in which that changed anything, which names nobody.
    """
    entry = person.entry
    if entry is None:
        return
    for event in _later_events(entry):
        event = lock_event(event)
        kept = matching_digests(event)
        cut = event.entries.filter(origin=entry).update(origin=None)
        cut += rewrite_undo_rows(event, partial(unlink_origin_in_rows, key=entry.pk))
        told = [person.event.slug, entry.number]
        cut += rewrite_snapshots(event, partial(unlink_origin_in_document, told=told))
        if cut:
            log_present_digests(event, kept)
            record(event, PERSON_ERASED, by=by, after={"origin": None})


def _later_events(entry: Entry) -> list[Event]:
    """Return the events that repeat an entry's event, and theirs; one query a step, one more."""
    found = step = {entry.event_id}
    while step:
        later = set(Event.objects.filter(source__in=step).values_list("pk", flat=True))
        step = later - found
        found = found | step
    named = Event.objects.filter(Q(pk__in=found) | Q(entries__origin=entry))
    return list(named.exclude(pk=entry.event_id).order_by("pk").distinct())


def is_in_unfinished_event(entry: Entry) -> bool:
    """Return whether an entry is active or waiting in an unfinished event."""
    active = entry.plays or entry.status == Entry.Status.WAITING
    return active and entry.event.state != Event.State.FINISHED


def check_not_in_unfinished_event(entry: Entry) -> None:
    """Raise RuleError ``still_plays`` if the player is in an unfinished event.

    That is active or waiting.
    """
    if is_in_unfinished_event(entry):
        raise RuleError(
            "still_plays",
            "%(name)s must drop from “%(event)s” first, or wait until it ends.",
            name=entry.name,
            event=entry.event.name,
        )


def check_account_erasable(user: User) -> None:
    """Raise a RuleError if an account is still needed.

    Codes: ``still_plays``, ``last_organiser`` (of an event or series), ``last_administrator``.
    """
    for entry in Entry.objects.filter(user=user).select_related("event"):
        check_not_in_unfinished_event(entry)
    going_on = Event.objects.exclude(state=Event.State.FINISHED)
    for event in going_on.filter(staff__user=user, staff__role=StaffRole.Role.ORGANISER):
        if not event.staff.filter(role=StaffRole.Role.ORGANISER).exclude(user=user).exists():
            raise RuleError(
                "last_organiser",
                "Nobody else organises “%(event)s”. Add an organiser, or finish the event.",
                event=event.name,
            )
    organised = SeriesStaff.objects.filter(user=user, role="organiser", series__closed_at=None)
    for role in organised.select_related("series"):
        if not role.series.staff.filter(role="organiser").exclude(user=user).exists():
            raise RuleError(
                "last_organiser",
                "A series needs an organiser. Give the role to somebody else first.",
            )
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise RuleError(
            "last_administrator",
            "Nobody else administers this site. Name another administrator first.",
        )


def check_confirmation(typed: str, wanted: str) -> None:
    """Raise BadInput ``not_confirmed`` unless ``wanted`` was typed, in any case."""
    if " ".join(typed.split()).casefold() != wanted.casefold():
        raise BadInput("not_confirmed", "Type “%(name)s” to confirm", name=wanted, wanted=wanted)


@transaction.atomic
def apply_erasures(event: Event | None = None, *, archived_as: str = "") -> int:
    """Repeat the listed erasures after a restoration; return how many people.

    ``event``: one just restored from an archive, where its slug was ``archived_as``; None: the
    whole database. Players and accounts created after the erasure are skipped: the number or
    address was reused.
    """
    import_erasure_file()
    players = ErasedPlayer.objects.all()
    if event is not None:
        players = players.filter(slug=archived_as or event.slug, made=event.created_at)
    found = sum(_reapply_to_player(row, event) for row in players)
    return found if event is not None else found + _reapply_to_accounts()


def _reapply_to_player(row: ErasedPlayer, event: Event | None) -> int:
    there = event or Event.objects.filter(slug=row.slug, created_at=row.made).first()
    if there is None:
        return 0
    there = lock_event(there)
    person = people.person_of_player(there, row.number)
    if person.entry is not None and person.entry.registered_at > row.at:
        return 0
    return int(redact_person(person, by=Actor()))


def _reapply_to_accounts() -> int:
    erased = dict(ErasedAccount.objects.values_list("address_hash", "at"))
    if not erased:
        return 0
    found = 0
    for user in User.objects.iterator(chunk_size=500):
        moments = [erased[one] for one in email_hashes(user.email) if one in erased]
        if moments and user.date_joined <= max(moments):
            erase_account_from_events(user, listed=False)
            found += 1
    return found
