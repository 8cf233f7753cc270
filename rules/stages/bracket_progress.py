"""Winner and loser of each bracket match, walkovers included."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.brackets import BracketMatch, FromMatch, Part, Source
from rules.results import PlayerId, Result
from rules.stages.base import Pairing, StageState
from rules.stages.kind import shape_of
from rules.stages.knockout import loser_of, played_matches, winner_of

Known = Mapping[int, tuple[Pairing, Result]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchProgress:
    """The progress of a match: its winner and its loser, None for nobody.

    If it is not ``decided``, two players may still meet in it, or its result is missing.
    """

    winner: PlayerId | None = None
    loser: PlayerId | None = None
    decided: bool = True


OPEN = MatchProgress(decided=False)
Progress = Mapping[int, MatchProgress]


def progress_of(state: StageState) -> dict[int, MatchProgress]:
    """Return the players and outcome of each match of a stage's bracket, by number.

    Players without an opponent advance without a match. Two players who should have met in a
    round made without them, such as after a correction without consequences, do not advance. A
    second match of the grand final that is not needed leads where the first did.
    """
    shape, known = shape_of(state.plan), played_matches(state)
    made = max((match.round for match in shape if match.number in known), default=0)
    progress: dict[int, MatchProgress] = {}
    for match in shape:
        progress[match.number] = _match_progress(state, match, known, progress, made)
    return progress


def final_progress(state: StageState) -> dict[int, MatchProgress]:
    """Return the progress of a bracket, both matches of the grand final taken as one."""
    progress = progress_of(state)
    for match in shape_of(state.plan):
        source = match.sources[0]
        if match.part is Part.AGAIN and isinstance(source, FromMatch):
            progress[source.match] = progress[match.number]
    return progress


def sides_of(
    state: StageState, match: BracketMatch, progress: Progress
) -> tuple[tuple[PlayerId | None, bool], tuple[PlayerId | None, bool]]:
    """Return, for each side of a match, its player and whether the side is decided."""
    a, b = match.sources
    return _player_from(state, a, progress), _player_from(state, b, progress)


def _is_needed(state: StageState, match: BracketMatch, progress: Progress) -> bool:
    """Return whether the second match of a grand final has to be played as far as is known.

    No other match can be unnecessary with both players known.
    """
    source = match.sources[0]
    if not isinstance(source, FromMatch) or source.match not in played_matches(state):
        return False
    upper, _result = played_matches(state)[source.match]
    return progress[source.match].winner not in (None, upper.seats[0])


def to_come(state: StageState) -> tuple[BracketMatch, ...]:
    """Return the matches not made yet in which two players may still meet."""
    known, progress = played_matches(state), progress_of(state)
    possible: dict[tuple[int, bool], bool] = {}
    found = []
    for match in shape_of(state.plan):
        ended = progress[match.number]
        if ended.decided:
            both, one = ended.loser is not None, ended.winner is not None
        elif match.number in known:
            both = one = True
        else:
            sides = [
                possible[source.match, source.winner]
                if isinstance(source, FromMatch)
                else player is not None
                for source, (player, _sure) in zip(
                    match.sources, sides_of(state, match, progress), strict=True
                )
            ]
            both, one = all(sides), any(sides)
            if both:
                found.append(match)
        possible[match.number, True], possible[match.number, False] = one, both
    return tuple(found)


def still_in(state: StageState) -> frozenset[PlayerId]:
    """Return the players with a match to play in a bracket that has begun, and its winner."""
    last, progress = shape_of(state.plan)[-1:], progress_of(state)
    winners = {progress[match.number].winner for match in last if progress[match.number].decided}
    return with_match_to_play(state) | {player for player in winners if player is not None}


def with_match_to_play(state: StageState) -> frozenset[PlayerId]:
    """Return the players known to have a match to play in a bracket."""
    known, progress = played_matches(state), progress_of(state)
    found: set[PlayerId | None] = set()
    for match in shape_of(state.plan):
        if progress[match.number].decided:
            continue
        if match.number in known:
            pairing, _result = known[match.number]
            found.update(pairing.seats)
        else:
            found.update(player for player, _sure in sides_of(state, match, progress))
    return frozenset(player for player in found if player is not None)


def _match_progress(
    state: StageState, match: BracketMatch, known: Known, progress: Progress, made: int
) -> MatchProgress:
    if match.number in known:
        _pairing, result = known[match.number]
        if not result.is_played:
            return OPEN
        return MatchProgress(winner=winner_of(result), loser=loser_of(result))
    (a, a_known), (b, b_known) = sides_of(state, match, progress)
    if not (a_known and b_known):
        return OPEN
    if match.part is Part.AGAIN and not _is_needed(state, match, progress):
        return MatchProgress(
            winner=b, loser=a
        )  # the second player is the winner of the first match
    if a is None or b is None:
        return MatchProgress(winner=b if a is None else a)
    return MatchProgress() if match.round <= made else OPEN


def _player_from(
    state: StageState, source: Source, progress: Progress
) -> tuple[PlayerId | None, bool]:
    if isinstance(source, FromMatch):
        ended = progress[source.match]
        return (ended.winner if source.winner else ended.loser), ended.decided
    seats = state.seats[state.plan.groups[0].name]
    return (seats[source.number - 1] if source.number <= len(seats) else None), True
