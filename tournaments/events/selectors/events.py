"""Events in lists, those that can be copied, their state and players, what one needs next; events
of one day and one venue that have the same tables, and tables that are free.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from decks.formats.selectors import format_labels, format_slugs
from rules.errors import BadInput
from rules.events.lifecycle import is_allowed
from rules.formulas.base import Formula
from rules.names import name_key
from rules.results import PlayerId
from rules.stages.tables import (
    ANY_TABLE,
    TableRanges,
    free_tables,
    move_fixed_tables,
    parse_table_ranges,
    table_ranges_from_numbers,
)
from rules.tables.rounds import USUAL_SIZES, table_sizes
from tournaments.core.formulas import formula_by_slug, formula_labels, is_multiplayer
from tournaments.core.permissions import Actor, can_view
from tournaments.models import Entry, Event, Stage
from tournaments.players.selectors.answers import (
    PLAYING,
    count_places_for_waiting,
    count_playing_and_waiting,
)

A_PAGE = 12
"""Past events of a page, and events of somebody's own."""

START = "event.start"
"""The action of the line that starts an event; the draw of its order does not."""

TONES = {
    Event.State.DRAFT: "warn",
    Event.State.REGISTRATION: "good",
    Event.State.CLOSED: "neutral",
    Event.State.RUNNING: "info",
    Event.State.FINISHED: "neutral",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCard:
    """An event in a list; ``places_left``: None without a limit of players.

    ``local``: its start in its own time zone. ``state``: label; ``tone``: CSS class.
    """

    event: Event
    local: datetime
    state: str
    tone: str
    format: str
    formula: str
    players: int
    places_left: int | None


Names = tuple[Mapping[str, str], Mapping[str, str]]
"""Names of formats and of formulas by slug."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilters:
    """Filters for a list of events.

    ``words`` are in name or venue, ``place`` in the venue. ``game`` is a name. ``month``: (first
    moment, first of the next); ``key``: primary key of a single event.
    """

    words: str = ""
    game: str = ""
    place: str = ""
    month: tuple[datetime, datetime] | None = None
    key: int | None = None

    def __bool__(self) -> bool:
        return bool(self.words or self.game or self.place or self.month or self.key)

    def narrowed(self, events: QuerySet[Event]) -> QuerySet[Event]:
        """Return the events that fit."""
        if self.key:
            events = events.filter(pk=self.key)
        if self.words:
            events = events.filter(Q(name__icontains=self.words) | Q(venue__icontains=self.words))
        if self.place:
            events = events.filter(venue__icontains=self.place)
        if self.game:
            events = events.filter(format__in=format_slugs(self.game))
        if self.month:
            first, after = self.month
            events = events.filter(starts_at__gte=first, starts_at__lt=after)
        return events


def format_and_formula_names(events: Iterable[Event]) -> Names:
    """Return ({format slug: name}, {formula slug: name}) of events.

    At most two queries.
    """
    events = list(events)
    formats = format_labels(event.format for event in events)
    return formats, formula_labels(event.formula for event in events)


def event_card(event: Event, names: Names) -> EventCard:
    """Return an event as a card; no query.

    It must have ``players`` from `count_players`; ``names`` are those of
    `format_and_formula_names`.
    """
    players: int = event.players  # type: ignore[attr-defined]
    state, tone = state_badge(event)
    formats, formulas = names
    return EventCard(
        event=event,
        local=event.begins,
        state=state,
        tone=tone,
        format=formats[event.format],
        formula=formulas[event.formula],
        players=players,
        places_left=None if event.capacity is None else max(0, event.capacity - players),
    )


def player_count(event: Event) -> int:
    """Return the number of players: in the plan after the start, else one query."""
    if event.plan is not None:
        return int(event.plan["players"])
    return event.entries.filter(status__in=PLAYING).count()


def has_ever_started(event: Event) -> bool:
    """Return whether an event ever started, even if that was undone.

    At most one query.
    """
    return event.plan is not None or event.log.filter(action=START).exists()


def state_badge(event: Event) -> tuple[str, str]:
    """Return (label, CSS tone) of an event's state, with registration times applied."""
    if event.registration_opens_later:
        return _("Registration not open yet"), "neutral"
    state = Event.State.CLOSED if event.is_past_registration_close else Event.State(event.state)
    return str(state.label), TONES[state]


def visible_events(actor: Actor) -> QuerySet[Event]:
    """Return the queryset of events for the actor's lists.

    Drafts are included for their staff only.
    """
    if actor.user is None or actor.user.lacks_second_factor:
        return Event.objects.listed()
    if actor.user.is_superuser:
        return Event.objects.filter(listed=True)
    own = Q(pk__in=Event.objects.of_staff(actor.user).values("pk"))
    return Event.objects.filter(~Q(state=Event.State.DRAFT) | own, listed=True)


def count_players(events: Iterable[Event]) -> None:
    """Set ``players``, the number of players, on each event; one query."""
    events = list(events)
    playing = Entry.objects.filter(event__in=events, event__plan__isnull=True, status__in=PLAYING)
    counted = dict(playing.order_by().values_list("event").annotate(Count("pk")))
    for event in events:
        event.players = planned_players(event) or counted.get(event.pk, 0)  # type: ignore[attr-defined]


def planned_players(event: Event) -> int:
    """Return the number of players in the plan; 0 before the start or if unreadable."""
    planned = event.plan.get("players") if isinstance(event.plan, dict) else None
    return planned if type(planned) is int else 0


MOVES = ("open_registration", "close_registration", "start", "finish", "reopen")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupSummary:
    """An event's state before the start.

    ``next``: code of the next step; ``moves``: codes of possible changes of state; ``playing``:
    number of players; ``for_waiting``: free places for players on the waiting list. ``wrong_size``:
    message if the formula needs more or fewer players, else "".
    """

    next: str
    moves: frozenset[str]
    playing: int
    for_waiting: int
    wrong_size: str


def setup_summary(event: Event) -> SetupSummary:
    """Return an event's next step and number of players; at most two queries."""
    playing, waiting = count_playing_and_waiting(event)
    formula = formula_by_slug(event.formula)
    over = event.is_past_registration_close
    return SetupSummary(
        next=_next_step(event, playing, formula.minimum),
        moves=frozenset(
            move
            for move in MOVES
            if is_allowed("event", event.state, move)
            and not (over and move == "close_registration")
        ),
        playing=playing,
        for_waiting=count_places_for_waiting(event, playing, waiting),
        wrong_size=_wrong_size(event, formula, playing),
    )


def size_warning(event: Event, players: int) -> str:
    """Return a message if an event needs more or fewer players to start, else ""."""
    return _wrong_size(event, formula_by_slug(event.formula), players)


def _wrong_size(event: Event, formula: Formula, players: int) -> str:
    if event.plan is None and players < formula.minimum:
        words = _("Too few players: %(players)s (at least %(minimum)s).")
        return words % {"players": players, "minimum": formula.minimum}
    if event.plan is None and formula.maximum is not None and players > formula.maximum:
        words = _("Too many players: %(players)s (at most %(maximum)s).")
        return words % {"players": players, "maximum": formula.maximum}
    return ""


def _next_step(event: Event, playing: int, minimum: int) -> str:
    if event.state == Event.State.RUNNING:
        return "desk" if event.stages.exclude(state=Stage.State.CLOSED).exists() else "finish"
    if event.state == Event.State.FINISHED:
        return "standings"
    if playing < minimum:
        return "open" if event.state == Event.State.DRAFT else "players"
    return "start"


NEAR = timedelta(days=1, hours=2)
"""Two events of one day begin no further apart, whatever their time zones."""


@dataclass(frozen=True, kw_only=True)
class TableClashes:
    """Other events that use the same tables, and the first ``free`` tables.

    ``clashes``: {event, tables} with event None if the reader may not see it. ``fixed``: (player,
    fixed table, its table among the free ones).
    """

    clashes: tuple[dict[str, Any], ...] = ()
    free: TableRanges = ANY_TABLE
    fixed: tuple[tuple[Entry, int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTables:
    """An event's ``own`` tables, and those of other events of the same day and venue.

    ``clashes``: (other event, tables in common); ``taken``: all tables of the other events.
    """

    own: frozenset[int]
    clashes: tuple[tuple[Event, frozenset[int]], ...]
    taken: frozenset[int]


def table_clashes(event: Event, actor: Actor) -> TableClashes:
    """Return the events of the same day and venue that use the same tables.

    Those that the actor may not see are None. No query without a venue, else three; if there are
    such events also those of ``can_view`` and one for fixed tables.
    """
    found = events_with_same_tables(event)
    if not found.clashes:
        return TableClashes()
    free = free_tables(len(found.own), found.taken)
    return TableClashes(
        clashes=tuple(
            {
                "event": other if can_view(actor, other) else None,
                "tables": table_ranges_from_numbers(both),
            }
            for other, both in found.clashes
        ),
        free=free,
        fixed=_fixed_tables_moved(event, free),
    )


def events_with_same_tables(event: Event) -> SharedTables:
    """Return the events of the same day and venue with tables in common.

    Whether the reader may see them is not checked; events confirmed to be in other rooms are left
    out. An event without table numbers uses as many as its players need, from 1. No query without a
    venue, else at most three.
    """
    others = _events_of_day_and_venue(event)
    if others:
        count_players([event, *others])
    own = frozenset(_tables_of(event)) if others else frozenset[int]()
    theirs = [(other, frozenset(_tables_of(other))) for other in others]
    return SharedTables(
        own=own,
        clashes=tuple((other, own & tables) for other, tables in theirs if own & tables),
        taken=frozenset(table for _other, tables in theirs for table in tables),
    )


def _fixed_tables_moved(event: Event, free: TableRanges) -> tuple[tuple[Entry, int, int], ...]:
    fixed = {e.number: e for e in event.entries.filter(fixed_table__isnull=False)}
    known: dict[PlayerId, int] = {n: entry.fixed_table or 0 for n, entry in fixed.items()}
    moved = move_fixed_tables(known, _ranges_of(event), free)
    return tuple((fixed[int(n)], known[int(n)], table) for n, table in sorted(moved.items()))


def _events_of_day_and_venue(event: Event) -> list[Event]:
    """Return the events of the same day and venue that are not over; at most one query.

    Without those said to be in other rooms.
    """
    venue = name_key(event.venue)
    if not venue or event.state == Event.State.FINISHED:
        return []
    near = Event.objects.filter(
        starts_at__range=(event.starts_at - NEAR, event.starts_at + NEAR)
    ).exclude(pk=event.pk)
    zone = ZoneInfo(event.time_zone)
    day = event.starts_at.astimezone(zone).date()
    return [
        other
        for other in near.exclude(state=Event.State.FINISHED).exclude(venue="").order_by("pk")
        if other.pk not in event.other_rooms
        and event.pk not in other.other_rooms
        and name_key(other.venue) == venue
        and other.starts_at.astimezone(zone).date() == day
    ]


def _tables_of(event: Event) -> tuple[int, ...]:
    """Return the tables that an event has: those named, else as many as its players need."""
    hall = _ranges_of(event)
    return hall.first(hall.size or max(1, _tables_needed(event)))


def _tables_needed(event: Event) -> int:
    """Return how many tables the players of an event need in a round of all of them."""
    players: int = event.players  # type: ignore[attr-defined]
    if is_multiplayer(event.formula):
        return len(table_sizes(players, event.options.get("sizes") or USUAL_SIZES))
    return -(-players // 2)


def _ranges_of(event: Event) -> TableRanges:
    try:
        return parse_table_ranges(event.tables)
    except BadInput:  # damaged in the database: its own pages say so
        return TableRanges()
