"""Marks of the seats of a table, and the refusal of a result that cannot be."""

from collections.abc import Iterable, Mapping

from rules.errors import BadInput
from rules.results import Mark, Marks
from rules.wording import Sentence


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
