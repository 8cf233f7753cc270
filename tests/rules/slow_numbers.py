"""Every numeric criterion read slowly off the results, in fractions from the first step on.

Written from the tournament rules and the tournament rules of Magic, appendix C; shares no code
with ``rules.criteria``. ``oracle`` has the standings order and head-to-head in the same way.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from rules.results import PlayerId, Points, Result, Winner, two_seats

LEAST = Fraction(1, 3)


class Season:
    """The counted results of some players, asked one question at a time."""

    def __init__(self, results: Sequence[Result], points: Points) -> None:
        self.results = [one for one in results if one.winner not in (None, Winner.VOID)]
        self.worth = points

    def of(self, player: PlayerId) -> list[tuple[PlayerId | None, str, Result, int]]:
        """Return a player's matches: opponent, outcome, result, and 0 or 1 for a or b."""
        found = []
        for result in self.results:
            a, b = two_seats(result.seats, None)
            for side, own, other in ((0, a, b), (1, b, a)):
                if own == player:
                    won = result.winner is (Winner.A, Winner.B)[side]
                    drawn = result.winner is Winner.DRAW
                    outcome = "won" if won else "drawn" if drawn else "lost"
                    found.append((other, outcome, result, side))
        return found

    def met(self, player: PlayerId) -> list[PlayerId]:
        return [other for other, *_rest in self.of(player) if other is not None]

    def points(self, player: PlayerId) -> int:
        worth = {"won": self.worth.win, "drawn": self.worth.draw, "lost": self.worth.loss}
        return sum(worth[outcome] for _other, outcome, *_rest in self.of(player))

    def wins(self, player: PlayerId) -> int:
        return sum(outcome == "won" for _other, outcome, *_rest in self.of(player))

    def score(self, player: PlayerId, sides: tuple[int, int]) -> int:
        return sum(
            result.score[sides[side]]
            for other, _outcome, result, side in self.of(player)
            if result.score is not None and other is not None
        )

    def made(self, player: PlayerId) -> int:
        return self.score(player, (0, 1))

    def difference(self, player: PlayerId) -> int:
        return self.made(player) - self.score(player, (1, 0))

    def opponents(self, player: PlayerId, value: Callable[[PlayerId], Fraction]) -> list[Fraction]:
        return sorted(Fraction(value(other)) for other in self.met(player))

    def match_share(self, player: PlayerId) -> Fraction:
        best = len(self.of(player)) * self.worth.win
        return max(LEAST, Fraction(self.points(player), best)) if best > 0 else LEAST

    def game_share(self, player: PlayerId) -> Fraction:
        games = [
            (one.games_won, side) for _other, _how, one, side in self.of(player) if one.games_won
        ]
        played = sum(sum(each) for each, _side in games)
        made = sum(3 * each[side] + each[2] for each, side in games)
        return max(LEAST, Fraction(made, 3 * played)) if played else LEAST

    def mean(self, player: PlayerId, share: Callable[[PlayerId], Fraction]) -> Fraction:
        shares = self.opponents(player, share)
        return sum(shares, Fraction(0)) / len(shares) if shares else LEAST

    def sonneborn_berger(self, player: PlayerId) -> Fraction:
        part = {"won": Fraction(1), "drawn": Fraction(1, 2), "lost": Fraction(0)}
        return sum(
            (
                part[outcome] * self.points(other)
                for other, outcome, *_rest in self.of(player)
                if other is not None
            ),
            Fraction(0),
        )

    def clean_wins(self, player: PlayerId) -> int:
        return sum(
            outcome == "won" and result.games_won[1 - side] == 0 and result.games_won[2] == 0
            for other, outcome, result, side in self.of(player)
            if other is not None and result.games_won is not None
        )

    def value(self, criterion: str, player: PlayerId) -> Fraction:
        """Return a player's number under a criterion."""
        return Fraction(WAYS[criterion](self, player))


WAYS: Mapping[str, Callable[["Season", PlayerId], Fraction | int]] = {
    "points": lambda self, player: self.points(player),
    "opponents_points": lambda self, player: sum(self.opponents(player, self.points)),
    "buchholz_cut1": lambda self, player: sum(self.opponents(player, self.points)[1:]),
    "buchholz_median": lambda self, player: sum(self.opponents(player, self.points)[1:-1]),
    "sonneborn_berger": lambda self, player: self.sonneborn_berger(player),
    "score_for": lambda self, player: self.made(player),
    "score_difference": lambda self, player: self.difference(player),
    "wins": lambda self, player: self.wins(player),
    "wins_fewer_games": lambda self, player: self.clean_wins(player),
    "opponents_match_win": lambda self, player: self.mean(player, self.match_share),
    "opponents_opponents_match_win": lambda self, player: self.mean(
        player, lambda other: self.mean(other, self.match_share)
    ),
    "game_win": lambda self, player: self.game_share(player),
    "opponents_game_win": lambda self, player: self.mean(player, self.game_share),
}
"""The number of a player under each criterion that has one."""
