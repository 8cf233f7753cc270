"""The last result of each running event, for its card in the list of events."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.db.models import Max

from rules.results import SEAT_WINNERS, EndedBy, Winner
from tournaments.core.drawing import drawn, readable_rows
from tournaments.core.labels import ending_of
from tournaments.core.twins import marks_in_each, tell_apart
from tournaments.matches.words import seats_won
from tournaments.models import Event, Match, MatchSeat, Round
from tournaments.models.match import seated_matches
from tournaments.public.selectors.kept_by_head import kept_by_head
from tournaments.public.selectors.tiles import scores_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LastResult:
    """A result as seen by the winner, or in a draw by the first player.

    ``score`` is empty after a concession and the like: ``ended_by`` tells which.
    """

    first: str
    second: str
    score: str
    drawn: bool
    ended_by: str = EndedBy.PLAYED

    @property
    def ending(self) -> str:
        """Return how the match ended and by whom, "" where the score says it."""
        if self.score:
            return ""
        return ending_of(self.ended_by, "" if self.drawn else self.second)


Stored = tuple[str, str, str, bool, str] | None


def last_results(running: Iterable[Event]) -> Mapping[int, LastResult]:
    """Return the latest final result of each event, by the event's primary key.

    Kept by the digest of the log: two queries if any event has a new line since it was last asked,
    else none. Results of published rounds are public, whatever standings are held back.
    """
    known = kept_by_head("last-result", running, _newest_results)
    return {
        pk: LastResult(
            first=found[0], second=found[1], score=found[2], drawn=found[3], ended_by=found[4]
        )
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
    marks = marks_in_each(map(_event_of, matches))
    newest_of = dict(drawn(matches, partial(_result_by_event, marks)))
    return {event.pk: newest_of.get(event.pk) for event in events}


def _event_of(match: Match) -> int:
    return match.seated[0].entry.event_id


def _result_by_event(marks: Mapping[int, Mapping[int, str]], match: Match) -> tuple[int, Stored]:
    event = _event_of(match)
    tell_apart(match.players, marks[event])
    return event, _seen_by_winner(match)


def _seen_by_winner(match: Match) -> Stored:
    if match.size == 1 or match.decision is None:
        return None
    scores, ended_by = scores_of(match.decision), match.decision.ended_by
    drawn = match.decision.winner == Winner.DRAW
    one, other = (player.display_name for player in match.players)
    if seats_won(match.decision, match.size)[1]:
        return other, one, "–".join(reversed(scores)), drawn, ended_by
    return one, other, "–".join(scores), drawn, ended_by
