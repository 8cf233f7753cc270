"""Pairings as stored matches, and as the log tells them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from decks.decklists.mapping import sentence_to_json
from rules.results import SEAT_WINNERS, EndedBy, Outcome, PlayerId, of_two
from rules.stages.base import Pairing
from rules.stages.table_assignment import tables_for
from rules.stages.table_ranges import table_ranges
from tournaments.core.event_state import EventFacts
from tournaments.core.permissions import Actor
from tournaments.core.rows import GroupRow
from tournaments.matches.services import settle_match
from tournaments.models import Entry, Match, MatchSeat, Round
from tournaments.models.match import seats_for


def pairings_for_log(pairings: Iterable[Pairing]) -> list[list[PlayerId | None]]:
    """Return the players of each pairing, None in place of an opponent who is not there."""
    return [seats_for_log(pairing.seats) for pairing in pairings]


def seats_for_log(seats: Sequence[PlayerId]) -> list[PlayerId | None]:
    """Return players in the order of their seats, None in place of an opponent of two."""
    return [*seats] if len(seats) > 2 else [*of_two(seats, None)]


def store_pairings(
    item: Round, groups: Sequence[GroupRow], pairings: Sequence[Pairing], facts: EventFacts
) -> None:
    """Store the matches of a round, in order of their tables; byes and forfeits are settled."""
    by_name = {group.name: group.pk for group in groups}
    keys: dict[PlayerId, int] = {number: entry.pk for number, entry in facts.entries.items()}
    fixed = {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}
    pairs = {p.number: p.seats for p in pairings if p.outcome is None and len(p.seats) > 1}
    hall = table_ranges(facts.event.tables)
    tables = dict(zip(pairs, tables_for([*pairs.values()], fixed, hall), strict=True))
    matches = [
        Match(
            round=item,
            group_id=by_name[pairing.group],
            number=pairing.number,
            table=tables.get(pairing.number),
            leg=pairing.leg,
            best_of=pairing.best_of,
            draws=pairing.draws,
            reason=sentence_to_json(pairing.reason) if pairing.reason else {},
            missed=pairing.missed,
        )
        for pairing in pairings
    ]
    Match.objects.bulk_create(matches)
    seated = zip(matches, pairings, strict=True)
    MatchSeat.objects.bulk_create(
        chain.from_iterable(seats_for(match, [keys[one] for one in p.seats]) for match, p in seated)
    )
    for match, pairing in zip(matches, pairings, strict=True):
        if pairing.outcome is not None:
            settle_match(match, _without_play(pairing, pairing.outcome, facts), by=Actor())


def _without_play(pairing: Pairing, outcome: Outcome, facts: EventFacts) -> Outcome:
    """Return the outcome of a match that nobody plays: who is disqualified does not concede it."""
    if outcome.winner not in SEAT_WINNERS or len(pairing.seats) > 2:
        return outcome
    lost = (one for one, place in zip(pairing.seats, outcome.places, strict=True) if place != 1)
    if any(facts.entries[one].status == Entry.Status.DISQUALIFIED for one in lost):
        return replace(outcome, ended_by=EndedBy.DISQUALIFICATION)
    return outcome
