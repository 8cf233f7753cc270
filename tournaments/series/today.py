"""The day: the events of a series or a venue that run or begin today, who sits where, and the door.

At the door the players of several events are one list, with a row for each person.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, partial
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from accounts.models import User
from rules.events.clock import ClockState
from rules.names import name_key
from tournaments.core.clocks import current_clock_display
from tournaments.core.draw_origins import map_readable_rows, readable_rows
from tournaments.core.facts_cache import read_facts
from tournaments.core.names import (
    attach_name_marks,
    load_name_marks_by_event,
    name_matches,
    surname_sort_key,
)
from tournaments.core.permissions import Actor, is_staff
from tournaments.core.rows import AnyEntry
from tournaments.models import Entry, Event
from tournaments.my_events.selectors import (
    RunningEvent,
    UpcomingEvent,
    staff_by_event,
    staffed_events,
)
from tournaments.players.selectors.players import PlayerRow, players_table_context
from tournaments.public.selectors.listed import ListedEvent, ListedTimer, listed_rows
from tournaments.rounds.selectors.pairings import NameRow, PairingsPage, pairings_page
from tournaments.screen.selectors import names_pages, still_playing
from tournaments.series.selectors import SeriesFacts, load_series_people

State = Event.State
COMING = (State.REGISTRATION, State.CLOSED)
STATES = {"running": (State.RUNNING,), "coming": COMING, "past": (State.FINISHED,)}
NEAR = timedelta(days=1, hours=2)
"""An event of today begins no further from now, whatever its time zone."""
MOST = 60
"""Events of a day."""
NAMES_FOR = 180
"""Seconds of a round in which the screen still shows who sits where."""


def events_today(events: Iterable[Event]) -> list[Event]:
    """Return the events that are running or begin today in their time zone; no drafts."""
    shown = (event for event in events if event.state == State.RUNNING or _is_today(event))
    return [event for event in shown if event.state != State.DRAFT][:MOST]


def _is_today(event: Event) -> bool:
    return event.begins.date() == timezone.localtime(timezone=event.zone).date()


def events_today_at(venue: str) -> list[Event]:
    """Return the day's listed events at a venue, or everywhere if it is ""; one query."""
    now, key = timezone.now(), name_key(venue)
    near = Q(state=State.RUNNING) | Q(starts_at__range=(now - NEAR, now + NEAR))
    found = readable_rows(Event.objects.listed().filter(near).order_by("starts_at", "pk"))
    return events_today(event for event in found if not key or name_key(event.venue) == key)


def group_events_by_kind(events: Sequence[Event], user: User | None) -> dict[str, Sequence[object]]:
    """Return the day's events as rows of the today page, by kind.

    Keys: ``staffed`` (running) and ``upcoming``: events of the user's staff; ``running``,
    ``coming``, ``past``: others. The queries are those of ``listed_rows``, with a user also of
    ``staffed_events``.
    """
    rows = listed_rows(events)
    staffed: Sequence[RunningEvent] = ()
    upcoming: Sequence[UpcomingEvent] = ()
    if user is not None and user.is_active and not user.lacks_second_factor:
        staffed, upcoming = staffed_events(rows, staff_by_event(rows), user)
    own = {one.listed.card.event.pk for one in staffed}
    own |= {one.listed.card.event.pk for one in upcoming}
    others = [row for row in rows if row.card.event.pk not in own]
    in_states = {
        name: [row for row in others if row.card.event.state in states]
        for name, states in STATES.items()
    }
    return {"staffed": staffed, "upcoming": upcoming, **in_states}


# --- Who sits where -------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSeat:
    """A player of the day and their seat in the present round.

    ``round`` is its label, "" before the first. ``row`` is None if the player has no match.
    """

    event: Event
    entry: AnyEntry
    round: str = ""
    row: NameRow | None = None

    @property
    def others(self) -> tuple[AnyEntry, ...]:
        """Return who else sits at the table."""
        return tuple(side.entry for side in self.row.others) if self.row else ()


def list_seats(events: Sequence[Event]) -> list[PlayerSeat]:
    """Return the seats of all players of these events, by event and surname.

    Two queries, and those of event facts that are not cached.
    """
    running = [event for event in events if event.state == State.RUNNING]
    found = map_readable_rows(running, _seats_in)
    return [*(seat for seats in found for seat in seats), *_registered(events)]


def _seats_in(event: Event) -> list[PlayerSeat]:
    shown = pairings_page(read_facts(event))
    if shown is None:
        return []
    seat = partial(PlayerSeat, event=event, round=shown.label)
    resting = (seat(entry=entry) for entry in shown.resting)
    return [*(seat(entry=row.entry, row=row) for row in shown.names), *resting]


def _registered(events: Iterable[Event]) -> list[PlayerSeat]:
    """Return the players of events that have not started; two queries if there are some."""
    before = {event.pk: event for event in events if event.state in COMING}
    if not before:
        return []
    entries = list(Entry.objects.filter(event__in=before).playing().order_by("event_id", "number"))
    marks = load_name_marks_by_event(before)
    for key in before:
        attach_name_marks((entry for entry in entries if entry.event_id == key), marks[key])
    return [
        PlayerSeat(event=before[entry.event_id], entry=entry)
        for entry in sorted(entries, key=lambda entry: (entry.event_id, surname_sort_key(entry)))
    ]


def search_seats(seats: Iterable[PlayerSeat], typed: str) -> list[PlayerSeat]:
    """Return the seats of players in whose name each typed word begins a word."""
    return [seat for seat in seats if name_matches(seat.entry.name, typed)]


def seats_of_entries(seats: Iterable[PlayerSeat], entries: Collection[int]) -> list[PlayerSeat]:
    """Return the seats of the entries with these primary keys."""
    return [seat for seat in seats if seat.entry.pk in entries]


# --- The screen -----------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class ScreenEvent:
    """An event on the hall screen of a day.

    ``names`` are pages of names and tables, at the beginning of a round only. ``playing`` are the
    unfinished tables (``still_playing``), None if no match is.
    """

    listed: ListedEvent
    names: tuple[dict[str, Any], ...] = ()
    playing: dict[str, Any] | None = None

    @cached_property
    def event(self) -> Event:
        """Return the event."""
        return self.listed.card.event

    @property
    def clock(self) -> ListedTimer | None:
        """Return the timer of the round, None if nothing is played."""
        return self.listed.progress.clock if self.listed.progress else None


def hall_screen_events(events: Sequence[Event]) -> list[ScreenEvent]:
    """Return the day's events for the hall screen: running, upcoming, then finished.

    The queries are those of ``listed_rows``, and of event facts that are not cached.
    """
    order = {State.RUNNING: 0, State.FINISHED: 2}
    rows = sorted(listed_rows(events), key=lambda row: order.get(State(row.card.event.state), 1))
    cards = {row.card.event.pk: row for row in rows}
    return map_readable_rows(
        [row.card for row in rows], lambda card: _on_screen(cards[card.event.pk])
    )


def _on_screen(listed: ListedEvent) -> ScreenEvent:
    event = listed.card.event
    shown = latest_round(event)
    if shown is None or not shown.missing:
        return ScreenEvent(listed=listed)
    names = names_pages(shown.names, headed=True) if should_list_names(event) else ()
    return ScreenEvent(listed=listed, names=names, playing=still_playing(shown))


def latest_round(event: Event) -> PairingsPage | None:
    """Return the latest round of a running event, else None; no query with cached facts."""
    return pairings_page(read_facts(event)) if event.state == State.RUNNING else None


def should_list_names(event: Event) -> bool:
    """Return whether the hall screen lists names and tables.

    True in a round's first ``NAMES_FOR`` seconds, before the timer starts, and without a timer.
    """
    clock = current_clock_display(read_facts(event))
    if clock is None or clock.state is ClockState.READY:
        return True
    return 60 * clock.minutes - clock.left < NAMES_FOR


def events_checking_in(facts: SeriesFacts, actor: Actor) -> list[Event]:
    """Return the unstarted events that begin today, or where players can check in.

    Only events of whose staff the actor is. At most one query for each.
    """
    now = timezone.now()
    today = {event.pk for event in events_today(facts.to_come)}
    found = (e for e in facts.to_come if e.pk in today or e.here_from <= now < e.starts_at)
    return [event for event in found if event.state in COMING and is_staff(actor, event)]


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """A player of an event in a series' check-in list."""

    event: Event
    row: PlayerRow

    @property
    def key(self) -> str:
        """Return what names the player in a form: "slug:number"."""
        return f"{self.event.slug}:{self.row.entry.number}"

    @property
    def here(self) -> bool:
        """Return whether the player is checked in."""
        return self.row.entry.status == Entry.Status.CHECKED_IN

    @property
    def lacks_list(self) -> bool:
        """Return whether a required decklist is missing."""
        return self.row.deck == "missing" and self.event.decklists == Event.Decklists.REQUIRED


@dataclass(frozen=True, kw_only=True)
class ArrivingPerson:
    """A person in a series' check-in list, with one player for each event they play in."""

    players: tuple[Arrival, ...]

    @cached_property
    def entry(self) -> Entry:
        """Return the entry that bears their name."""
        return self.players[-1].row.entry

    @property
    def here(self) -> bool:
        """Return whether all of their players are checked in."""
        return all(one.here for one in self.players)

    @property
    def due(self) -> tuple[Arrival, ...]:
        """Return whom the row's button marks: all who are not here, else it takes all back."""
        return self.players if self.here else tuple(one for one in self.players if not one.here)


def arriving_people(facts: SeriesFacts, events: Sequence[Event]) -> list[ArrivingPerson]:
    """Return the people expected at these events, by surname.

    Three queries, and those of the player list for each event.
    """
    people = load_series_people(facts)
    found = defaultdict[int, list[Arrival]](list)
    for event in events:
        for row in players_table_context(event)["rows"]:
            person = people.of_entry.get(row.entry.pk)
            if row.entry.plays and person is not None:
                found[person.key].append(Arrival(event=event, row=row))
    rows = (ArrivingPerson(players=tuple(players)) for players in found.values())
    return sorted(rows, key=lambda person: surname_sort_key(person.entry))


def count_attendance(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return {"event", "here", "expected"} for each event: players checked in, and all.

    One query.
    """
    shown = list(events)
    playing = Entry.objects.filter(event__in=shown).playing().order_by().values("event")
    counts = {
        row["event"]: row
        for row in playing.annotate(
            expected=Count("pk"), here=Count("pk", filter=Q(status=Entry.Status.CHECKED_IN))
        )
    }
    nobody = {"here": 0, "expected": 0}
    return [counts.get(event.pk, nobody) | {"event": event} for event in shown]
