"""The matches that a stage with a bracket has, whatever its kind."""

from rules.brackets import BracketMatch, Seat, bracket
from rules.double_brackets import double_bracket
from rules.plan import DOUBLE_ELIMINATION, StagePlan


def shape_of(plan: StagePlan) -> tuple[BracketMatch, ...]:
    """Return the matches of a knock-out or a double elimination, in the order of their numbers."""
    seats = len(plan.groups[0].seats)
    if plan.kind == DOUBLE_ELIMINATION:
        return double_bracket(seats, plan.second_final)
    return bracket(seats, plan.survivors, plan.third_place)


def matches_by_round(plan: StagePlan) -> list[int]:
    """Return how many matches each round has when every seat is taken; byes are none."""
    shape = shape_of(plan)
    sizes = [0] * max((match.round for match in shape), default=0)
    for match in shape:
        seats = [source.number for source in match.sources if isinstance(source, Seat)]
        sizes[match.round - 1] += all(number <= plan.size for number in seats)
    return sizes
