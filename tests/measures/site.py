"""A site of its own with a real server, for measurements: SQLite, or what DATABASE_URL names.

``bin/with-postgres COMMAND`` runs a measurement on PostgreSQL. Each prints its figures and, last,
a row for the tables of docs/figures.md with how busy the machine was before it began.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.database import migrated
from tests.servers.running import (
    ROOT,
    Answer,
    answers,
    ask,
    commands,
    environment,
    free_port,
    manage,
    python,
)

PREPARE = "import json, sys; from tests import factories as make\n"


class Site:
    """A migrated database and how to serve it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.log = folder / "server.log"
        more = {"API_REQUESTS_PER_MINUTE": "10000000", "PORT": str(self.port)}
        address = os.environ.get("DATABASE_URL", "")
        self.postgres = address.startswith("postgres")
        if self.postgres:
            more["DATABASE_URL"] = address
        else:
            migrated(folder / "site.sqlite3")
        self.env = environment(folder, **more)
        if self.postgres:
            manage("migrate", "-v0", env=self.env)

    @property
    def database(self) -> str:
        """Return the name of the database."""
        return "PostgreSQL" if self.postgres else "SQLite"

    def prepare(self, code: str) -> Any:
        """Run code with the site set up, which prints JSON as its last line; return its value."""
        return json.loads(self.python(PREPARE + code).splitlines()[-1])

    def python(self, code: str) -> str:
        """Run code with the site set up; return what it printed."""
        if self.postgres:
            return python(code, env=self.env)
        return self.run("-c", code).stdout.strip()

    def token(self, address: str) -> str:
        """Return a token for the API with that user's rights."""
        return self.run("api_token", address).stdout.strip().splitlines()[-1]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the site: in a fork of one that was started, where there is a file."""
        if not self.postgres:
            return commands().run(command, self.folder / "site.sqlite3")
        return subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=self.env,
            capture_output=True,
            text=True,
        )

    def start(self) -> subprocess.Popen[bytes]:
        """Start the server as it is shipped and wait until it answers."""
        command = [sys.executable, "-m", "config.server", "--listen", f"127.0.0.1:{self.port}"]
        with self.log.open("ab") as words:
            running = subprocess.Popen(
                command, cwd=ROOT, env=self.env, stdout=words, stderr=words, start_new_session=True
            )
        last = time.monotonic() + 120
        while time.monotonic() < last:
            assert running.poll() is None, self.log.read_text()
            try:
                if answers(self.port):
                    return running
            except OSError:
                time.sleep(0.02)
        kill(running)
        raise AssertionError(self.log.read_text())

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Serve while the block runs."""
        running = self.start()
        try:
            yield
        finally:
            kill(running)

    def call(self, method: str, path: str, token: str, body: object = None) -> Answer:
        """Send a request of the API."""
        headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        sent = None if body is None else json.dumps(body).encode()
        return ask(self.port, f"/api/v1/{path}", method=method, body=sent, headers=headers)

    def faults(self) -> list[str]:
        """Return what is wrong with the database and its events, as the commands say it."""
        found = []
        if not self.postgres:
            said = self.python(
                "from django.db import connection as c; k = c.cursor();"
                "print(k.execute('PRAGMA integrity_check').fetchone()[0])"
            )
            found += [] if said == "ok" else [said]
        done = self.run("verify", "--all")
        return found + (done.stdout + done.stderr).splitlines() if done.returncode else found


def kill(running: subprocess.Popen[bytes]) -> None:
    """Kill a server of ours with all its children at once, and wait until it is gone."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.wait(20)


def busy() -> str:
    """Return how busy the machine was during the last minute and the last five."""
    one, five, _fifteen = os.getloadavg()
    return f"{one:.1f} / {five:.1f} on {os.cpu_count()} cores"


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lie; 0 of none."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def report(busy_before: str, *cells: object) -> None:
    """Print a row for docs/figures.md."""
    row = " | ".join(map(str, (*cells, f"load {busy_before}")))
    sys.stdout.write(f"| {row} |\n")
