"""How many processes many events and readers need: a model of queues, fed with measured costs.

``python -m bench.scaling`` measures the costs in processor time, whatever else the machine does,
and prints the table of docs/scaling.md. The model plays a time in steps of a hundredth of a second
and finds the fewest processes that keep the 95th percentile of waiting below the goal. What it
assumes are the fields of ``Load``.
"""

import heapq
import math
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from functools import partial
from statistics import median
from tempfile import TemporaryDirectory
from wsgiref.util import setup_testing_defaults

import django

STEP = 0.01
"""Seconds of a step of the simulation."""
SPAN = 20
"""Seconds that are played."""
TURNS = 15
"""Times that each cost is measured."""
GOAL = 0.2
"""Seconds below which 95 of 100 readers wait for a process."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of one core for each kind of work."""

    kept: float
    """A public page from its finished bytes."""
    made: float
    """A public page of 128 players rendered anew."""
    own: float
    """A player's own page from facts that the process holds."""
    facts: float
    """What it takes longer where the event has changed since the process last read it."""
    write: float
    """A result with its line of the log."""


@dataclass(frozen=True, slots=True)
class Load:
    """Who asks for what on one day."""

    events: int
    readers: int
    playing: float = 0.2
    """Share of the events that have a round out at the same moment."""
    reading: float = 0.2
    """Share of the readers who have a page open at the same moment."""
    every: float = 10.0
    """Seconds between two questions of an open page."""
    own: float = 0.1
    """Share of questions about a page of somebody's own."""
    results: float = 1 / 30
    """Results a second in an event with a round out."""
    server: float = 0.0004
    """Seconds of a core that gunicorn takes for any request (``make bench-crowd``)."""
    pages: float = 4
    """Public pages of an event that somebody reads: pairings, standings, in two languages."""

    @property
    def questions(self) -> float:
        """Return the questions a second."""
        return self.readers * self.reading / self.every

    @property
    def writes(self) -> float:
        """Return the results a second."""
        return self.events * self.playing * self.results

    @property
    def renderings(self) -> float:
        """Return the pages rendered a second: each page once a result, at most once a second."""
        asked = self.events * self.playing * self.pages
        return min(asked * min(self.results, 1.0), self.questions)


def kinds_of(load: Load, costs: Costs, processes: int) -> tuple[tuple[float, float], ...]:
    """Return how many a second of each kind come, and the seconds that one takes.

    Each process reads an event's facts again after each result, if somebody asks it for them.
    """
    own = load.questions * load.own
    anew = min(own, load.writes * processes)
    return (
        (answered_by_kept(load), load.server + costs.kept),
        (load.renderings, load.server + costs.made),
        (own - anew, load.server + costs.own),
        (anew, load.server + costs.own + costs.facts),
        (load.writes, load.server + costs.write),
    )


def work(load: Load, costs: Costs, processes: int) -> float:
    """Return the cores that are busy on average."""
    return sum(rate * seconds for rate, seconds in kinds_of(load, costs, processes))


def answered_by_kept(load: Load) -> float:
    """Return the questions a second that finished bytes answer."""
    return max(0.0, load.questions * (1 - load.own) - load.renderings)


def waiting(load: Load, costs: Costs, processes: int, chance: random.Random) -> float:
    """Play ``SPAN`` seconds; return the 95th percentile of the seconds until a process is free.

    Arrivals are random; a process does one thing at a time, as Python does, and whoever is free
    first takes the next in line.
    """
    kinds = kinds_of(load, costs, processes)
    free = [0.0] * processes
    waited: list[float] = []
    for tick in range(round(SPAN / STEP)):
        now = tick * STEP
        come = [seconds for rate, seconds in kinds for _ in range(arrivals(rate * STEP, chance))]
        chance.shuffle(come)
        for seconds in come:
            begins = max(now, free[0])
            heapq.heapreplace(free, begins + seconds)
            waited.append(begins - now)
    waited.sort()
    return waited[int(len(waited) * 0.95)] if waited else 0.0


def arrivals(mean: float, chance: random.Random) -> int:
    """Return how many come in a step: Poisson, for large means the normal curve."""
    if mean > 30:
        return max(0, round(chance.gauss(mean, math.sqrt(mean))))
    limit, product, found = math.exp(-mean), chance.random(), 0
    while product > limit:
        product *= chance.random()
        found += 1
    return found


def processes_for(load: Load, costs: Costs) -> int:
    """Return the fewest processes with which 95 of 100 wait less than ``GOAL``."""
    least = 1
    while work(load, costs, least) > least:
        least += max(1, least // 20)
    while waiting(load, costs, least, random.Random(7)) > GOAL:  # noqa: S311 - a simulation
        least += max(1, least // 20)
    return least


LOADS = (
    Load(events=1, readers=512, playing=1, reading=1, results=2),
    Load(events=1, readers=10_000, playing=1, reading=1, results=2),
    Load(events=20, readers=10_000),
    Load(events=100, readers=100_000),
    Load(events=10_000, readers=1_000_000),
)


def measured() -> Costs:
    """Measure the costs with 128 players in the seventh Swiss round, a result before each turn."""
    from django.test import Client

    from config.wsgi import application
    from tests import factories as make
    from tournaments.results.services.results import decide_result

    by = make.organiser()
    event = make.started(by, 128, formula="swiss-cut")
    for _round in range(6):
        make.play_round(make.next_round(event, by), by)
    made = make.next_round(event, by)
    entry, player = event.entries.order_by("number")[0], make.user()
    event.entries.filter(pk=entry.pk).update(user=player)
    somebody, nobody = Client(SERVER_NAME="localhost"), Client(SERVER_NAME="localhost")
    somebody.force_login(player)
    page = f"/events/{event.slug}/pairings/"

    def finished() -> None:
        environ: dict[str, object] = {}
        setup_testing_defaults(environ)
        environ |= {"PATH_INFO": page, "HTTP_HOST": "localhost", "HTTP_ACCEPT_ENCODING": "gzip"}
        answer = application(environ, lambda *_told: None)
        assert len(b"".join(answer)) > 1_000  # noqa: S101 - what is measured must be the page

    taken: dict[str, list[float]] = {"kept": [], "made": [], "own": [], "facts": [], "write": []}
    asked: dict[str, Callable[[], object]] = {
        "made": lambda: nobody.get(page),
        "own": lambda: somebody.get(f"/events/{event.slug}/me/"),
        "kept": finished,
    }
    for match in made.matches.filter(match_seats__number=2).exclude(state="final")[:TURNS]:
        enter = partial(decide_result, version=0, claim=make.a_wins(match), by=by)
        taken["write"].append(processor_time(lambda: enter(match=match)))  # noqa: B023
        for name, ask in asked.items():
            if name == "kept":
                ask()
                time.sleep(1.1)  # the next rendering is due a second later
                ask()
            taken[name].append(processor_time(ask))
        again = processor_time(asked["own"])
        taken["facts"].append(max(0.0, taken["own"][-1] - again))
        taken["own"][-1] = again
    return Costs(**{name: median(spent) for name, spent in taken.items()})


def processor_time(ask: Callable[[], object]) -> float:
    """Return the seconds of the processor that a call takes."""
    began = time.thread_time()
    ask()
    return time.thread_time() - began


def main() -> None:
    """Print the costs and the table."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    costs = measured()
    told = ", ".join(
        f"{name} {value * 1000:.2f} ms"
        for name, value in zip(costs.__slots__, astuple(costs), strict=True)
    )
    sys.stdout.write(
        f"{told}\n| Events | Readers | Questions a second | Results a second | Cores |"
    )
    sys.stdout.write(" Processes |\n|---|---|---|---|---|---|\n")
    for load in LOADS:
        needed = processes_for(load, costs)
        row = (
            f"{load.events:,}",
            f"{load.readers:,}",
            f"{load.questions:,.0f}",
            f"{load.writes:,.1f}",
            f"{work(load, costs, needed):,.1f}",
            f"{needed:,}",
        )
        sys.stdout.write(f"| {' | '.join(row)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DEBUG": "0",
            "ENV_FILE": "",
            "LOG_LEVEL": "ERROR",
            "ALLOWED_HOSTS": "localhost",
            "FINISHED_PAGES": "1",
        }
        django.setup()
        main()
