"""Few cases out of many in which every two traits that occur together still do."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

Case = TypeVar("Case")


def pairwise(
    cases: Sequence[Case], traits: Callable[[Case], Iterable[Hashable]]
) -> tuple[Case, ...]:
    """Return cases, in their order, that have every trait and pair of traits that any case has.

    Greedy: the case with the most pairs that are still missing comes first.
    """
    pairs = [{frozenset(pair) for pair in combinations([*traits(case), ""], 2)} for case in cases]
    missing = set().union(*pairs)
    chosen = set()
    while missing:
        best = max(range(len(cases)), key=lambda at: len(missing & pairs[at]))
        missing -= pairs[best]
        chosen.add(best)
    return tuple(cases[at] for at in sorted(chosen))
