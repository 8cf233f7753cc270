"""Where the matches of a bracket stand on a sheet: a round is a column, and lines lead on.

A match that no other of the drawing leads to takes the next place from the top; every other stands
in the middle of those that lead to it. Byes take no room. Rows are counted from 0.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

PITCH, HIGH = 6, 4
"""Rows from a match to the next one below, and of a match: two for each side."""
CAPTION, HEAD = 3, 3
"""Rows of a bracket's name and of the names of its rounds."""
BETWEEN = 3
"""Rows between two brackets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A line of a match: ``mark`` is the games won or the score, ``seed`` stands before it."""

    name: str
    mark: int | None
    won: bool
    seed: int | None = None

    @property
    def shown(self) -> str:
        """Return the name with the seed before it."""
        return f"{self.seed}  {self.name}" if self.seed and self.name else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A match in its column, from its first row on; ``feeds`` are those that lead to it.

    They are column and middle of each. ``heading`` stands above it; ``last`` is set for finals.
    """

    number: int
    at: int
    top: int
    sides: tuple[Side, ...]
    heading: str = ""
    last: bool = False
    feeds: tuple[tuple[int, int], ...] = ()

    @property
    def middle(self) -> int:
        """Return the row below the first side."""
        return self.top + HIGH // 2

    def moved(self, rows: int) -> "Placed":
        """Return the match so many rows further down."""
        feeds = tuple((at, middle + rows) for at, middle in self.feeds)
        return replace(self, top=self.top + rows, feeds=feeds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """Words above columns: the name of a bracket, or ``small`` that of a round."""

    row: int
    at: int
    words: str
    small: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Matches and words on rows and columns; ``whole`` is set if no round is left out."""

    matches: tuple[Placed, ...]
    captions: tuple[Caption, ...] = ()
    whole: bool = True

    @property
    def columns(self) -> int:
        """Return the number of columns."""
        return max((match.at for match in self.matches), default=0) + 1

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return max((match.top + HIGH for match in self.matches), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A round: its heading and the numbers of its matches."""

    heading: str
    matches: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Rounds that follow each other: a name, the rounds, and the trees of their matches."""

    title: str
    levels: Sequence[Level]
    trees: Sequence[Sequence[Placed]]

    @property
    def head(self) -> int:
        """Return the rows above the matches."""
        return (CAPTION if self.title else 0) + HEAD

    def captions(self, row: int) -> Iterator[Caption]:
        """Yield the words above the matches."""
        if self.title:
            yield Caption(row=row, at=0, words=self.title, small=False)
        row += self.head - HEAD
        for at, level in enumerate(self.levels):
            if level.heading:
                yield Caption(row=row, at=at, words=level.heading)


def trees_of(
    levels: Sequence[Level],
    leading: Callable[[int], Iterable[int]],
    place: Callable[..., Iterable[Placed]],
) -> list[list[Placed]]:
    """Return the matches of some rounds, those that lead to one and the same together.

    ``leading`` gives the matches whose winners play in a match, in their order, and ``place`` makes
    what is drawn of a match, the match itself first. Each tree begins in row 0.
    """
    columns = {number: at for at, level in enumerate(levels) for number in level.matches}
    fed = {each for number in columns for each in leading(number)}
    trees = []
    for root in (number for number in _in_order(columns, leading) if number not in fed):
        made: list[Placed] = []
        _grow(root, 0, columns, leading, place, made)
        trees.append(made)
    return trees


def _in_order(columns: Mapping[int, int], leading: Callable[[int], Iterable[int]]) -> Iterator[int]:
    """Yield matches in the order of the seats they come from, whatever their round."""
    seat: dict[int, int] = {}

    def first_seat(number: int) -> int:
        if number not in seat:
            before = [first_seat(each) for each in leading(number)]
            seat[number] = min(before, default=number)
        return seat[number]

    return iter(sorted(columns, key=lambda number: (first_seat(number), number)))


def _grow(
    number: int,
    row: int,
    columns: Mapping[int, int],
    leading: Callable[[int], Iterable[int]],
    place: Callable[..., Iterable[Placed]],
    made: list[Placed],
) -> tuple[Placed, int]:
    """Add a match and all that leads to it from a row on; return it and the next free row."""
    before: list[Placed] = []
    for each in leading(number):
        if each in columns:
            match, row = _grow(each, row, columns, leading, place, made)
            before.append(match)
    top = sum(match.top for match in before) // len(before) if before else row
    feeds = tuple((match.at, match.middle) for match in before)
    placed = list(place(number, at=columns[number], top=top, feeds=feeds))
    made.extend(placed)
    return placed[0], max(row, top + PITCH)


def height_of(tree: Iterable[Placed]) -> int:
    """Return the rows that matches take."""
    return max(match.top for match in tree) + HIGH


def windows(levels: Sequence[Level], most: int) -> Iterator[Sequence[Level]]:
    """Yield rounds in pieces of at most ``most``, as equal as can be, the larger ones first."""
    pieces = -(-len(levels) // most)
    each, more = divmod(len(levels), pieces) if pieces else (0, 0)
    start = 0
    for piece in range(pieces):
        end = start + each + (piece < more)
        yield levels[start:end]
        start = end


def on_pages(bands: Iterable[Band], rows: float = inf) -> Iterator[Drawing]:
    """Yield a drawing a page of so many rows; no tree is cut, and every page names its rounds."""
    matches: list[Placed] = []
    captions: list[Caption] = []
    row = 0
    for band in bands:
        named = False
        row += BETWEEN if row else 0
        for tree in band.trees:
            needed = height_of(tree) + (0 if named else band.head)
            if row and row + needed > rows:
                yield Drawing(matches=tuple(matches), captions=tuple(captions))
                matches, captions, row, named = [], [], 0, False
            if not named:
                captions += band.captions(row)
                row, named = row + band.head, True
            matches += [match.moved(row) for match in tree]
            row += height_of(tree) + PITCH - HIGH
    if matches:
        yield Drawing(matches=tuple(matches), captions=tuple(captions))
