"""What lists, a player's history, the log and searches ask of the database of a large site.

``python -m bench large_site [EVENTS ENTRIES]``, on SQLite, or on PostgreSQL by
``bin/with-postgres``. Figures are milliseconds of the processor in the database, the least of
eleven turns: of this process for SQLite, of the server's process for PostgreSQL (Linux).
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.db import connection

from bench.timing import Figure
from tests.large_questions import questions
from tests.large_site import large_site

EVENTS, ENTRIES, LINES, OWN = 10_000, 100, 50, 500
TURNS = 11
GOAL = 30.0
"""Milliseconds."""


def measure(events: int = EVENTS, entries: int = ENTRIES) -> Iterator[Figure]:
    """Yield the milliseconds that the questions of each page take in the database."""
    site = large_site(events=events, entries=entries, lines=LINES, own=min(OWN, events))
    for name, ask in questions(site).items():
        ask()
        taken = min(in_database(ask) for _turn in range(TURNS))
        yield Figure(f"{name}, {events:,} x {entries}", taken * 1000, GOAL)


def in_database(ask: Callable[[], object]) -> float:
    """Return the seconds in which the database answers what a page asks, to the last row."""
    asked: list[tuple[str, Any]] = []

    def noted(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("SELECT"):
            asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(noted):
        ask()
    with connection.cursor() as cursor:
        clock = time.thread_time if connection.vendor == "sqlite" else of_server(cursor)
        began = clock()
        for sql, params in asked:
            cursor.execute(sql, params)
            cursor.fetchall()
        return clock() - began


def of_server(cursor: Any) -> Callable[[], float]:
    """Return what tells the processor time of the PostgreSQL process that serves a connection."""
    cursor.execute("SET max_parallel_workers_per_gather = 0")  # all of it in that one process
    cursor.execute("SELECT pg_backend_pid()")
    told = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    return lambda: int(told.read_text().split()[0]) / 1e9
