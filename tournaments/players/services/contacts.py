"""Store the contact of a player, and delete what has been kept long enough."""

from collections.abc import Mapping
from datetime import datetime

from django.db.models import Max

from config import transaction
from rules.errors import BadInput
from rules.people.contacts import ContactTerms, check_once, clean_email, clean_memberships, key_of
from tournaments.core.permissions import Actor
from tournaments.log.services import begin, record
from tournaments.models import Contact, Entry, Event
from tournaments.players.acts import CONTACT_CHANGED
from tournaments.players.selectors.contacts import KnownContact, contact_of, contact_terms


@transaction.atomic
def change_contact(
    *,
    entry: Entry,
    email: str | None = None,
    memberships: Mapping[str, str] | None = None,
    by: Actor,
) -> Entry:
    """Store the e-mail address and all membership numbers of a player, by organisers; None keeps.

    The log tells that it changed, no value and no digest. Raises BadInput ``bad_email``,
    ``bad_membership``, ``bad_memberships``, ``membership_twice``.
    """
    event = begin(entry.event, CONTACT_CHANGED, by=by)
    entry = event.entries.get(pk=entry.pk)
    before = contact_of(entry)
    after = KnownContact(
        email=before.email if email is None else clean_email(email),
        memberships=before.memberships if memberships is None else clean_memberships(memberships),
    )
    if after != before:
        store_contact(entry, after)
        record(event, CONTACT_CHANGED, by=by, subject=entry.name, after={"number": entry.number})
    return entry


def given_contact(event: Event, email: str, memberships: Mapping[str, str]) -> KnownContact:
    """Return what a player gives at registration, of what the event asks for.

    What it asks for with a reason must be there: raises BadInput ``contact_missing``, and as
    ``change_contact``.
    """
    terms = contact_terms(event)
    known = {key_of(name) for name in terms.memberships}
    numbers = {key: number for key, number in memberships.items() if key_of(key) in known}
    found = KnownContact(
        email=clean_email(email) if terms.email else "", memberships=clean_memberships(numbers)
    )
    if terms.why:
        _check_complete(terms, found)
    return found


def store_contact(entry: Entry, contact: KnownContact) -> None:
    """Store a player's contact in a locked event; raises BadInput ``membership_twice``."""
    if contact == KnownContact():
        Contact.objects.filter(entry=entry).delete()
        return
    others = Contact.objects.filter(entry__event=entry.event_id).exclude(entry=entry)
    check_once(contact.memberships, others.values_list("memberships", flat=True))
    Contact.objects.update_or_create(entry=entry, defaults=contact.as_json())


def delete_expired(now: datetime) -> int:
    """Delete the contacts of events that ended long enough ago; return how many there were.

    The days count from the end of the event. One that was never finished counts from its start, or
    from the last line of its log where that is later. Three queries an event with contacts.
    """
    deleted = 0
    for event in Event.objects.filter(entries__contact__isnull=False).distinct():
        with transaction.atomic():
            if contact_terms(event).end(_ended(event)) <= now:
                rows = Contact.objects.filter(entry__event=event)
                deleted += rows.delete()[0]
    return deleted


def _ended(event: Event) -> datetime:
    if event.state == Event.State.FINISHED and event.finished_at is not None:
        return event.finished_at
    last = event.log.aggregate(last=Max("at"))["last"]
    return max(event.starts_at, last or event.starts_at)


def _check_complete(terms: ContactTerms, found: KnownContact) -> None:
    missing = [name for name in terms.memberships if key_of(name) not in found.memberships]
    if missing or (terms.email and not found.email):
        raise BadInput(
            "contact_missing",
            "This event asks for your contact: %(why)s. Nothing was stored: fill it in.",
            why=terms.why,
        )
