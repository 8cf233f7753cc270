"""Results written as one would say them: ``a.beats(b)``."""

from dataclasses import dataclass, field

from rules.history.group_history import History
from rules.results import MatchEnding, Result, Winner, two_player_result


@dataclass
class Scoresheet:
    """Collects the results of its players."""

    results: list[Result] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def players(self, names: str) -> "list[SheetPlayer]":
        """Add players by names with spaces between them."""
        self.names += names.split()
        return [SheetPlayer(name, self) for name in names.split()]

    def history(self, **more: object) -> History:
        """Return what has been written so far."""
        return History(players=tuple(self.names), results=tuple(self.results), **more)


@dataclass
class SheetPlayer:
    """A player who writes results on the sheet."""

    name: str
    sheet: Scoresheet

    def _write(self, other: "SheetPlayer | None", winner: Winner, **more: object) -> None:
        opponent = other.name if other else None
        self.sheet.results.append(two_player_result(a=self.name, b=opponent, winner=winner, **more))

    def beats(self, other: "SheetPlayer", made: int = 40, conceded: int = 0) -> None:
        """Win, by default 40-0."""
        self._write(other, Winner.A, score=(made, conceded))

    def draws(self, other: "SheetPlayer", made: int = 20) -> None:
        """Draw, by default 20-20."""
        self._write(other, Winner.DRAW, score=(made, made))

    def wins_games(self, other: "SheetPlayer", won: int, lost: int, drawn: int = 0) -> None:
        """Win or draw a best of n by these games."""
        winner = Winner.A if won > lost else Winner.DRAW
        self._write(other, winner, score=(won, lost), games=(won, lost, drawn))

    def does_not_meet(self, other: "SheetPlayer") -> None:
        """Win because the other did not come."""
        self._write(other, Winner.A, ended_by=MatchEnding.NO_SHOW)

    def and_both_lose(self, other: "SheetPlayer") -> None:
        """Lose together."""
        self._write(other, Winner.NONE, ended_by=MatchEnding.DOUBLE_LOSS)

    def is_struck_with(self, other: "SheetPlayer") -> None:
        """Play a match that counts for nothing."""
        self._write(other, Winner.VOID, score=(40, 0), ended_by=MatchEnding.VOID)

    def has_a_bye(self) -> None:
        """Win without opponent."""
        self._write(None, Winner.A, ended_by=MatchEnding.BYE)

    def misses_a_round(self) -> None:
        """Lose without opponent."""
        self._write(None, Winner.NONE)
