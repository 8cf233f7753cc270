"""The engine ``config.databases.sqlite3``."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db.backends.sqlite3 import base

from config.databases.queue import Queue

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLAC")
writers = Queue(room=settings.THREADS // 2)


class DatabaseWrapper(base.DatabaseWrapper):
    """Lets at most half of the server's threads wait for the lock of the database.

    Further ones get an OperationalError (503) at once where the queue of writers stands still.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.execute_wrappers.append(_in_the_queue)

    def _start_transaction_under_autocommit(self) -> None:
        """Begin; a transaction of reads waits for nobody."""
        begin = super()._start_transaction_under_autocommit  # type: ignore[misc]
        if getattr(self, "transaction_mode", None) == "DEFERRED":
            begin()
            return
        with writers.place():
            begin()


def _in_the_queue(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Run a statement; one that writes without a transaction waits for the lock by itself."""
    if context["connection"].in_atomic_block or not sql.startswith(WRITES):
        return execute(sql, params, many, context)
    with writers.place():
        return execute(sql, params, many, context)
