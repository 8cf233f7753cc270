"""What a game says of the standings of its events.

Source: contracts, Formats of one's own.
"""

from dataclasses import dataclass
from fractions import Fraction

from rules.standings.table import DEFAULT_CRITERIA


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStandings:
    """Points of a won, a drawn and a lost match, and the order of criteria.

    ``floor`` is the least share of a criterion that compares shares, ``draw_share`` what a drawn
    match counts there, of one that is won. ``bye_games`` are the games that a bye counts as won;
    with ``byes_left_out`` a bye is no match in a player's own share of wins. ``dropped_cap`` is the
    largest share of who dropped out.
    """

    points: tuple[Fraction, Fraction, Fraction] = (Fraction(3), Fraction(1), Fraction(0))
    criteria: tuple[str, ...] = DEFAULT_CRITERIA
    floor: Fraction = Fraction(1, 3)
    draw_share: Fraction = Fraction(1, 3)
    bye_games: int = 0
    byes_left_out: bool = False
    dropped_cap: Fraction | None = None

    def shares(self, win: int, draw: int) -> dict[str, str]:
        """Return what a plan holds of floor, draw share and byes: what is not the usual.

        Usually a draw counts as many points as it gives, of those of a win.
        """
        found = {} if self.floor == Fraction(1, 3) else {"floor": str(self.floor)}
        if not win or Fraction(draw, win) != self.draw_share:
            found["draw"] = str(self.draw_share)
        if self.byes_left_out:
            found["byes"] = "0"
        if self.dropped_cap is not None:
            found["dropped"] = str(self.dropped_cap)
        if self.bye_games:
            found["bye_games"] = str(self.bye_games)
        return found
