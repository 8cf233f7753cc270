"""Transactions of services: ``from config import transaction``, then ``@transaction.atomic``.

Used as a decorator, ``atomic`` runs the function once more when PostgreSQL chose its transaction
as the one to end of a deadlock. Everything else is ``django.db.transaction``.
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

__all__ = ["atomic", "get_connection", "on_commit", "one_moment", "set_rollback"]

DEADLOCK = "40P01"
"""PostgreSQL's code; SQLite has one writer at a time and knows no deadlock."""

PAUSE = 0.05
"""Seconds for the other transaction to end; else the two may well meet again."""

P = ParamSpec("P")
R = TypeVar("R")
log = logging.getLogger("config.transaction")


@overload
def atomic() -> transaction.Atomic: ...
@overload
def atomic(work: Callable[P, R]) -> Callable[P, R]: ...
def atomic(work: Callable[..., Any] | None = None) -> Any:
    """Return a transaction for ``with``, or the function as one transaction of its own.

    Inside another transaction it is a savepoint, as Django's: only the outermost can be repeated.
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
            if not is_deadlock(error):
                raise
            log.warning("Deadlock in %s: tried once more.", work.__qualname__)
        time.sleep(PAUSE)
        for row, fields in before:
            row.__dict__ = fields
        return once(*args, **kwargs)

    return repeatable


def is_deadlock(error: BaseException) -> bool:
    """Say whether the database ended this transaction so that another could go on."""
    return getattr(error.__cause__, "sqlstate", None) == DEADLOCK


def _state_of(arguments: tuple[Any, ...]) -> list[tuple[Model, dict[str, Any]]]:
    """Return the rows among the arguments with their fields, as they are now."""
    rows = [given for given in arguments if isinstance(given, Model)]
    return [(row, row.__dict__ | {"_state": copy(row._state)}) for row in rows]


@contextmanager
def one_moment() -> Iterator[None]:
    """Let several reads see the database as it was at the first of them; also a decorator.

    Somebody who writes in between is neither seen nor kept waiting. Inside a transaction that
    locks its event nothing changes. Nothing may be written in here.
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
    """Open a transaction that takes no lock: SQLite's usual one takes that for writing."""
    with ExitStack() as stack:
        with _deferred(connection):
            stack.enter_context(transaction.atomic())
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _deferred(connection: Any) -> Iterator[None]:
    """Let a transaction that begins in here lock only when it has to."""
    if connection.vendor != "sqlite":
        yield
        return
    usual, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        connection.transaction_mode = usual
