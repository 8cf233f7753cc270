"""Ways through a bracket: which winners and losers of its matches may be one player."""

from collections.abc import Iterator, Sequence

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


def followers(matches: Sequence[BracketMatch]) -> dict[Result, frozenset[Result]]:
    """Return for each result of a match those that the same player may come to later."""
    found: dict[Result, frozenset[Result]] = {}
    leads: dict[Result, int] = {
        (source.match, source.winner): match.number
        for match in matches
        for source in match.sources
        if isinstance(source, From)
    }
    for match in reversed(matches):
        for won in (True, False):
            following = leads.get((match.number, won))
            results = [(following, True), (following, False)] if following else []
            found[match.number, won] = frozenset(results).union(
                *(found[result] for result in results)
            )
    return found


def may_be_one_player(
    matches: Sequence[BracketMatch], taken: Sequence[StageSource]
) -> Iterator[tuple[StageSource, StageSource]]:
    """Yield pairs of places of which one player may hold both: one on the way to the other."""
    by_result = {result: source for source in taken if (result := result_of(source))}
    later = followers(matches)
    for result, source in by_result.items():
        for other in sorted(later.get(result, frozenset()) & set(by_result)):
            yield source, by_result[other]


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
