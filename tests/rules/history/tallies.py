"""All totals of each player of a history, to compare them at once."""

from dataclasses import dataclass

from rules.history.group_history import History
from rules.results import PlayerId


@dataclass(slots=True)
class Tally:
    """A player's totals over all counted matches; matches without a score add none."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: int = 0
    made: int = 0
    conceded: int = 0
    games_won: int = 0
    games_drawn: int = 0
    games_played: int = 0


def tallies_of(history: History) -> dict[PlayerId, Tally]:
    """Return each player's totals."""
    sums = zip(history.points_made, *history.scores, *history.games, strict=True)
    return {
        player: Tally(*record, *numbers)
        for (player, record), numbers in zip(history.records.items(), sums, strict=False)
    }
