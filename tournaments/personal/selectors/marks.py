"""What a player's own page shows, as a digest: the page has changed if the digest has."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from django.utils.translation import get_language

from rules.events.own_page import PlayerState
from tournaments.core.event_state import EventFacts
from tournaments.core.permissions import Actor
from tournaments.core.replays import replays
from tournaments.core.values_cache import cached
from tournaments.core.visibility import sight_of
from tournaments.decklists.selectors.versions import DeckWindow
from tournaments.models import Announcement, Entry, Event
from tournaments.personal.selectors.beside import beside
from tournaments.personal.selectors.decisions import decisions_on, seat_left_to
from tournaments.personal.selectors.ended import ended_of, own_standing
from tournaments.personal.selectors.own_matches import matches_of
from tournaments.personal.selectors.player import moved_up
from tournaments.personal.selectors.rounds import (
    decided_at,
    decider_lines,
    next_round,
    round_in_progress,
    tables_deciding,
    upcoming_matches,
)
from tournaments.personal.selectors.state import all_played, is_level, lots_decide, state_of
from tournaments.personal.selectors.words import MOST_COUNTED
from tournaments.players.selectors.returns import place_in_line
from tournaments.prospects.selectors import own_prospect

GROWING = ("version", "head", "screen_view", "prints_rounds")
"""Columns of an event that change with every act, or that no player is shown."""


def page_digest(
    facts: EventFacts, entry: Entry, window: DeckWindow, announced: Sequence[Announcement]
) -> str:
    """Return a digest of all that a player's page shows, for its ETag; no query beyond ``facts``.

    Seven more where ``beside`` has not been read of these facts, and those of ``decisions_on``.
    """
    marks = (
        get_language(),
        (entry.pk, entry.display_name, entry.number, entry.status),
        window.shown,
        [(each.pk, each.text) for each in announced],
        cached(facts, "event", lambda: _event(facts.event)),
        list(_matches(facts, entry)),
        _round_in_progress(facts),
        [(each.table, each.when, each.shared) for each in replays(facts, of=entry.number)],
        list(_state(facts, entry)),
        own_standing(facts, entry),
        own_prospect(facts, entry),
        upcoming_matches(facts, entry),
        list(_marks_of_beside(facts, entry)),
    )
    return sha256(repr(marks).encode()).hexdigest()[:20]


def _event(event: Event) -> str:
    """Return a digest of an event's columns, without GROWING."""
    names = (field.attname for field in Event._meta.concrete_fields)
    marks = [getattr(event, name) for name in names if name not in GROWING]
    return sha256(repr(marks).encode()).hexdigest()


def _matches(facts: EventFacts, entry: Entry) -> Iterator[object]:
    by_key = facts.by_key
    sight = sight_of(Actor(entry=entry), facts.event)
    for _stage, match in matches_of(facts, entry):
        others = [by_key[key] for key in match.seats if key != entry.pk]
        decided = match.decision.pk if match.decision else 0
        yield (match.pk, match.version, match.state, decided, match.table, match.missed)
        yield (match.extra_minutes, match.best_of, match.seats, match.again, match.absent)
        for other in others:
            seen = other.submission_id if sight.reads(other) else None
            yield (other.number, other.display_name, seen)


def _state(facts: EventFacts, entry: Entry) -> Iterator[object]:
    state = state_of(facts, entry)
    yield state
    yield decisions_on(facts, entry, plays=state.plays)
    yield next_round(facts), moved_up(facts, entry.number)
    yield entry.return_asked_at, entry.return_refused_at
    if entry.number in facts.entries:
        yield facts.entries[entry.number].departure
    if state.state is PlayerState.WAITING:
        yield place_in_line(facts, entry.number)
    if facts.plan is not None:
        yield all_played(facts), is_level(facts, entry.number)
        yield seat_left_to(facts, entry) if state.state is PlayerState.OUT else ""
        yield ended_of(facts, entry) if not state.plays else None
    if state.state is PlayerState.UNSURE:
        tables = tables_deciding(facts, entry.number)
        yield min(tables, MOST_COUNTED + 1), lots_decide(facts)
        yield decider_lines(facts, entry), decided_at(facts)


def _round_in_progress(facts: EventFacts) -> object:
    """Return key, label and clock version of the round in progress, None without one."""
    found = round_in_progress(facts)
    if found is None:
        return None
    clock = getattr(found.item, "clock", None)
    return found.item.pk, found.label, clock.version if clock else None


def _marks_of_beside(facts: EventFacts, entry: Entry) -> Iterator[object]:
    known = beside(facts)
    yield known.legal.get(entry.pk)
    yield known.links.get(entry.pk)
    yield [penalty.pk for penalty in known.penalties.get(entry.pk, ())]
    for _stage, match in matches_of(facts, entry):
        call = known.calls.get(match.pk)
        yield (call.pk, call.taken_at) if call else None
        yield [(ruling.pk, ruling.text) for ruling in known.rulings.get(match.pk, ())]
