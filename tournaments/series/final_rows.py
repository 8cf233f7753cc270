"""What a finished event gives to its series: each player's final place, points, wins and meetings.

It is computed once for each head of the event's log and kept in ``FinalRows``. Rows name players
by number, so they outlive an erasure.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import chain
from math import lcm
from typing import Any

from django.db import DatabaseError

from config import transaction
from rules.events.ledger import canonical_json
from rules.events.lifecycle import Departure
from rules.results import MatchEnding, PlayerId, Result
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.mapping import event_points
from tournaments.models import Entry, Event, FinalRows
from tournaments.standings.selectors.ranking import (
    PlayerFigures,
    ranking_figures,
    ranking_page,
    records_by_player,
)

FORM = 1
"""Of the rows that this version makes; rows of another are made anew."""
Rows = dict[str, Any]
"""``form``; ``parts``: of a point; ``rows``: of each player number, place, match points in parts,
wins, matches played, whether barred, and match points in parts by opponent's number."""

log = logging.getLogger("tournaments.series")


def ensure_final_rows(events: Sequence[Event]) -> dict[int, Rows]:
    """Return {event key: final rows} of finished events, from the database where stored.

    Missing ones are computed and stored. One query; for each missing event those of ``load_facts``
    and a write. ``Rows`` describes them: place, points and wins of each player.
    """
    kept = stored_final_rows(events)
    for event in events:
        if event.pk not in kept:
            kept[event.pk] = compute_final_rows(load_facts(event))
            _keep(event, kept[event.pk])
    return kept


def stored_final_rows(events: Iterable[Event]) -> dict[int, Rows]:
    """Return {event key: stored final rows} of the events whose log has not grown since."""
    heads = {event.pk: event.head for event in events}
    return {
        row.event_id: row.rows
        for row in FinalRows.objects.filter(event__in=heads)
        if row.head == heads[row.event_id] and row.rows.get("form") == FORM
    }


def _keep(event: Event, rows: Rows) -> None:
    """Store rows; a reader who can't write has them all the same."""
    try:
        with transaction.atomic():
            FinalRows.objects.update_or_create(
                event=event, defaults={"head": event.head, "rows": rows}
            )
    except DatabaseError as fault:
        log.warning("Final rows of %s not kept: %s", event.slug, type(fault).__name__)


def compute_final_rows(facts: EventFacts) -> Rows:
    """Compute the final rows of a finished event; no query beyond ``facts``."""
    figures, won = ranking_figures(facts)[0], records_by_player(facts)
    played, met = _meetings(facts)
    points = {
        row.entry.number: _match_points(facts.event, figures.get(row.entry.number))
        for row in ranking_page(facts).rows
    }
    every = chain(points.values(), *(theirs.values() for theirs in met.values()))
    parts = lcm(*(one.denominator for one in every))
    return {
        "form": FORM,
        "parts": parts,
        "rows": [
            [
                number,
                row.rank,
                int(points[number] * parts),
                won[number].won,
                played[number],
                _is_barred(row.entry),
                {str(other): int(made * parts) for other, made in met[number].items()},
            ]
            for row in ranking_page(facts).rows
            for number in (row.entry.number,)
        ],
    }


def rows_digest(rows: Rows) -> str:
    """Return the SHA-256 of an event's final rows, in hexadecimal."""
    return sha256(canonical_json(rows)).hexdigest()


def _is_barred(entry: Any) -> bool:
    disqualified = entry.status == Entry.Status.DISQUALIFIED
    return bool(disqualified or entry.departure == Departure.NO_SHOW)


def _match_points(event: Event, figures: PlayerFigures | None) -> Fraction:
    """Return the points of a player's matches in stages with standings, byes among them."""
    if figures is None:
        return Fraction(0)
    if "points" in figures.values:
        return figures.values["points"]
    points, made = event_points(event), figures.record
    total = made.won * points.win + made.drawn * points.draw + made.lost * points.loss
    return Fraction(total, points.parts)


Meetings = Mapping[PlayerId, Mapping[PlayerId, Fraction]]


def _meetings(facts: EventFacts) -> tuple[Mapping[PlayerId, int], Meetings]:
    """Return matches played by player, byes not counted, and points by player and opponent."""
    points = event_points(facts.event)
    played = defaultdict[PlayerId, int](int)
    met = defaultdict[PlayerId, defaultdict[PlayerId, Fraction]](lambda: defaultdict(Fraction))
    for result in _results(facts):
        for player in result.seats:
            played[player] += 1
        if len(result.seats) == 2:
            one, other = result.seats
            for own, them, made in zip((one, other), (other, one), points.of(result), strict=True):
                met[own][them] += Fraction(made, points.parts)
    return played, met


def _results(facts: EventFacts) -> Iterator[Result]:
    for stage in facts.stages:
        for _pairing, result in chain.from_iterable(stage.state.rounds):
            absent = result.ended_by is MatchEnding.NO_SHOW
            if result.counts and len(result.seats) > 1 and not absent:
                yield result
