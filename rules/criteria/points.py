"""Criteria of a player's own results: points, wins, score, penalties, and lots."""

from operator import attrgetter

from rules.criteria.base import CRITERIA, Level, SeatFractions, Split, numeric_criterion, split_by
from rules.history.group_history import History
from rules.wording import Sentence


def _penalties(history: History) -> list[int]:
    return [history.penalties.get(player, 0) for player in history.players]


def _lots(history: History, level: Level) -> Split:
    # A draw that names only some leaves the rest level behind them (contract, rank).
    behind = len(history.lots) + 1
    figures = {player: (history.lot_of.get(player, behind),) for player in level}
    return split_by(level, figures, lowest_first=True)


POINTS = numeric_criterion(
    key="points",
    label=Sentence("Points"),
    short=Sentence("Pts"),
    explains=Sentence("Points from won and drawn matches; a bye counts as a win."),
    values=lambda history: SeatFractions(history.points_made, history.points.parts),
)
WINS = numeric_criterion(
    key="wins",
    label=Sentence("Wins"),
    short=Sentence("Wins"),
    explains=Sentence("Matches won, byes and forfeits of opponents included."),
    values=attrgetter("outcomes.won"),
)
FEWEST_PENALTIES = numeric_criterion(
    key="fewest_penalties",
    label=Sentence("Fewest penalties"),
    short=Sentence("Pen"),
    explains=Sentence("Whoever was given fewer penalties in the event goes first."),
    values=_penalties,
    lowest_first=True,
)
LOTS = CRITERIA.define(
    key="lots",
    label=Sentence("Random draw"),
    short=Sentence("Random"),
    explains=Sentence(
        "A random draw, made once and recorded. Until then tied players share a rank."
    ),
    split=_lots,
    lowest_first=True,
)


def _score_difference(history: History) -> list[int]:
    return [made - conceded for made, conceded in zip(*history.scores, strict=True)]


SCORE_FOR = numeric_criterion(
    key="score_for",
    label=Sentence("Score made"),
    short=Sentence("Made"),
    explains=Sentence(
        "The points that a player scored, or the games won where matches are of games. Byes and "
        "forfeits bring none."
    ),
    values=attrgetter("scores.made"),
)
SCORE_DIFFERENCE = numeric_criterion(
    key="score_difference",
    label=Sentence("Score difference"),
    short=Sentence("Diff"),
    explains=Sentence("Score made minus score conceded."),
    values=_score_difference,
)
