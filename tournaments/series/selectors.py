"""A series with its events, people and table, as a reader may see them."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from threading import Lock
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from rules.results import PlayerId
from rules.series.points import (
    Adjustment,
    EventResult,
    FinalRow,
    FinishedEvent,
    SeriesPoints,
    read_series_points,
)
from rules.series.table import (
    SERIES_ORDER,
    SeriesHistory,
    counted_points,
    has_too_few_events,
    rank_series,
    series_history,
)
from rules.standings.table import Standing, Standings
from tournaments.core.permissions import Actor
from tournaments.models import (
    ErasedAccount,
    Event,
    Series,
    SeriesAdjustment,
    SeriesEvent,
    SeriesStaff,
)
from tournaments.repeats.selectors import managed_events
from tournaments.series.final_rows import Rows, ensure_final_rows
from tournaments.series.people import Person, SeriesPeople, identify_people

Role = SeriesStaff.Role


# --- Who may what ---------------------------------------------------------------------------
def get_series_role(actor: Actor, series: Series) -> str:
    """Return the actor's role in a series, "" for none; one query."""
    user = actor.user
    if user is None or not user.is_active or user.lacks_second_factor:
        return ""
    if user.is_superuser:
        return str(Role.ORGANISER)
    found = SeriesStaff.objects.filter(series=series, user=user).values_list("role", flat=True)
    return found.first() or ""


def can_manage_series(actor: Actor, series: Series) -> bool:
    """Return whether the actor organises the series; one query."""
    return get_series_role(actor, series) == Role.ORGANISER


# --- A series and its events ----------------------------------------------------------------
@dataclass(frozen=True)
class SeriesFacts:
    """A series and its events, by start, as one reader may see them.

    ``role`` is the reader's role in the series, "" for none. ``unseen`` are drafts, which only its
    staff see among the ``events``.
    """

    series: Series
    role: str
    events: tuple[Event, ...]
    unseen: tuple[Event, ...] = ()

    @property
    def may_manage(self) -> bool:
        """Return whether the reader may change the series."""
        return self.role == Role.ORGANISER

    @cached_property
    def finished(self) -> tuple[Event, ...]:
        """Return the events that are over."""
        return tuple(one for one in self.events if one.state == Event.State.FINISHED)

    @cached_property
    def running(self) -> tuple[Event, ...]:
        """Return the events that are being played."""
        return tuple(one for one in self.events if one.state == Event.State.RUNNING)

    @cached_property
    def to_come(self) -> tuple[Event, ...]:
        """Return the events that have not started."""
        over = (Event.State.FINISHED, Event.State.RUNNING)
        return tuple(one for one in self.events if one.state not in over)


def read_series(slug: str, actor: Actor) -> SeriesFacts:
    """Return a series and its events as the actor may see them; at most three queries.

    Raises Http404 for an unknown series, and for one without public events unless the actor is on
    its staff.
    """
    series: Series = get_object_or_404(Series, slug=slug)
    facts = load_series_facts(series, get_series_role(actor, series))
    if not facts.role and not facts.events:
        raise Http404
    return facts


def load_series_facts(series: Series, role: str = "") -> SeriesFacts:
    """Return a series with its events, drafts included if ``role`` isn't ""; one query.

    Permission is not checked.
    """
    events = Event.objects.filter(memberships__series=series).order_by("starts_at", "pk")
    seen = tuple(one for one in events if role or one.state != Event.State.DRAFT)
    unseen = tuple(one for one in events if one not in seen)
    return SeriesFacts(series, role, seen, unseen)


def load_series_people(facts: SeriesFacts) -> SeriesPeople:
    """Return the people of all events that the reader sees, upcoming ones included.

    Three queries.
    """
    return identify_people(facts.series, facts.events)


def load_adjustments(series: Series, people: SeriesPeople) -> list[Adjustment]:
    """Return the bonuses and penalties of a series for these people; one query."""
    return [
        Adjustment(people.of_entry[one.entry_id].key, Fraction(one.points), one.reason)
        for one in SeriesAdjustment.objects.filter(series=series).order_by("pk")
        if one.entry_id in people.of_entry
    ]


def tiebreaker_keys(series: Series) -> tuple[str, ...]:
    """Return the keys of the tiebreakers of a series' standings, in order."""
    return tuple(series.order) or SERIES_ORDER


def points_rule(series: Series, adjustments: Sequence[Adjustment] = ()) -> SeriesPoints | None:
    """Return a series' rule for points with these adjustments, or None without points."""
    if series.points is None:
        return None
    return replace(read_series_points(series.points), adjustments=tuple(adjustments))


# --- Lists ----------------------------------------------------------------------------------
A_PAGE, MOST_CHOICES = 24, 100


def visible_series(actor: Actor) -> QuerySet[Series]:
    """Return the series with a listed event, and those whose staff the actor is on."""
    shown = SeriesEvent.objects.filter(event__in=Event.objects.listed()).values("series")
    found = Q(pk__in=shown)
    if actor.user is not None and actor.user.is_active:
        found |= Q(staff__user=actor.user)
    return Series.objects.filter(found).distinct().order_by("-created_at", "-pk")


@dataclass(slots=True)
class ListedSeries:
    """A series in the list, with its public events; ``own``: the reader is on its staff."""

    series: Series
    own: bool
    events: list[Event] = field(default_factory=list)

    @property
    def shown(self) -> Event | None:
        """Return the next event that is not over, else the last one."""
        going = (one for one in self.events if one.state != Event.State.FINISHED)
        return next(going, self.events[-1] if self.events else None)


def listed_series(actor: Actor, page: str | int = 1) -> tuple[Page[Series], list[ListedSeries]]:
    """Return (page, its series with events) of those that the actor may see.

    Their own series come first. Three queries.
    """
    own = SeriesStaff.objects.filter(series=OuterRef("pk"), user=actor.user)
    seen = visible_series(actor).annotate(own=Exists(own))
    found: Page[Any] = Paginator(seen.order_by("-own", "-created_at", "-pk"), A_PAGE).get_page(page)
    rows = {one.pk: ListedSeries(one, one.own) for one in found}
    members = SeriesEvent.objects.filter(series__in=rows).exclude(event__state=Event.State.DRAFT)
    for member in members.select_related("event").order_by("event__starts_at", "event"):
        rows[member.series_id].events.append(member.event)
    return found, [*rows.values()]


def addable_events(facts: SeriesFacts, actor: Actor) -> Sequence[Event]:
    """Return events that the actor organises and the series lacks, latest first.

    At most ``MOST_CHOICES``. One query.
    """
    found = managed_events(actor).exclude(memberships__series=facts.series)
    return list(found.order_by("-starts_at", "-pk")[:MOST_CHOICES])


def series_of_event(event: Event) -> Mapping[str, str]:
    """Return {slug: name} of the series that an event belongs to; one query."""
    found = SeriesEvent.objects.filter(event=event).order_by("series")
    return dict(found.values_list("series__slug", "series__name"))


# --- The table ------------------------------------------------------------------------------
@dataclass(frozen=True)
class SeriesTable:
    """The standings of a series after its finished events, with people and results."""

    events: tuple[Event, ...]
    people: SeriesPeople
    history: SeriesHistory
    standings: Standings

    @property
    def rule(self) -> SeriesPoints:
        """Return the rule for points."""
        return self.history.rule

    @cached_property
    def names(self) -> Mapping[PlayerId, str]:
        """Return names by person."""
        return {key: one.display_name for key, one in self.people.by_key.items()}

    @cached_property
    def by_person(self) -> Mapping[PlayerId, Standing]:
        """Return rows by person."""
        return {row.player: row for row in self.standings.rows}

    def person(self, key: PlayerId) -> Person:
        """Return a person by key."""
        return self.people.by_key[int(key)]

    def results(self, key: PlayerId) -> Sequence[EventResult]:
        """Return a person's results in the order of events."""
        return self.history.results[key]

    def number_in(self, key: PlayerId, event: Event) -> int:
        """Return a person's player number in an event."""
        entries = self.person(key).entries
        return next(one.number for one in entries if one.event_id == event.pk)

    def points(self, row: Standing) -> Fraction:
        """Return the points that count of a row."""
        return counted_points(self.history, row.player)

    def is_short(self, key: PlayerId) -> bool:
        """Return whether a person has too few events to be ranked among the others."""
        return has_too_few_events(self.history, key)


MOST_TABLES = 32
_tables: OrderedDict[tuple[Any, ...], SeriesTable] = OrderedDict()
_turn = Lock()


def load_series_table(facts: SeriesFacts) -> SeriesTable | None:
    """Return the standings of a series, cached, or None if it has no points.

    Only finished events count. One query if cached for the present state of their logs, else four
    and those of ``ensure_final_rows``.
    """
    series = facts.series
    if series.points is None:
        return None
    erased = ErasedAccount.objects.aggregate(last=Max("pk"))["last"]
    heads = tuple((event.pk, event.head) for event in facts.finished)
    key = (series.pk, series.created_at, series.version, erased, heads)
    with _turn:
        known = _tables.get(key)
    if known is None:
        known = compute_series_table(series, facts.finished)
        with _turn:
            _tables[key] = known
            while len(_tables) > MOST_TABLES:
                _tables.popitem(last=False)
    return known


def compute_series_table(
    series: Series, events: tuple[Event, ...], rows: Mapping[int, Rows] | None = None
) -> SeriesTable:
    """Compute the standings of a series with points after finished events.

    ``rows`` are their final rows by event key, by default those of ``ensure_final_rows``.
    """
    people = identify_people(series, events)
    found = ensure_final_rows(events) if rows is None else rows
    rule = points_rule(series, load_adjustments(series, people))
    assert rule is not None  # noqa: S101 - asked by whoever calls
    played = [_finished_event(event, found[event.pk], people) for event in events]
    history = series_history(rule, played, seed=series.seed)
    return SeriesTable(events, people, history, rank_series(history, tiebreaker_keys(series)))


def _finished_event(event: Event, rows: Rows, people: SeriesPeople) -> FinishedEvent:
    parts, of_player, pk = rows["parts"], people.of_player, event.pk
    person = {str(number): of_player[pk, number].key for number, *_more in rows["rows"]}
    exact = cache(lambda points: Fraction(points, parts))
    return FinishedEvent(
        key=event.slug,
        venue=event.venue.strip().casefold(),
        month=event_month(event),
        rows=[
            FinalRow(
                person=person[str(number)],
                place=place,
                match_points=exact(points),
                wins=wins,
                played=played,
                barred=barred,
                meetings={
                    person[other]: exact(made) for other, made in met.items() if other in person
                },
            )
            for number, place, points, wins, played, barred, met in rows["rows"]
        ],
    )


def event_month(event: Event) -> str:
    """Return the month in which an event begins, as "2026-11", in the event's time zone."""
    return event.starts_at.astimezone(event.zone).strftime("%Y-%m")
