"""What counting costs (``METRICS_FROM``): a warm finished page of servers with and without it."""

import http.client
import os
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bench.hall import HOST, Hall, gunicorn
from bench.timing import Figure, compare, processor_of
from config.watching import FINISHED, ROUTE, SOURCE, MonitoredApplication

REQUESTS = 3_000
"""Requests of a turn: with less the processor's clock, a hundredth of a second, is too coarse."""
TURNS = 9


def measure(turns: int = TURNS) -> Iterator[Figure]:
    """Yield the ratio of the processor's time a request, and its spread between equal servers."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        hall = Hall(folder, 128)
        with (
            gunicorn("config.wsgi", folder) as bare,
            gunicorn("config.wsgi", folder) as other,
            gunicorn("config.wsgi", folder, METRICS_FROM="127.0.0.1") as counting,
        ):
            costs = [
                [_cost(*one, hall.page()) for one in (bare, other, counting)]
                for _ in range(turns + 1)
            ]
        costs = costs[1:]  # the first turn rendered the page
    noise = [max(one / two, two / one) for one, two, _counted in costs]
    ratio = [2 * counted / (one + two) for one, two, counted in costs]
    yield Figure("two servers that count nothing: processor a request, ratio", median(noise), None)
    yield Figure("a server that counts to one that does not, ratio", median(ratio), 1.05)
    yield Figure("microseconds for counting a request", 1e6 * _counting(), 30)


def _counting() -> float:
    """Return the seconds that counting adds to a request, with counts that processes share."""
    with TemporaryDirectory() as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        count = import_module("config.metrics").count_request
        environ = {"REQUEST_METHOD": "GET", ROUTE: "tournaments:pairings", SOURCE: FINISHED}
        counted = MonitoredApplication(_answer, count, lines=False)
        found = compare("", lambda: counted(environ, _start), lambda: _answer(environ, _start))
    return found.ours - found.baseline


def _answer(_environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
    start("200 OK", [])
    return [b""]


def _start(_status: str, _headers: list[Any], _exc_info: object = None) -> None:
    """Begin no answer."""


def _cost(port: int, pid: int, path: str) -> float:
    """Return the seconds of the processor that the server takes for a request."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    before = processor_of(pid)
    for _request in range(REQUESTS):
        connection.request(
            "GET", path, headers={"Host": f"{HOST}:{port}", "Accept-Encoding": "gzip"}
        )
        answer = connection.getresponse()
        if answer.status != 200 or not answer.read():
            raise ConnectionError(answer.status)
    connection.close()
    return (processor_of(pid) - before) / REQUESTS
