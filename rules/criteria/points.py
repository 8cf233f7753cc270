"""Criteria of a player's own results: points, wins, score, penalties, lots; of opponents' strength.

Byes have no opponent and are ignored there.
"""

from collections.abc import Iterator
from operator import attrgetter, sub

from rules.criteria.base import (
    CRITERIA,
    Level,
    SeatFractions,
    TiebreakerSplit,
    numeric_criterion,
    split_by_figures,
)
from rules.history.group_history import History, match_winners
from rules.results import Winner
from rules.wording import Sentence, untranslated_text


def _lots(history: History, level: Level) -> TiebreakerSplit:
    # A draw that names only some leaves the rest level behind them (contract, rank).
    behind = len(history.lots) + 1
    figures = {player: (history.lot_of.get(player, behind),) for player in level}
    return split_by_figures(level, figures, lowest_first=True)


POINTS = numeric_criterion(
    key="points",
    label=Sentence("Points"),
    short=Sentence("Pts"),
    explains=Sentence("Match points. A bye counts as a win."),
    values=lambda history: SeatFractions(history.points_made, history.points.parts),
)
WINS = numeric_criterion(
    key="wins",
    label=Sentence("Wins"),
    short=Sentence("Wins"),
    explains=Sentence("Matches won, including byes and forfeits."),
    values=attrgetter("outcomes.won"),
)
FEWEST_PENALTIES = numeric_criterion(
    key="fewest_penalties",
    label=Sentence("Fewest penalties"),
    short=untranslated_text("Pen"),
    explains=Sentence("Fewer penalties in the event."),
    values=lambda history: [history.penalties.get(player, 0) for player in history.players],
    lowest_first=True,
)
LOTS = CRITERIA.define(
    key="lots",
    label=Sentence("Random draw"),
    short=Sentence("Random"),
    explains=Sentence("A random draw, made once and recorded."),
    split=_lots,
    lowest_first=True,
)


SCORE_FOR = numeric_criterion(
    key="score_for",
    label=Sentence("Points scored"),
    short=Sentence("Made"),
    explains=Sentence("Points scored or games won. Byes and forfeits don’t count."),
    values=attrgetter("scores.made"),
)
SCORE_DIFFERENCE = numeric_criterion(
    key="score_difference",
    label=Sentence("Score difference"),
    short=untranslated_text("Diff"),
    explains=Sentence("Points scored minus points conceded."),
    values=lambda history: [*map(sub, *history.scores)],
)


def _points_met(history: History) -> Iterator[list[int]]:
    points = history.points_by_player
    for player in history.players:
        yield sorted([points[other] for other in history.opponents[player]])


def _sonneborn_berger(history: History) -> SeatFractions:
    halves, points = history.nothing(), history.points_made
    for a, b, winner in zip(*history.seats, match_winners(history.counted), strict=True):
        if winner is Winner.A:
            halves[a] += 2 * points[b]
        elif winner is Winner.B:
            halves[b] += 2 * points[a]
        elif winner is Winner.DRAW:
            halves[a] += points[b]
            halves[b] += points[a]
    return SeatFractions(halves, 2 * history.points.parts)


def _of_points(history: History, sums: list[int]) -> SeatFractions:
    return SeatFractions(sums, history.points.parts)


OPPONENTS_POINTS = numeric_criterion(
    key="opponents_points",
    label=Sentence("Opponents’ points"),
    short=Sentence("Opp"),
    explains=Sentence(
        "Sum of the opponents’ points, each counted once per match. "
        "Useful in Swiss rounds and to compare groups."
    ),
    values=lambda history: _of_points(history, history.of_opponents(history.points_made)),
)
BUCHHOLZ_CUT1 = numeric_criterion(
    key="buchholz_cut1",
    label=Sentence("Buchholz cut 1"),
    short=untranslated_text("BH-1"),
    explains=Sentence("Opponents’ points, excluding the lowest."),
    values=lambda history: _of_points(history, [sum(met[1:]) for met in _points_met(history)]),
)
BUCHHOLZ_MEDIAN = numeric_criterion(
    key="buchholz_median",
    label=Sentence("Median Buchholz"),
    short=untranslated_text("BH-M"),
    explains=Sentence("Opponents’ points, excluding the lowest and the highest."),
    values=lambda history: _of_points(history, [sum(met[1:-1]) for met in _points_met(history)]),
)
SONNEBORN_BERGER = numeric_criterion(
    key="sonneborn_berger",
    label=untranslated_text("Sonneborn-Berger"),
    short=untranslated_text("SB"),
    explains=Sentence(
        "Points of defeated opponents, plus half the points of opponents with a drawn match."
    ),
    values=_sonneborn_berger,
)
