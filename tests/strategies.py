"""Hypothesis strategies: players and results of a group or a Swiss stage."""

from dataclasses import dataclass
from itertools import combinations

from hypothesis import strategies as st

from rules.results import MatchEnding, PlayerId, Result, Winner, two_player_result

PLAYED_WINNERS = {(1, 0): Winner.A, (0, 1): Winner.B, (0, 0): Winner.DRAW}


@dataclass(frozen=True)
class Played:
    """Players and their results."""

    players: tuple[PlayerId, ...]
    results: tuple[Result, ...]


@st.composite
def outcomes(draw: st.DrawFn, a: PlayerId, b: PlayerId) -> Result:
    """Draw one match between two: mostly played, now and then a forfeit or struck."""
    odd = draw(st.sampled_from([None] * 8 + [Winner.A, Winner.NONE, Winner.VOID]))
    if odd is not None:
        return two_player_result(a=a, b=b, winner=odd, ended_by=MatchEnding.NO_SHOW)
    # Few different scores, so that players are often level.
    made, conceded = draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))
    sign = (int(made > conceded), int(conceded > made))
    drawn = draw(st.integers(0, 1))
    return two_player_result(
        a=a,
        b=b,
        winner=PLAYED_WINNERS[sign],
        score=(made, conceded),
        games=(made, conceded, drawn),
    )


@st.composite
def groups(draw: st.DrawFn, *, least: int = 2, most: int = 6) -> Played:
    """Draw a finished group: everybody met everybody, once or twice, nothing struck."""
    players = tuple(range(1, draw(st.integers(least, most)) + 1))
    legs = draw(st.integers(1, 2))
    results = [
        draw(outcomes(a, b).filter(lambda result: result.counts))
        for _leg in range(legs)
        for a, b in combinations(players, 2)
    ]
    return Played(players, tuple(results))


@st.composite
def stages(draw: st.DrawFn, *, most: int = 7) -> Played:
    """Draw any stage: some have met, some had byes, missed rounds or were struck."""
    players = tuple(range(1, draw(st.integers(1, most)) + 1))
    pairs = list(combinations(players, 2))
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=14)) if pairs else []
    results = [draw(outcomes(a, b)) for a, b in chosen]
    for player in draw(st.lists(st.sampled_from(players), max_size=4)):
        winner = draw(st.sampled_from([Winner.A, Winner.NONE]))
        results.append(two_player_result(a=player, b=None, winner=winner, ended_by=MatchEnding.BYE))
    return Played(players, tuple(results))
