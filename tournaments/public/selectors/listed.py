"""The list of events: progress of running ones, free places of upcoming ones, winners, news."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from io import StringIO
from typing import Any, TypeVar

from django.core.cache import cache
from django.core.paginator import Paginator
from django.db.models import Count, Max, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.xmlutils import SimplerXMLGenerator

from config.wording import format_moment, translate
from decks.labels import find_format_emblem
from rules.deckbuilding.formats import FormatEmblem
from rules.events.clock import ClockState, format_clock
from rules.formulas.adviser import matches_by_round
from rules.plans import FormulaPlan, StagePlan
from rules.results import SEAT_WINNERS, MatchEnding, Winner
from rules.stages.base import stage_kind, state_with_all_seats
from tournaments.api.serialization import checked_event_json
from tournaments.core.clocks import STORED, clock_from_columns, current_moment
from tournaments.core.draw_origins import map_readable_rows, readable_rows
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.labels import ending_text
from tournaments.core.mapping import stored_plan
from tournaments.core.names import attach_name_marks, load_name_marks_by_event
from tournaments.core.permissions import Actor
from tournaments.events.selectors.events import (
    A_PAGE,
    EventCard,
    EventFilters,
    count_players,
    event_card,
    format_and_formula_names,
    state_badge,
    visible_events,
)
from tournaments.matches.words import score_texts, seats_won
from tournaments.models import Event, Match, MatchSeat, Round
from tournaments.models.play import replay_schedule, seated_matches
from tournaments.public.selectors.calendar import build_calendar, build_calendar_entry
from tournaments.public.selectors.upcoming_event import seats_bar
from tournaments.standings.selectors.ranking import ranking_page

HOURS = 12 * 3600
"""Seconds for which a value is kept at most; the key holds one for each event."""

Value = TypeVar("Value")


def cached_event_values(
    name: str,
    events: Iterable[Event],
    make: Callable[[Sequence[Event]], Mapping[int, Value]],
) -> dict[int, Value]:
    """Return {event key: value} of started events, cached until their log grows.

    ``make`` computes the values of the events that are missing. They are stored under ``name``, and
    must be built-in types. An event without value is computed again next time.
    """
    started = {event.pk: event for event in events if event.plan}
    keys = {pk: f"{name}:{pk}" for pk in started}
    kept = cache.get_many(keys.values())
    known: dict[int, Value] = {
        pk: kept[key][1]
        for pk, key in keys.items()
        if key in kept and kept[key][0] == started[pk].head
    }
    missing = [event for pk, event in started.items() if pk not in known]
    if missing:
        made = make(missing)
        heads = {keys[each.pk]: (each.head, made[each.pk]) for each in missing if each.pk in made}
        cache.set_many(heads, HOURS)
        known |= made
    return known


Stored = tuple[str, str, str, bool, str] | None


def last_results(running: Iterable[Event]) -> Mapping[int, dict[str, Any]]:
    """Return {event key: latest final result of a two-player match} of running events.

    A result has ``first`` (the winner, or a player of a draw), ``second``, ``score``, ``drawn``,
    and ``ending``: how it ended without score. Two queries if a log has grown, else none. Hidden
    standings don't hide results.
    """
    known = cached_event_values("last-result", running, _newest_results)
    return {
        pk: {
            "first": found[0],
            "second": found[1],
            "score": found[2],
            "drawn": found[3],
            "ending": "" if found[2] else ending_text(found[4], "" if found[3] else found[1]),
        }
        for pk, found in known.items()
        if found
    }


def _newest_results(events: Sequence[Event]) -> dict[int, Stored]:
    """Return the newest result of each event, None without one; two queries."""
    counted = Match.objects.of_two().filter(
        round__event__in=events,
        round__state=Round.State.PUBLISHED,
        state=Match.State.FINAL,
        decision__winner__in=(*SEAT_WINNERS, Winner.DRAW),
    )
    newest = counted.order_by().values("round__event").annotate(last=Max("decision"))
    seats = MatchSeat.objects.filter(match__decision__in=newest.values("last"))
    loaded = seats.select_related("match__decision", "entry").order_by("match", "number")
    matches = seated_matches(readable_rows(loaded))
    marks = load_name_marks_by_event(map(_event_of, matches))
    newest_of = dict(map_readable_rows(matches, partial(_result_by_event, marks)))
    return {event.pk: newest_of.get(event.pk) for event in events}


def _event_of(match: Match) -> int:
    return match.seated[0].entry.event_id


def _result_by_event(marks: Mapping[int, Mapping[int, str]], match: Match) -> tuple[int, Stored]:
    event = _event_of(match)
    attach_name_marks(match.players, marks[event])
    return event, _seen_by_winner(match)


def _seen_by_winner(match: Match) -> Stored:
    if match.size == 1 or match.decision is None:
        return None
    scores, ended_by = score_texts(match.decision), match.decision.ended_by
    drawn = match.decision.winner == Winner.DRAW
    one, other = (player.display_name for player in match.players)
    if seats_won(match.decision, match.size)[1]:
        return other, one, "–".join(reversed(scores)), drawn, ended_by
    return one, other, "–".join(scores), drawn, ended_by


PublishedRound = tuple[int, int, int, int, list[Any], int]
"""Its number, its stage's, its tables, those without a final result, columns of its clock, and the
matches of earlier rounds that were played beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTimer:
    """A round timer in a cached list.

    ``until`` is when it ends, while it runs; then ``words`` are for after that. Else ``face`` is
    the time displayed and ``words`` its state.
    """

    words: str
    face: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventProgress:
    """The progress of a running event; ``percent`` of all planned matches are played.

    ``missing`` of ``tables`` in the present round have no final result. ``over``: nothing is left
    to play. ``clock`` is None once the round is complete.
    """

    words: str
    percent: int
    missing: int
    tables: int
    over: bool = False
    clock: ListedTimer | None = None


def published_rounds(running: Iterable[Event]) -> Mapping[int, list[PublishedRound]]:
    """Return {event key: published rounds}, as ``PublishedRound`` tuples.

    One query, two if a match is played again.
    """
    started = [event.pk for event in running if event.plan]
    if not started:
        return {}
    rows = (
        Match.objects.filter(round__event__in=started, round__state=Round.State.PUBLISHED)
        .order_by("round__ordinal")
        .values_list(
            *("round__event", "round__ordinal", "round__stage__number"),
            *(f"round__clock__{column}" for column in STORED),
        )
        .annotate(
            tables=Count("pk", filter=Q(table__isnull=False)),
            missing=Count("pk", filter=~Q(state=Match.State.FINAL)),
            given=Count("pk", filter=~Q(earlier=[])),
        )
    )
    beside = _played_beside({event for event, *_columns, given in rows if given})
    by_event: dict[int, list[PublishedRound]] = {}
    for event, ordinal, stage, *clock, tables, missing, _given in rows:
        played = beside[event, ordinal]
        by_event.setdefault(event, []).append((ordinal, stage, tables, missing, clock, played))
    return by_event


def _played_beside(events: Collection[int]) -> Counter[tuple[int, int]]:
    final = Match.objects.filter(round__event__in=events, state=Match.State.FINAL)
    given = final.exclude(earlier=[]).values_list("round__event", "earlier") if events else ()
    return Counter((event, replay_schedule(earlier).get("beside", 0)) for event, earlier in given)


def event_progress(event: Event, rounds: list[PublishedRound]) -> EventProgress | None:
    """Return the progress of an event, None before its start; no query.

    ``rounds`` are its `published_rounds`.
    """
    return _so_far(event, stored_plan(event), rounds) if event.plan else None


def _so_far(event: Event, plan: FormulaPlan, rounds: list[PublishedRound]) -> EventProgress:
    """Return the progress of an event from its published rounds."""
    total = sum(sum(matches_by_round(stage)) for stage in plan.stages)
    if not rounds:
        return EventProgress(words=_("Starting soon"), percent=0, missing=0, tables=0)
    ordinal, number, tables, missing, clock, beside = rounds[-1]
    made = sum(tables - left for _ordinal, _stage, tables, left, *_more in rounds)
    waiting = sum(each[3] for each in rounds[:-1] if each[1] == number)
    stage = plan.stages[number - 1]
    in_stage = sum(number == each[1] for each in rounds)
    last = number == len(plan.stages) and in_stage >= len(matches_by_round(stage))
    return EventProgress(
        words=_stage_and_round(plan, stage, ordinal, in_stage),
        percent=max(2, min(99, round(100 * made / total))) if total else 0,
        missing=missing + waiting,
        tables=tables + waiting + beside,
        over=last and not missing and not waiting,
        clock=_clock(event, stage, clock) if missing else None,
    )


def _stage_and_round(plan: FormulaPlan, stage: StagePlan, ordinal: int, made: int) -> str:
    """Return stage and round as the event's own page names them: "2 of 3", or "Semi-finals".

    In the only bracket of a plan the round's own name is enough. Extra matches after the last round
    of a stage have no number among its rounds.
    """
    total = len(matches_by_round(stage))
    name = translate(stage.label)
    if made > total:
        extra = _("Round %(number)s") % {"number": ordinal}
        return f"{name} · {extra}"
    kind = stage_kind(stage)
    if not kind.names_rounds:
        words = _("round %(made)s of %(all)s") % {"made": made, "all": total}
        return f"{name} · {words}"
    words = translate(kind.describe_round(state_with_all_seats(stage), made))
    several = sum(stage_kind(each).names_rounds for each in plan.stages) > 1
    return f"{name} · {words}" if several and words != name else words


def _clock(event: Event, stage: StagePlan, stored: Iterable[Any]) -> ListedTimer:
    """Return the clock of an event's latest round; ``stored`` are its columns ``clocks.STORED``."""
    if not stage.timed:
        return ListedTimer(words=_("No time limit"))
    clock, now = clock_from_columns(stored, event.minutes), current_moment()
    left, state = clock.left(now), clock.state_at(now)
    if state in (ClockState.RUNNING, ClockState.OVER):
        end = now.at + timedelta(seconds=left + 0.5)
        return ListedTimer(words=_("time is up"), until=end.replace(microsecond=0))
    words = _("Stopped") if state is ClockState.PAUSED else _("Not started")
    return ListedTimer(words=words, face=format_clock(left))


EVERYTHING = EventFilters()
GOING_A_PAGE = 48
COMING = (Event.State.DRAFT, Event.State.REGISTRATION, Event.State.CLOSED)

Won = tuple[tuple[str, ...], str, str]
"""Names of who won, of the second if there is one, and the score of their final."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEvent:
    """An event in a list; fields that don't apply to its state are None or "".

    ``last``: latest result; ``seats``: bar of taken places; ``score``: of the final.
    """

    card: EventCard
    look: FormatEmblem
    progress: EventProgress | None = None
    last: dict[str, Any] | None = None
    seats: dict[str, Any] | None = None
    winners: tuple[str, ...] = ()
    second: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True)
class EventDetails:
    """Published rounds, last results and winners, each by event key."""

    rounds: Mapping[int, list[PublishedRound]]
    last: Mapping[int, dict[str, Any]]
    winners: Mapping[int, Won]


def listed_events(
    actor: Actor,
    page: str | int = 1,
    going: str | int = 1,
    filters: EventFilters = EVERYTHING,
) -> dict[str, Any]:
    """Return the template context of the list of events, with two pages.

    ``page`` is the page number among past events, ``going`` among the others. Drafts are only for
    their staff; unlisted events are left out. At most five queries, and one more each if an event
    has an organiser's format, has a saved tournament format, or is running; those of ``load_facts``
    for results whose log has grown.
    """
    running, finished = Event.State.RUNNING, Event.State.FINISHED
    seen = filters.narrowed(visible_events(actor)).filter(state__in=[*COMING, running])
    seen = seen.annotate(running=Q(state=running)).order_by("-running", "starts_at", "pk")
    going_page = Paginator(readable_rows(seen), GOING_A_PAGE).get_page(going)
    ended = filters.narrowed(Event.objects.filter(listed=True, state=finished))
    ended = ended.order_by("-starts_at", "-pk")
    past_page = Paginator(readable_rows(ended), A_PAGE).get_page(page)
    rows = listed_rows((*going_page, *past_page))
    return {
        "running": tuple(row for row in rows if row.card.event.state == running),
        "coming": tuple(row for row in rows if row.card.event.state in COMING),
        "past": tuple(row for row in rows if row.card.event.state == finished),
        "is_empty": not rows,
        "going_page": going_page,
        "past_page": past_page,
    }


def listed_rows(events: Sequence[Event]) -> list[ListedEvent]:
    """Return events as rows for lists, without those with damaged data.

    Permission is not checked. At most five queries, and those for winners.
    """
    count_players(events)
    cards = map_readable_rows(events, partial(event_card, names=format_and_formula_names(events)))
    return map_readable_rows(cards, partial(_listed_row, details=_details(cards)))


def listed_event(event: Event) -> ListedEvent:
    """Return one event as a row for lists; raises any error of damaged data.

    Permission is not checked. At most five queries, and those of ``load_facts`` if it is finished.
    """
    count_players([event])
    card = event_card(event, format_and_formula_names([event]))
    if event.state == Event.State.FINISHED and event.plan:
        return _listed_row(
            card, EventDetails(rounds={}, last={}, winners={event.pk: _first_two(event)})
        )
    return _listed_row(card, _details([card]))


def _details(cards: Iterable[EventCard]) -> EventDetails:
    events = [card.event for card in cards]
    running = [event for event in events if event.state == Event.State.RUNNING]
    past = [event for event in events if event.state == Event.State.FINISHED]
    return EventDetails(
        rounds=published_rounds(running), last=last_results(running), winners=_winners(past)
    )


def _listed_row(card: EventCard, details: EventDetails) -> ListedEvent:
    """Return the row of an event. Raises KeyError if its details are missing."""
    event = card.event
    row = partial(ListedEvent, card=card, look=find_format_emblem(event.format_key))
    if event.state == Event.State.RUNNING:
        progress = event_progress(event, details.rounds.get(event.pk, []))
        return row(progress=progress, last=details.last.get(event.pk))
    if event.state == Event.State.FINISHED:
        winners, second, score = details.winners[event.pk] if event.plan else ((), "", "")
        return row(winners=winners, second=second, score=score)
    return row(seats=seats_bar(card.players, event.capacity) if event.capacity else None)


def _winners(past: Iterable[Event]) -> Mapping[int, Won]:
    """Return (winners, second, score) of finished events."""
    return cached_event_values(
        "winners",
        past,
        lambda events: dict(map_readable_rows(events, lambda one: (one.pk, _first_two(one)))),
    )


def _first_two(event: Event) -> Won:
    facts = load_facts(event, for_staff=False)
    podium = ranking_page(facts).podium
    first = [row.entry for row in podium if row.rank == 1]
    second = [row.entry for row in podium if row.rank == 2]
    names = tuple(entry.display_name for entry in first)
    if len(first) > 1 or len(second) != 1:
        return names, "", ""
    return names, second[0].display_name, _final_score(facts, first[0].pk, second[0].pk)


def _final_score(facts: EventFacts, first: int, second: int) -> str:
    """Return the score of the bracket's last match between two entries, that of the first before.

    Empty where the last stage is no bracket, or the match was not played.
    """
    if not facts.stages or not facts.stages[-1].kind.has_bracket:
        return ""
    found = [m for m in facts.stages[-1].matches if set(m.seats) == {first, second}]
    decision = found[-1].decision if found else None
    if decision is None or decision.ended_by not in (MatchEnding.PLAYED, MatchEnding.TIME):
        return ""
    scores = score_texts(decision)
    return "–".join(scores if found[-1].seats[0] == first else reversed(scores))


def parse_filters(sent: Mapping[str, str]) -> EventFilters:
    """Return the list filters in a query string; invalid values are ignored."""
    plain = {
        name: sent.get(name, "").replace("\x00", "").strip()[:80]
        for name in ("q", "game", "place", "month")
    }
    return EventFilters(
        words=plain["q"],
        game=plain["game"],
        place=plain["place"],
        month=_month_bounds(plain["month"]),
    )


def _month_bounds(text: str) -> tuple[datetime, datetime] | None:
    """Return the first moments of a month such as 2026-11 and of the next; None if unreadable."""
    try:
        year, month = map(int, text.split("-"))
        first = datetime(year, month, 1, tzinfo=timezone.get_current_timezone())
        after = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
    except (ValueError, OverflowError):
        return None
    return first, after


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedItem:
    """An event as an item of the Atom feed, with the path of its page."""

    key: int
    title: str
    words: str
    path: str
    announced: datetime
    updated: datetime


def latest_feed_items(events: QuerySet[Event], most: int) -> list[FeedItem]:
    """Return feed items of the ``most`` latest events by start, newest events first.

    One query.
    """
    last = map_readable_rows(readable_rows(events.order_by("-starts_at")[:most]), feed_item)
    return sorted(last, key=lambda news: news.key, reverse=True)


def feed_item(event: Event) -> FeedItem:
    """Return an event as a feed item; ValueError for characters that XML can't hold."""
    words = (format_moment(event.begins, "all"), event.venue, state_badge(event)[0])
    made = FeedItem(
        key=event.pk,
        title=event.name,
        words=" · ".join(filter(None, words)),
        path=reverse("tournaments:event", args=[event.slug]),
        announced=event.created_at,
        updated=event.finished_at or event.started_at or event.created_at,
    )
    SimplerXMLGenerator(StringIO()).characters(f"{made.title}{made.words}")
    return made


SOMEWHERE = "https://example.org"


def render_in_lists(event: Event) -> Event:
    """Render an event for every list (page, feed, calendar, API), and return it.

    Raises any error of damaged data. The queries are those of ``listed_event``.
    """
    listed_event(event)
    return _drawn_outside_lists(event)


def renderable_rows(events: Sequence[Event]) -> list[ListedEvent]:
    """Return list rows of events, without events whose damaged data can't be rendered.

    The queries are those of ``listed_rows``.
    """
    rows = {row.card.event.pk: row for row in listed_rows(events)}
    shown = map_readable_rows((row.card.event for row in rows.values()), _drawn_outside_lists)
    return [rows[event.pk] for event in shown]


def _drawn_outside_lists(event: Event) -> Event:
    feed_item(event)
    build_calendar([build_calendar_entry(event, SOMEWHERE)])
    checked_event_json(event)
    return event
