"""What the picture of a bracket consists of: rows, slots, rounds, halves."""

from dataclasses import dataclass

from tournaments.core.rows import EntryRow
from tournaments.diagrams.selectors.nodes import Column

DONE, PLAYING, WAITING, NEXT = "done", "on", "waits", "next"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A side of a match: a player, or in words who may come there."""

    entry: EntryRow | None
    words: str
    seed: str
    score: str
    won: bool
    followed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place for a match. ``state`` is DONE, PLAYING, WAITING or NEXT; "" without a match.

    ``path`` is "lit" where the followed player played or plays, "maybe" where they may come;
    ``onwards`` says the same of the line to the next match. ``fed`` if a match leads here.
    """

    number: int = 0
    heading: str = ""
    state: str = ""
    words: str = ""
    rows: tuple[Row, ...] = ()
    goes: int = 0
    path: str = ""
    onwards: str = ""
    fed: bool = False
    passes: bool = False

    @property
    def line(self) -> str:
        """Return the class of the line to the next match."""
        return f"out-{self.onwards}" if self.onwards else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round: its matches by slot, how many are finished, whether it is the present one."""

    heading: str
    slots: tuple[Slot, ...]
    done: int
    total: int
    now: bool
    straight: bool = False

    @property
    def over(self) -> bool:
        """Return whether all its matches are finished."""
        return self.total > 0 and self.done == self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """An upper or lower bracket, or the only one, which has no title."""

    title: str
    note: str
    rounds: tuple[Round, ...]

    @property
    def has_cup(self) -> bool:
        """Return whether a cup is drawn above its last match, if there is room for it."""
        return not self.title and len(self.rounds) > 2 and len(self.rounds[-1].slots) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedPlayer:
    """The player whose path is lit, and whether they are still in."""

    entry: EntryRow
    still_in: bool
    played: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The picture of a stage's bracket; ``last`` are the matches of a grand final.

    ``folded`` are the headings of earlier rounds that are not drawn. ``columns`` tell the same
    as a list.
    """

    id: str
    label: str
    halves: tuple[Half, ...]
    last: tuple[Slot, ...]
    third: Slot | None
    folded: tuple[str, ...]
    columns: tuple[Column, ...]
    players: tuple[EntryRow, ...]
    followed: FollowedPlayer | None
    winner: EntryRow | None
