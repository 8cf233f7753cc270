"""Phones that ask one machine for public pages while results come in through another."""

import http.client
import random
import re
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple

import psycopg

from tests.cluster.machines import Machine
from tests.servers.documented import NAME

LINE = re.compile(r'class="log-print">.*?class="paper-only">\D*(\d+)', re.DOTALL)
"""The number of the log's last line on a page, which grows with every act on the event."""


class Seen(NamedTuple):
    """An answer: when it was asked for, its status, the line of the log it told of, its end.

    One that did not come has the status 0, and ``why`` says what happened instead.
    """

    asked: float
    path: str
    status: int
    line: int
    answered: float = 0
    why: str = ""


class Stored(NamedTuple):
    """What the database held at a moment: the event's last line of the log."""

    at: float
    line: int


def too_old(seen: Sequence[Seen], stored: Sequence[Stored], most: float) -> list[tuple[Seen, int]]:
    """Return the answers that lack what was stored ``most`` seconds before they were asked for."""
    found = []
    for answer in seen:
        due = max((each.line for each in stored if each.at <= answer.asked - most), default=0)
        if answer.status in (200, 304) and answer.line < due:
            found.append((answer, due))
    return found


class Watch:
    """Reads the event's last line of the log straight from the database."""

    def __init__(self, connection: psycopg.Connection, slug: str) -> None:
        self.connection, self.slug = connection, slug
        self.stored: list[Stored] = []

    def look(self) -> int:
        """Note what is stored now; return the line."""
        asked = "SELECT version FROM tournaments_event WHERE slug = %s"
        row = self.connection.execute(asked, [self.slug]).fetchone()
        assert row is not None
        self.stored.append(Stored(time.monotonic(), row[0]))
        return int(row[0])


class Phone(threading.Thread):
    """Asks for a page, then for its changes every ``every`` seconds, on one connection."""

    def __init__(self, machine: Machine, number: int, path: str, every: float) -> None:
        super().__init__(daemon=True)
        self.machine, self.path, self.every = machine, path, every
        self.source = f"127.1.{number // 200}.{number % 200 + 1}"
        self.over = threading.Event()
        self.seen: list[Seen] = []
        self.tag, self.line = "", 0
        self.connection: http.client.HTTPConnection | None = None
        self.chance = random.Random(number)

    def run(self) -> None:
        """Ask until told to stop; the first question comes at a moment of its own."""
        self.over.wait(self.chance.uniform(0, self.every))
        while not self.over.is_set():
            self.seen.append(self.ask())
            self.over.wait(self.every * self.chance.uniform(0.9, 1.1))
        self.hang_up()

    def hang_up(self) -> None:
        """End the connection."""
        if self.connection:
            self.connection.close()
        self.connection = None

    def ask(self) -> Seen:
        """Ask once."""
        began = time.monotonic()
        headers = {"Host": NAME}
        if self.tag:
            headers |= {"If-None-Match": self.tag, "HX-Request": "true"}
        elif self.line:
            headers |= {"HX-Request": "true"}
        try:
            self.connection = self.connection or self.machine.connection(self.source)
            self.connection.request("GET", self.path, headers=headers)
            response = self.connection.getresponse()
            body = response.read().decode()
        except (OSError, http.client.HTTPException) as error:
            self.hang_up()
            return Seen(began, self.path, 0, 0, time.monotonic(), repr(error))
        if response.status == 200:
            found = LINE.search(body)
            self.line = int(found[1]) if found else 0
            self.tag = response.headers.get("ETag", "")
        return Seen(began, self.path, response.status, self.line, time.monotonic())
