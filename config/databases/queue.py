"""The queue of this process' writers for the one lock of an SQLite database."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from django.db import OperationalError

STANDING = 0.5
"""Seconds without anybody getting the lock after which the queue stands still."""


class Queue:
    """So many may wait for the lock; who comes later is sent away where nothing moves.

    While others write, the lock changes hands within milliseconds, and who finds the queue full
    waits for a place in it. Where nobody gets the lock any more (another program holds the
    database), further writers would only take the threads that readers need.
    """

    def __init__(self, *, room: int, standing: float = STANDING) -> None:
        self.room, self.standing = room, standing
        self.waiting = 0
        self._moved = time.monotonic()
        self._changed = Condition()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Wait inside for the lock; raises OperationalError where the queue stands still."""
        self._enter()
        got_it = False
        try:
            yield
            got_it = True
        finally:
            self._leave(moved=got_it)

    def _enter(self) -> None:
        with self._changed:
            while self.waiting >= self.room:
                left = self._moved + self.standing - time.monotonic()
                if left <= 0:
                    raise OperationalError("database is locked, and enough writers wait for it")
                self._changed.wait(left)
            if not self.waiting:
                self._moved = time.monotonic()
            self.waiting += 1

    def _leave(self, *, moved: bool) -> None:
        with self._changed:
            self.waiting -= 1
            if moved:
                self._moved = time.monotonic()
            self._changed.notify()
