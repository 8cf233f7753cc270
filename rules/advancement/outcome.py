"""The outcome of a stage: standings, holders of places, lots to draw, and who is out; and the final
ranking of an event, from its last stage back to the first.

Players eliminated from a bracket are ranked by their last match: the later, the better.
Vacant places of a play-in go to the best losers: a place is vacant if its holder has left or nobody
won it.

Source: tournament rules, Standings order and The Mutant Chronicles formula (Preliminary, Final
ranking).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.advancement.from_groups import Advancement, comparable_histories, separate_groups
from rules.brackets import BracketMatch, BracketPart, MatchSource, last_round_matches
from rules.history.group_history import GroupHistory
from rules.history.table_history import TableHistory
from rules.plans import FormulaPlan, LoserPlace, StagePlan, WinnerPlace
from rules.results import PlayerId, Points
from rules.stages.base import StageState, bracket_matches, is_complete, stage_kind
from rules.stages.knockout import (
    final_progress,
    match_loser,
    match_winner,
    matches_by_number,
    remaining_players,
)
from rules.standings.table import Standings, standings_from_order
from rules.ties.decisions import (
    Classes,
    Decisions,
    Lots,
    Penalties,
    add_random_draw,
    classes_of_present_players,
    group_histories,
    holder_of_position,
    place_identity,
    rank_across_groups_with_decisions,
    rank_with_decisions,
    recorded_decisions,
    tied_classes,
    undecided_ties,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOutcome:
    """The standings of each group, and their consequences for later stages.

    ``standings`` (by group name) and ``compared`` (of the players on one rank of all groups, by
    rank) are available while the stage is running; a bracket has none, but a play-in compares
    losers for vacant places. ``places`` maps place names to players once all matches are played.
    ``lots_needed`` are the tied sets that need a random draw, as their order affects the seating of
    a later stage. ``left_out`` are withdrawn or disqualified players whose rank would have
    advanced.
    """

    standings: Mapping[str, Standings]
    compared: Mapping[int, Standings]
    places: Mapping[str, PlayerId]
    lots_needed: Classes
    left_out: tuple[PlayerId, ...]


def stage_outcome(
    state: StageState,
    *,
    criteria: Sequence[str],
    points: Points,
    lots: Lots,
    used: Collection[str],
    penalties: Penalties | None = None,
) -> StageOutcome:
    """Return the standings, places and ties that the results of a stage decide so far.

    ``lots`` are all random draws of the event, oldest first, those of other stages empty: for a
    tied set the latest draw or tiebreaker match of the whole set decides. ``used`` are the names of
    the places that later stages seat. Withdrawn players keep their rank but hold no place: it goes
    to the next of the same group, in a bracket to the opponent they beat.
    """
    order = add_random_draw(criteria)
    decided = recorded_decisions(lots, state.tiebreaker_rounds)
    if stage_kind(state.plan).has_bracket:
        found = _bracket_outcome(state, used)
        if not _is_play_in(state.plan) or not is_complete(state):
            return found
        places, compared, needed = fill_vacant_places(
            state,
            {name: player for name, player in found.places.items() if name in used},
            used,
            criteria=order,
            points=points,
            penalties=penalties or {},
            decided=decided,
        )
        places = {**found.places, **places}
        return replace(found, places=places, compared=compared, lots_needed=needed)
    histories = group_histories(state, points, penalties or {})
    standings = {
        group: _standings_of(state, history, order, decided) for group, history in histories.items()
    }
    advancement = Advancement(state=state, standings=standings, used=frozenset(used))
    compared = advancement.compare(histories, order, decided)
    complete = is_complete(state)
    return StageOutcome(
        standings=standings,
        compared=compared,
        places=advancement.places(compared) if complete else {},
        lots_needed=advancement.lots_needed(histories, compared) if complete else (),
        left_out=advancement.left_out() if complete else (),
    )


def _standings_of(
    state: StageState, history: GroupHistory, order: Sequence[str], decided: Decisions
) -> Standings:
    """Return the standings of a group: by criteria, or in the order of the stage itself."""
    own = stage_kind(state.plan).own_order(state)
    if own is None or not isinstance(history, TableHistory):
        return rank_with_decisions(history, order, decided)
    return standings_from_order(history, own, order)


def _bracket_outcome(state: StageState, used: Collection[str]) -> StageOutcome:
    """Return the winners and losers of the matches that the plan names.

    A withdrawn winner is replaced by the opponent they beat, else the place stays vacant. In a
    play-in both wait for :func:`fill_vacant_places`.
    """
    places: dict[str, PlayerId] = {}
    left_out: list[PlayerId] = []
    decided = final_progress(state) if is_complete(state) else {}
    for place in state.plan.places:
        if not isinstance(place, (WinnerPlace, LoserPlace)) or place.match not in decided:
            continue
        winner, loser = decided[place.match].winner, decided[place.match].loser
        holder = winner if isinstance(place, WinnerPlace) else loser
        if place.name in used and holder in state.withdrawn:
            left_out.extend([holder] if holder is not None else [])
            replaced = holder == winner and not _is_play_in(state.plan)
            holder = loser if replaced and loser not in state.withdrawn else None
        if holder is not None:
            places[place.name] = holder
    return StageOutcome(
        standings={}, compared={}, places=places, lots_needed=(), left_out=tuple(left_out)
    )


def fill_vacant_places(
    state: StageState,
    held: Mapping[str, PlayerId],
    used: Collection[str],
    *,
    criteria: Sequence[str],
    points: Points,
    penalties: Penalties,
    decided: Decisions,
) -> tuple[dict[str, PlayerId], dict[int, Standings], Classes]:
    """Return (players by place name, comparisons, undecided ties) for a play-in's vacant places.

    Call it once all matches are played. Each place that later stages seat (``used``) without a
    holder in ``held`` goes to a loser, latest round first, then by the tiebreakers without head-to-
    head. The comparisons are standings of losers, by the rank of the first who could move up (the
    thirteenth, if twelve advance); the ties are the tied sets that affect a place.
    """
    last = {match.number for match in last_round_matches(bracket_matches(state.plan))}
    won = [p for p in state.plan.places if isinstance(p, WinnerPlace) and p.match in last]
    free = [place.name for place in won if place.name in used and place.name not in held]
    uses = {
        at: frozenset({place_identity(state.plan, name)}) for at, name in enumerate(free, start=1)
    }
    (history,) = group_histories(state, points, penalties).values()
    compared: dict[int, Standings] = {}
    needed: Classes = ()
    classes: Classes = ()
    position = 1
    for level in eliminated_players_by_round(state, frozenset(state.players) - set(held.values())):
        there = sum(player not in state.withdrawn for player in level)
        if not there or position > len(free):
            continue
        table = rank_across_groups_with_decisions(
            [(player, history) for player in level], criteria, decided
        )
        compared[state.plan.survivors + position] = table
        needed += undecided_ties(table, uses, state.withdrawn, position)
        classes += classes_of_present_players(table, state.withdrawn)
        position += there
    taken = {name: holder_of_position(classes, at, uses) for at, name in enumerate(free, start=1)}
    places = {name: player for name, player in taken.items() if player is not None}
    return places, compared, needed


def seat_players(
    plan: StagePlan, places: Mapping[str, PlayerId], origins: Mapping[PlayerId, str]
) -> dict[str, tuple[PlayerId | None, ...]]:
    """Return the players of a stage in seat order, by group name; None for a vacant seat.

    ``places`` maps the names of places of earlier stages and of the start to players, ``origins``
    players to the name of their group in the stage before.
    """
    seats = {group.name: tuple(places.get(name) for name in group.seats) for group in plan.groups}
    if plan.apart:
        double = stage_kind(plan).two_brackets
        return {
            name: separate_groups(seeds, origins, double=double) for name, seeds in seats.items()
        }
    return seats


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


def _is_play_in(plan: StagePlan) -> bool:
    """Return whether a stage is a knock-out with more than one survivor."""
    return plan.survivors > 1 and stage_kind(plan).has_bracket


Stages = Sequence[tuple[StageState, StageOutcome]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalRankingRules:
    """How to order players eliminated in the same round or on the same rank.

    ``criteria`` are tiebreaker keys, ``lots`` the orders drawn in all random draws of the event,
    oldest first; ``penalties`` is the number of penalties by player.
    """

    criteria: Sequence[str]
    points: Points
    lots: Lots = ()
    penalties: Penalties = field(default_factory=dict)


def final_ranking(plan: FormulaPlan, stages: Stages, order: FinalRankingRules) -> Classes:
    """Return the final standings in classes, best first; players in one class share a rank.

    ``stages`` are (state, outcome) of those that have begun, in order. While an event is running
    only eliminated players are ranked. Players eliminated in a group stage are ordered by rank in
    the group, then by the tiebreakers without head-to-head; after a knock-out by their last match,
    after a play-in then by the tiebreakers. While a play-in is running those eliminated in one
    round share a rank: their opponents' points still change.
    """
    classes: list[tuple[PlayerId, ...]] = []
    for index in range(len(stages) - 1, -1, -1):
        state, decided = stages[index]
        out = _eliminated_by(plan, stages, index)
        found = (
            eliminated_players_by_round(state, out)
            if stage_kind(state.plan).has_bracket
            else eliminated_players_by_rank(decided, out)
        )
        if stage_kind(state.plan).has_bracket and (
            state.plan.survivors == 1 or not is_complete(state)
        ):
            classes.extend(found)
        else:
            classes.extend(split_by_tiebreakers(state, decided.standings, found, order))
    return tuple(classes)


def split_by_tiebreakers(
    state: StageState,
    standings: Mapping[str, Standings],
    levels: Sequence[Sequence[PlayerId]],
    order: FinalRankingRules,
) -> Iterator[tuple[PlayerId, ...]]:
    """Yield classes of the final standings, best first: each level split by tiebreakers.

    ``levels`` are sets of players eliminated in the same round or on the same rank, best first;
    ``standings`` are those of the stage, by group name.
    """
    histories = group_histories(state, order.points, order.penalties)
    decided, criteria = (
        recorded_decisions(order.lots, state.tiebreaker_rounds),
        add_random_draw(order.criteria),
    )
    for level in filter(None, levels):
        home = _histories_of_level(state, standings, histories, level)
        candidates = [(player, home[player]) for player in level]
        yield from tied_classes(rank_across_groups_with_decisions(candidates, criteria, decided))


def _histories_of_level(
    state: StageState,
    standings: Mapping[str, Standings],
    histories: Mapping[str, GroupHistory],
    level: Sequence[PlayerId],
) -> dict[PlayerId, GroupHistory]:
    """Return the history used to compare each player of one place in their groups."""
    home = {player: name for name, found in histories.items() for player in found.players}
    if state.plan.without_last and not stage_kind(state.plan).has_bracket:
        groups = tuple(dict.fromkeys(home[player] for player in level))
        evened = comparable_histories(histories, standings, groups, state)
        inside = {p for found in evened.histories.values() for p in found.players}
        if not evened.open and inside.issuperset(level):
            histories = evened.histories
    return {player: histories[home[player]] for player in level}


def _eliminated_by(plan: FormulaPlan, stages: Stages, index: int) -> frozenset[PlayerId]:
    """Return the players eliminated by a stage that has begun, as far as is known."""
    state, decided = stages[index]
    still_in = {player for later, _ in stages[index + 1 :] for player in later.players}
    to_come = {
        name
        for stage in plan.stages[len(stages) :]
        for group in stage.groups
        for name in group.seats
    }
    still_in.update(
        player
        for _state, earlier in stages
        for name, player in earlier.places.items()
        if name in to_come
    )
    closed = index < len(stages) - 1
    if closed or (is_complete(state) and not decided.lots_needed):
        return frozenset(state.players) - still_in
    if not stage_kind(state.plan).has_bracket:
        return frozenset()
    waiting = {player for tied in decided.lots_needed for player in tied}
    still_in.update(
        current_place_holders(state, to_come).values(), replacement_candidates(state, to_come)
    )
    return eliminated_players(state) - still_in - waiting


def eliminated_players_by_rank(decided: StageOutcome, out: frozenset[PlayerId]) -> Classes:
    """Return the eliminated players (``out``) of a group stage in classes, best first.

    All who are first in their group share the first class, all seconds the next, and so on.
    """
    found: dict[int, list[PlayerId]] = {}
    for standings in decided.standings.values():
        for row in standings.rows:
            if row.player in out:
                found.setdefault(row.rank, []).append(row.player)
    return tuple(tuple(found[rank]) for rank in sorted(found))
