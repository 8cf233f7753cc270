"""A person's page across events: places, records and public lists."""

from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.utils.translation import get_language

from accounts.models import User
from rules.deckbuilding.looks import Look
from rules.results import PlayerId
from rules.standings.recent import Mark
from tournaments.core.drawing import drawn, readable_rows
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import Actor
from tournaments.core.visibility import sight_of
from tournaments.models import Entry, Event
from tournaments.player_pages.selectors.page import Figure, page_of
from tournaments.public.games import look_of

A_PAGE = 10
A_WEEK = 7 * 24 * 3600
Summary = tuple[str, tuple[Figure, ...], tuple[str, ...]]
"""Why the player left, the figures, and the marks: what is kept of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedEvent:
    """A person in one event: ``place`` and ``record`` are None before the start.

    ``listed``: their decklist may be read by everybody.
    """

    event: Event
    begins: datetime
    look: Look
    number: PlayerId
    gone: str
    place: Figure | None
    record: Figure | None
    marks: tuple[Mark, ...]
    listed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The public data of a person; ``page`` is a page of their events, the latest first."""

    name: str
    played: tuple[PlayedEvent, ...]
    page: Page[Entry]


def person_key_of(event: Event, number: PlayerId) -> str:
    """Return the key of the person's page of a player, "" without one; one query."""
    shown = Entry.objects.filter(event=event, number=number, user__is_active=True)
    return shown.values_list("user__person_key", flat=True).first() or ""


def person_of(key: str, page: str | int = 1) -> Person | None:
    """Return the public data of the person with this key, None for an unknown key.

    Only entries of the account itself count: none is found by its name. Three queries, one for
    each event whose lists are public, and for each event those of ``read_facts``; a finished event
    is read once as long as its log is the same.
    """
    user = User.objects.filter(person_key=key, is_active=True).first()
    if user is None:
        return None
    entries = Entry.objects.filter(user=user, event__in=Event.objects.listed())
    entries = entries.select_related("event").order_by("-event__starts_at", "-pk")
    part = Paginator(readable_rows(entries), A_PAGE).get_page(page)
    return Person(name=str(user), played=tuple(drawn(part, _played_event)), page=part)


def _played_event(entry: Entry) -> PlayedEvent:
    event = entry.event
    gone, figures, marks = _summary(event, entry.number)
    return PlayedEvent(
        event=event,
        begins=event.begins,
        look=look_of(event.format_key),
        number=entry.number,
        gone=gone,
        place=figures[0] if len(figures) > 1 else None,
        record=figures[-1] if figures else None,
        marks=tuple(map(Mark, marks)),
        listed=bool(entry.submission_id) and sight_of(Actor(), event).reads(entry),
    )


def _summary(event: Event, number: PlayerId) -> Summary:
    """Return the summary of a player's public page in the active language."""
    if event.state != Event.State.FINISHED:
        return _of_page(read_facts(event), number)
    key = f"person2:{event.pk}:{event.head}:{number}:{get_language()}"
    known: Summary | None = cache.get(key)
    if known is None:
        known = _of_page(load_facts(event, drafts=False), number)
        cache.set(key, known, A_WEEK)
    return known


def _of_page(facts: EventFacts, number: PlayerId) -> Summary:
    shown = page_of(facts, number)
    if shown is None:
        return "", (), ()
    return shown.gone, shown.figures, tuple(mark.value for mark in shown.marks)
