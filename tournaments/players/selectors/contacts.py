"""What an event asks of contacts, and the contact of a player: for organisers alone."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from django.utils.translation import gettext as _

from rules.people.contacts import ContactTerms, called, terms_of
from tournaments.models import Contact, Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownContact:
    """The e-mail address of a player, "" without one, and membership numbers by key."""

    email: str = ""
    memberships: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Return it as JSON data."""
        return asdict(self)


def contact_terms(event: Event) -> ContactTerms:
    """Return what an event asks for, and how long it is kept; no query."""
    return terms_of(event.contact_terms)


def membership_name(key: str, asked: Iterable[str]) -> str:
    """Return what a membership is called, also one that the event does not ask for."""
    return called(key, asked) or _("Membership number")


def contact_of(entry: Entry) -> KnownContact:
    """Return the contact of a player, empty without one; one query."""
    found = Contact.objects.filter(entry=entry).first()
    if found is None:
        return KnownContact()
    return KnownContact(email=found.email, memberships=dict(found.memberships))
