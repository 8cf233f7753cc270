"""The brackets of an event as drawings: as much of the end as fits, all, or page by page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from django.utils.translation import gettext as _

from config.wording import translate
from rules.brackets.single import FromMatch, Part
from rules.results import PlayerId
from rules.stages.kind import shape_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.diagrams.selectors.brackets import bracket_columns
from tournaments.diagrams.selectors.nodes import Box, known_of
from tournaments.exports.handout.bracket_layout import (
    HEAD,
    HIGH,
    PITCH,
    Band,
    Drawing,
    Level,
    Placed,
    Side,
    on_pages,
    trees_of,
    windows,
)

ALL = 99
"""More rounds than any bracket has."""


class Bracket:
    """A bracket that has begun; nothing of it asks for more than the facts."""

    def __init__(self, facts: EventFacts, stage: StageFacts) -> None:
        self.label = translate(stage.plan.label)
        self._shape = {match.number: match for match in shape_of(stage.plan)}
        self._seeds = _seeds(stage)
        self._one_winner = stage.plan.survivors == 1
        self._boxes: dict[int, Box] = {}
        self._sides = cache(self._sides_of)
        self._levels: dict[Part | None, list[Level]] = {}
        self._titles: dict[Part | None, str] = {}
        self._below: dict[int, tuple[int, str]] = {}
        known = known_of(facts)
        for column in bracket_columns(stage.plan, stage, known, ""):
            boxes = {box.number: box for box in column.boxes if not _is_bye(box)}
            self._boxes |= boxes
            own = tuple(number for number in boxes if not self._shape[number].third_place)
            if own:
                part = self._shape[own[0]].part
                self._titles.setdefault(part, column.opens)
                level = Level(heading=column.heading, matches=own)
                self._levels.setdefault(part, []).append(level)
            for number in boxes.keys() - {*own}:
                self._below[own[0]] = number, _("Third place")
        if again := self._levels.pop(Part.AGAIN, None):
            (final,) = self._levels[Part.FINAL][0].matches
            self._below[final] = again[0].matches[0], again[0].heading

    @property
    def sides(self) -> Iterator[Side]:
        """Yield the sides of all matches."""
        for number in self._boxes:
            yield from self._sides(number)

    @property
    def least_rows(self) -> int:
        """Return rows that all rounds in one drawing need at least."""
        levels = (level for part in self._levels.values() for level in part)
        return PITCH * max((len(level.matches) for level in levels), default=0)

    def last(self, rounds: int = ALL) -> Drawing:
        """Return the last rounds in one drawing; of two brackets, the final beside both.

        The lower bracket has as many rounds as are played beside those of the upper one.
        """
        if Part.FINAL not in self._levels:
            levels = self._levels.get(None, [])
            drawing = _on_one_page(self._band("", levels[-rounds:]))
            return replace(drawing, whole=len(levels) <= rounds)
        upper, lower = (self._levels.get(part, []) for part in (Part.UPPER, Part.LOWER))
        beside = max(0, 2 * rounds - 2)
        drawing = _on_one_page(
            *(self._band(self._titles[Part.UPPER], upper[-rounds:]),),
            *([self._band(self._titles[Part.LOWER], lower[-beside:])] if lower and beside else []),
        )
        (final,) = self._levels[Part.FINAL]
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

    def on_pages(self, columns: int, rows: int) -> list[Drawing]:
        """Return all rounds as drawings of at most so many columns and rows, one a page."""
        bands: list[Band] = []
        for part, levels in self._levels.items():
            if part is Part.FINAL and Part.LOWER in self._levels:
                continue
            more = self._levels.get(Part.FINAL, []) if part is Part.LOWER else []
            title = self._titles[part]
            bands += [self._band(title, each) for each in windows([*levels, *more], columns)]
        return list(on_pages(bands, rows))

    def _band(self, title: str, levels: Sequence[Level]) -> Band:
        trees = trees_of(levels, self._leading, self._place)
        return Band(title=title, levels=levels, trees=trees)

    def _leading(self, number: int) -> Iterator[int]:
        for source in self._shape[number].sources:
            if isinstance(source, FromMatch) and source.winner and source.match in self._boxes:
                yield source.match

    def _place(
        self,
        number: int,
        *,
        at: int,
        top: int,
        feeds: tuple[tuple[int, int], ...] = (),
        heading: str = "",
    ) -> Iterable[Placed]:
        """Yield a match, and below a final what belongs to it: another match of the same round."""
        match = self._shape[number]
        single = match.part is None and match.distance == 0 and self._one_winner
        last = (single and not match.third_place) or match.part in (Part.FINAL, Part.AGAIN)
        yield Placed(
            number=number,
            at=at,
            top=top,
            sides=self._sides(number),
            heading=heading,
            last=last,
            feeds=feeds,
        )
        if number in self._below:
            other, words = self._below[number]
            yield from self._place(other, at=at, top=top + HIGH + HEAD, heading=words)

    def _sides_of(self, number: int) -> tuple[Side, ...]:
        return tuple(
            Side(
                name=line.entry.display_name if line.entry else "",
                mark=int(line.mark) if line.mark else None,
                won=line.strong,
                seed=self._seeds.get(line.entry.number) if line.entry else None,
            )
            for line in self._boxes[number].lines
        )


def _on_one_page(*bands: Band) -> Drawing:
    return next(on_pages(bands), Drawing(matches=()))


def _is_bye(box: Box) -> bool:
    return any(line.entry is None and line.place == _("bye") for line in box.lines)


def _seeds(stage: StageFacts) -> dict[PlayerId, int]:
    """Return the seed of each player of a bracket that follows another stage."""
    if stage.stage.number == 1:
        return {}
    (seats,) = stage.state.seats.values()
    return {player: at for at, player in enumerate(seats, start=1) if player is not None}
