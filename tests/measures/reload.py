"""Readers while the site begins anew: after a change of settings, and for a new version.

``make measure-reload`` sends 20 requests a second for 60 seconds, each on a connection of its own,
while ``config.service`` hands over twice as on a server: first nothing of the data has to be
changed, then a migration has. What systemd does there is done here by `Units`: a socket that stays
open, processes that say when they are ready. Argument: the seconds.
``tests/servers/test_service.py`` does it on a machine with systemd, Caddy and two installations.
"""

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from threading import Event as Signal
from typing import Any
from unittest.mock import patch

from config import service
from tests.measures.site import PREPARE, busy, report
from tests.servers.running import Answer, ask, environment, free_port, manage, python

Get = Callable[[str, dict[str, str]], Answer]
RATE = 20
SLOWEST = 1.0
LANGUAGES = {"it": "Il sito è in aggiornamento", "en": "The site is being updated"}
EVENT = """
event = make.playing(make.organiser(), 16)
print(json.dumps(f"/events/{event.slug}/"))
"""
LATER = """
import time
from django.db import migrations
class Migration(migrations.Migration):
    initial = True
    operations = [migrations.RunPython(lambda apps, schema: time.sleep(3))]
"""
"""The migration of a later version: three seconds, whatever the machine."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One request: when it was sent after the beginning, and what came back."""

    at: float
    path: str
    language: str
    answer: Answer | None
    seconds: float

    @property
    def is_well(self) -> bool:
        """Return whether the site itself answered."""
        return self.answer is not None and self.answer.status == 200

    @property
    def is_told_of_update(self) -> bool:
        """Return whether it was the page of an update in the reader's language."""
        if self.answer is None or self.answer.status != 503:
            return False
        text = self.answer.body.decode()
        if self.path.startswith("/api/"):
            text = json.loads(text)["detail"]
        return bool(self.answer.headers.get("Retry-After")) and LANGUAGES[self.language] in text


def readers(get: Get, lasts: Callable[[float], bool], paths: Sequence[str]) -> list[Reader]:
    """Send `RATE` requests a second, whether earlier ones were answered or not; return all.

    lasts: whether to go on, asked with the seconds since the first.
    """
    began = time.monotonic()

    def read(due: float, path: str, language: str) -> Reader:
        sent, answer = time.monotonic(), None
        try:
            answer = get(path, {"Accept-Language": language})
        except (OSError, HTTPException) as fault:
            sys.stderr.write(f"{due:.2f} s {path}: {fault}\n")
        return Reader(due, path, language, answer, time.monotonic() - sent)

    sent = []
    with ThreadPoolExecutor(RATE * 5) as hall:
        for number, turn in enumerate(itertools.cycle(itertools.product(paths, LANGUAGES))):
            due = number / RATE
            if not lasts(due):
                break
            time.sleep(max(0.0, began + due - time.monotonic()))
            sent.append(hall.submit(read, due, *turn))
    return [one.result() for one in sent]


def summary(found: Sequence[Reader]) -> dict[str, Any]:
    """Return how many requests failed, and how long the slowest took."""
    return {
        "requests": len(found),
        "failed": sum(not one.is_well for one in found),
        "told": sum(one.is_told_of_update for one in found),
        "slowest": round(max(one.seconds for one in found), 3),
    }


@dataclass
class Units:
    """What systemd does for the units of a site: holds the socket, starts and stops processes."""

    folder: Path
    env: dict[str, str]
    port: int = field(default_factory=free_port)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Listen."""
        self.socket = socket.create_server(("127.0.0.1", self.port), backlog=2048)

    def systemctl(self, word: str, *names: str) -> None:
        """Do what `service.systemctl` has systemd do; nothing for units that aren't sites."""
        for name in names:
            if name in (service.SITE, service.BRIDGE) and word in ("stop", "restart"):
                self.stop(name)
            if name in (service.SITE, service.BRIDGE) and word in ("start", "restart"):
                self.start(name)

    def start(self, name: str) -> None:
        """Start a unit, with the socket as its file 3, and wait until it says that it is ready."""
        if name in self.running:
            return
        told = self.folder / f"{name}.notify"
        told.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            notices.bind(str(told))
            notices.settimeout(120)
            given = f'exec env LISTEN_PID=$$ LISTEN_FDS=1 "$@" 3<&{self.socket.fileno()}'
            serve = [sys.executable, "-m", "config.program", "serve-unit"]
            with (self.folder / "server.log").open("ab") as log:
                self.running[name] = subprocess.Popen(
                    ["bash", "-c", given, "bash", *serve],  # noqa: S607
                    env=self.env | {"NOTIFY_SOCKET": str(told)},
                    pass_fds=[self.socket.fileno()],
                    stdout=log,
                    stderr=log,
                )
            while b"READY=1" not in notices.recv(4096):
                pass

    def stop(self, name: str) -> None:
        """Stop a unit, and wait until all its requests were answered."""
        running = self.running.pop(name, None)
        if running is not None:
            running.send_signal(signal.SIGTERM)
            running.wait(60)

    def close(self) -> None:
        """Stop all units, and listen no more."""
        for name in list(self.running):
            self.stop(name)
        self.socket.close()


def measured(get: Get, event: str, seconds: float, hand_over: Callable[[], None]) -> list[Reader]:
    """Hand over after a third of the seconds, while readers ask; they do so until it is done."""
    paths = ("/", event, f"{event}standings/", "/accounts/login/", "/api/v1/events/")
    done = Signal()
    with ThreadPoolExecutor(1) as beside:
        asked = beside.submit(readers, get, lambda due: due < seconds or not done.is_set(), paths)
        time.sleep(seconds / 3)
        try:
            hand_over()
        finally:
            done.set()
        return asked.result()


def main(seconds: float) -> int:
    """Measure on a site of its own; return 1 if a request failed that should not."""
    before = busy()
    with tempfile.TemporaryDirectory() as made:
        places = service.ServicePaths(Path(made))
        places.data.mkdir(parents=True)
        env = environment(places.data, GIRONE_DATA=str(places.data), SIGN_UP="open")
        env |= {"PYTHONPATH": f"{made}:{os.environ.get('PYTHONPATH', '')}"}
        manage("prepare", env=env)
        event = json.loads(python(PREPARE + EVENT, env=env).splitlines()[-1])
        units = Units(places.data, env)

        def get(path: str, headers: dict[str, str]) -> Answer:
            return ask(units.port, path, headers=headers, timeout=30)

        def as_user(_places: service.ServicePaths, *words: str) -> str:
            return manage(*words, env=units.env)

        try:
            with patch.multiple(service, systemctl=units.systemctl, run_as_user=as_user):
                units.start(service.SITE)
                plain = measured(get, event, seconds, lambda: service.upgrade(places, []))
                write_later_version(Path(made))
                units.env = units.env | {"DJANGO_SETTINGS_MODULE": "later.settings"}
                moved = measured(get, event, seconds, lambda: service.upgrade(places, []))
        finally:
            units.close()
    first, second = summary(plain), summary(moved)
    lost = sum(not (one.is_well or one.is_told_of_update) for one in moved)
    sys.stdout.write(f"Nothing to migrate: {first}\nA migration of 3 s: {second}, lost {lost}\n")
    report(before, f"{first['failed']}, {first['slowest']} s", f"{lost}, told {second['told']}")
    well = not first["failed"] and first["slowest"] <= SLOWEST and not lost and second["told"] > 0
    return 0 if well else 1


def write_later_version(folder: Path) -> None:
    """Write a package with a migration that the site has not seen, and settings that add it."""
    for name, text in (
        ("__init__.py", ""),
        ("migrations/__init__.py", ""),
        ("migrations/0001_initial.py", LATER),
        ("settings.py", "from config.settings import *\nINSTALLED_APPS += ['later']\n"),
    ):
        (folder / "later" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "later" / name).write_text(text)


if __name__ == "__main__":
    sys.exit(main(float((sys.argv[1:] or ["60"])[0])))
