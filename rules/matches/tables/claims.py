"""What is claimed of a table, what is stored of it, and the refusal of what cannot be."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.errors import BadInput
from rules.matches.match_rules import Claim, Outcome
from rules.results import EndedBy, Mark
from rules.tables.results import Marks, Places, TableResult
from rules.wording import Sentence

Seats = tuple[int, ...]
"""Numbers of seats, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClaim:
    """A claimed result, in one of five ways; seats by number from 1.

    ``order``: the place of each seat, None where it follows from the marks. ``winner``: the seat
    that won. ``drawn``: the seats that shared the first place, empty for all who are left.
    ``scores``: by seat, None for whoever has none. ``nobody``: all lose; ``void``: the table does
    not count. Without any of them the marks alone say who is left. ``marks`` are those of single
    seats; ``there`` are seats that were said to be absent before, and are not.
    """

    order: Places | None = None
    winner: int | None = None
    drawn: Seats | None = None
    scores: tuple[int | None, ...] | None = None
    nobody: bool = False
    void: bool = False
    marks: Marks = ()
    there: Seats = ()
    ended_by: EndedBy | None = None
    note: str = ""
    by_staff: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOutcome:
    """A stored result: the place of each seat, None if the table does not count; marks of seats."""

    places: Places | None
    marks: Marks = ()
    ended_by: EndedBy = EndedBy.PLAYED


def outcome_in(result: TableResult) -> TableOutcome:
    """Return the outcome that the result of a table holds."""
    return TableOutcome(places=result.places, marks=result.marks, ended_by=result.ended_by)


AnyClaim = Claim | TableClaim
AnyOutcome = Outcome | TableOutcome


def marks_of(marks: Mapping[int, Mark]) -> Marks:
    """Return marks in the order of their seats."""
    return tuple(sorted(marks.items()))


def seats_with(marks: Marks, *kinds: Mark) -> frozenset[int]:
    """Return the seats with one of these marks."""
    return frozenset(seat for seat, mark in marks if mark in kinds)


def impossible(size: int, problem: str, /, **values: object) -> BadInput:
    """Return the error for an impossible result of a table, with the possible ones."""
    return BadInput(
        "impossible_result",
        "%(problem)s Possible: %(possible)s.",
        problem=Sentence(problem, values),
        possible=possible_results(size),
    )


def possible_results(size: int) -> Sentence:
    """Return what can be typed for a table of this size, in words."""
    return Sentence(
        "a seat (1–%(size)s), an order (%(order)s), = drawn, =13 drawn between, 0 nobody, "
        "a3 absent",
        {"size": size, "order": "31245"[:size]},
    )


def joined_seats(seats: Iterable[int]) -> str:
    """Return numbers of seats as one text."""
    return ", ".join(map(str, sorted(seats)))
