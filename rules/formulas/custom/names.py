"""What places of a custom formula are called: "A1", "best 3rd", "W3", each name once in a plan.

The names are those of stored plans and of the API, so they are the same in every language.
"""

import re

from rules.formulas.custom.definition import (
    BestOfRank,
    Definition,
    GroupRank,
    MatchLoser,
    MatchWinner,
    Source,
    StartPlace,
)
from rules.places import LATE, start_places

SHORT = 3  # letters: so many and a number are read as one code, "A1"
RESERVED = re.compile(rf"S\d+|{LATE} .*")


class PlaceNames:
    """The names of a plan's places: the same for the same definition."""

    def __init__(self, definition: Definition) -> None:
        self._names: dict[Source, str] = {}
        self._taken: set[str] = set()
        for number in range(1, len(definition.stages) + 1):
            for source in definition.taken_from(number):
                self.of(source)

    def of(self, source: Source) -> str:
        """Return the name of a place: with its stage, as "2:W3", where another has the name."""
        if isinstance(source, StartPlace):
            return start_places(source.start)[-1]
        if source not in self._names:
            name = plain_name(source)
            while name in self._taken or RESERVED.fullmatch(name):
                name = f"{source.stage}:{name}"
            self._taken.add(name)
            self._names[source] = name
        return self._names[source]


def plain_name(source: Source) -> str:
    """Return what a place is called where no other stage has one of the name."""
    match source:
        case StartPlace(start=number):
            return f"S{number}"
        case GroupRank(group=group, rank=rank):
            code = len(group) <= SHORT and group.isascii() and group.isalpha()
            return f"{group}{rank}" if code else f"{group} {rank}"
        case BestOfRank(best=rank, nth=1):
            return f"best {ordinal(rank)}"
        case BestOfRank(best=rank, nth=nth):
            return f"{ordinal(nth)} best {ordinal(rank)}"
        case MatchWinner(winner=number):
            return f"W{number}"
        case MatchLoser(loser=number):
            return f"L{number}"


def ordinal(number: int) -> str:
    """Return a number as a place: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    teen = number % 100 in (11, 12, 13)
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
