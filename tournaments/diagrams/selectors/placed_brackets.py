"""The brackets of an event as drawings: as much of the end as fits, all, or page by page.

A match that no other of the drawing leads to takes the next place from the top; every other stands
in the middle of those that lead to it. Byes take no room. Rows are counted from 0.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import translate
from rules.brackets import BracketPart, MatchSource
from rules.results import PlayerId
from rules.stages.base import bracket_matches
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.diagrams.selectors.brackets import DiagramBox, bracket_columns, diagram_players

PITCH, HIGH = 6, 4
"""Rows from a match to the next one below, and of a match: two for each side."""
CAPTION, HEAD = 3, 3
"""Rows of a bracket's name and of the names of its rounds."""
BETWEEN = 3
"""Rows between two brackets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedSide:
    """A side of a placed match: name, seed, and games or score (``mark``).

    ``words``: who may come, as text, if there is no name.
    """

    name: str
    mark: int | None
    won: bool
    seed: int | None = None
    words: str = ""

    @property
    def shown(self) -> str:
        """Return the name with the seed before it."""
        return f"{self.seed}  {self.name}" if self.seed and self.name else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedMatch:
    """A bracket match placed at column ``at`` and row ``top``, both from 0.

    ``feeds``: (column, middle row) of the matches that lead to it. ``called``: its name;
    ``heading``: text above it, if its column has none for it; ``last``: it decides the bracket.
    """

    number: int
    at: int
    top: int
    sides: tuple[PlacedSide, ...]
    called: str = ""
    heading: str = ""
    last: bool = False
    feeds: tuple[tuple[int, int], ...] = ()

    @property
    def middle(self) -> int:
        """Return the row below the first side."""
        return self.top + HIGH // 2

    def moved(self, rows: int) -> "PlacedMatch":
        """Return the match so many rows further down."""
        feeds = tuple((at, middle + rows) for at, middle in self.feeds)
        return replace(self, top=self.top + rows, feeds=feeds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """Text at a row and column ``at``: a bracket's name, or a round's if ``small``."""

    row: int
    at: int
    words: str
    small: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedDrawing:
    """Matches and captions placed on the rows and columns of one page.

    ``whole``: no round of the bracket is left out.
    """

    matches: tuple[PlacedMatch, ...]
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
class RoundHeading:
    """The heading of a bracket round, and the numbers of its matches."""

    heading: str
    matches: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBand:
    """Consecutive rounds of a bracket, drawn side by side.

    ``levels``: the rounds; ``trees``: their placed matches, one list for each final match.
    """

    title: str
    levels: Sequence[RoundHeading]
    trees: Sequence[Sequence[PlacedMatch]]

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


def match_trees(
    levels: Sequence[RoundHeading],
    leading: Callable[[int], Iterable[int]],
    place: Callable[..., Iterable[PlacedMatch]],
) -> list[list[PlacedMatch]]:
    """Return the matches of some rounds as trees, each a list of placed matches from row 0.

    There is one tree for each match whose winner stays in none of the rounds. ``leading(number)``:
    the numbers of the matches whose winners play in a match. ``place(number, at, top, feeds)``:
    what is drawn for a match, the match itself first.
    """
    columns = {number: at for at, level in enumerate(levels) for number in level.matches}
    fed = {each for number in columns for each in leading(number)}
    trees = []
    for root in (number for number in _in_order(columns, leading) if number not in fed):
        made: list[PlacedMatch] = []
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
    place: Callable[..., Iterable[PlacedMatch]],
    made: list[PlacedMatch],
) -> tuple[PlacedMatch, int]:
    """Add a match and all that leads to it from a row on; return it and the next free row."""
    before: list[PlacedMatch] = []
    for each in leading(number):
        if each in columns:
            match, row = _grow(each, row, columns, leading, place, made)
            before.append(match)
    top = sum(match.top for match in before) // len(before) if before else row
    feeds = tuple((match.at, match.middle) for match in before)
    placed = list(place(number, at=columns[number], top=top, feeds=feeds))
    made.extend(placed)
    return placed[0], max(row, top + PITCH)


def tree_height(tree: Iterable[PlacedMatch]) -> int:
    """Return the number of rows that a tree of placed matches takes."""
    return max(match.top for match in tree) + HIGH


def split_rounds(levels: Sequence[RoundHeading], most: int) -> Iterator[Sequence[RoundHeading]]:
    """Yield the rounds in pieces of at most ``most``, as equal as possible, larger ones first."""
    pieces = -(-len(levels) // most)
    each, more = divmod(len(levels), pieces) if pieces else (0, 0)
    start = 0
    for piece in range(pieces):
        end = start + each + (piece < more)
        yield levels[start:end]
        start = end


def paginate_bands(bands: Iterable[RoundBand], rows: float = inf) -> Iterator[PlacedDrawing]:
    """Yield one drawing for each page of at most ``rows`` rows.

    A tree is never cut: one higher than a page has a page of its own.
    """
    matches: list[PlacedMatch] = []
    captions: list[Caption] = []
    row = 0
    for band in bands:
        named = False
        row += BETWEEN if row else 0
        for tree in band.trees:
            needed = tree_height(tree) + (0 if named else band.head)
            if row and row + needed > rows:
                yield PlacedDrawing(matches=tuple(matches), captions=tuple(captions))
                matches, captions, row, named = [], [], 0, False
            if not named:
                captions += band.captions(row)
                row, named = row + band.head, True
            matches += [match.moved(row) for match in tree]
            row += tree_height(tree) + PITCH - HIGH
    if matches:
        yield PlacedDrawing(matches=tuple(matches), captions=tuple(captions))


ALL = 99
"""More rounds than any bracket has."""


class BracketLayout:
    """A begun bracket laid out on rows and columns, for print; no query."""

    def __init__(self, facts: EventFacts, stage: StageFacts) -> None:
        self.label = translate(stage.plan.label)
        self._shape = {match.number: match for match in bracket_matches(stage.plan)}
        self._seeds = _seeds(stage)
        self._one_winner = stage.plan.survivors == 1
        self._boxes: dict[int, DiagramBox] = {}
        self._sides = cache(self._sides_of)
        self._levels: dict[BracketPart | None, list[RoundHeading]] = {}
        self._titles: dict[BracketPart | None, str] = {}
        self._below: dict[int, tuple[int, str]] = {}
        known = diagram_players(facts, holders=False)
        for column in bracket_columns(stage.plan, stage, known, ""):
            boxes = {box.number: box for box in column.boxes if not _is_bye(box)}
            self._boxes |= boxes
            own = tuple(number for number in boxes if not self._shape[number].third_place)
            if own:
                part = self._shape[own[0]].part
                self._titles.setdefault(part, column.opens)
                level = RoundHeading(heading=column.heading, matches=own)
                self._levels.setdefault(part, []).append(level)
            for number in boxes.keys() - {*own}:
                self._below[own[0]] = number, _("Third place")
        if again := self._levels.pop(BracketPart.AGAIN, None):
            (final,) = self._levels[BracketPart.FINAL][0].matches
            self._below[final] = again[0].matches[0], again[0].heading

    @property
    def sides(self) -> Iterator[PlacedSide]:
        """Yield the sides of all matches."""
        for number in self._boxes:
            yield from self._sides(number)

    @property
    def least_rows(self) -> int:
        levels = (level for part in self._levels.values() for level in part)
        return PITCH * max((len(level.matches) for level in levels), default=0)

    def last(self, rounds: int = ALL) -> PlacedDrawing:
        """Return the last rounds in one drawing; of two brackets, the final beside both.

        The lower bracket has as many rounds as are played beside those of the upper one.
        """
        if BracketPart.FINAL not in self._levels:
            levels = self._levels.get(None, [])
            drawing = _on_one_page(self._band("", levels[-rounds:]))
            return replace(drawing, whole=len(levels) <= rounds)
        upper, lower = (
            self._levels.get(part, []) for part in (BracketPart.UPPER, BracketPart.LOWER)
        )
        beside = max(0, 2 * rounds - 2)
        drawing = _on_one_page(
            *(self._band(self._titles[BracketPart.UPPER], upper[-rounds:]),),
            *(
                [self._band(self._titles[BracketPart.LOWER], lower[-beside:])]
                if lower and beside
                else []
            ),
        )
        (final,) = self._levels[BracketPart.FINAL]
        (number,) = final.matches
        before = [one for one in drawing.matches if one.number in {*self._leading(number)}]
        matches = self._place(
            number,
            at=drawing.columns,
            top=sum(match.top for match in before) // max(1, len(before)),
            feeds=tuple((match.at, match.middle) for match in before),
            heading=final.heading,
        )
        whole = len(upper) <= rounds and len(lower) <= beside
        return replace(drawing, matches=(*drawing.matches, *matches), whole=whole)

    def on_pages(self, columns: int, rows: int) -> list[PlacedDrawing]:
        """Return all rounds as drawings of at most so many columns and rows, one a page."""
        bands: list[RoundBand] = []
        for part, levels in self._levels.items():
            if part is BracketPart.FINAL and BracketPart.LOWER in self._levels:
                continue
            more = self._levels.get(BracketPart.FINAL, []) if part is BracketPart.LOWER else []
            title = self._titles[part]
            bands += [self._band(title, each) for each in split_rounds([*levels, *more], columns)]
        return list(paginate_bands(bands, rows))

    def _band(self, title: str, levels: Sequence[RoundHeading]) -> RoundBand:
        trees = match_trees(levels, self._leading, self._place)
        return RoundBand(title=title, levels=levels, trees=trees)

    def _leading(self, number: int) -> Iterator[int]:
        for source in self._shape[number].sources:
            if isinstance(source, MatchSource) and source.winner and source.match in self._boxes:
                yield source.match

    def _place(
        self,
        number: int,
        *,
        at: int,
        top: int,
        feeds: tuple[tuple[int, int], ...] = (),
        heading: str = "",
    ) -> Iterable[PlacedMatch]:
        """Yield a match, and below a final what belongs to it: another match of the same round."""
        match = self._shape[number]
        single = match.part is None and match.distance == 0 and self._one_winner
        last = (single and not match.third_place) or match.part in (
            BracketPart.FINAL,
            BracketPart.AGAIN,
        )
        yield PlacedMatch(
            number=number,
            at=at,
            top=top,
            sides=self._sides(number),
            called=self._boxes[number].heading,
            heading=heading,
            last=last,
            feeds=feeds,
        )
        if number in self._below:
            other, words = self._below[number]
            yield from self._place(other, at=at, top=top + HIGH + HEAD, heading=words)

    def _sides_of(self, number: int) -> tuple[PlacedSide, ...]:
        return tuple(
            PlacedSide(
                name=line.entry.display_name if line.entry else "",
                mark=int(line.mark) if line.mark else None,
                won=line.strong,
                seed=self._seeds.get(line.entry.number) if line.entry else None,
                words=line.place,
            )
            for line in self._boxes[number].lines
        )


def _on_one_page(*bands: RoundBand) -> PlacedDrawing:
    return next(paginate_bands(bands), PlacedDrawing(matches=()))


def _is_bye(box: DiagramBox) -> bool:
    return any(
        line.entry is None and line.place == pgettext("of a match", "bye") for line in box.lines
    )


def _seeds(stage: StageFacts) -> dict[PlayerId, int]:
    """Return the seed of each player of a bracket that follows another stage."""
    if stage.stage.number == 1:
        return {}
    (seats,) = stage.state.seats.values()
    return {player: at for at, player in enumerate(seats, start=1) if player is not None}
