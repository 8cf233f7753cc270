"""Corrections of what a running stage was made from: which of its matches change hands.

A stage is brought in line with other seats or another result: who plays each match, and what
becomes of it. The bye of a Swiss round may go to somebody else: who rested takes the seat of who
should have, as by hand. The right seeds say who holds the places of the start.

A match whose players change and that nobody has begun is simply theirs. One that was begun or
played is played again, or is void: its result stays with those who played it. A round is never
paired anew here, and no match comes or goes: where that would be needed, nothing can follow.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from rules.errors import RuleError
from rules.plans import FormulaPlan
from rules.results import PlayerId, Result, void_outcome
from rules.stages.base import (
    Pairing,
    Played,
    StageState,
    has_multiplayer_tables,
    is_paired_by_hand,
    outcome_by_rule,
    paired_matches,
    stage_kind,
    state_before_round,
)
from rules.stages.tables import seating_cost
from rules.tables.field import SeatingCost
from rules.wording import Sentence

Key = tuple[int, int]
"""A match of a stage: the index of its round, and its number."""


class CorrectionEffect(StrEnum):
    """What happens to a match whose players are corrected.

    PASSES: only the players change; AGAIN: it is replayed; VOID; FORFEIT; RESTS: it is a bye.
    """

    PASSES = "passes"
    AGAIN = "again"
    VOID = "void"
    FORFEIT = "forfeit"
    RESTS = "rests"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchChange:
    """A match that gets other players, and its result before (``was``) and after.

    ``round`` is the round's index, from 0; ``pairing`` has the former players, ``after`` the new
    ones in seat order. ``begun``: it was played or in progress, so staff chose the effect
    (``fate``).
    """

    round: int
    pairing: Pairing
    after: tuple[PlayerId, ...]
    fate: CorrectionEffect
    begun: bool
    was: Result
    result: Result

    @property
    def key(self) -> Key:
        """Return the round's index and the number of the match."""
        return self.round, self.pairing.number

    @property
    def in_other_order(self) -> bool:
        """Return whether the same players sit there, on other seats."""
        return {*self.after} == {*self.pairing.seats}

    @property
    def exchanged(self) -> tuple[tuple[PlayerId, PlayerId], ...]:
        """Return (old player, new player) for each seat that changes hands.

        A player who only changes seats at a multiplayer table is left out, unless all do.
        """
        before, after = self.pairing.seats, self.after
        both = zip(before, after, strict=True)
        if len(before) > 2 and not self.in_other_order:
            gone = [player for player in before if player not in after]
            both = zip(gone, [player for player in after if player not in before], strict=True)
        return tuple((out, new) for out, new in both if out != new)


def correction_effect(
    state: StageState, was: Result, players: tuple[PlayerId, ...], *, begun: bool, void: bool
) -> tuple[CorrectionEffect, Result]:
    """Return (effect, new result) for a match of which these players take the seats.

    ``was`` is its result so far. ``begun``: it was played or in progress; it is replayed then, or
    void if ``void``.
    """
    anew = Result(seats=players, round=was.round)
    if len(players) == 1:
        return CorrectionEffect.RESTS, replace(was, seats=players)
    if by_rule := outcome_by_rule(players, state):
        return CorrectionEffect.FORFEIT, replace(anew, outcome=by_rule)
    if begun and void:
        return CorrectionEffect.VOID, replace(anew, outcome=void_outcome(len(players)))
    return (CorrectionEffect.AGAIN if begun else CorrectionEffect.PASSES), anew


def apply_match_changes(played: Played, moved: Iterable[MatchChange]) -> Played:
    """Return a round with the new players and results of the changed matches (``moved``)."""
    changed = {change.pairing.number: change for change in moved}
    return tuple(
        (
            replace(pairing, seats=changed[pairing.number].after),
            changed[pairing.number].result,
        )
        if pairing.number in changed
        else (pairing, result)
        for pairing, result in played
    )


def mark_paired_by_hand(played: Played, numbers: Collection[int]) -> Played:
    """Return a round in which the matches with these numbers are marked as paired by staff."""
    return tuple(
        (replace(pairing, by_hand=True) if pairing.number in numbers else pairing, result)
        for pairing, result in played
    )


Holders = Mapping[str, PlayerId]
"""Players by the name of their place of the start."""


def corrected_start_places(plan: FormulaPlan, now: Holders, right: Holders) -> dict[str, PlayerId]:
    """Return the start places that change hands when seeds are corrected, with the new players.

    ``now`` (as seated) and ``right`` (by the corrected seeds) map the same place names to players.
    A bracket is seated exactly as in ``right``. In other stages a seat only affects the schedule:
    players who stay in a group keep their seat, and new ones get the seats of those who leave, in
    order.
    """
    found: dict[str, PlayerId] = {}
    for stage in plan.stages:
        for group in stage.groups:
            names = [name for name in group.seats if name in now]
            wanted = {name: right[name] for name in names}
            if not stage_kind(stage).has_bracket:
                held = [now[name] for name in names]
                come = iter([player for player in wanted.values() if player not in held])
                stay = {*wanted.values()} & {*held}
                wanted = {n: now[n] if now[n] in stay else next(come) for n in names}
            found |= {name: player for name, player in wanted.items() if player != now[name]}
    return found


Seats = Mapping[str, tuple[PlayerId | None, ...]]

OTHER_MATCHES = Sentence("This would change the pairings.")
PAIRED_FROM = Sentence("Later rounds were paired using these results.")
STRUCK = Sentence("A player’s matches in the group were voided.")
EXTRA = Sentence("A tiebreaker match has already been played.")
NO_MATCH = Sentence("Add the player as a late entry instead.")
NEVER_VOID = Sentence("A knock-out match needs a winner. Replay it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatChange:
    """A seat of a group (from 1) with its players before and after; None: vacant."""

    group: str
    seat: int
    before: PlayerId | None
    after: PlayerId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedStage:
    """The result of correcting a stage: its new state, changed seats and changed matches.

    ``why_not`` is the reason if the correction is impossible (ignore ``state`` then), else None.
    """

    state: StageState
    seats: tuple[SeatChange, ...] = ()
    matches: tuple[MatchChange, ...] = ()
    why_not: Sentence | None = None


def seat_changes(before: Seats, after: Seats) -> tuple[SeatChange, ...]:
    """Return the seats whose players differ, group by group.

    ``before`` and ``after`` map group names to players in seat order.
    """
    return tuple(
        SeatChange(group=group, seat=number, before=old, after=new)
        for group, players in after.items()
        for number, (old, new) in enumerate(
            zip(before.get(group, ()), players, strict=False), start=1
        )
        if old != new
    )


def correct_stage(
    state: StageState,
    seats: Seats,
    *,
    begun: Collection[Key] = (),
    void: Collection[Key] = (),
    by_hand: bool = False,
) -> CorrectedStage:
    """Return a stage with corrected ``seats``, and the matches that change.

    ``state`` has the corrected results and the players seated so far. ``begun`` are the matches
    played or in progress, each as (index of the round, number of the match); if their players
    change, those in ``void`` become void and the others are replayed. ``by_hand``: the new player
    takes over the matches of a Swiss round without new pairings, unless a later round was paired
    from their results.
    """
    changes = seat_changes(state.seats, seats)
    seated = replace(state, seats=dict(seats))
    if not state.rounds:
        return CorrectedStage(state=seated, seats=changes)
    if any(change.before is None or change.after is None for change in changes):
        return CorrectedStage(state=state, seats=changes, why_not=OTHER_MATCHES)
    moves = _replaced(state.seats, seats)
    made: list[Played] = []
    found: list[MatchChange] = []
    for index, played in enumerate(state.rounds):
        then = replace(seated, rounds=(*made, *state.rounds[index:]))
        would = _players_by_number(then, index, moves)
        if isinstance(would, Sentence):
            return CorrectedStage(state=state, seats=changes, why_not=would)
        if {number: len(players) for number, players in would.items()} != {
            pairing.number: len(pairing.seats) for pairing, _result in played
        }:
            return CorrectedStage(state=state, seats=changes, why_not=OTHER_MATCHES)
        moved = _moved(seated, index, would, begun, void)
        found += moved
        then_played = apply_match_changes(played, moved)
        if by_hand and stage_kind(state.plan).pairs_by_points:
            paired = {each.pairing.number for each in moved if not each.pairing.missed}
            then_played = mark_paired_by_hand(then_played, paired)
        made.append(then_played)
    after = replace(seated, rounds=tuple(made))
    why_not = _why_not(after, changes, found, by_hand) or _why_not_at_tables(state, after, found)
    return CorrectedStage(state=after, seats=changes, matches=tuple(found), why_not=why_not)


def _replaced(before: Seats, after: Seats) -> dict[PlayerId | None, PlayerId | None]:
    """Return who leaves a group, each with who comes into it instead."""
    found: dict[PlayerId | None, PlayerId | None] = {}
    for group, now in after.items():
        was = before.get(group, ())
        gone = [player for player in was if player not in now]
        found |= zip(gone, [player for player in now if player not in was], strict=False)
    return found


def _players_by_number(
    state: StageState, index: int, moves: Mapping[PlayerId | None, PlayerId | None]
) -> Mapping[int, tuple[PlayerId | None, ...]] | Sentence:
    """Return who plays each match of a round by the rules, or why that can't be said.

    Swiss rounds hand matches from one holder of a seat to the next: `_why_not` asks whether the
    rules would have paired them so.
    """
    kind = stage_kind(state.plan)
    if kind.pairs_by_points:
        return {
            pairing.number: tuple(moves.get(player, player) for player in pairing.seats)
            for pairing, _result in state.rounds[index]
        }
    try:
        return {p.number: p.seats for p in kind.next_round(state_before_round(state, index))}
    except RuleError:
        return PAIRED_FROM


def _moved(
    state: StageState,
    index: int,
    would: Mapping[int, tuple[PlayerId | None, ...]],
    begun: Collection[Key],
    void: Collection[Key],
) -> list[MatchChange]:
    """Return the matches of a round that have other players, with what becomes of each."""
    found = []
    for pairing, was in state.rounds[index]:
        key = index, pairing.number
        players = tuple(p for p in would[pairing.number] if p is not None)
        if players == pairing.seats:
            continue
        fate, result = correction_effect(state, was, players, begun=key in begun, void=key in void)
        change = MatchChange(
            round=index,
            pairing=pairing,
            after=players,
            fate=fate,
            begun=key in begun,
            was=was,
            result=result,
        )
        found.append(change)
    return found


def _why_not(
    state: StageState,
    seats: Collection[SeatChange],
    matches: Collection[MatchChange],
    by_hand: bool,
) -> Sentence | None:
    """Return why the rules forbid this, None if they allow it."""
    concerned = {player for change in seats for player in (change.before, change.after)}
    concerned |= {player for change in matches for player in (*change.pairing.seats, *change.after)}
    if concerned & state.struck:
        return STRUCK
    if any(concerned & {*extra.level} for extra in state.tiebreaker_rounds):
        return EXTRA
    kind = stage_kind(state.plan)
    if kind.needs_winners and any(change.fate is CorrectionEffect.VOID for change in matches):
        return NEVER_VOID
    for change in matches:
        if change.begun and change.in_other_order:
            return OTHER_MATCHES
    if kind.pairs_by_points and by_hand:
        last = len(state.rounds) - 1
        seated = [{p for pairing, _result in each for p in pairing.seats} for each in state.rounds]
        if any(change.after not in players for change in seats for players in seated):
            return NO_MATCH
        earlier = (change for change in matches if change.round < last)
        other = any(_came_to(change.was) != _came_to(change.result) for change in earlier)
        return PAIRED_FROM if other else None
    if kind.pairs_by_points and not all(
        _is_paired_so(state, at) for at in range(len(state.rounds))
    ):
        return PAIRED_FROM
    return None


def _came_to(result: Result) -> tuple[object, ...]:
    """Return what later rounds depend on: the places of the seats, and whether it was played."""
    return result.places, result.is_played


def _why_not_at_tables(
    before: StageState, after: StageState, matches: Collection[MatchChange]
) -> Sentence | None:
    """Return why tables made by points can't be taken over: they would not cost what is stored."""
    if not (has_multiplayer_tables(after.plan) and stage_kind(after.plan).pairs_by_points):
        return None
    for index in {change.round for change in matches}:
        was, now = (_cost_at(state, index) for state in (before, after))
        if was != now:
            return OTHER_MATCHES
    return None


def _cost_at(state: StageState, index: int) -> SeatingCost:
    tables = [pairing.seats for pairing, _result in state.rounds[index]]
    return seating_cost(state_before_round(state, index), tables)


def _is_paired_so(state: StageState, index: int) -> bool:
    """Return whether a Swiss round is what the rules pair, or was paired by hand."""
    if is_paired_by_hand(state, index, draft=True):
        return True
    try:
        pairings = stage_kind(state.plan).next_round(state_before_round(state, index))
    except RuleError:
        return False
    return paired_matches(state, index) == {(p.group, p.number, p.seats) for p in pairings}


BY_PLAN = Sentence("The tournament format decides who gets the bye.")
NOBODY_ELSE = Sentence("Nobody else can get the bye.")
NOT_OFFERED = Sentence("Choose one of the options.")


def bye_candidates(state: StageState, index: int) -> tuple[PlayerId, ...]:
    """Return the players who could get the bye of a round instead, in the order of matches.

    ``index`` is the round's, from 0.
    """
    return tuple(
        player
        for pairing, _result in state.rounds[index]
        if not pairing.missed and len(pairing.seats) == 2
        for player in pairing.seats
        if player not in state.withdrawn
    )


def move_bye(
    state: StageState, index: int, resting: int, player: PlayerId, *, begun: bool, void: bool
) -> CorrectedStage:
    """Return a stage in which ``player`` has the bye of a round, or why that is impossible.

    ``index`` is the round's, from 0; ``resting`` is the number of the bye's match. ``begun``: the
    player's match was played or in progress; the former bye player replays it, or it becomes void
    if ``void``.
    """
    played = state.rounds[index]
    by_number = {pairing.number: (pairing, result) for pairing, result in played}
    bye, rested = by_number[resting]
    (out,) = bye.seats
    if why := bye_fixed_reason(state, index):
        return CorrectedStage(state=state, why_not=why)
    if {out, player} & state.struck:
        return CorrectedStage(state=state, why_not=STRUCK)
    if player in state.withdrawn:
        return CorrectedStage(state=state, why_not=NOT_OFFERED)
    if player not in bye_candidates(state, index):
        return CorrectedStage(state=state, why_not=NOT_OFFERED)
    match, was = next(each for each in played if player in each[0].seats)
    taken = tuple(out if each == player else each for each in match.seats)
    changes = []
    for pairing, result, after, is_begun in (
        (bye, rested, (player,), False),
        (match, was, taken, begun),
    ):
        fate, then = correction_effect(state, result, after, begun=is_begun, void=void)
        changes.append(
            MatchChange(
                round=index,
                pairing=pairing,
                after=after,
                fate=fate,
                begun=is_begun,
                was=result,
                result=then,
            )
        )
    made = mark_paired_by_hand(apply_match_changes(played, changes), {bye.number, match.number})
    rounds = (*state.rounds[:index], made, *state.rounds[index + 1 :])
    return CorrectedStage(state=replace(state, rounds=rounds), matches=tuple(changes))


def bye_fixed_reason(state: StageState, index: int) -> Sentence | None:
    """Return why the bye of a round can't go to another player, None if it can.

    ``index`` is the round's, from 0.
    """
    if not stage_kind(state.plan).pairs_by_points:
        return BY_PLAN
    if state.tiebreaker_rounds:
        return EXTRA
    if index != len(state.rounds) - 1:
        return PAIRED_FROM
    if not bye_candidates(state, index):
        return NOBODY_ELSE
    return BY_PLAN if has_multiplayer_tables(state.plan) else None
