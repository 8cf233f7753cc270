"""A cache in each process of events' facts by version, for pages that only read.

``read_facts`` returns the facts of exactly the version and log head of the event that it is given,
or of a later one. A head is the digest of a salted line, so no other state ever has it: not the
same number reached again after a rollback, not another database put in place of this one. What no
line tells is no part of the facts: accounts, announcements, calls. Inside a transaction, which may
hold rows that are never committed, everything is read anew and nothing is cached.

Services read ``event_state.load_facts`` under their lock; a contract in ``pyproject.toml`` keeps
them from importing this module.
"""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.conf import settings
from django.db import connection

from config.transaction import read_snapshot
from tournaments.core.acts import acts
from tournaments.core.event_state import (
    EventFacts,
    facts_after_results,
    facts_from_rows,
    load_facts,
)
from tournaments.core.names import load_name_marks
from tournaments.core.rows import (
    Entries,
    EventRows,
    MatchRow,
    attach_departures,
    load_rows,
    round_match_rows,
)
from tournaments.models import Entry, Event, LogLine, Round

MOST_EVENTS = 4
"""Events in the cache; the one read longest ago goes first."""
MOST_MATCHES = 60_000
"""Matches in the whole cache, some 100 MB; a larger event is not cached."""

MATCH_PLACE = re.compile(r"round/(\d+)/match/\d+")
MOST_LINES = 50
"""Lines of the log after which the rows are read again whatever the lines say."""
TURNS = 16
Matches = Mapping[int, tuple[MatchRow, ...]]


@dataclass(frozen=True, slots=True)
class EventSnapshots:
    """In-memory snapshots of one version of an event.

    ``whole``: including drafts and withheld standings; ``public``: only what visitors may see.
    """

    rows: EventRows
    whole: EventFacts
    public: EventFacts

    @property
    def key(self) -> tuple[int, str]:
        """Return the version and the head of the log."""
        return self.whole.event.version, self.whole.event.head

    @property
    def matches(self) -> int:
        """Return the number of matches."""
        return sum(map(len, self.rows.matches.values()))


class FactsCache:
    """Cache of event snapshots by version; one thread loads a version, others wait."""

    def __init__(self, *, most_events: int = MOST_EVENTS, most_matches: int = MOST_MATCHES) -> None:
        """Make an empty cache with its limits."""
        self.most_events, self.most_matches = most_events, most_matches
        self._cached: OrderedDict[int, EventSnapshots] = OrderedDict()
        self._lock = Lock()
        self._turns = tuple(Lock() for _turn in range(TURNS))

    def facts(self, event: Event, *, drafts: bool) -> EventFacts:
        """Return the facts of an event; no query if its version is cached.

        If only results came since the cached version: one query, and one for each round that has
        them. Else one query more than ``load_facts``.
        """
        found = self.known(event)
        if found is None:
            with self._turns[event.pk % TURNS]:
                found = self.known(event) or self.keep(_load(event, self.latest(event)))
        return found.whole if drafts else found.public

    def known(self, event: Event) -> EventSnapshots | None:
        """Return the facts of exactly this version, None if they are not cached; no query."""
        with self._lock:
            found = self._cached.get(event.pk)
            if found is None or found.key != (event.version, event.head):
                return None
            self._cached.move_to_end(event.pk)
            return found

    def latest(self, event: Event) -> EventSnapshots | None:
        """Return the cached facts of an event, of whatever version."""
        with self._lock:
            return self._cached.get(event.pk)

    def forget(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._cached.clear()

    def keep(self, found: EventSnapshots) -> EventSnapshots:
        """Cache facts, drop the oldest ones beyond the limits, and return them."""
        event = found.whole.event
        if event.head and found.matches <= self.most_matches:
            with self._lock:
                self._cached[event.pk] = found
                self._cached.move_to_end(event.pk)
                while len(self._cached) > self.most_events or self._matches() > self.most_matches:
                    self._cached.popitem(last=False)
        return found

    def _matches(self) -> int:
        return sum(cached.matches for cached in self._cached.values())


cached_facts = FactsCache()


def read_facts(event: Event, *, for_staff: bool = False) -> EventFacts:
    """Return the cached snapshot of an event, for pages that only read.

    No query if this version is cached, else at most nine. Inside a transaction, and if
    ``CACHES_OFF`` names ``facts``, it is loaded and not cached. All threads share the result:
    never modify it. ``for_staff``: with unpublished rounds and withheld standings.
    """
    if connection.in_atomic_block or "facts" in settings.CACHES_OFF:
        return load_facts(event, for_staff=for_staff)
    return cached_facts.facts(event, drafts=for_staff)


def facts_if_cached(event: Event) -> EventFacts | None:
    """Return the public snapshot of exactly this version, None if not cached.

    No query.
    """
    found = cached_facts.known(event)
    return found.public if found else None


def read_name_marks(event: Event) -> Mapping[int, str]:
    """Return {player number: mark} of players who share a name; at most one query.

    The mark, a club or number, tells them apart (`compute_name_marks`).
    """
    found = None if connection.in_atomic_block else cached_facts.known(event)
    if found is None:
        return load_name_marks(event)
    return {row.number: row.mark for row in found.rows.entries if row.mark}


def load_departures(event: Event, entries: Entries) -> Entries:
    """Set ``departure``, how a dropped player left, on entries and return them.

    No query if nobody dropped or the event's snapshot is cached, else at most nine.
    """
    if all(entry.status != Entry.Status.WITHDRAWN for entry in entries):
        return entries
    return attach_departures(entries, read_facts(event).entries)


@read_snapshot()
def _load(event: Event, former: EventSnapshots | None) -> EventSnapshots:
    """Return the facts of one moment, made of former ones if only results came since."""
    if former is not None and event.version - former.key[0] not in range(MOST_LINES):
        former = None
    since = LogLine.objects.filter(
        event=event.pk, number__gte=former.key[0] if former else event.version
    )
    lines = list(since.order_by("number").values_list("number", "digest", "action", "facts"))
    if not lines or lines[-1][:2] != (event.version, event.head):
        event = Event.objects.filter(pk=event.pk).first() or event
    if former is not None and former.key == (event.version, event.head):
        return former
    event = copy(event)
    matches = _with_results(event, former, lines) if former else None
    if former is None or matches is None:
        rows = load_rows(event)
        public = whole = facts_from_rows(event, rows, drafts=True)
        drafts = any(item.state != Round.State.PUBLISHED for item in rows.rounds)
        if drafts or event.standings_held:
            public = facts_from_rows(event, rows, drafts=False)
        return EventSnapshots(rows, whole, public)
    whole = facts_after_results(former.whole, event, matches, drafts=True)
    public = whole
    if former.public is not former.whole:
        public = facts_after_results(former.public, event, matches, drafts=False)
    return EventSnapshots(whole.rows, whole, public)


def _with_results(
    event: Event, former: EventSnapshots, lines: Sequence[tuple[Any, ...]]
) -> Matches | None:
    """Return the matches with the rounds read anew in which results came; None after other acts.

    ``lines`` begin with the one that the former facts ended with. One query for each round.
    """
    if lines[0][:2] != former.key or lines[-1][:2] != (event.version, event.head):
        return None
    places = [_places(action, facts) for _number, _digest, action, facts in lines[1:]]
    if None in places:
        return None
    changed = {int(place[1]) for found in places if found for place in found}
    matches = dict(former.rows.matches)
    for item in former.rows.rounds:
        if item.ordinal in changed:
            known = matches.get(item.pk, ())
            seats = {match.pk: match.seats for match in known}
            read = round_match_rows(event.pk, item.ordinal, seats)
            matches[item.pk] = _as_before(read, known)
    return matches


def _as_before(read: Sequence[MatchRow], former: Sequence[MatchRow]) -> tuple[MatchRow, ...]:
    """Return the rows read, each replaced by the earlier object if it is equal."""
    known = {match.pk: match for match in former}
    found = ((match, known.get(match.pk)) for match in read)
    return tuple(old if old == new and old is not None else new for new, old in found)


def _places(action: str, facts: Mapping[str, Any]) -> list[re.Match[str]] | None:
    """Return the matches that a line of the log names, None if it may touch anything else."""
    places = [MATCH_PLACE.fullmatch(place) for place in facts.get("rows", {})]
    act = acts().get(action)
    if act is None or not act.matches_alone or facts.keys() - {"rows"} or None in places:
        return None
    return [place for place in places if place]
