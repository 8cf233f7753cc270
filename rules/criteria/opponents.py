"""How strong a player's opponents were. Byes have no opponent and count for nothing here."""

from fractions import Fraction

from rules.criteria.base import numeric
from rules.history import History
from rules.results import PlayerId
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def _points_met(history: History, player: PlayerId) -> list[int]:
    """Return the points of everybody met, the lowest first."""
    tallies = history.tallies
    return sorted([tallies[other].points for other in history.opponents[player]])


def _opponents_points(history: History, player: PlayerId) -> int:
    return history.opponents_points[player]


def _cut_1(history: History, player: PlayerId) -> int:
    return sum(_points_met(history, player)[1:])


def _median(history: History, player: PlayerId) -> int:
    return sum(_points_met(history, player)[1:-1])


def _sonneborn_berger(history: History, player: PlayerId) -> Fraction:
    total = Fraction(0)
    for meeting in history.meetings(player):
        if meeting.opponent is None or meeting.outcome == "lost":
            continue
        points = history.tallies[meeting.opponent].points
        total += points if meeting.outcome == "won" else Fraction(points, 2)
    return total


OPPONENTS_POINTS = numeric(
    key="opponents_points",
    label=Sentence(_("Opponents’ points")),
    short=Sentence(_("Opp")),
    explains=Sentence(
        _(
            "The sum of the points of everybody met; who was met twice counts twice. In a finished "
            "group players level on points are always level on this too; it separates Swiss "
            "players, and players of different groups."
        )
    ),
    value=_opponents_points,
)
BUCHHOLZ_CUT1 = numeric(
    key="buchholz_cut1",
    label=Sentence(_("Buchholz cut 1")),
    short=Sentence(_("BH-1")),
    explains=Sentence(_("Opponents’ points without the lowest opponent.")),
    value=_cut_1,
)
BUCHHOLZ_MEDIAN = numeric(
    key="buchholz_median",
    label=Sentence(_("Median Buchholz")),
    short=Sentence(_("BH-M")),
    explains=Sentence(_("Opponents’ points without the lowest and the highest opponent.")),
    value=_median,
)
SONNEBORN_BERGER = numeric(
    key="sonneborn_berger",
    label=Sentence(_("Sonneborn-Berger")),
    short=Sentence(_("SB")),
    explains=Sentence(_("Points of the beaten opponents and half of those of the drawn ones.")),
    value=_sonneborn_berger,
)
