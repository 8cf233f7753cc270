"""Pages after a result, as gunicorn serves them without finished pages, against a bare Django view.

``python -m bench.crowd cold``: each figure is processor time of the server for one request, the
median of ``TIMES``, each right after a result was saved, over that of a view that says hello, asked
in turn with the pages. Beside it stands hello asked in a row, which takes half as long: a program
that is asked once a while has been forgotten by the processor’s caches, a page as well as hello.

An own page is asked for by the first reader of a version, who makes its facts for all others, by a
phone that has no page yet, and by one that has it, which is mostly told that nothing of what it
shows has changed (304).
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from bench.hall import HOST, Hall, gunicorn
from bench.timing import Figure
from tests.servers import running

PLAYERS, ROUNDS = 128, 6
TIMES = 40
HELLOS = 800
"""Questions for hello, in turns between the pages, as the processor is not always as fast."""
POLLED = {"HX-Request": "true"}
"""What an open page sends when it asks again."""


def spent(pid: int) -> float:
    """Return the seconds of the processor that a server's processes used, to the microsecond."""
    total, pending = 0, [pid]
    while pending:
        one = pending.pop()
        for task in Path(f"/proc/{one}/task").iterdir():
            total += int((task / "schedstat").read_text().split()[0])
            pending += [int(child) for child in (task / "children").read_text().split()]
    return total / 1e9


def cost(port: int, pid: int, path: str, headers: Mapping[str, str], times: int = 1) -> float:
    """Return the processor's seconds for a request."""
    before = spent(pid)
    for _ in range(times):
        status = running.ask(port, path, headers={"Host": HOST, **headers}).status
        if status != 200:
            raise ConnectionError(f"{path}: {status}")
    return (spent(pid) - before) / times


class Phone:
    """A phone that has a page and asks whether it has changed."""

    def __init__(self, port: int, pid: int, path: str, headers: Mapping[str, str]) -> None:
        self.port, self.pid, self.path, self.headers = port, pid, path, {"Host": HOST, **headers}
        self.tag = ""
        self.unchanged: list[float] = []
        self.changed: list[float] = []

    def ask(self) -> None:
        """Ask; note the processor's seconds by whether it has changed."""
        before = spent(self.pid)
        headers = self.headers | ({"If-None-Match": self.tag} if self.tag else {})
        answer = running.ask(self.port, self.path, headers=headers)
        kept = {200: self.changed, 304: self.unchanged}[answer.status]
        kept.append(spent(self.pid) - before)
        self.tag = answer.headers["ETag"]


def save(hall: Hall, port: int) -> None:
    """Save the next result at the desk's address."""
    path, body = hall.results()[0]
    hall.matches.pop(0)
    headers = hall.saving() | {"Content-Type": "application/json", "Host": HOST}
    answer = running.ask(port, path, method="PUT", body=json.dumps(body).encode(), headers=headers)
    if answer.status != 200:
        raise ConnectionError(answer.body)


def measure(folder: Path) -> Iterator[Figure]:
    """Yield the ratios of pairings, standings, the event and own pages after a result to hello."""
    hall = Hall(folder, PLAYERS, rounds=ROUNDS, people=4)
    own, other = hall.cookies[0], hall.cookies[3]
    mine = f"/events/{hall.slug}/me/now/"
    asked = {
        "pairings": (hall.page(), POLLED, 17.0),
        "standings": (hall.page("standings"), POLLED, 25.0),
        "event": (f"/events/{hall.slug}/", POLLED, 40.0),
        "own page, the first of a version": (mine, own, 29.0),
        "own page": (mine, other, 15.0),
    }
    with (
        gunicorn("config.wsgi", folder, workers="1", FINISHED_PAGES="0") as (port, site),
        gunicorn("bench.hello:application", folder, workers="1") as (bare, hello),
    ):
        for path, headers, _goal in asked.values():
            cost(port, site, path, headers, 3)
        cost(bare, hello, "/hello", {}, HELLOS)
        found: dict[str, list[float]] = {name: [] for name in asked}
        phone = Phone(port, site, mine, hall.cookies[2])
        alone, many, saves = list[float](), list[float](), list[float]()
        phone.ask()
        names = list(asked)
        for turn in range(TIMES):
            before = spent(site)
            save(hall, port)
            saves.append(spent(site) - before)
            first = names[turn % 4]  # who comes first after a result pays for its facts
            path, headers, _goal = asked[first]
            found[first].append(cost(port, site, path, headers))
            if path != mine:
                cost(port, site, mine, own)
            path, headers, _goal = asked[names[4]]
            found[names[4]].append(cost(port, site, path, headers))
            phone.ask()
            alone.append(cost(bare, hello, "/hello", {}))
            many.append(cost(bare, hello, "/hello", {}, HELLOS // TIMES))
        least, once = median(many), median(alone)
        yield Figure("hello, in turn with pages: milliseconds of the processor", 1000 * once, None)
        yield Figure("hello, asked in a row", 1000 * least, None)
        for name, (_path, _headers, goal) in asked.items():
            title = f"{name} after a result, {PLAYERS} x {ROUNDS}"
            yield from ratios(title, median(found[name]), once, least, goal)
        share = f"{len(phone.unchanged)} of {TIMES} times"
        title = f"own page, nothing of it changed ({share})"
        yield from ratios(title, median(phone.unchanged), once, least, 8.0)
        yield from ratios("a result saved by the desk", median(saves), once, least, None)


def ratios(
    title: str, spent: float, once: float, least: float, goal: float | None
) -> Iterator[Figure]:
    """Yield what a question took, of hello asked in turn with it, and of hello asked in a row."""
    yield Figure(f"{title}: {1000 * spent:.1f} ms / hello", spent / once, None)
    yield Figure("  the same / hello asked in a row", spent / least, goal)
