"""Criteria of opponents' strength. Byes have no opponent and are ignored."""

from collections.abc import Iterator

from rules.criteria.base import SeatFractions, numeric_criterion
from rules.history.group_history import History, winners_of
from rules.results import Winner
from rules.wording import Sentence


def _points_met(history: History) -> Iterator[list[int]]:
    points = history.points_by_player
    for player in history.players:
        yield sorted([points[other] for other in history.opponents[player]])


def _sonneborn_berger(history: History) -> SeatFractions:
    halves, points = history.nothing(), history.points_made
    for a, b, winner in zip(*history.seats, winners_of(history.counted), strict=True):
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
        "The sum of the points of everybody met; who was met twice counts twice. In a finished "
        "group players level on points are always level on this too; it separates Swiss "
        "players, and players of different groups."
    ),
    values=lambda history: _of_points(history, history.of_opponents(history.points_made)),
    win_can_cost="a win takes points from an opponent",
)
BUCHHOLZ_CUT1 = numeric_criterion(
    key="buchholz_cut1",
    label=Sentence("Buchholz cut 1"),
    short=Sentence("BH-1"),
    explains=Sentence("Opponents’ points without the lowest opponent."),
    values=lambda history: _of_points(history, [sum(met[1:]) for met in _points_met(history)]),
    win_can_cost="a win takes points from an opponent",
)
BUCHHOLZ_MEDIAN = numeric_criterion(
    key="buchholz_median",
    label=Sentence("Median Buchholz"),
    short=Sentence("BH-M"),
    explains=Sentence("Opponents’ points without the lowest and the highest opponent."),
    values=lambda history: _of_points(history, [sum(met[1:-1]) for met in _points_met(history)]),
    win_can_cost="a win takes points from an opponent",
)
SONNEBORN_BERGER = numeric_criterion(
    key="sonneborn_berger",
    label=Sentence("Sonneborn-Berger"),
    short=Sentence("SB"),
    explains=Sentence("Points of the beaten opponents and half of those of the drawn ones."),
    values=_sonneborn_berger,
    win_can_cost="the beaten opponent has fewer points",
)
