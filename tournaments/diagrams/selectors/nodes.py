"""What pictures of formulas and brackets are made of: columns of boxes with lines."""

from dataclasses import dataclass, field

from rules.results import PlayerId
from tournaments.core.labels import place_label
from tournaments.models import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A seat or a side of a match: the place's name, and who holds it once that is known."""

    place: str
    entry: Entry | None = None
    mark: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A group, or a match of a knock-out; ``feeds`` is the number of the match it leads to."""

    heading: str
    lines: tuple[Line, ...]
    number: int = 0
    feeds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A stage of groups, or a round of a knock-out; ``first`` opens its stage.

    ``at`` is where it stands among the columns of its stage, from 1, where that is not plainly
    the next place; ``below`` puts it under those that came before, as a lower bracket. ``short``
    names a round of two brackets without the stage, ``opens`` the bracket that begins with it.
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
    """What is known of the event while the columns are made."""

    entries: dict[PlayerId, Entry]
    places: dict[str, PlayerId] = field(default_factory=dict)

    def line(self, place: str, number: PlayerId | None = None, **more: object) -> Line:
        """Return the line of a place, with who holds it if that is known."""
        holder = number if number is not None else self.places.get(place)
        return Line(place=place_label(place), entry=self.entry(holder), **more)  # type: ignore[arg-type]

    def entry(self, number: PlayerId | None) -> Entry | None:
        """Return the entry of a player's number."""
        return self.entries.get(number) if number is not None else None
