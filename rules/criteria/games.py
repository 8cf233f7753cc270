"""Shares of won matches and games as in Magic, exact, and wins in the fewest games.

Magic: The Gathering Tournament Rules, appendix C; tournament rules, Standings order.
"""

from collections.abc import Callable
from fractions import Fraction

from rules.criteria.base import numeric
from rules.history import History
from rules.results import PlayerId
from rules.wording import Sentence
from rules.wording import gettext_noop as _

FLOOR = Fraction(1, 3)
"""The least that a share counts; also the share of who played nothing or met nobody."""


def _match_share(history: History, player: PlayerId) -> Fraction:
    tally = history.tallies[player]
    best = tally.played * history.points.win
    return max(FLOOR, Fraction(tally.points, best)) if best > 0 else FLOOR


def _game_share(history: History, player: PlayerId) -> Fraction:
    """Return (3 won + drawn) / (3 played); matches whose games are not known are left out."""
    tally = history.tallies[player]
    if not tally.games_played:
        return FLOOR
    return max(FLOOR, Fraction(3 * tally.games_won + tally.games_drawn, 3 * tally.games_played))


def _mean_of_opponents(
    share: Callable[[History, PlayerId], Fraction], history: History, player: PlayerId
) -> Fraction:
    met = history.opponents[player]
    return sum((share(history, other) for other in met), Fraction(0)) / len(met) if met else FLOOR


def _opponents_match_win(history: History, player: PlayerId) -> Fraction:
    return _mean_of_opponents(_match_share, history, player)


def _opponents_game_win(history: History, player: PlayerId) -> Fraction:
    return _mean_of_opponents(_game_share, history, player)


def _wins_fewer_games(history: History, player: PlayerId) -> int:
    return sum(
        meeting.outcome == "won"
        and meeting.opponent is not None
        and meeting.games is not None
        and meeting.games[1:] == (0, 0)
        for meeting in history.meetings(player)
    )


OPPONENTS_MATCH_WIN = numeric(
    key="opponents_match_win",
    label=Sentence(_("Opponents’ match-win share")),
    short=Sentence(_("OMW")),
    explains=Sentence(
        _(
            "The mean of the opponents’ shares of match points, each at least 1/3. Byes are wins "
            "but no opponents."
        )
    ),
    value=_opponents_match_win,
)
GAME_WIN = numeric(
    key="game_win",
    label=Sentence(_("Game-win share")),
    short=Sentence(_("GW")),
    explains=Sentence(
        _("Three for a won game and one for a drawn one, out of three a game; at least 1/3.")
    ),
    value=_game_share,
)
OPPONENTS_GAME_WIN = numeric(
    key="opponents_game_win",
    label=Sentence(_("Opponents’ game-win share")),
    short=Sentence(_("OGW")),
    explains=Sentence(_("The mean of the opponents’ game-win shares, each at least 1/3.")),
    value=_opponents_game_win,
)
WINS_FEWER_GAMES = numeric(
    key="wins_fewer_games",
    label=Sentence(_("Wins with fewer games")),
    short=Sentence(_("Clean")),
    explains=Sentence(
        _("Matches won in the fewest games: without a lost or a drawn one. Byes do not count.")
    ),
    value=_wins_fewer_games,
)
