"""Columns, boxes and lines of formula and bracket diagrams."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.results import PlayerId
from tournaments.core.labels import place_label
from tournaments.core.rows import AnyEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A seat or side of a match: the place's label, and its holder if known."""

    place: str
    entry: AnyEntry | None = None
    mark: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A group or bracket match; ``feeds`` is the number of the match its winner goes to."""

    heading: str
    lines: tuple[Line, ...]
    number: int = 0
    feeds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A group stage, or a round of a bracket; ``first`` marks the first column of a stage.

    ``at`` is its position in the stage, from 1, if not the next one; ``below`` places it under
    the earlier columns, as for a lower bracket. ``short`` is the round's label without the stage,
    ``opens`` the label of the bracket that begins with it.
    """

    stage: str
    heading: str
    state: str
    first: bool
    boxes: tuple[Box, ...]
    goes_on: str = ""
    at: int = 0
    below: bool = False
    short: str = ""
    opens: str = ""


@dataclass(frozen=True, kw_only=True)
class Known:
    """Entries and place holders known while the columns are built."""

    entries: Mapping[PlayerId, AnyEntry]
    places: dict[str, PlayerId] = field(default_factory=dict)

    def line(self, place: str, number: PlayerId | None = None, **more: object) -> Line:
        """Return the line of a place, with its holder if known."""
        holder = number if number is not None else self.places.get(place)
        return Line(place=place_label(place), entry=self.entry(holder), **more)  # type: ignore[arg-type]

    def entry(self, number: PlayerId | None) -> AnyEntry | None:
        """Return the entry with a player's number."""
        return self.entries.get(number) if number is not None else None
