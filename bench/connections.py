"""Latency of pages beside a thousand idle connections and two hundred slow ones.

``python -m bench.connections [waitress] [gunicorn]`` runs the servers as in ``docs/hosting.md``:
waitress by itself, gunicorn behind nginx with TLS. Each page is asked for on a new connection.
Then waitress where few files may be open, beside more idle phones than it may hold connections.
"""

import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from threading import Event, Thread

from bench.timing import Figure, Watch, show
from tests.servers import documented, running

IDLE, SLOW, PAGES = 1_000, 200, 200
TURNS = 3
GOAL = 300
"""Milliseconds beside idle and slow connections."""
UNCHANGED = 1.1
"""What a page may take beside idle connections, of what it takes without them."""
FILES, PHONES = 256, 300
"""Files that a server may open, which leaves it 128 connections, and the idle phones beside."""
FEW_GOAL = 2_000
"""Milliseconds beside more idle phones than connections fit."""
Connect = Callable[[], socket.socket]
Ask = Callable[[int, int], dict[str, list[float]]]
EVENT = """
from tests import factories as make
by = make.organiser()
event = make.started(by, 32, formula="single-group", options={"legs": 1})
make.play_round(make.next_round(event, by), by)
print(event.slug)
"""


@contextmanager
def crowd(connect: Connect, host: str, *, idle: int, slow: int) -> Iterator[None]:
    """Hold idle connections (after one request) and slow ones that never finish their request."""
    asked = f"GET /health/live HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    begun = f"POST /accounts/login/ HTTP/1.1\r\nHost: {host}\r\nX-Slow: ".encode()
    held: list[socket.socket] = []
    over = Event()
    try:
        for _ in range(idle):
            held.append(connect())
            held[-1].sendall(asked)
            answer = held[-1].recv(4096)
            if b" 200 " not in answer:
                raise ConnectionError(answer)
        drops = [connect() for _ in range(slow)]
        held += drops
        for one in drops:
            one.sendall(begun)
        sender = Thread(target=_drip, args=(drops, over), daemon=True)
        sender.start()
        yield
        over.set()
        sender.join()
    finally:
        over.set()
        for one in held:
            one.close()


def _drip(connections: list[socket.socket], over: Event) -> None:
    """Send a byte a second on each connection that is still open."""
    while not over.wait(1):
        for one in connections:
            try:
                one.sendall(b"x")
            except OSError:
                continue  # the server has closed it


def pages(connect: Connect, host: str, path: str, *, how_many: int) -> list[float]:
    """Request a page repeatedly on new connections; return the sorted durations in seconds."""
    asked = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
    seconds = []
    for _ in range(how_many):
        began = time.monotonic()
        with connect() as one:
            one.sendall(asked)
            answer = _whole(one)
        if not answer.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(answer[:200])
        seconds.append(time.monotonic() - began)
    return sorted(seconds)


def _whole(one: socket.socket) -> bytes:
    parts = []
    while part := one.recv(65_536):
        parts.append(part)
    return b"".join(parts)


@contextmanager
def front(kind: str, folder: Path) -> Iterator[tuple[Connect, str]]:
    """Run a server; yield the function that connects to it and its host name."""
    with ExitStack() as stack:
        if kind == "waitress":
            port = stack.enter_context(running.waitress(folder))
            yield lambda: documented.connect(port), "127.0.0.1"
            return
        port = stack.enter_context(documented.server(kind, folder))
        _plain, tls = stack.enter_context(documented.nginx(folder, port))
        context = documented.trusting(folder)
        yield (
            lambda: context.wrap_socket(documented.connect(tls), server_hostname=documented.NAME),
            f"{documented.NAME}:{tls}",
        )


@contextmanager
def hall(kind: str, *, how_many: int = PAGES) -> Iterator[Ask]:
    """Serve an event; yield the function that asks for two pages beside other connections.

    It returns the sorted durations of each page in seconds.
    """
    running.raise_own_limit(IDLE + SLOW)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = running.environment(folder)
        running.manage("migrate", "-v0", env=env)
        slug = running.python(EVENT, env=env)
        paths = {"front page": "/", "standings": f"/events/{slug}/standings/"}
        with front(kind, folder) as (connect, host):

            def asked(idle: int, slow: int) -> dict[str, list[float]]:
                with crowd(connect, host, idle=idle, slow=slow):
                    return {
                        title: pages(connect, host, path, how_many=how_many)
                        for title, path in paths.items()
                    }

            yield asked


RESULT = """
from knox.models import AuthToken
from tests import factories as make
by = make.organiser()
event = make.started(by, 32, formula="single-group", options={"legs": 1})
match = make.next_round(event, by).matches.order_by("number").first()
print(event.slug, match.number, AuthToken.objects.create(user=by.user)[1])
"""


def beside_more_phones_than_fit(folder: Path) -> Iterator[Figure]:
    """Yield how long readiness, a page and a result take, in milliseconds.

    The phones connect one after another, and stay. ``folder`` holds a migrated database.
    """
    slug, number, token = running.python(RESULT, env=running.environment(folder)).split()
    result = f"/api/v1/events/{slug}/matches/{number}/result/"
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    sent = {"method": "PUT", "body": b'{"version": 0, "score": [40, 22]}', "headers": headers}
    running.raise_own_limit(PHONES)
    with (
        running.waitress(folder, files=FILES) as port,
        crowd(lambda: documented.connect(port), "127.0.0.1", idle=PHONES, slow=0),
    ):
        answers = {
            "readiness": running.ask(port, "/health/ready"),
            "page": running.ask(port, f"/events/{slug}/"),
            "result": running.ask(port, result, **sent),
        }
    for name, answer in answers.items():
        if answer.status != 200:
            raise ConnectionError(name, answer.status, answer.body[:200])
        said = f"waitress, {FILES} files, {PHONES} idle: {name} ms"
        yield Figure(said, 1000 * answer.seconds, FEW_GOAL)


def waiting(kind: str, asked: Ask) -> Iterator[Figure]:
    """Yield p50 and p95 of each page in milliseconds, with nobody else and with idle and slow."""
    for idle, slow in ((0, 0), (IDLE, SLOW)):
        who = f"{idle} idle and {slow} slow" if idle else "nobody else"
        for title, seconds in asked(idle, slow).items():
            p95 = seconds[int(len(seconds) * 0.95)]
            yield Figure(f"{kind}, {title}, {who}: p50 ms", 1000 * median(seconds), GOAL)
            yield Figure(f"{kind}, {title}, {who}: p95 ms", 1000 * p95, GOAL)


def unchanged(kind: str, asked: Ask) -> Iterator[Figure]:
    """Yield the median of each page beside idle connections, of that without, in turns."""
    turns = [(asked(0, 0), asked(IDLE, 0)) for _turn in range(TURNS)]
    for title in turns[0][0]:
        shares = [median(beside[title]) / median(alone[title]) for alone, beside in turns]
        name = f"{kind}, {title}, {IDLE} idle: p50 / nobody else"
        yield Figure(name, median(shares), UNCHANGED)


def main(kinds: list[str]) -> None:
    """Measure and print."""
    sys.stdout.write(f"\n{__doc__.splitlines()[0]}\n" if __doc__ else "")
    for kind in kinds or ["waitress", "gunicorn"]:
        with Watch() as watch, hall(kind) as asked:
            show(waiting(kind, asked))
            show(unchanged(kind, asked))
            if kind == "waitress":
                with tempfile.TemporaryDirectory() as name:
                    running.manage("migrate", "-v0", env=running.environment(Path(name)))
                    show(beside_more_phones_than_fit(Path(name)))
        sys.stdout.write(f"  {watch}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
