"""Places of a stage, which later stages refer to by name: "A1", "R1", "W3".

Source: tournament rules, The Mutant Chronicles formula; contracts, API (names of places). "S1" is
the first of the starting order of the event (by seeds, by lot or by hand).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.json_reader import Fields, Reader, Whole, list_of, one_of, text


@dataclass(frozen=True, slots=True, kw_only=True)
class RankOf:
    """The n-th player of a group among those who can advance."""

    name: str
    group: str
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NthAmong:
    """The n-th player in the comparison of one rank across several groups."""

    name: str
    rank: int
    groups: tuple[str, ...]
    nth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerOf:
    """The winner of a knock-out match; nobody if both players lost."""

    name: str
    match: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoserOf:
    """The loser of a knock-out match; nobody after a bye or if both players lost."""

    name: str
    match: int


def ranks_of(group: str, names: Iterable[str]) -> tuple[RankOf, ...]:
    """Return the first ranks of a group as places with these names."""
    return tuple(
        RankOf(name=name, group=group, rank=rank) for rank, name in enumerate(names, start=1)
    )


LATE = "late"

Place = RankOf | NthAmong | WinnerOf | LoserOf

KINDS: Mapping[str, type[Place]] = {
    "rank": RankOf,
    "nth": NthAmong,
    "winner": WinnerOf,
    "loser": LoserOf,
}


LONGEST_NAME, MOST_PLAYERS, MOST_NUMBER = 120, 10_000, 32_767
NAME, NUMBER = text(LONGEST_NAME), Whole(1, MOST_NUMBER)
KIND = one_of(KINDS)
READERS: Mapping[str, Reader[Any]] = {
    "name": NAME,
    "group": NAME,
    "groups": list_of(NAME, MOST_PLAYERS),
    **dict.fromkeys(("rank", "nth", "match"), NUMBER),
}


def start_places(count: int) -> tuple[str, ...]:
    """Return the names of the places of the starting order: S1 … Sn."""
    return tuple(f"S{number}" for number in range(1, count + 1))


def late_place(number: int) -> str:
    """Return the name of the place created for a late entry."""
    return f"{LATE} {number}"


def late_holders(names: Iterable[str]) -> dict[str, int]:
    """Return the players of the places created for late entries among these names."""
    found = (name.partition(" ") for name in names)
    return {late_place(int(number)): int(number) for kind, _sep, number in found if kind == LATE}


def to_json(place: Place) -> dict[str, object]:
    """Return a place as JSON data."""
    kind = next(key for key, shape in KINDS.items() if isinstance(place, shape))
    values = {name: getattr(place, name) for name in type(place).__slots__}
    return {"kind": kind} | {
        key: list(value) if isinstance(value, tuple) else value for key, value in values.items()
    }


def read_place(value: object) -> Place:
    """Return the place stored by :func:`to_json`. Raises WrongValue."""
    kind = Fields(value).read("kind", KIND)
    shape = KINDS[kind]
    given = Fields(value, ("kind", *shape.__slots__))
    return shape(**{key: given.read(key, READERS[key]) for key in shape.__slots__})
