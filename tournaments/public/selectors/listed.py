"""The list of events: progress of running ones, free places of upcoming ones, winners."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.utils import timezone

from rules.deckbuilding.looks import Look
from rules.results import EndedBy
from tournaments.core.drawing import drawn, readable_rows
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.permissions import Actor
from tournaments.events.selectors.events import (
    A_PAGE,
    EventCard,
    Filters,
    count_players,
    event_card,
    names_of,
    visible_events,
)
from tournaments.models import Event
from tournaments.public.games import look_of
from tournaments.public.selectors.kept_by_head import kept_by_head
from tournaments.public.selectors.last_results import LastResult, last_results
from tournaments.public.selectors.progress import (
    Progress,
    PublishedRound,
    progress_of,
    published_rounds,
)
from tournaments.public.selectors.tiles import scores_of
from tournaments.public.selectors.upcoming_event import Seats, seats_bar
from tournaments.standings.selectors.ranking import ranking_page

EVERYTHING = Filters()
GOING_A_PAGE = 48
COMING = (Event.State.DRAFT, Event.State.REGISTRATION, Event.State.CLOSED)

Won = tuple[tuple[str, ...], str, str]
"""Names of who won, of the second if there is one, and the score of their final."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEvent:
    """An event in the list; what does not apply to its state is None or empty."""

    card: EventCard
    look: Look
    progress: Progress | None = None
    last: LastResult | None = None
    seats: Seats | None = None
    winners: tuple[str, ...] = ()
    second: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """The events that a reader may see, by state, with the pages that they are on."""

    running: tuple[ListedEvent, ...]
    coming: tuple[ListedEvent, ...]
    past: tuple[ListedEvent, ...]
    going_page: Page[Any]
    past_page: Page[Any]

    @property
    def is_empty(self) -> bool:
        """Return whether there is no event in any state."""
        return not (self.running or self.coming or self.past)


@dataclass(frozen=True, slots=True)
class EventDetails:
    """Published rounds, last results and winners of events, by the event's primary key."""

    rounds: Mapping[int, list[PublishedRound]]
    last: Mapping[int, LastResult]
    winners: Mapping[int, Won]


def listed_events(
    actor: Actor,
    page: str | int = 1,
    going: str | int = 1,
    filters: Filters = EVERYTHING,
) -> Lists:
    """Return a page of past events and one of all others; at most five queries.

    One more if an event has a house format, one if an event has a saved formula, and one if an
    event runs. Drafts are shown to their staff only, events that are not listed to nobody.

    As long as the log of an event is the same, its last result is looked for once, with one query
    for all, and so are the winners of a finished one, with the queries of ``load_facts``.
    """
    running, finished = Event.State.RUNNING, Event.State.FINISHED
    seen = filters.narrowed(visible_events(actor)).filter(state__in=[*COMING, running])
    seen = seen.annotate(running=Q(state=running)).order_by("-running", "starts_at", "pk")
    going_page = Paginator(readable_rows(seen), GOING_A_PAGE).get_page(going)
    ended = filters.narrowed(Event.objects.filter(listed=True, state=finished))
    ended = ended.order_by("-starts_at", "-pk")
    past_page = Paginator(readable_rows(ended), A_PAGE).get_page(page)
    rows = listed_rows((*going_page, *past_page))
    return Lists(
        running=tuple(row for row in rows if row.card.event.state == running),
        coming=tuple(row for row in rows if row.card.event.state in COMING),
        past=tuple(row for row in rows if row.card.event.state == finished),
        going_page=going_page,
        past_page=past_page,
    )


def listed_rows(events: Sequence[Event]) -> list[ListedEvent]:
    """Return the rows of events, whatever the reader may see, without those that can't be drawn.

    Five queries at most, and those of ``listed_events`` for winners.
    """
    count_players(events)
    cards = drawn(events, partial(event_card, names=names_of(events)))
    return drawn(cards, partial(_listed_row, details=_details(cards)))


def listed_event(event: Event) -> ListedEvent:
    """Return the row of one event, whatever the reader may see; raises what drawing it raises.

    Five queries at most, and those of ``load_facts`` where it is over.
    """
    count_players([event])
    card = event_card(event, names_of([event]))
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
    row = partial(ListedEvent, card=card, look=look_of(event.format_key))
    if event.state == Event.State.RUNNING:
        progress = progress_of(event, details.rounds.get(event.pk, []))
        return row(progress=progress, last=details.last.get(event.pk))
    if event.state == Event.State.FINISHED:
        return row(**_winner_values(details.winners[event.pk] if event.plan else None))
    return row(seats=_seats(card))


def _seats(card: EventCard) -> Seats | None:
    capacity = card.event.capacity
    return seats_bar(card.players, capacity) if capacity else None


def _winner_values(known: Won | None) -> dict[str, Any]:
    winners, second, score = known or ((), "", "")
    return {"winners": winners, "second": second, "score": score}


def _winners(past: Iterable[Event]) -> Mapping[int, Won]:
    """Return (winners, second, score) of finished events."""
    return kept_by_head(
        "winners", past, lambda events: dict(drawn(events, lambda one: (one.pk, _first_two(one))))
    )


def _first_two(event: Event) -> Won:
    facts = load_facts(event, drafts=False)
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
    if decision is None or decision.ended_by not in (EndedBy.PLAYED, EndedBy.TIME):
        return ""
    scores = scores_of(decision)
    return "–".join(scores if found[-1].seats[0] == first else reversed(scores))


def filters_of(sent: Mapping[str, str]) -> Filters:
    """Return the filters of a request; invalid ones are ignored."""
    plain = {
        name: sent.get(name, "").replace("\x00", "").strip()[:80]
        for name in ("q", "game", "place", "month")
    }
    return Filters(
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
