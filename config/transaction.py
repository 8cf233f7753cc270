"""Transactions of services (``@transaction.atomic``) and consistent reads (``read_snapshot``).

Use it as ``from config import transaction``. As a decorator ``atomic`` retries the function once if
PostgreSQL aborted it to resolve a deadlock. Everything else is ``django.db.transaction``.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from functools import wraps
from typing import Any, ParamSpec, TypeVar, overload

from django.db import OperationalError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model
from django.db.transaction import get_connection, on_commit, set_rollback

__all__ = ["atomic", "get_connection", "on_commit", "read_snapshot", "set_rollback"]

DEADLOCK = "40P01"
"""PostgreSQL's code of a deadlock; SQLite has a single writer and no deadlocks."""

PAUSE = 0.05
"""Seconds before the retry, for the other transaction to finish."""

P = ParamSpec("P")
R = TypeVar("R")
log = logging.getLogger("config.transaction")


@overload
def atomic() -> transaction.Atomic: ...
@overload
def atomic(work: Callable[P, R]) -> Callable[P, R]: ...
def atomic(work: Callable[..., Any] | None = None) -> Any:
    """Run in a transaction: a context manager, or a decorator if given a function.

    Inside another transaction it is a savepoint. A decorated function is retried once after a
    deadlock, if it is the outermost.
    """
    if work is None:
        return transaction.atomic()
    once = transaction.atomic(work)

    @wraps(work)
    def repeatable(*args: Any, **kwargs: Any) -> Any:
        if get_connection().in_atomic_block:
            return once(*args, **kwargs)
        before = _state_of((*args, *kwargs.values()))
        try:
            return once(*args, **kwargs)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) != DEADLOCK:
                raise
            log.warning("Deadlock in %s: tried once more.", work.__qualname__)
        time.sleep(PAUSE)
        for row, fields in before:
            row.__dict__ = fields
        return once(*args, **kwargs)

    return repeatable


def _state_of(arguments: tuple[Any, ...]) -> list[tuple[Model, dict[str, Any]]]:
    """Return the model instances among the arguments with a copy of their fields."""
    rows = [given for given in arguments if isinstance(given, Model)]
    return [(row, row.__dict__ | {"_state": copy(row._state)}) for row in rows]


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Run several reads on one snapshot of the database; context manager and decorator.

    Concurrent writes are neither visible nor blocked. Inside a transaction it has no effect.
    Nothing may be written inside.
    """
    connection = transaction.get_connection()
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    with _transaction_of_reads(connection):
        yield


@contextmanager
def _transaction_of_reads(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Open a read transaction; Django's default on SQLite would take the write lock."""
    with ExitStack() as stack:
        with _deferred(connection):
            stack.enter_context(transaction.atomic())
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _deferred(connection: Any) -> Iterator[None]:
    """Make transactions begun inside DEFERRED on SQLite."""
    if connection.vendor != "sqlite":
        yield
        return
    usual, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = usual
