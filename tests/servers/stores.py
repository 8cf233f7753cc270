"""Throw-away servers for tests of what the site keeps elsewhere: PostgreSQL and Redis."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.database import forget_others, kept
from tests.servers.running import free_port, manage, needs, program, until

POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
needs_postgres = pytest.mark.skipif(not POSTGRES, reason="needs postgresql (apt-get install)")
needs_redis = pytest.mark.skipif(
    bool(needs("redis-server")), reason="needs redis-server (apt-get install)"
)


class Postgres:
    """A throw-away PostgreSQL server with the database ``girone``."""

    def __init__(self) -> None:
        self.programs = POSTGRES[-1].parent
        self.owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        self.port = free_port()
        self.folder = Path(self.run("mktemp", "-d", "/tmp/girone-postgres.XXXXXX").strip())  # noqa: S108
        self.data = self.folder / "data"
        options = ("-U", "girone", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8")
        self.run(str(self.programs / "initdb"), "-D", str(self.data), *options)
        self.start()
        self.url = self.database("girone")

    def database(self, name: str, *options: str) -> str:
        """Create a database; return its address."""
        create = str(self.programs / "createdb")
        where = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "girone")
        self.run(create, *where, *options, name)
        return f"postgres://girone@127.0.0.1:{self.port}/{name}"

    def run(self, *command: str, typed: str = "") -> str:
        """Run a command as the user who may, with what is typed; return what it printed."""
        done = subprocess.run(
            [*self.owner, *command],
            capture_output=True,
            text=True,
            check=True,
            cwd="/",
            input=typed,
        )
        return done.stdout

    def migrate(self, env: dict[str, str]) -> None:
        """Migrate the database ``girone``: by what is kept of the first time, if anything is."""
        psql, dump = (str(self.programs / name) for name in ("psql", "pg_dump"))
        place = kept().with_suffix(".sql")
        if place.exists():
            self.run(psql, "-q", "-d", self.url, typed=place.read_text())
        else:
            manage("migrate", "-v0", env=env)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(self.run(dump, "-d", self.url))
            forget_others()

    def control(self, *command: str) -> None:
        """Start or stop the server."""
        log = self.folder / "log"
        subprocess.run(
            [
                *self.owner,
                str(self.programs / "pg_ctl"),
                *("-D", str(self.data), "-w", "-l", str(log), *command),
            ],
            check=True,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def start(self) -> None:
        """Start the server on its port."""
        place = f"-c listen_addresses=127.0.0.1 -p {self.port} -k {self.folder} -c fsync=off"
        self.control("-o", place, "start")

    def stop(self) -> None:
        """Stop the server at once, as a fault would."""
        self.control("-m", "immediate", "stop")

    def end(self) -> None:
        """Stop the server and remove its files."""
        with suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def redis(folder: Path, port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Run Redis on a port; yield its process once it answers."""
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    with program(command, folder / "redis.log", cwd=folder) as server:
        until(lambda: pinged(port))
        yield server


def pinged(port: int) -> bool:
    """Say whether Redis answers on a port."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
        one.sendall(b"PING\r\n")
        return one.recv(16).startswith(b"+PONG")
