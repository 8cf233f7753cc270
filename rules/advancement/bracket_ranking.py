"""Players eliminated from a bracket, ranked by their last match: the later, the better."""

from collections.abc import Collection, Mapping

from rules.brackets import BracketMatch, BracketPart, MatchSource
from rules.plans import LoserPlace, WinnerPlace
from rules.results import PlayerId
from rules.stages.base import StageState
from rules.stages.kind import bracket_matches, stage_kind
from rules.stages.knockout import (
    final_progress,
    match_loser,
    match_winner,
    matches_by_number,
    remaining_players,
)
from rules.ties.decisions import Classes


def eliminated_players(state: StageState) -> frozenset[PlayerId]:
    """Return the players who have lost in a running bracket and have no match to come."""
    if stage_kind(state.plan).two_brackets:
        return frozenset(state.players) - remaining_players(state)
    return _out_of_knockout(state)


def current_place_holders(state: StageState, used: Collection[str]) -> dict[str, PlayerId]:
    """Return the players who hold a bracket's qualifying places so far, by place name.

    ``used`` are the names of the places that later stages seat, such as "W3"; others are left out.
    Withdrawn players hold none.
    """
    wanted = [
        place
        for place in state.plan.places
        if isinstance(place, (WinnerPlace, LoserPlace)) and place.name in used
    ]
    decided = final_progress(state) if wanted else {}
    found = {}
    for place in wanted:
        if place.match in decided:
            ended = decided[place.match]
            holder = ended.winner if isinstance(place, WinnerPlace) else ended.loser
            if holder is not None and holder not in state.withdrawn:
                found[place.name] = holder
    return found


def replacement_candidates(state: StageState, used: Collection[str]) -> frozenset[PlayerId]:
    """Return the players who may be concerned when vacant places of a play-in are filled.

    A place is vacant if nobody won its match or its winner has withdrawn. The candidates are the
    best losers so far, and those withdrawn winners: their replacements rank above them. ``used``
    are the names of the places that later stages seat. Empty for brackets that are no play-in.
    """
    if state.plan.survivors == 1 or stage_kind(state.plan).two_brackets:
        return frozenset()
    decided = final_progress(state)
    won = [p.match for p in state.plan.places if isinstance(p, WinnerPlace) and p.name in used]
    ended = [decided[match] for match in won if match in decided and decided[match].decided]
    vacant = [one.winner for one in ended if one.winner is None or one.winner in state.withdrawn]
    waiting = [
        pairing
        for pairing, result in matches_by_number(state).values()
        if not result.is_played and state.withdrawn.intersection(pairing.seats)
    ]
    free = len(vacant) + len(waiting)
    found = {player for player in vacant if player is not None}
    for level in eliminated_players_by_round(state, _out_of_knockout(state)):
        if free > 0:
            found.update(level)
            free -= len(set(level) - state.withdrawn)
    return frozenset(found)


def eliminated_players_by_round(state: StageState, out: frozenset[PlayerId]) -> Classes:
    """Return the eliminated players (``out``) of a bracket in classes, best first.

    Players eliminated in the same round share a class. In a double elimination: winner, runner-up,
    then the losers of each round of the lower bracket, from its final back: 3, 4, 5-6, 7-8, 9-12 …
    """
    levels = (
        _double_levels(state) if stage_kind(state.plan).two_brackets else _knockout_levels(state)
    )
    found: dict[int, list[PlayerId]] = {}
    for player in sorted(out & set(levels), key=list(levels).index):
        found.setdefault(levels[player], []).append(player)
    return tuple(tuple(found[level]) for level in sorted(found))


def _double_levels(state: StageState) -> dict[PlayerId, int]:
    """Return each player's distance from winning, as far as known; 0 is the winner.

    Players eliminated from the upper bracket, such as after a double loss, rank with the losers
    of the lower round that they would have dropped to. If nobody won the grand final both rank
    first.
    """
    shape, known = bracket_matches(state.plan), matches_by_number(state)
    lower = {
        source.match: match.to_go
        for match in shape
        if match.part is BracketPart.LOWER
        for source in match.sources
        if isinstance(source, MatchSource) and not source.winner
    }
    levels: dict[PlayerId, int] = dict.fromkeys(state.players, 0)
    final = next(match for match in shape if match.part is BracketPart.FINAL)
    for match in shape:
        if match.number not in known:
            continue
        pairing, _result = known[match.number]
        levels |= dict.fromkeys(pairing.seats, _distance_from_winning(match, lower))
    ended = final_progress(state)[final.number]
    levels |= {p: n for n, p in enumerate((ended.winner, ended.loser)) if p is not None}
    return levels


def _distance_from_winning(match: BracketMatch, lower: Mapping[int, int]) -> int:
    """Return the distance from winning of a match's loser; ``lower`` by number of upper matches."""
    if match.part in (BracketPart.FINAL, BracketPart.AGAIN):
        return 0
    if match.part is BracketPart.LOWER:
        return 2 + match.to_go
    return 2 + lower.get(match.number, 0)


def _out_of_knockout(state: StageState) -> frozenset[PlayerId]:
    """Return the players who have lost in a knock-out and have no match to come."""
    out: set[PlayerId] = set()
    known = matches_by_number(state)
    to_play = {match.number for match in bracket_matches(state.plan)} - set(known)
    still_used = {
        (source.match, source.winner)
        for match in bracket_matches(state.plan)
        if match.number in to_play
        for source in match.sources
        if isinstance(source, MatchSource)
    }
    for number, (pairing, result) in known.items():
        if not result.is_played or (number, False) in still_used:
            continue
        out.update(player for player in pairing.seats if player != match_winner(result))
    return frozenset(out) - {
        player
        for pairing, result in known.values()
        if not result.is_played
        for player in pairing.seats
    }


def _knockout_levels(state: StageState) -> dict[PlayerId, int]:
    """Return each player's distance from winning; the match for third place ranks two.

    If both lose the final they share first place; in a play-in both rank with the losers.
    """
    known = matches_by_number(state)
    levels: dict[PlayerId, int] = {}
    for match in bracket_matches(state.plan):
        if match.number not in known:
            continue
        pairing, result = known[match.number]
        for player in pairing.seats:
            lost = player == match_loser(result)
            if state.plan.survivors > 1:
                lost = player != match_winner(result)
            levels[player] = 2 * match.third_place + lost
            if match.distance:
                levels[player] = 4 + match.distance
    return levels
