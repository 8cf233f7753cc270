"""Two machines with one PostgreSQL and one Redis, each behind an nginx, all on this one."""

import http.client
import json
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.servers import documented
from tests.servers.running import PATIENCE, Answer, environment, free_port, manage, serving, until
from tests.servers.stores import Postgres, redis

WORKERS = 2
"""Processes of each machine."""
LIMIT = 300
"""Requests a minute from one address; costly ones are a tenth."""


class Machine:
    """A gunicorn with two processes, behind an nginx of its own."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.folder, self.env = folder, env
        self.master = self.tls = 0
        self.trusted: ssl.SSLContext | None = None

    @contextmanager
    def running(self) -> Iterator["Machine"]:
        """Serve while the block runs."""
        port = free_port()
        here = self.env | {"LISTEN": f"127.0.0.1:{port}"}
        with (
            serving(documented.commands()["gunicorn"], self.folder, port, **here) as server,
            documented.nginx(self.folder, port) as (_plain, self.tls),
        ):
            self.master = server.pid
            self.trusted = documented.trusting(self.folder)
            until(lambda: len(self.workers()) == WORKERS)
            yield self

    def workers(self) -> list[int]:
        """Return the ids of the processes that serve."""
        found = Path(f"/proc/{self.master}/task/{self.master}/children").read_text().split()
        return [int(number) for number in found]

    def connection(self, source: str = "127.0.0.1") -> http.client.HTTPConnection:
        """Return a TLS connection to this machine's nginx, from an address of the loopback net."""
        assert self.trusted is not None
        raw = documented.connect(self.tls, source)
        raw.settimeout(PATIENCE)
        found = http.client.HTTPConnection("127.0.0.1", self.tls)
        found.sock = self.trusted.wrap_socket(raw, server_hostname=documented.NAME)
        return found

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        source: str = "127.0.0.1",
    ) -> Answer:
        """Send one request on a connection of its own."""
        connection = self.connection(source)
        began = time.monotonic()
        try:
            connection.request(method, path, body, {"Host": documented.NAME} | (headers or {}))
            return Answer(connection.getresponse(), time.monotonic() - began)
        finally:
            connection.close()


class Cluster:
    """Two running machines that share a database and a Redis."""

    def __init__(self, one: Machine, other: Machine, url: str) -> None:
        self.one, self.other, self.url = one, other, url
        self.token, self.every = "", 10

    def call(self, method: str, path: str, body: object = None, key: str = "") -> tuple[int, Any]:
        """Call the API through the first machine; return status and JSON.

        A call that no process answered (502, a connection that ends) is sent again, as programs
        do: with its Idempotency-Key, or with the version that it was about.
        """
        headers = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        sent = None if body is None else json.dumps(body).encode()
        for _again in range(20):
            try:
                said = self.one.ask(f"/api/v1/{path}", method=method, body=sent, headers=headers)
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)
                continue
            if said.status not in (502, 503, 504):
                return said.status, json.loads(said.body) if said.body else None
            time.sleep(0.1)
        raise AssertionError(f"{method} {path}: no answer")

    def ok(self, method: str, path: str, body: object = None, key: str = "") -> Any:
        """Call the API; return its JSON if it did what was asked."""
        status, said = self.call(method, path, body, key)
        assert status < 300, (method, path, status, said)
        return said


@contextmanager
def cluster(folder: Path, postgres: Postgres, name: str, **more: str) -> Iterator[Cluster]:
    """Start Redis and two machines with a new, migrated database; yield them."""
    place = free_port()
    shared = documented.BEHIND_PROXY | {
        "DATABASE_URL": postgres.database(name, "-T", "girone"),
        "CACHE_URL": f"redis://127.0.0.1:{place}/0",
        "WORKERS": str(WORKERS),
        "THREADS": "4",
        "API_REQUESTS_PER_MINUTE": str(LIMIT),
        "ERASURES_FILE": str(folder / "erasures.jsonl"),
        "LOG_LEVEL": "ERROR",
    }
    with ExitStack() as stack:
        stack.enter_context(redis(folder, place))
        machines = []
        for each in ("one", "other"):
            own = folder / each
            own.mkdir()
            machines.append(stack.enter_context(Machine(own, shared | more).running()))
        yield Cluster(*machines, url=shared["DATABASE_URL"])


def command(machine: Machine, *arguments: str) -> str:
    """Run a command of ``manage.py`` on a machine; return what it printed."""
    return manage(*arguments, env=environment(machine.folder, **machine.env))
