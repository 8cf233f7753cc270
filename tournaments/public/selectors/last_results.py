"""The last result of each running event, for its card in the list of events."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, Max

from rules.results import Winner
from tournaments.core.drawing import drawn, surviving
from tournaments.models import Event, Match, Round
from tournaments.public.selectors.kept_by_head import kept_by_head
from tournaments.public.selectors.tiles import scores_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LastResult:
    """A result as seen by the winner, or in a draw by the first player."""

    first: str
    second: str
    score: str
    drawn: bool


Stored = tuple[str, str, str, bool] | None


def last_results(running: Iterable[Event]) -> Mapping[int, LastResult]:
    """Return the latest final result of each event, by the event's primary key.

    Kept by the digest of the log: one query if any event has a new line since it was last asked,
    else none. Results of published rounds are public, whatever standings are held back.
    """
    known = kept_by_head("last-result", running, _newest)
    return {
        pk: LastResult(first=found[0], second=found[1], score=found[2], drawn=found[3])
        for pk, found in known.items()
        if found
    }


def _newest(events: Sequence[Event]) -> dict[int, Stored]:
    """Return the newest result of each event, None without one; one query."""
    counted = Match.objects.filter(
        round__event__in=events,
        round__state=Round.State.PUBLISHED,
        state=Match.State.FINAL,
        b__isnull=False,
        decision__winner__in=(Winner.A, Winner.B, Winner.DRAW),
    )
    newest = counted.order_by().values("round__event").annotate(last=Max("decision"))
    found = Match.objects.filter(decision__in=newest.values("last"))
    of_events = found.select_related("a", "b", "decision").annotate(event_id=F("round__event"))
    newest_of = dict(drawn(surviving(of_events), _of_event))
    return {event.pk: newest_of.get(event.pk) for event in events}


def _of_event(match: Match) -> tuple[int, Stored]:
    return match.event_id, _seen_by_winner(match)  # type: ignore[attr-defined]


def _seen_by_winner(match: Match) -> Stored:
    if match.b is None or match.decision is None:
        return None
    a, b = scores_of(match.decision)
    drawn = match.decision.winner == Winner.DRAW
    if match.decision.winner == Winner.B:
        return match.b.name, match.a.name, f"{b}–{a}", drawn
    return match.a.name, match.b.name, f"{a}–{b}", drawn
