"""The last result of each running event, for its card in the list of events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Max

from rules.results import Winner
from tournaments.models import Event, Match, Round
from tournaments.public.selectors.tiles import scores_of

HOURS = 12 * 3600
"""Seconds for which a result is kept; the key holds one for each event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastResult:
    """A result from the winner's side; of a draw from that of the player named first."""

    first: str
    second: str
    score: str
    drawn: bool


Stored = tuple[str, str, str, bool] | None


def last_results(running: Iterable[Event]) -> Mapping[int, LastResult]:
    """Return the last result that counts of each event that has one, by the event's key.

    Kept by the digest of the log: one query if any event has a new line since it was last asked,
    else none. Results of published rounds are public, whatever standings are held back.
    """
    heads = {event.pk: event.head for event in running if event.plan}
    keys = {pk: f"last-result:{pk}" for pk in heads}
    kept = cache.get_many(keys.values())
    known: dict[int, Stored] = {
        pk: kept[key][1] for pk, key in keys.items() if key in kept and kept[key][0] == heads[pk]
    }
    missing = heads.keys() - known.keys()
    if missing:
        known |= dict.fromkeys(missing) | _newest(missing)
        cache.set_many({keys[pk]: (heads[pk], known[pk]) for pk in missing}, HOURS)
    return {
        pk: LastResult(first=found[0], second=found[1], score=found[2], drawn=found[3])
        for pk, found in known.items()
        if found
    }


def _newest(events: Iterable[int]) -> dict[int, Stored]:
    """Return the newest result of each event; one query."""
    counted = Match.objects.filter(
        round__event__in=events,
        round__state=Round.State.PUBLISHED,
        state=Match.State.FINAL,
        b__isnull=False,
        decision__winner__in=(Winner.A, Winner.B, Winner.DRAW),
    )
    newest = counted.order_by().values("round__event").annotate(last=Max("decision"))
    found = Match.objects.filter(decision__in=newest.values("last"))
    return {
        match.round.event_id: _seen_by_winner(match)
        for match in found.select_related("round", "a", "b", "decision")
    }


def _seen_by_winner(match: Match) -> Stored:
    if match.b is None or match.decision is None:
        return None
    a, b = scores_of(match.decision)
    drawn = match.decision.winner == Winner.DRAW
    if match.decision.winner == Winner.B:
        return match.b.name, match.a.name, f"{b}–{a}", drawn
    return match.a.name, match.b.name, f"{a}–{b}", drawn
