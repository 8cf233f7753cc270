"""What the picture of a bracket consists of: rows, slots, rounds, halves, folds, parts."""

from dataclasses import dataclass

from tournaments.core.rows import EntryRow, MatchAddress
from tournaments.diagrams.selectors.nodes import Column

LONG = 8
"""Slots of a half above which its matches are drawn small."""
DONE, PLAYING, WAITING, NEXT = "done", "on", "waits", "next"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A side of a match: a player, or in words who may come there; ``short`` if they don't fit."""

    entry: EntryRow | None
    words: str
    short: str
    seed: str
    score: str
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place for a match. ``state`` is DONE, PLAYING, WAITING or NEXT; "" without a match.

    ``at`` leads to its page, None before it is made; ``name`` is what players call it, ``heading``
    what stands above it.
    ``fed`` if a match leads here; ``passes`` where a player goes on without a match.
    """

    number: int = 0
    heading: str = ""
    name: str = ""
    state: str = ""
    words: str = ""
    rows: tuple[Row, ...] = ()
    goes: str = ""
    fed: bool = False
    passes: bool = False
    at: MatchAddress | None = None

    @property
    def is_open(self) -> bool:
        """Return whether it is being played or waits for a confirmation."""
        return self.state in (PLAYING, WAITING)


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

    @property
    def being_played(self) -> bool:
        """Return whether a match of it is made and not finished."""
        return any(slot.is_open for slot in self.slots)


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
class Pair:
    """Two matches whose winners meet, or a last one alone; ``then`` is the next result in words."""

    slots: tuple[Slot, ...]
    then: str = ""

    @property
    def is_empty(self) -> bool:
        """Return whether neither slot has a match."""
        return not any(slot.state for slot in self.slots)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldRound:
    """A round of a fold, its slots in pairs."""

    round: Round
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """A quarter or an eighth of a large bracket, which phones show folded.

    ``left`` names who may still come out of it, ``opens`` if it is open at first on a phone,
    ``padded`` if it has only byes in the first round, which other folds of its side play.
    """

    id: str
    title: str
    left: str
    playing: int
    waiting: int
    rounds: tuple[FoldRound, ...]
    numbers: frozenset[int]
    slots: int
    opens: bool = False
    padded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Middle:
    """The matches between both sides of a drawing: semi-finals, final, third place."""

    id: str
    title: str
    sides: tuple[Slot, ...]
    centre: Slot | None
    third: Slot | None
    heads: tuple[Round, Round]
    centre_heading: str
    is_last: bool
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPart:
    """A drawing of at most 64 seats: folds on both sides, and the last matches between them.

    ``left_heads`` and ``right_heads`` are the rounds above the columns of each side.
    """

    left: tuple[Fold, ...]
    right: tuple[Fold, ...]
    left_heads: tuple[Round, ...]
    right_heads: tuple[Round, ...]
    middle: Middle | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The picture of a knock-out of more than sixteen: ``last`` are rounds after all parts."""

    parts: tuple[DrawnPart, ...]
    last: tuple[Round, ...]
    third: Slot | None

    @property
    def middle(self) -> int:
        """Return the number of parts above the last rounds."""
        return len(self.parts) // 2

    @property
    def third_place(self) -> Slot | None:
        """Return the match for third place, which stands with the final."""
        middle = self.parts[0].middle
        return self.third or (middle.third if middle else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The picture of a stage's bracket; ``last`` are the matches of a grand final.

    It has either halves or a tree. ``columns`` tell the same as a list.
    """

    id: str
    label: str
    halves: tuple[Half, ...]
    tree: Tree | None
    last: tuple[Slot, ...]
    third: Slot | None
    columns: tuple[Column, ...]
    players: tuple[EntryRow, ...]
    winner: EntryRow | None
    small: bool = False

    @property
    def is_long(self) -> bool:
        """Return whether small matches are drawn, as so many stand one below the other."""
        if self.small:
            return True
        rounds = (each for half in self.halves for each in half.rounds)
        return max((len(each.slots) for each in rounds), default=0) > LONG
