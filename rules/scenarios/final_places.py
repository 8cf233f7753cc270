"""Which final places are left to a player who has no match to come in an open stage.

They hold if nobody else leaves and no match still to be played is lost by both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from rules.advancement.outcome import (
    FinalRankingRules,
    StageOutcome,
    current_place_holders,
    eliminated_players_by_rank,
    eliminated_players_by_round,
    replacement_candidates,
    split_by_tiebreakers,
)
from rules.brackets import MatchSource
from rules.history.group_history import History
from rules.results import PlayerId, Result, Winner, outcome_by_winner
from rules.scenarios.remaining import WINNERS, pending_result, remaining_matches
from rules.scenarios.verdicts import Prospect, Verdict
from rules.stages.base import (
    Pairing,
    StageState,
    bracket_matches,
    has_multiplayer_tables,
    stage_kind,
)
from rules.stages.knockout import players_with_match
from rules.standings.table import Standings
from rules.ties.decisions import tied_classes

MOST_LEFT = 5
"""Most open matches of players who have left of which each end is looked at."""


class FinalPlaces(NamedTuple):
    """The final places still possible for a player, from ``first`` (the best) to ``last``.

    ``shared``: it is a single place, shared with others.
    """

    first: int
    last: int
    shared: bool = False

    @property
    def one(self) -> int:
        """Return the place, 0 while several are left."""
        return self.first if self.first == self.last else 0

    def joined(self, other: "FinalPlaces") -> "FinalPlaces":
        """Return the places of two possible ends of a stage."""
        first, last = min(self.first, other.first), max(self.last, other.last)
        return FinalPlaces(first, last, first == last and self.shared and other.shared)


def places_in_bracket(
    state: StageState, above: int, used: frozenset[str], order: FinalRankingRules
) -> Mapping[PlayerId, FinalPlaces]:
    """Return the possible final places of the players who are certainly out of a bracket.

    Open matches do not affect them: losers of a round share one place, or are ranked by ``order``
    after a play-in. Only matches that wait for a withdrawn player may, as the opponent would
    advance alone. ``above`` is the number of players who rank above all of this stage, ``used`` are
    the names of the places that later stages seat.
    """
    found: dict[PlayerId, FinalPlaces] = {}
    final = _players_of_played_parts(state)
    for started in _by_matches_of_leavers(state):
        ended = play_out_bracket(started)
        going_on = frozenset(current_place_holders(ended, used).values())
        best = above + len(going_on) + 1
        for level in eliminated_players_by_round(ended, frozenset(ended.players) - going_on):
            places = {player: FinalPlaces(best, best, len(level) > 1) for player in level}
            if state.plan.survivors > 1:
                places = dict(_places_of_losers(state, level, final, best, order))
            for player in level:
                found[player] = found.get(player, places[player]).joined(places[player])
            best += len(level)
    playing = players_with_match(state) | replacement_candidates(state, used)
    return {player: places for player, places in found.items() if player not in playing}


def _by_matches_of_leavers(state: StageState) -> Iterator[StageState]:
    """Yield the stage with each end of the open matches of who has left; none if too many."""
    waiting = [
        pairing.number
        for played in state.rounds
        for pairing, result in played
        if not result.is_played and state.withdrawn.intersection(pairing.seats)
    ]
    if len(waiting) <= MOST_LEFT:
        for winners in product((WINNERS["win"], WINNERS["loss"]), repeat=len(waiting)):
            yield _with_winners(state, dict(zip(waiting, winners, strict=True)))


def _places_of_losers(
    state: StageState,
    level: Sequence[PlayerId],
    final: frozenset[PlayerId],
    best: int,
    order: FinalRankingRules,
) -> Iterator[tuple[PlayerId, FinalPlaces]]:
    """Yield the places of who lose in one round of a play-in.

    Of two whose figures are ``final`` the order is known; all others may still come before or
    behind them.
    """
    known, last = [player for player in level if player in final], best + len(level) - 1
    yield from ((player, FinalPlaces(best, last)) for player in level if player not in final)
    others, ahead = len(level) - len(known), 0
    for tied in split_by_tiebreakers(state, {}, [known], order):
        first = best + ahead
        places = FinalPlaces(first, first + others, not others and len(tied) > 1)
        yield from dict.fromkeys(tied, places).items()
        ahead += len(tied)


def _players_of_played_parts(state: StageState) -> frozenset[PlayerId]:
    """Return the players of the parts of a bracket without a match to come: none will change.

    A play-in has a part for each survivor, the figures of whose players hang on no other.
    """
    part: dict[int, frozenset[PlayerId]] = {}
    known = {pairing.number: pairing for played in state.rounds for pairing, _result in played}
    for match in bracket_matches(state.plan):
        seats = known[match.number].seats if match.number in known else ()
        before = (part[one.match] for one in match.sources if isinstance(one, MatchSource))
        part[match.number] = frozenset(seats).union(*before)
    playing = players_with_match(state)
    ends = (part[match.number] for match in bracket_matches(state.plan) if match.distance == 0)
    return frozenset().union(*(players for players in ends if not players & playing))


def play_out_bracket(state: StageState) -> StageState:
    """Return a bracket played to its end, as if the first seat won each open match."""
    state = _with_winners(state, {})
    while pairings := stage_kind(state.plan).next_round(state):
        number = len(state.rounds) + 1
        played = tuple((pairing, pending_result(pairing, number)) for pairing in pairings)
        state = _with_winners(replace(state, rounds=(*state.rounds, played)), {})
    return state


def _with_winners(state: StageState, winners: Mapping[int, Winner]) -> StageState:
    """Return a bracket with winners of its open matches by number, the first seat of others."""

    def ended(pairing: Pairing, result: Result) -> Result:
        if result.is_played:
            return result
        winner = winners.get(pairing.number, WINNERS["win"])
        return replace(result, outcome=outcome_by_winner(winner, seats=len(result.seats)))

    rounds = (tuple((one, ended(one, made)) for one, made in played) for played in state.rounds)
    return replace(state, rounds=tuple(rounds))


def places_in_standings(
    state: StageState, prospect: Prospect, above: int, order: FinalRankingRules
) -> FinalPlaces | None:
    """Return the possible final places of an eliminated player while a stage is in play.

    For a stage with standings. ``prospect`` are the player's chances; ``above`` is the number of
    players who rank before everyone of this stage; ``order`` ranks those who don't advance. None
    if unknown: with several groups, or if the possible places in the group were not computed.
    """
    if len(state.plan.groups) > 1 or not prospect.places:
        return None
    surely, perhaps = _leavers_ahead(state, prospect.player, order)
    places = prospect.places
    return FinalPlaces(above + places[0] + surely, above + places[-1] + perhaps)


def _leavers_ahead(
    state: StageState, player: PlayerId, order: FinalRankingRules
) -> tuple[int, int]:
    """Return how many of those who have left rank before a player at least, and at most.

    They keep their rank in the only group; points alone are looked at.
    """
    gone = state.withdrawn.intersection(state.players)
    if not gone or order.criteria[0] != "points" or has_multiplayer_tables(state.plan):
        return 0, len(gone)
    (left,) = remaining_matches(state).values()
    history = History(players=state.players, results=left.settled, points=order.points)
    made = history.points_by_player
    each = [order.points.by_winner[winner][0] for winner in WINNERS.values()]
    least = {one: made[one] + left.left[one] * min(each) for one in (*gone, player)}
    most = {one: made[one] + left.left[one] * max(each) for one in (*gone, player)}
    surely = sum(least[one] > most[player] for one in gone)
    return surely, sum(most[one] >= least[player] for one in gone)


def places_below_cut(
    state: StageState,
    decided: StageOutcome,
    known: Mapping[PlayerId, Prospect],
    above: int,
    order: FinalRankingRules,
) -> Mapping[PlayerId, FinalPlaces]:
    """Return the final places of players below a cut that only waits for a random draw.

    ``decided`` is the outcome of the stage, ``known`` are the players' chances; ``above`` is the
    number of players who rank above all of this stage. A draw at the cut does not move players
    ranked behind all who take part in it, in any group.
    """
    ranked = [row for standings in decided.standings.values() for row in standings.rows]
    line = max((_last_rank_concerned(one, known) for one in decided.standings.values()), default=0)
    behind = eliminated_players_by_rank(
        decided, frozenset(row.player for row in ranked if row.rank > line)
    )
    best = above + len(ranked) - sum(map(len, behind)) + 1
    found: dict[PlayerId, FinalPlaces] = {}
    for level in split_by_tiebreakers(state, decided.standings, behind, order):
        found |= dict.fromkeys(level, FinalPlaces(best, best, len(level) > 1))
        best += len(level)
    return found


def _last_rank_concerned(standings: Standings, known: Mapping[PlayerId, Prospect]) -> int:
    """Return the last rank of a group that somebody may have who is not certainly out, else 0."""
    last, above = 0, 0
    for level in tied_classes(standings):
        above += len(level)
        if any(one in known and known[one].verdict is not Verdict.OUT for one in level):
            last = above
    return last
