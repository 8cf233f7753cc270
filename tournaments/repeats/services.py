"""Make the next event of a chain, and add its regulars."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.dispatch import Signal
from django.utils import timezone

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.repeats import resolve_local_time
from tournaments.core.permissions import Actor, can_create_events, can_manage, require_permission
from tournaments.events.services import BEFORE_START, create_event
from tournaments.log.services import begin_act, lock_event
from tournaments.models import Announcement, Contact, Entry, Event
from tournaments.players.acts import PASTED
from tournaments.players.services.entries import add_entries
from tournaments.repeats.selectors import (
    KnownPerson,
    RegularRow,
    event_local_time,
    next_event,
    next_event_proposal,
    regular_rows,
)

MOMENTS = ("registration_opens", "registration_closes", "decklist_deadline")
"""Moments that are as far from the start as they were."""
SETTINGS = BEFORE_START - {"name", "starts_at", "rulings", *MOMENTS}
Key = tuple[str, int]
"""A player of an event of the chain, by its slug and their number."""
event_repeated = Signal()
"""Sent with ``event`` and ``by`` when the next event of a chain is made, before it has players."""


@transaction.atomic
def repeat_event(
    *,
    source: Event,
    name: str = "",
    starts_at: datetime | None = None,
    players: Sequence[Key] = (),
    once: bool = False,
    by: Actor,
) -> Event:
    """Create the next event of a chain as a draft, and return it.

    It has the settings, staff, tables and texts of ``source``, without changes of its plan; its
    announcements are offered again at the desk. Name and start default to ``next_event_proposal``.
    ``players``: (slug, number) of regulars to enter. ``once``: raise RuleError ``repeated_already``
    if the actor has repeated it. Raises BadInput as ``create_event`` and ``add_regulars``.
    """
    source = lock_event(source)
    require_permission(can_manage(by, source) and can_create_events(by))
    if once and (there := next_event(source, by)) is not None:
        raise RuleError(
            "repeated_already",
            "The next event already exists: %(name)s.",
            name=there.name,
        )
    wanted = next_event_proposal(source)
    start = starts_at or wanted.starts_at
    values = {key: getattr(source, key) for key in SETTINGS}
    values |= {key: _moved(getattr(source, key), source, start) for key in MOMENTS}
    values |= {"name": name or wanted.name, "starts_at": start, "minutes": _minutes(source)}
    if source.prizes:
        values["prizes"] = source.prizes
    event = create_event(values=values, source=source, by=by)
    now = timezone.now()
    texts = dict.fromkeys(source.announcements.values_list("text", flat=True))
    Announcement.objects.bulk_create(
        Announcement(event=event, text=text, by=by.user, until=now, ended_at=now) for text in texts
    )
    event_repeated.send(Event, event=event, by=by)
    if players:
        add_regulars(event=event, keys=players, by=by)
    event.refresh_from_db()
    return event


def _moved(moment: datetime | None, source: Event, start: datetime) -> datetime | None:
    """Return a moment as far from a new start as it was, by the clocks on the wall."""
    if moment is None:
        return None
    zone = source.zone
    moved: timedelta = event_local_time(start, source) - event_local_time(source.starts_at, source)
    return resolve_local_time(event_local_time(moment, source) + moved, zone)


def _minutes(source: Event) -> int:
    """Return the minutes of a round that were chosen, before the plan was changed; one query."""
    changes = source.log.filter(action="event.plan", before__has_key="minutes").order_by("number")
    first = changes.values_list("before", flat=True).first()
    return source.minutes if first is None else int(first["minutes"])


@transaction.atomic
def add_regulars(*, event: Event, keys: Sequence[Key], by: Actor) -> list[Entry]:
    """Enter regulars, all or none, and return the new entries.

    ``keys``: (slug, number) of an earlier entry of each. Raises RuleError ``event_started``;
    BadInput ``none_chosen``, and ``not_regular``, ``player_twice`` with the ``path`` of the key.
    """
    event = begin_act(event, PASTED, by=by)
    require_permission(can_manage(by, event))
    rows = regular_rows(event, by)
    by_key = {key: row for row in rows for key in row.keys}
    chosen = dict[str, RegularRow]()
    if not keys:
        raise BadInput("none_chosen", "Choose at least one player.")
    for at, key in enumerate(keys):
        row = by_key.get(key)
        if row is None:
            raise BadInput(
                "not_regular",
                "Not found. Reload the page.",
                path=f"players[{at}]",
            )
        if row.key in chosen:
            raise BadInput(
                "player_twice",
                "Use each value only once.",
                name=row.entry.name,
                path=f"players[{at}]",
            )
        chosen[row.key] = row
    known = [(row.entry, row.person, row.agreed) for row in chosen.values()]
    return add_returning_people(event=event, known=known, by=by)


def add_returning_people(*, event: Event, known: Sequence[KnownPerson], by: Actor) -> list[Entry]:
    """Enter people who played in other events, and return their entries.

    Their consent is kept; their accounts are not linked. Raises as ``add_entries``.
    """
    people = [person for _entry, person, _agreed in known]
    origins = [entry for entry, _person, _agreed in known]
    added = add_entries(event=event, people=people, origins=origins, by=by)
    for entry, (_entry, _person, agreed) in zip(added, known, strict=True):
        if agreed is not None:
            Contact.objects.filter(entry=entry).update(later_since=agreed)
    return added
