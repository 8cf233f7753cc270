"""Reads that belong together, so that all of them see one state of the database."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper


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
