"""Ways through a bracket: which winners and losers of its matches may be one player."""

from collections.abc import Iterator, Mapping, Sequence

from rules.brackets import BracketMatch, From, Seat
from rules.formulas.custom.definition import MatchLoser, MatchWinner, StageSource

Result = tuple[int, bool]
"""A match and whether it was won."""


def result_of(source: StageSource) -> Result | None:
    """Return the match that a place is won or lost in; None for a rank."""
    match source:
        case MatchWinner(winner=number):
            return number, True
        case MatchLoser(loser=number):
            return number, False
    return None


def followers(matches: Sequence[BracketMatch]) -> dict[Result, tuple[int, ...]]:
    """Return to which match each result leads, for those that lead to another."""
    found: dict[Result, tuple[int, ...]] = {}
    for match in matches:
        for source in match.sources:
            if isinstance(source, From):
                before = found.get((source.match, source.winner), ())
                found[source.match, source.winner] = (*before, match.number)
    return found


def may_be_one_player(
    matches: Sequence[BracketMatch], taken: Sequence[StageSource]
) -> Iterator[tuple[StageSource, StageSource]]:
    """Yield pairs of places of which one player may hold both: one on the way to the other."""
    by_result = {result: source for source in taken if (result := result_of(source))}
    leads = followers(matches) if by_result else {}
    for result, source in by_result.items():
        to_come = {(match, won) for match in _way(result, leads) for won in (True, False)}
        for other in sorted(to_come & set(by_result)):
            yield source, by_result[other]


def _way(result: Result, leads: Mapping[Result, tuple[int, ...]]) -> frozenset[int]:
    """Return the matches that a player may come to after a result."""
    found: set[int] = set()
    waiting = [*leads.get(result, ())]
    while waiting:
        match = waiting.pop()
        if match not in found:
            found.add(match)
            waiting += [*leads.get((match, True), ()), *leads.get((match, False), ())]
    return frozenset(found)


def lost_by_somebody(matches: Sequence[BracketMatch], seats: int) -> frozenset[int]:
    """Return the matches that two players come to when so many seats are taken: no byes."""
    filled: dict[Result, bool] = {}
    for match in matches:
        sides = [
            source.number <= seats
            if isinstance(source, Seat)
            else filled[source.match, source.winner]
            for source in match.sources
        ]
        filled[match.number, True], filled[match.number, False] = any(sides), all(sides)
    return frozenset(number for (number, won), there in filled.items() if there and not won)
