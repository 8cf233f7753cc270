"""Whether a player plays on in an open stage or after it, or could if others leave."""

from collections.abc import Collection
from dataclasses import replace
from enum import StrEnum

from rules.advancement.bracket_ranking import held_so_far, may_move_up
from rules.results import Outcome, PlayerId, Result
from rules.scenarios.advancing_places import leads_of
from rules.scenarios.remaining import OUTCOME_OF, all_rounds
from rules.scenarios.verdicts import Prospect, Verdict
from rules.stages.base import StageState
from rules.stages.bracket_progress import with_match_to_play
from rules.stages.kind import kind_of


class PlaysOn(StrEnum):
    """Whether a player will have a match beside that of the round in progress."""

    SURE = "sure"
    UNSURE = "unsure"
    NO = "no"


def with_round_to_come(state: StageState) -> frozenset[PlayerId]:
    """Return the players with a match to come in an open stage, beyond the rounds made.

    In a bracket an undecided match counts too. Who has left counts as if they were there.
    """
    kind = kind_of(state.plan)
    if kind.has_bracket:
        return with_match_to_play(state)
    if not kind.all_meet:
        return kind.with_round_to_come(state)
    to_come = all_rounds(state).rounds[len(state.rounds) :]
    gone = state.withdrawn | state.struck
    return frozenset(
        player
        for played in to_come
        for pairing, _result in played
        for player in pairing.seats
        if not gone.intersection(pairing.seats) - {player}
    )


def plays_on(
    state: StageState,
    player: PlayerId,
    *,
    to_come: Collection[PlayerId],
    used: frozenset[str],
    prospect: Prospect | None,
) -> PlaysOn:
    """Return whether a player who sits in an open stage and has not left plays on.

    ``to_come`` is ``with_round_to_come``, ``used`` the places that later stages seat, ``prospect``
    what is known of the player, None where nothing is. It holds as the prospect does: if every
    match is won or drawn and nobody leaves.
    """
    if player in to_come:
        return PlaysOn.SURE
    if kind_of(state.plan).has_bracket:
        if player in held_so_far(state, used).values():
            return PlaysOn.SURE
        return PlaysOn.UNSURE if player in may_move_up(state, used) else PlaysOn.NO
    if not used:
        return PlaysOn.NO
    verdict = prospect.verdict if prospect else Verdict.OPEN
    known = {Verdict.THROUGH: PlaysOn.SURE, Verdict.OUT: PlaysOn.NO}
    return known.get(verdict, PlaysOn.UNSURE)


def plays_after_losing(state: StageState, player: PlayerId) -> bool:
    """Return whether a player of a bracket would have another match if they lost the open one."""
    rounds = tuple(
        tuple(
            (pairing, replace(result, outcome=_lost_by(result, player)))
            if player in pairing.seats and not result.is_played
            else (pairing, result)
            for pairing, result in played
        )
        for played in state.rounds
    )
    return player in with_match_to_play(replace(state, rounds=rounds))


def _lost_by(result: Result, player: PlayerId) -> Outcome:
    return OUTCOME_OF["loss" if result.seats[0] == player else "win"]


def leavers_needed(state: StageState, prospect: Prospect, used: frozenset[str]) -> int:
    """Return how many of those ahead have to leave at least, for a player who is out to go on.

    It counts from the best place that is still possible. 0 if it is not known: the places in the
    group are not, or it hangs on other groups. On a rank compared across groups one is enough: of
    the own group who leaves moves the others up.
    """
    leads = leads_of(state, used)
    group = next(name for name in state.seats if prospect.player in state.seated(name))
    if not prospect.places:
        return 0
    if compared := leads.ranks(group):
        return 1 if prospect.places.start in compared else 0
    leading = [rank for rank in leads.sure[group] if rank < prospect.places.start]
    return prospect.places.start - max(leading) if leading else 0
