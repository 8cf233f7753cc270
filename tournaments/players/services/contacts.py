"""Store the contact of a player, and delete what has been kept long enough."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db.models import F, Max
from django.utils import timezone

from config import transaction
from rules.errors import BadInput
from rules.people.contacts import (
    ContactTerms,
    ParsedContact,
    check_unique_memberships,
    clean_email,
    clean_memberships,
    duplicate_membership_error,
    membership_key,
    shared_memberships,
)
from tournaments.core.permissions import Actor, can_manage, require_permission
from tournaments.log.services import lock_event, record
from tournaments.models import Contact, Entry, Event
from tournaments.players.acts import CONTACT_CHANGED
from tournaments.players.selectors.answers import ContactDetails, contact_terms, player_contact


@transaction.atomic
def change_contact(
    *,
    entry: Entry,
    email: str | None = None,
    memberships: Mapping[str, str] | None = None,
    by: Actor,
) -> Entry:
    """Store a player's email address and membership numbers; return the player.

    For organisers. None keeps what is stored; ``memberships`` replaces all. The log records the
    change without values. Raises BadInput ``bad_email``, ``bad_membership``, ``bad_memberships``,
    ``membership_twice``.
    """
    event = lock_event(entry.event)
    require_permission(can_manage(by, event))
    entry = event.entries.get(pk=entry.pk)
    before = player_contact(entry)
    address = before.email if email is None else clean_email(email)
    after = ContactDetails(
        email=address,
        later_since=before.later_since if address == before.email else None,
        memberships=before.memberships if memberships is None else clean_memberships(memberships),
    )
    return _change(event, entry, after, by)


@transaction.atomic
def change_own_contact(
    *, entry: Entry, email: str, memberships: Mapping[str, str], later: bool = False, by: Actor
) -> Entry:
    """Store the contact that a player gives, and return the player.

    Only what the event asks for, or what is stored already, is kept. ``later``: the address may be
    used for later events. Raises BadInput ``contact_missing`` if the event gives a reason for
    asking, and those of ``change_contact``.
    """
    event = lock_event(entry.event)
    require_permission(by.is_entry(entry))
    entry = event.entries.get(pk=entry.pk)
    terms, before = contact_terms(event), player_contact(entry)
    keys = {*map(membership_key, terms.memberships), *before.memberships}
    numbers = {key: number for key, number in memberships.items() if membership_key(key) in keys}
    address = clean_email(email)
    if not (terms.email or before.email):
        address = ""
    since = before.later_since if address == before.email else None
    after = ContactDetails(
        email=address,
        later_since=since or timezone.now() if later and address else None,
        memberships=clean_memberships(numbers),
    )
    if terms.why:
        _check_complete(terms, after)
    return _change(event, entry, after, by)


def _change(event: Event, entry: Entry, after: ContactDetails, by: Actor) -> Entry:
    """Store a contact that differs; the log tells that it changed."""
    if after != player_contact(entry):
        store_contact(entry, after)
        record(event, CONTACT_CHANGED, by=by, subject=entry.name, after={"number": entry.number})
    return entry


def contact_from_registration(
    event: Event, email: str, memberships: Mapping[str, str], *, later: bool = False
) -> ContactDetails:
    """Return the contact given at registration, only what the event asks for.

    ``later``: the address may be used for later events. Raises BadInput ``contact_missing`` if the
    event gives a reason for asking, and those of ``change_contact``.
    """
    terms = contact_terms(event)
    known = {membership_key(name) for name in terms.memberships}
    numbers = {key: number for key, number in memberships.items() if membership_key(key) in known}
    address = clean_email(email) if terms.email else ""
    found = ContactDetails(
        email=address,
        memberships=clean_memberships(numbers),
        later_since=timezone.now() if later and address else None,
    )
    if terms.why:
        _check_complete(terms, found)
    return found


def store_contact(entry: Entry, contact: ContactDetails) -> None:
    """Store a player's contact, or delete it if empty, in a locked event.

    Raises BadInput ``membership_twice``.
    """
    if contact == ContactDetails():
        Contact.objects.filter(entry=entry).delete()
        return
    others = Contact.objects.filter(entry__event=entry.event_id).exclude(entry=entry)
    check_unique_memberships(contact.memberships, others.values_list("memberships", flat=True))
    Contact.objects.update_or_create(entry=entry, defaults=contact.columns())


def store_new_contacts(
    event: Event, contacts: Sequence[tuple[Entry, ParsedContact]], by: Actor
) -> None:
    """Store the contacts of newly entered players in a locked event.

    Raises BadInput ``membership_twice``, ``not_organiser``. Three queries.
    """
    if given := _given(event, contacts, by):
        insert_contacts(event, given)


def fill_missing_contacts(
    event: Event, contacts: Sequence[tuple[Entry, ParsedContact]], by: Actor
) -> None:
    """Add missing email addresses and membership numbers, in a locked event.

    ``contacts`` are (entry, what was read); stored values stay. The log records the change without
    values. Raises BadInput as ``store_new_contacts``. Some queries a player.
    """
    for entry, one in _given(event, contacts, by):
        before = player_contact(entry)
        after = ContactDetails(
            email=before.email or one.email,
            later_since=before.later_since,
            memberships=clean_memberships({**one.memberships, **before.memberships}),
        )
        _change(event, entry, after, by)


def _given(
    event: Event, contacts: Sequence[tuple[Entry, ParsedContact]], by: Actor
) -> list[tuple[Entry, ParsedContact]]:
    """Return the contacts that hold something; raises BadInput ``not_organiser``."""
    given = [(entry, one) for entry, one in contacts if one.email or one.memberships]
    if given and not can_manage(by, event):
        raise BadInput(
            "not_organiser",
            "Only organisers can add email addresses and membership numbers.",
        )
    return given


def insert_contacts(event: Event, contacts: Sequence[tuple[Entry, ParsedContact]]) -> None:
    """Insert contacts of players without any, in a transaction; two queries.

    Raises BadInput ``membership_twice``.
    """
    there = Contact.objects.filter(entry__event=event).values_list("memberships", flat=True)
    twice = shared_memberships((*there, *(one.memberships for _entry, one in contacts)))
    for _entry, one in contacts:
        for key, number in one.memberships.items():
            if (key, number.casefold()) in twice:
                raise duplicate_membership_error(key, number)
    Contact.objects.bulk_create(
        Contact(entry=entry, email=one.email, memberships=dict(one.memberships))
        for entry, one in contacts
    )


def delete_expired_contacts(now: datetime) -> int:
    """Delete contacts, or their addresses, whose time is over; return how many.

    The days count from the end of the event; if it was never finished, from its start or the last
    log line; for an address from an earlier event, from the consent. Five queries an event with
    contacts.
    """
    deleted = 0
    for event in Event.objects.filter(entries__contact__isnull=False).distinct():
        with transaction.atomic():
            if contact_terms(event).end(_ended(event)) <= now:
                rows = Contact.objects.filter(entry__event=event)
                deleted += rows.delete()[0]
            else:
                deleted += _forget_addresses(event, now)
    return deleted


def _forget_addresses(event: Event, now: datetime) -> int:
    """Empty the addresses that came along, days after the consent; return how many there were."""
    since = now - timedelta(days=contact_terms(event).days)
    rows = Contact.objects.filter(entry__event=event, later_since__lte=since).exclude(email="")
    brought = rows.filter(later_since__lt=F("entry__registered_at"))
    keys = list(brought.values_list("pk", flat=True))
    return Contact.objects.filter(pk__in=keys).update(email="", later_since=None)


def _ended(event: Event) -> datetime:
    if event.state == Event.State.FINISHED and event.finished_at is not None:
        return event.finished_at
    last = event.log.aggregate(last=Max("at"))["last"]
    return max(event.starts_at, last or event.starts_at)


def _check_complete(terms: ContactTerms, found: ContactDetails) -> None:
    missing = [name for name in terms.memberships if membership_key(name) not in found.memberships]
    if missing or (terms.email and not found.email):
        raise BadInput(
            "contact_missing",
            "This event asks for your contact details: %(why)s",
            why=terms.why,
        )
