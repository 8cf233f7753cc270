"""Match-win and game-win percentages as in Magic, computed exactly, and wins in the fewest games.

Source: Magic: The Gathering Tournament Rules, appendix C; tournament rules, Standings order.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import sub

from rules.criteria.base import SeatFractions, numeric_criterion
from rules.history.group_history import History, match_games, match_winners
from rules.results import Winner
from rules.wording import Sentence, untranslated_text


def _ratios(made: Sequence[int], best: Sequence[int], least: Fraction) -> SeatFractions:
    """Return the ratio of ``made`` to ``best`` by seat; ``least`` also without any."""
    different = {most for most in best if most > 0}
    denominator = lcm(least.denominator, *different)
    floor, one_of = int(denominator * least), {most: denominator // most for most in different}
    pairs = zip(made, best, strict=True)
    numerators = [max(floor, own * one_of.get(most, 0)) for own, most in pairs]
    return SeatFractions(numerators, denominator)


def _match_fractions(history: History) -> SeatFractions:
    points, (won, drawn, lost) = history.points, history.outcomes
    if points.byes_left_out:
        whole, half = history.byes
        won, drawn = [*map(sub, won, whole)], [*map(sub, drawn, half)]
    win, draw, loss = points.win, points.draw, points.loss
    if points.draw_share is not None:
        win, draw, loss = points.draw_share.denominator, points.draw_share.numerator, 0
    records = [*zip(won, drawn, lost, strict=True)]
    made = [wins * win + draws * draw + losses * loss for wins, draws, losses in records]
    shares = _ratios(made, [win * sum(record) for record in records], points.floor)
    return _capped(shares, history) if points.dropped_cap is not None else shares


def _capped(shares: SeatFractions, history: History) -> SeatFractions:
    """Return shares in which no player who dropped out has more than ``Points.dropped_cap``."""
    cap = history.points.dropped_cap or Fraction(0)
    scale = lcm(shares.denominator, cap.denominator)
    numerators = [number * (scale // shares.denominator) for number in shares.numerators]
    for seat, player in enumerate(history.players):
        if player in history.dropped:
            numerators[seat] = min(numerators[seat], int(cap * scale))
    return SeatFractions(numerators, scale)


def _game_fractions(history: History) -> SeatFractions:
    """Return (3 won + drawn) / (3 played); matches whose games are unknown are ignored."""
    games_won, games_drawn, games_played = history.games
    made = [3 * won + drawn for won, drawn in zip(games_won, games_drawn, strict=True)]
    return _ratios(made, [3 * played for played in games_played], history.points.floor)


def _mean_of_opponents(fractions: SeatFractions, history: History) -> SeatFractions:
    """Return the mean fraction of each player's opponents, with a common denominator."""
    sums = history.of_opponents([*fractions.numerators[:-1], 0])
    met = history.met
    every = lcm(*{count for count in met if count})
    denominator = lcm(fractions.denominator * every, history.points.floor.denominator)
    floor, scale = int(denominator * history.points.floor), denominator // fractions.denominator
    numerators = [
        total * (scale // count) if count else floor for total, count in zip(sums, met, strict=True)
    ]
    return SeatFractions(numerators, denominator)


def _wins_fewer_games(history: History) -> list[int]:
    wins, nobody = history.nothing(), len(history.players)
    columns = *history.seats, match_winners(history.counted), *match_games(history.counted)
    for a, b, winner, won_by_a, won_by_b, drawn in zip(*columns, strict=True):
        if won_by_a is not None and b != nobody:
            wins[a] += winner is Winner.A and not won_by_b + drawn
            wins[b] += winner is Winner.B and not won_by_a + drawn
    return wins


OPPONENTS_MATCH_WIN = numeric_criterion(
    key="opponents_match_win",
    label=Sentence("Opponents’ match-win percentage"),
    short=untranslated_text("OMW"),
    explains=Sentence(
        "Average of the opponents’ match-win percentages, each at least 1/3. Byes don’t count."
    ),
    values=lambda history: _mean_of_opponents(_match_fractions(history), history),
    percentage=True,
)
OPPONENTS_OPPONENTS_MATCH_WIN = numeric_criterion(
    key="opponents_opponents_match_win",
    label=Sentence("Opponents’ opponents’ match-win percentage"),
    short=untranslated_text("OOMW"),
    explains=Sentence("Average OMW of the opponents."),
    values=lambda history: _mean_of_opponents(
        _mean_of_opponents(_match_fractions(history), history), history
    ),
    percentage=True,
)
GAME_WIN = numeric_criterion(
    key="game_win",
    label=Sentence("Game-win percentage"),
    short=untranslated_text("GW"),
    explains=Sentence("Percentage of possible game points won (win 3, draw 1), at least 1/3."),
    values=_game_fractions,
    percentage=True,
)
OPPONENTS_GAME_WIN = numeric_criterion(
    key="opponents_game_win",
    label=Sentence("Opponents’ game-win percentage"),
    short=untranslated_text("OGW"),
    explains=Sentence("Average of the opponents’ game-win percentages, each at least 1/3."),
    values=lambda history: _mean_of_opponents(_game_fractions(history), history),
    percentage=True,
)
WINS_FEWER_GAMES = numeric_criterion(
    key="wins_fewer_games",
    label=Sentence("Wins with fewer games"),
    short=Sentence("Clean"),
    explains=Sentence("Matches won without losing or drawing a game. Byes don’t count."),
    values=_wins_fewer_games,
)
