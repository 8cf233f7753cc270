"""The engine ``config.databases.sqlite3``."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.db.backends.sqlite3 import base

STALLED_AFTER = 0.5
"""Seconds without the lock changing hands after which the queue counts as stalled."""


class WriterQueue:
    """A bounded queue of writers waiting for the database lock; refuses more while stalled.

    ``room`` is its length; it is stalled if the lock has not changed hands for ``stalled_after``
    seconds. Normally it does within milliseconds, and a writer waits for a place in a full queue.
    If another program holds the database, further writers would only occupy the threads that
    readers need.
    """

    def __init__(self, *, room: int, stalled_after: float = STALLED_AFTER) -> None:
        self.room, self.stalled_after = room, stalled_after
        self.waiting = 0
        self._moved = time.monotonic()
        self._changed = Condition()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place in the queue; raises OperationalError if it is full and stalled."""
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
                left = self._moved + self.stalled_after - time.monotonic()
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


lock_waits: list[Callable[[float], object]] = []
"""Called with the seconds that a transaction waited to begin."""
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLAC")
writers = WriterQueue(room=settings.THREADS // 2)


class DatabaseWrapper(base.DatabaseWrapper):
    """SQLite backend in which at most half of the server's threads wait for the write lock.

    More get an OperationalError (shown as 503) at once if the queue of writers is stalled.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.execute_wrappers.append(_in_the_queue)
        self._file: tuple[int, int] | None = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        found = super().get_new_connection(conn_params)
        self._file = self._file_now()
        return found

    def close_if_unusable_or_obsolete(self) -> None:
        """Close a connection to a file that another one has replaced, too.

        Otherwise a request would read, and write, a file that is no longer there.
        """
        if self.connection is not None and not self.in_atomic_block:
            now = self._file_now()
            if now is not None and self._file not in (None, now):
                self.close()
                return
        super().close_if_unusable_or_obsolete()

    def _file_now(self) -> tuple[int, int] | None:
        """Return the number of the database's file on its disk; None if there is no file."""
        try:
            found = os.stat(str(self.settings_dict["NAME"]))  # noqa: PTH116 - at every request
        except OSError:
            return None
        return found.st_ino, found.st_dev

    def _start_transaction_under_autocommit(self) -> None:
        """Begin a transaction; read transactions bypass the queue."""
        begin = super()._start_transaction_under_autocommit  # type: ignore[misc]
        if getattr(self, "transaction_mode", None) == "DEFERRED":
            begin()
            return
        began = time.monotonic()
        try:
            with writers.place():
                begin()
        finally:
            for note in lock_waits:
                note(time.monotonic() - began)


def _in_the_queue(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Execute a statement, inside the queue if it writes outside a transaction."""
    if context["connection"].in_atomic_block or not sql.startswith(WRITES):
        return execute(sql, params, many, context)
    with writers.place():
        return execute(sql, params, many, context)
