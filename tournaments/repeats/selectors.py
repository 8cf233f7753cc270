"""The last events of a chain, the next one of an event, and who comes to them regularly."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import attrgetter, or_

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import get_language

from rules.events.repeats import next_event_name, next_start, resolve_local_time
from rules.names import name_key
from rules.people.appearances import Appearance, Place, find_regulars, is_expected
from rules.people.person_names import EMAIL, Person
from tournaments.core.draw_origins import map_readable_rows, readable_rows
from tournaments.core.names import erased_player_label, same_name_key, surname_sort_key
from tournaments.core.permissions import Actor, can_create_events, can_manage
from tournaments.models import (
    Contact,
    Entry,
    ErasedPlayer,
    Event,
    MatchSeat,
    SeriesEvent,
    StaffRole,
)
from tournaments.players.selectors.answers import contact_terms

EVENTS = 8
"""The last events of a chain whose players are offered."""
TOLD = ("slug", "name", "starts_at", "time_zone")
"""The columns of an event that its button or link tells."""
FEW = 5
"""The latest events among which is one that is not damaged."""
STEPS = 16
"""How far back they are looked for: events that never started are passed over."""


def managed_events(actor: Actor) -> QuerySet[Event]:
    """Return the events that the actor organises; no query until evaluated.

    A superuser organises all.
    """
    user = actor.user
    if user is None or not user.is_active or user.lacks_second_factor:
        return Event.objects.none()
    if user.is_superuser:
        return Event.objects.all()
    own = StaffRole.objects.filter(user=user, role=StaffRole.Role.ORGANISER)
    return Event.objects.filter(pk__in=own.values("event"))


def can_repeat(actor: Actor, event: Event) -> bool:
    """Return whether the actor may repeat an event."""
    return can_create_events(actor) and can_manage(actor, event)


def next_event(event: Event, actor: Actor) -> Event | None:
    """Return the latest repetition of an event that the actor organises; one query."""
    found = managed_events(actor).filter(source=event).order_by("-starts_at", "-pk")
    return found.only(*TOLD).first()


def repeatable_event_keys(actor: Actor, events: Collection[Event]) -> frozenset[int]:
    """Return the primary keys of started events that the actor may repeat and has not.

    One query.
    """
    started = [event.pk for event in events if event.plan is not None]
    if not started or not can_create_events(actor):
        return frozenset()
    own = managed_events(actor)
    done = own.filter(source__in=started)
    found = own.filter(pk__in=started).exclude(pk__in=done.values("source"))
    return frozenset(found.values_list("pk", flat=True))


def event_to_repeat(actor: Actor) -> Event | None:
    """Return the actor's latest started event if they have not repeated it, else None.

    Events with damaged data are skipped. Two queries.
    """
    if not can_create_events(actor):
        return None
    started = managed_events(actor).filter(plan__isnull=False).order_by("-starts_at", "-pk")
    last = next(
        iter(map_readable_rows(readable_rows(started.only(*TOLD)[:FEW]), _with_beginning)), None
    )
    return last if last is not None and next_event(last, actor) is None else None


def _with_beginning(event: Event) -> Event:
    """Return an event whose beginning can be told; raises what a damaged one raises."""
    _begins = event.begins
    return event


@dataclass(frozen=True, slots=True, kw_only=True)
class EventProposal:
    """A proposed name and start for the next event; the start is in the event's time zone."""

    name: str
    starts_at: datetime


def event_local_time(moment: datetime, event: Event) -> datetime:
    """Return a moment in the event's time zone, as a naive datetime."""
    return moment.astimezone(event.zone).replace(tzinfo=None)


def next_event_proposal(source: Event) -> EventProposal:
    """Return a name and start to propose for the next event.

    ``source``: the event to repeat. One query if that has a predecessor.
    """
    before = source.source
    last = event_local_time(source.begins, source)
    earlier = None if before is None else event_local_time(before.starts_at, source)
    start = next_start(last, earlier, event_local_time(timezone.now(), source))
    days = ((earlier or last).date(), last.date(), start.date())
    name = next_event_name(source.name, before.name if before else "", days, get_language() or "en")
    longest = Event._meta.get_field("name").max_length or 0
    return EventProposal(
        name=name if len(name) <= longest else source.name,
        starts_at=resolve_local_time(start, source.zone),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RegularRow:
    """A person who played in the last events of the chain.

    ``entry``: the latest one; ``person``: its details with the contact. ``keys``: (slug, number) of
    all, latest first; ``times``: in how many of the last ``events`` the person played. ``agreed``:
    when they consented to the use of their address, None if they did not.
    """

    entry: Entry
    person: Person
    keys: tuple[tuple[str, int], ...]
    times: int
    events: int
    agreed: datetime | None

    @property
    def key(self) -> str:
        """Return the word for the row in forms."""
        slug, number = self.keys[0]
        return f"{slug}/{number}"

    @property
    def comes(self) -> bool:
        return is_expected(self.times, self.events)


def regular_rows(event: Event, actor: Actor) -> tuple[RegularRow, ...]:
    """Return the regulars of an event's chain and series who are not entered in it.

    Those who came most often are first. Only events that the actor manages count. Five queries, one
    without such events.
    """
    chain = last_chain_events(event, actor)
    if not chain:
        return ()
    entries = _entries((event, *chain))
    contacts = contacts_by_entry(entries.values())
    gone = erased_players(chain)
    places = {entry.pk: place for place, entry in entries.items()}
    found = find_regulars(
        [
            _appearance(place, entry, places, contacts.get(entry.pk), gone)
            for place, entry in entries.items()
        ]
    )
    slugs = [each.slug for each in (event, *chain)]
    rows = []
    for one in found:
        own = [entries[place] for place in one.places]
        entry, person, agreed = person_from_entries(event, own, contacts)
        rows.append(
            RegularRow(
                entry=entry,
                person=person,
                agreed=agreed,
                keys=tuple((slugs[at], number) for at, number in one.places),
                times=one.times,
                events=len(chain),
            )
        )
    return tuple(sorted(rows, key=lambda row: (-row.times, surname_sort_key(row.entry))))


def last_chain_events(event: Event, actor: Actor) -> tuple[Event, ...]:
    """Return the last started events of an event's chain and series, latest first.

    At most ``EVENTS``, and only those that the actor manages; of a series neither its final nor
    events for it. Two queries, one without a chain.
    """
    chain: Sequence[int] = ()
    if event.source_id is not None:
        paths = ["__".join(["source"] * steps) for steps in range(1, STEPS + 1)]
        (keys,) = Event.objects.filter(pk=event.pk).values_list(*paths)
        chain = [key for key in keys if key is not None]
    evenings = SeriesEvent.objects.filter(invited={})
    series = evenings.filter(event=event).values("series")
    siblings = evenings.filter(series__in=series).exclude(event=event).values("event")
    started = managed_events(actor).filter(plan__isnull=False)
    found = started.filter(Q(pk__in=chain) | Q(pk__in=siblings))
    events = found.only("slug", "created_at", "starts_at").in_bulk()
    others = sorted(events.keys() - set(chain), key=lambda key: (events[key].starts_at, key))
    ordered = [events[key] for key in (*dict.fromkeys(chain), *reversed(others)) if key in events]
    if others:
        ordered.sort(key=attrgetter("starts_at"), reverse=True)
    return tuple(ordered[:EVENTS])


def _entries(events: tuple[Event, ...]) -> Mapping[Place, Entry]:
    """Return the players of the events by place, each with whether they ``played``; one query."""
    numbers = {event.pk: at for at, event in enumerate(events)}
    seats = MatchSeat.objects.filter(entry=OuterRef("pk"))
    rows = Entry.objects.filter(event__in=numbers).annotate(played=Exists(seats))
    return {(numbers[row.event_id], row.number): row for row in rows.order_by("event", "number")}


def contacts_by_entry(entries: Iterable[Entry]) -> Mapping[int, Contact]:
    """Return {entry key: contact} for entries that have one; one query."""
    keys = [entry.pk for entry in entries]
    return {one.entry_id: one for one in Contact.objects.filter(entry__in=keys)}


def erased_players(events: Sequence[Event]) -> frozenset[tuple[int, int]]:
    """Return (event key, player number) of erased players; one query if there are events."""
    if not events:
        return frozenset()
    where = [Q(slug=event.slug, made=event.created_at) for event in events]
    found = ErasedPlayer.objects.filter(reduce(or_, where)).values_list("slug", "number")
    keys = {event.slug: event.pk for event in events}
    return frozenset((keys[slug], number) for slug, number in found)


def _appearance(
    place: Place,
    entry: Entry,
    places: Mapping[int, Place],
    contact: Contact | None,
    erased: Collection[tuple[int, int]],
) -> Appearance:
    numbers = contact.memberships.items() if contact is not None else ()
    nameless = entry.name == erased_player_label(entry.number)
    gone = nameless or (entry.event_id, entry.number) in erased
    return Appearance(
        place=place,
        name=same_name_key(entry.name),
        club=name_key(entry.club),
        account=entry.user_id,
        memberships=frozenset((key, number.casefold()) for key, number in numbers),
        origin=places.get(entry.origin_id or 0),
        came=_came(entry),
        barred=entry.status == Entry.Status.DISQUALIFIED or gone,
    )


def _came(entry: Entry) -> bool:
    """Return whether a player of a started event took part in it."""
    played: bool = entry.played  # type: ignore[attr-defined]
    if entry.status == Entry.Status.WITHDRAWN:
        return played and entry.left != Entry.Left.NO_SHOW
    return entry.plays


KnownPerson = tuple[Entry, Person, datetime | None]
"""The latest entry of a person, their details, and when they consented as in ``RegularRow``."""


def person_from_entries(
    event: Event, own: Sequence[Entry], contacts: Mapping[int, Contact]
) -> KnownPerson:
    """Return a person who played in other events as a player of this event.

    ``own``: the person's entries, latest first; ``contacts``: {entry key: contact}. The result is
    (latest entry, details with the newest membership numbers, when they consented to the use of
    their address or None).
    """
    theirs = [contacts[entry.pk] for entry in own if entry.pk in contacts]
    address, agreed = _address_for(event, theirs)
    numbers: dict[str, str] = {EMAIL: address} if address else {}
    for contact in reversed(theirs):
        numbers |= contact.memberships
    latest = own[0]
    person = Person(latest.name, latest.club, latest.surname, contact=tuple(numbers.items()))
    return latest, person, agreed


def _address_for(event: Event, contacts: Sequence[Contact]) -> tuple[str, datetime | None]:
    """Return the newest address whose use for later events was agreed to, and since when; "", None.

    The event must ask for addresses, and its days since the first consent must not be over.
    """
    terms = contact_terms(event)
    agreed = {
        one.later_since: one.email for one in contacts if one.later_since is not None and one.email
    }
    if not agreed or not terms.email:
        return "", None
    address = agreed[max(agreed)]
    since = min(moment for moment, email in agreed.items() if email == address)
    return ("", None) if terms.end(since) <= timezone.now() else (address, since)
