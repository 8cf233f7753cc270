"""The bye of a published Swiss round, given to somebody else: two matches change one player each.

The round is not paired anew: who rested takes the seat of who should have, as by hand.
"""

from dataclasses import replace

from rules.corrections.fates import MatchChange, fate_of, paired_by_hand, with_changes
from rules.corrections.followed import EXTRA, PAIRED_FROM, STRUCK, Followed
from rules.results import PlayerId
from rules.stages.base import StageState
from rules.stages.kind import is_of_tables, kind_of
from rules.wording import Sentence

BY_PLAN = Sentence("The rules of this stage say who rests; they don’t let anybody choose.")
AT_TABLES = Sentence("At tables of three and more, sizes and seats follow from who rests.")
GONE = Sentence("Who has left does not rest.")
NOBODY_ELSE = Sentence("Nobody who is still here plays a match of two in this round.")
NOT_PAIRED = Sentence("Only who has an opponent in this round can rest instead.")


def may_rest(state: StageState, index: int) -> tuple[PlayerId, ...]:
    """Return who could rest in a round instead of who does, in order of the matches."""
    return tuple(
        player
        for pairing, _result in state.rounds[index]
        if not pairing.missed and len(pairing.seats) == 2
        for player in pairing.seats
        if player not in state.withdrawn
    )


def bye_moved(
    state: StageState, index: int, resting: int, player: PlayerId, *, begun: bool, void: bool
) -> Followed:
    """Return a stage in which somebody else rests in a round, or why that can't be.

    ``resting`` is the number of the match that is a bye, ``player`` who gets it. ``begun`` says
    whether that player's match was begun: it is played again by who rested, or is ``void``.
    """
    played = state.rounds[index]
    by_number = {pairing.number: (pairing, result) for pairing, result in played}
    bye, rested = by_number[resting]
    (out,) = bye.seats
    if why := why_bye_stays(state, index):
        return Followed(state=state, why_not=why)
    if {out, player} & state.struck:
        return Followed(state=state, why_not=STRUCK)
    if player in state.withdrawn:
        return Followed(state=state, why_not=GONE)
    if player not in may_rest(state, index):
        return Followed(state=state, why_not=NOT_PAIRED)
    match, was = next(each for each in played if player in each[0].seats)
    taken = tuple(out if each == player else each for each in match.seats)
    changes = []
    for pairing, result, after, is_begun in (
        (bye, rested, (player,), False),
        (match, was, taken, begun),
    ):
        fate, then = fate_of(state, result, after, begun=is_begun, void=void)
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
    made = paired_by_hand(with_changes(played, changes), {bye.number, match.number})
    rounds = (*state.rounds[:index], made, *state.rounds[index + 1 :])
    return Followed(state=replace(state, rounds=rounds), matches=tuple(changes))


def why_bye_stays(state: StageState, index: int) -> Sentence | None:
    """Return why nobody else can rest in a round, None if somebody can."""
    if not kind_of(state.plan).pairs_by_points:
        return BY_PLAN
    if state.extra:
        return EXTRA
    if index != len(state.rounds) - 1:
        return PAIRED_FROM
    if not may_rest(state, index):
        return NOBODY_ELSE
    return AT_TABLES if is_of_tables(state.plan) else None
