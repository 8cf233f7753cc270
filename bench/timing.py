"""Processor time: two implementations in alternation, and what else the machine does meanwhile."""

import gc
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from types import TracebackType


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


TICK = os.sysconf("SC_CLK_TCK")
QUIET, PATIENCE = 0.05, 60


def processor_of(pid: int) -> float:
    """Return the seconds of the processor that a process and its children used."""
    total, pending = 0.0, [pid]
    while pending:
        one = pending.pop()
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            children = Path(f"/proc/{one}/task/{one}/children").read_text().split()
        except FileNotFoundError:
            continue
        total += sum(int(field) for field in fields[11:15]) / TICK  # of ended children too
        pending += [int(child) for child in children]
    return total


def halves() -> tuple[set[int], set[int]]:
    """Return the cores for a server and those for its clients, the same ones if there is one."""
    cores = sorted(os.sched_getaffinity(0))
    half = len(cores) // 2
    return set(cores[half:]), set(cores[:half] or cores)


@contextmanager
def only_on(cores: set[int]) -> Iterator[None]:
    """Keep what is started within to these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def busy() -> tuple[float, float]:
    """Return the seconds that all processors were busy, and those that passed on all of them."""
    fields = [int(one) for one in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / TICK, sum(fields) / TICK


def wait_for_quiet() -> None:
    """Wait until others have less than ``QUIET`` of the processors, or for ``PATIENCE`` seconds."""
    until, before = time.monotonic() + PATIENCE, busy()
    while time.monotonic() < until:
        time.sleep(2)
        now = busy()
        if now[0] - before[0] < QUIET * (now[1] - before[1]):
            return
        before = now


class Watch:
    """The load of the machine before, and the share that others had of it meanwhile.

    What is measured within begins when others leave the machine alone.
    """

    def __enter__(self) -> "Watch":
        wait_for_quiet()
        self.load = os.getloadavg()[0]
        self.began, self.before, self.own = time.monotonic(), busy(), processor_of(os.getpid())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        used, passed = (now - then for now, then in zip(busy(), self.before, strict=True))
        own = processor_of(os.getpid()) - self.own
        self.others = max(0.0, used - own) / passed
        self.seconds = time.monotonic() - self.began

    def __str__(self) -> str:
        return f"load before {self.load:.2f}; others had {self.others:.0%} of the processors"
