"""Head-to-head: a mini-table of the matches among exactly the players that are level.

Source: tournament rules, Standings order, 3.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rules.criteria.base import CRITERIA, Level, Number, TiebreakerSplit, exact, split_by_figures
from rules.history.group_history import History, PlayerMatch
from rules.results import PlayerId, Points
from rules.wording import Sentence

Among = Mapping[PlayerId, Sequence[PlayerMatch]]
Figures = Mapping[PlayerId, tuple[int, ...]]


def _points_difference_score(meetings: Sequence[PlayerMatch]) -> tuple[int, ...]:
    return (
        sum([one.points for one in meetings]),
        sum([one.made - one.conceded for one in meetings]),
        sum([one.made for one in meetings]),
    )


def _missing_meetings(among: Among) -> dict[PlayerId, int]:
    """Return the number of other level players that each player has not met."""
    return {
        player: len(among) - 1 - len({meeting.opponent for meeting in meetings})
        for player, meetings in among.items()
    }


def _safe_leader(
    figures: Figures, missing: Mapping[PlayerId, int], points: Points
) -> PlayerId | None:
    """Return the player who stays first however the missing matches end, or None."""
    worth = points.win, points.draw, points.loss
    least, most = min(worth), max(worth)
    leader = max(figures, key=lambda player: figures[player][0] + missing[player] * least)
    floor = figures[leader][0] + missing[leader] * least
    reachable = (
        figures[player][0] + missing[player] * most for player in figures if player != leader
    )
    return leader if all(floor > ceiling for ceiling in reachable) else None


def _mini_table(
    history: History, level: Level, figure: Callable[[Sequence[PlayerMatch]], tuple[int, ...]]
) -> TiebreakerSplit:
    among = history.among(level)
    if not any(among.values()):
        return TiebreakerSplit(classes=(tuple(level),), figures=dict.fromkeys(level, figure(())))
    figures = {player: figure(meetings) for player, meetings in among.items()}
    missing, shown = _missing_meetings(among), _in_points(figures, history.points.parts)
    if not any(missing.values()):
        return split_by_figures(level, shown)
    leader = _safe_leader(figures, missing, history.points)
    if leader is None:
        return TiebreakerSplit(classes=(tuple(level),), figures=shown)
    rest = tuple(player for player in level if player != leader)
    return TiebreakerSplit(classes=((leader,), rest), figures=shown)


def _in_points(figures: Figures, parts: int) -> Mapping[PlayerId, tuple[Number, ...]]:
    if parts == 1:
        return figures
    return {player: (exact(points, parts), *more) for player, (points, *more) in figures.items()}


HEAD_TO_HEAD = CRITERIA.define(
    key="head_to_head",
    label=Sentence("Head-to-head"),
    short=Sentence("H2H"),
    explains=Sentence(
        "Points in the matches between the tied players. If some have not met, only a leader "
        "who can’t be caught is placed ahead."
    ),
    split=partial(_mini_table, figure=lambda meetings: (sum([one.points for one in meetings]),)),
    repeats=True,
    inside=True,
    across=False,
)
HEAD_TO_HEAD_UEFA = CRITERIA.define(
    key="head_to_head_uefa",
    label=Sentence("Head-to-head, UEFA style"),
    short=Sentence("H2H UEFA"),
    explains=Sentence(
        "Points, score difference and points scored in the matches between the tied players."
    ),
    split=partial(_mini_table, figure=_points_difference_score),
    repeats=True,
    inside=True,
    across=False,
)
