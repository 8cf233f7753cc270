"""Processor time of two ways to do a thing, measured in turns so that both share the weather."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time


@dataclass(frozen=True, slots=True)
class Ratio:
    """How long ours takes as a multiple of the baseline; milliseconds of one call beside it."""

    name: str
    ours: float
    baseline: float

    def __str__(self) -> str:
        ratio = self.ours / self.baseline
        return (
            f"{self.name:<52} {ratio:7.2f} x   ({self.ours * 1000:9.3f} ms, "
            f"baseline {self.baseline * 1000:9.3f} ms)"
        )


def compare(
    name: str, ours: Callable[[], object], baseline: Callable[[], object], turns: int = 7
) -> Ratio:
    """Return the ratio of the medians; each turn runs both, at least 20 ms long."""
    pairs = [(_one(ours), _one(baseline)) for _turn in range(turns)]
    return Ratio(name, median(p[0] for p in pairs), median(p[1] for p in pairs))


def _one(call: Callable[[], object], least: float = 0.02) -> float:
    started, calls = process_time(), 0
    while (spent := process_time() - started) < least or not calls:
        call()
        calls += 1
    return spent / calls
