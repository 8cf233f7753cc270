"""A bracket as a drawing of cells: boxes of two lines, and borders that lead on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import PlayerId
from rules.stages.kind import shape_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.places import known_places
from tournaments.diagrams.selectors.brackets import bracket_columns
from tournaments.diagrams.selectors.nodes import Box, Column, Known
from tournaments.exports.handout.grid import Page
from tournaments.exports.handout.looks import GREEN, LINE, PALE, QUIET, THIN

PITCH, HIGH = 6, 4
"""Rows of a slot of the first round, and of a box: two for each line."""
ROW = 5.8  # points
MARK = 26
"""Pixels of the column of the games won."""
MOST_DOUBLE, MOST_SINGLE = (6,), (4, 3, 2)
"""Last rounds that stand on the sheet of the result, as many as fit; the bracket's own has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A box: its round from 0, its first row, its lines, and the rows of those that lead to it."""

    at: int
    top: int
    lines: tuple["Side", ...]
    heading: str = ""
    last: bool = False
    feeds: tuple[int, ...] = ()

    @property
    def middle(self) -> int:
        """Return the row below the first line."""
        return self.top + HIGH // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A line of a box."""

    name: str
    mark: int | None
    won: bool
    seed: int | None = None


class Bracket:
    """The drawing of a bracket's last ``most`` rounds in the workbook, ``wide`` pixels."""

    def __init__(self, facts: EventFacts, stage: StageFacts, wide: float, most: int = 99) -> None:
        self.label = translate(stage.plan.label)
        self._facts, self._stage = facts, stage
        self._lines = not stage.kind.two_brackets
        self._titles: list[tuple[int, str]] = []
        self._seeds = _seeds(stage)
        known = Known(entries=facts.entries, places=known_places(facts))
        columns = list(bracket_columns(stage.plan, stage, known, ""))
        if stage.kind.two_brackets:
            self.headings, self.boxes = self._double(columns, most)
        else:
            self.headings, self.boxes = self._single(columns, most)
        self.rounds = max((box.at for box in self.boxes), default=0) + 1
        self._gap = 28 if self.rounds < 4 else 16
        self._box = (wide - self._gap * (self.rounds - 1)) / self.rounds

    @property
    def rows(self) -> int:
        """Return the number of rows below the heads of the rounds."""
        return max((box.top + HIGH for box in self.boxes), default=0)

    @property
    def height(self) -> float:
        """Return the height in points, with title and heads."""
        return 20 + 14 + self.rows * ROW + 8

    def edges(self) -> Iterator[float]:
        """Yield the column edges, in pixels, between which the boxes are drawn."""
        for at in range(self.rounds):
            left = at * (self._box + self._gap)
            yield from (left, left + self._box - MARK, left + self._box)
            if self._lines and at < self.rounds - 1:
                yield left + self._box + self._gap / 2

    def draw(self, page: Page, row: int) -> int:
        """Draw the bracket from a row on; return the first row below it."""
        edges = page.grid.columns(list(self.edges()))
        page.sheet.set_row(row, 20)
        page.put(row, 0, len(page.grid.edges) - 2, self.label, bold=True, font_size=11)
        row += 1
        page.sheet.set_row(row, 14)
        for at, heading in self.headings:
            left, _mark, right = self._columns(edges, at)
            page.put(row, left, right - 1, heading, bold=True, font_size=9, font_color=QUIET)
        row += 1
        for each in range(self.rows + 1):
            page.sheet.set_row(row + each, ROW)
        for top, title in self._titles:
            (half,) = page.grid.columns([2 * self._box])
            page.put(row + top, 0, half - 1, title, rows=2, bold=True, font_size=9)
        for box in self.boxes:
            self._draw_box(page, row, box, edges)
        if self._lines:
            self._draw_lines(page, row, edges)
        return row + self.rows + 1

    def _columns(self, edges: Sequence[int], at: int) -> Sequence[int]:
        """Return the edges of the boxes of a round: of the name, the mark, and the last."""
        each = 4 if self._lines else 3
        return edges[each * at : each * at + 3]

    def _draw_box(self, page: Page, row: int, box: Drawn, edges: Sequence[int]) -> None:
        left, mark, right = self._columns(edges, box.at)
        look = {"border_color": GREEN if box.last else LINE}
        thick = 2 if box.last else 1
        if box.heading:
            page.put(
                *(row + box.top - 2, left, right - 1, box.heading),
                rows=2,
                bold=True,
                font_size=9,
                font_color=QUIET,
            )
        for at, side in enumerate(box.lines):
            top = row + box.top + 2 * at
            own = look | {"bold": side.won, "top": 1 if at else thick, "shrink": True}
            own |= {"top_color": THIN} if at else {}
            own |= {"bottom": thick} if at else {}
            own |= {"bg_color": PALE} if side.won else {}
            name = f"{side.seed}  {side.name}" if side.seed and side.name else side.name
            page.put(top, left, mark - 1, name, rows=2, left=thick, font_size=9, **own)
            page.put(top, mark, right - 1, side.mark, rows=2, right=thick, font_size=9, **own)

    def _draw_lines(self, page: Page, row: int, edges: Sequence[int]) -> None:
        """Draw from each box to the middle of the gap, down or up, and on to the next box."""
        for box in self.boxes:
            if box.feeds:
                right, middle = edges[4 * box.at - 2], edges[4 * box.at - 1]
                left = edges[4 * box.at]
                looks: dict[tuple[int, int], dict[str, object]] = {}
                for feed in box.feeds:
                    for at in range(right, middle):
                        looks.setdefault((feed - 1, at), {})["bottom"] = 1
                    for each in range(min(feed, box.middle), max(feed, box.middle)):
                        looks.setdefault((each, middle - 1), {})["right"] = 1
                for at in range(middle, left):
                    looks.setdefault((box.middle - 1, at), {})["bottom"] = 1
                for (each, at), look in looks.items():
                    colours = {f"{side}_color": LINE for side in look}
                    page.write(row + each, at, None, **look, **colours)

    def _single(
        self, columns: Sequence[Column], most: int
    ) -> tuple[list[tuple[int, str]], list[Drawn]]:
        shape = {match.number: match for match in shape_of(self._stage.plan)}
        shown = columns[-most:]
        boxes, third = [], None
        middles: dict[int, int] = {}
        for at, column in enumerate(shown):
            own = [box for box in column.boxes if not shape[box.number].third_place]
            third = next((box for box in column.boxes if shape[box.number].third_place), third)
            for place, box in enumerate(own):
                if self._is_bye(box):
                    continue
                slot = PITCH * 2**at
                top = slot * place + (slot - PITCH) // 2
                middles[box.number] = top + HIGH // 2
                feeds = tuple(
                    middles[number]
                    for number in (getattr(side, "match", 0) for side in shape[box.number].sources)
                    if number in middles
                )
                last = at == len(shown) - 1 and self._stage.plan.survivors == 1
                sides = self._sides(box)
                boxes.append(Drawn(at=at, top=top, lines=sides, last=last, feeds=feeds))
        headings = [(at, column.heading) for at, column in enumerate(shown)]
        if third is not None:
            lowest = max((box.top + HIGH for box in boxes), default=0)
            top = max(boxes[-1].top + HIGH + 3, lowest - HIGH)
            sides = self._sides(third)
            name = _("Third place")
            boxes.append(Drawn(at=len(shown) - 1, top=top, lines=sides, heading=name))
        return headings, boxes

    def _double(
        self, columns: Sequence[Column], most: int
    ) -> tuple[list[tuple[int, str]], list[Drawn]]:
        first = max(0, max((column.at for column in columns), default=0) - most)
        shown = [column for column in columns if column.at > first]
        boxes: list[Drawn] = []
        below = 0
        titles: list[tuple[int, str]] = []
        for lower in (False, True):
            part = [column for column in shown if column.below is lower]
            real = [[b for b in column.boxes if not self._is_bye(b)] for column in part]
            high = max((len(each) for each in real), default=0) * (PITCH + 2)
            if opens := next((column.opens for column in part if column.opens), ""):
                titles.append((below, opens))
                below += 3
            for column, drawn in zip(part, real, strict=True):
                for place, box in enumerate(drawn):
                    middle = below + (2 * place + 1) * high // (2 * len(drawn))
                    boxes.append(
                        Drawn(
                            at=column.at - first - 1,
                            top=middle - HIGH // 2 + 1,
                            lines=self._sides(box),
                            heading=column.heading if place == 0 else "",
                        )
                    )
            below += high + 2
        self._titles = titles
        return [], boxes

    @staticmethod
    def _is_bye(box: Box) -> bool:
        return any(line.entry is None and line.place == _("bye") for line in box.lines)

    def _sides(self, box: Box) -> tuple[Side, ...]:
        return tuple(
            Side(
                name=line.entry.display_name if line.entry else "",
                mark=int(line.mark) if line.mark else None,
                won=line.strong,
                seed=self._seeds.get(line.entry.number) if line.entry else None,
            )
            for line in box.lines
        )


def _seeds(stage: StageFacts) -> dict[PlayerId, int]:
    """Return the seed of each player of a bracket that follows another stage."""
    if stage.stage.number == 1:
        return {}
    (seats,) = stage.state.seats.values()
    return {player: at for at, player in enumerate(seats, start=1) if player is not None}
