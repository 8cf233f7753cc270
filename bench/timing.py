"""CPU time of two implementations, measured in alternation so that both see the same load."""

import gc
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import process_time


@dataclass(frozen=True, slots=True)
class Ratio:
    """Our time as a multiple of the baseline, with the milliseconds of one call.

    ``goal`` is the upper bound of the multiple.
    """

    name: str
    ours: float
    baseline: float
    goal: float | None = None

    @property
    def ratio(self) -> float:
        """Return the multiple."""
        return self.ours / self.baseline

    def __str__(self) -> str:
        goal = (
            "" if self.goal is None else f"{'<=' if self.ratio <= self.goal else '>'} {self.goal}"
        )
        return (
            f"{self.name:<64} {self.ratio:7.2f} x {goal:<8}"
            f"({self.ours * 1000:9.3f} ms, baseline {self.baseline * 1000:9.3f} ms)"
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured number and its upper bound, None if it stands there for comparison."""

    name: str
    value: float
    goal: float | None

    def __str__(self) -> str:
        return f"{self.name:<60} {self.value:7.2f}   {held(self.value, self.goal)}"


def show(figures: Iterable["Ratio | Figure"]) -> None:
    """Print each figure as soon as it is measured."""
    for figure in figures:
        sys.stdout.write(f"  {figure}\n")
        sys.stdout.flush()


def held(value: float, goal: float | None) -> str:
    """Return the goal, prefixed by a sign that says whether the value meets it."""
    return "" if goal is None else f"{'<=' if value <= goal else '> '} {goal:g}"


def compare(
    name: str,
    ours: Callable[[], object],
    baseline: Callable[[], object],
    *,
    turns: int = 11,
    goal: float | None = None,
) -> Ratio:
    """Return the turn with the median ratio; each turn runs both for at least 20 ms.

    Existing objects are frozen (``gc.freeze``), as their number would distort the measurement;
    objects created by the measured code are collected as usual.
    """
    gc.collect()
    gc.freeze()
    _one(ours), _one(baseline)
    pairs = sorted(
        ((_one(ours), _one(baseline)) for _turn in range(turns)), key=lambda pair: pair[0] / pair[1]
    )
    gc.unfreeze()
    return Ratio(name, *pairs[len(pairs) // 2], goal=goal)


def _one(call: Callable[[], object], least: float = 0.02) -> float:
    started, calls = process_time(), 0
    while (spent := process_time() - started) < least or not calls:
        call()
        calls += 1
    return spent / calls
