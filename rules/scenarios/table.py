"""A group as it would end: classes of players that results alone don't separate, and scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.history import History
from rules.results import PlayerId, Points, Result
from rules.scenarios.remaining import Remaining
from rules.standings import rank_history

BY_RESULTS = frozenset(
    {
        *("points", "opponents_points", "head_to_head", "wins", "opponents_match_win"),
        *("buchholz_cut1", "buchholz_median", "sonneborn_berger"),
    }
)
"""Criteria that who won, and nothing else, decides."""
SCORES = ("score_for", "score_difference")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a player has made so far and by how much more than conceded; ``fixed`` at the end."""

    made: int
    difference: int
    fixed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Players level by results, staying in the event; ``above`` are how many stand before."""

    players: tuple[PlayerId, ...]
    above: int
    values: tuple[int | Fraction, ...]


def leading(criteria: Sequence[str]) -> tuple[str, ...]:
    """Return the criteria before the first that results alone don't decide."""
    found = []
    for key in criteria:
        if key not in BY_RESULTS:
            break
        found.append(key)
    return tuple(found)


def scores_next(criteria: Sequence[str]) -> tuple[str, ...]:
    """Return the criteria of scores that come right after the leading ones, in their order."""
    rest = criteria[len(leading(criteria)) :]
    found = []
    for key in rest:
        if key not in SCORES:
            break
        found.append(key)
    return tuple(found)


def scores_of(remaining: Remaining, players: Sequence[PlayerId]) -> dict[PlayerId, Score]:
    """Return each player's score in the settled matches, and whether more is to come."""
    made = dict.fromkeys(players, 0)
    conceded = dict.fromkeys(players, 0)
    for result in remaining.settled:
        if result.score is not None and result.b is not None and result.counts:
            made[result.a] += result.score[0]
            made[result.b] += result.score[1]
            conceded[result.a] += result.score[1]
            conceded[result.b] += result.score[0]
    going = {player for match in remaining.open for player in (match.a, match.b)}
    return {
        player: Score(
            made=made[player],
            difference=made[player] - conceded[player],
            fixed=player not in going,
        )
        for player in players
    }


def levels_of(
    players: Sequence[PlayerId],
    results: Sequence[Result],
    criteria: Sequence[str],
    points: Points,
    staying: frozenset[PlayerId],
) -> tuple[Level, ...]:
    """Return the levels of a finished group, the best first; who has left is in none."""
    history = History(players=tuple(players), results=tuple(results), points=points)
    keys = leading(criteria)
    standings = rank_history(history, criteria=keys)
    numeric = [key for key in keys if key != "head_to_head"]
    by_rank: dict[int, list[PlayerId]] = {}
    values: dict[int, tuple[Fraction, ...]] = {}
    for row in standings.rows:
        if row.player in staying:
            by_rank.setdefault(row.rank, []).append(row.player)
            values[row.rank] = tuple(row.values[key] for key in numeric)
    found, above = [], 0
    for rank, level in by_rank.items():
        found.append(Level(players=tuple(level), above=above, values=values[rank]))
        above += len(level)
    return tuple(found)


def surely_ahead(one: Score, other: Score, keys: Sequence[str]) -> bool:
    """Say whether one stands before the other by scores, whatever is still to come."""
    if not other.fixed:
        return False
    for key in keys:
        own = one.made if key == "score_for" else one.difference
        theirs = other.made if key == "score_for" else other.difference
        if key == "score_difference" and not one.fixed:
            return False
        if own != theirs:
            return own > theirs
        if not one.fixed:
            return False
    return False


def places_in(
    level: Level, player: PlayerId, scores: Mapping[PlayerId, Score], keys: Sequence[str]
) -> range:
    """Return the places, from 1, that a player of a level may end on."""
    others = [other for other in level.players if other != player]
    ahead = sum(surely_ahead(scores[other], scores[player], keys) for other in others)
    behind = sum(surely_ahead(scores[player], scores[other], keys) for other in others)
    return range(level.above + 1 + ahead, level.above + len(level.players) - behind + 1)
