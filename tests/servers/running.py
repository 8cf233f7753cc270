"""Servers for tests: programs on free ports of this machine, ended by their own process ids."""

import http.client
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from tests.forked_commands import Nursery

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
KEY = "N3ver-use-this-one-outside-of-tests-0123456789-abcdefghij"
PATIENCE = 60
"""Seconds for a server to start on a busy machine."""


def free_port() -> int:
    """Return a port of the loopback address that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return the variables of a public site whose database lies in ``folder``."""
    usual = {
        "DEBUG": "0",
        "SECRET_KEY": KEY,
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
        "LOG_LEVEL": "WARNING",
        "STATIC_ROOT": str(ROOT / ".pytest_cache" / "static"),  # collected where files have changed
        "ENV_FILE": "",
    }
    left_out = {"DJANGO_ALLOW_ASYNC_UNSAFE", "DJANGO_SETTINGS_MODULE"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return kept | usual | more


def manage(*arguments: str, env: dict[str, str]) -> str:
    """Run a command of the site; return what it printed."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def python(code: str, *, env: dict[str, str]) -> str:
    """Run Python code with the site set up; return what it printed."""
    whole = "import django; django.setup()\n" + code
    env = env | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", whole], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@contextmanager
def program(command: list[str], log: Path, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program, its words in ``log``; end it with all its children at the end."""
    with log.open("ab") as words:
        running = subprocess.Popen(
            command, stdout=words, stderr=words, start_new_session=True, **options
        )
        try:
            yield running
        finally:
            end(running)


def end(running: subprocess.Popen[bytes], how: signal.Signals = signal.SIGTERM) -> None:
    """End a program of ours and what it started; wait until it is gone."""
    for sign in (how, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(running.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            running.wait(15)
            return


def until(holds: Callable[[], object], *, seconds: float = PATIENCE, why: str = "") -> None:
    """Wait until something holds."""
    last = time.monotonic() + seconds
    while True:
        with suppress(OSError, http.client.HTTPException):
            if holds():
                return
        assert time.monotonic() < last, why or "waited in vain"
        time.sleep(0.05)


def answers(port: int, path: str = "/health/live") -> bool:
    """Say whether a server answers 200 at an address."""
    return ask(port, path).status == 200


class Answer:
    """An answer that was read whole, with the seconds that it took."""

    def __init__(self, response: http.client.HTTPResponse, seconds: float) -> None:
        self.status, self.headers = response.status, response.headers
        self.body, self.seconds = response.read(), seconds


def ask(
    port: int,
    path: str,
    *,
    method: str = "GET",
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
    timeout: float = 60,
) -> Answer:
    """Send one request on a connection of its own."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        response = connection.getresponse()
        return Answer(response, time.monotonic() - began)
    finally:
        connection.close()


@cache
def commands() -> Nursery:
    """Return what forks for code of a public site."""
    started = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "sqlite:///nowhere"}
    return Nursery(environment(ROOT) | started)


def forked(code: str, folder: Path) -> str:
    """Run Python code as :func:`python` with the usual environment, in a fork; return its words."""
    done = commands().run(["-c", code], folder / "site.sqlite3")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@contextmanager
def waitress(folder: Path, *, files: int = 0, **more: str) -> Iterator[int]:
    """Serve a site with waitress; yield its port. ``files`` is the most files it may open."""
    port = free_port()
    command = [sys.executable, "-m", "config.server", "--listen", f"127.0.0.1:{port}"]
    if files:
        command = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh", *command]
    with serving(command, folder, port, **more):
        yield port


@contextmanager
def gunicorn(folder: Path, **more: str) -> Iterator[int]:
    """Serve a site with gunicorn; yield its port."""
    port = free_port()
    command = [str(BIN / "gunicorn"), "--config", "python:config.gunicorn", "config.wsgi"]
    with serving(command, folder, port, **{"LISTEN": f"127.0.0.1:{port}"} | more):
        yield port


@contextmanager
def serving(
    command: list[str], folder: Path, port: int, **more: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server of the site until it answers; yield its process."""
    log = folder / "server.log"
    with program(command, log, cwd=ROOT, env=environment(folder, **more)) as running:

        def up() -> bool:
            assert running.poll() is None, log.read_text()
            return answers(port)

        until(up, why=log.read_text())
        yield running


def open_sockets(port: int, how_many: int, first: bytes = b"") -> list[socket.socket]:
    """Open ``how_many`` connections and send the same first bytes on each."""
    opened = []
    for _ in range(how_many):
        one = socket.create_connection(("127.0.0.1", port), timeout=20)
        if first:
            one.sendall(first)
        opened.append(one)
    return opened


def raise_own_limit(connections: int) -> None:
    """Raise the limit of open files of this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + 200
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


def needs(*programs: str) -> list[str]:
    """Return the programs that this machine lacks."""
    places = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
    return [name for name in programs if shutil.which(name, path=places) is None]
