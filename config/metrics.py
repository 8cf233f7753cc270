"""What ``/metrics`` tells in Prometheus' format: requests, database, connections, state of a site.

Only sites with ``METRICS_FROM`` import this module. Processes of gunicorn share their counts in a
folder (``PROMETHEUS_MULTIPROC_DIR``, made by ``config.gunicorn``): each writes files of its own,
and the one that is asked adds them up, those of ended ones too. What is the same for all, such as
the disk, is read when it is asked.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from config import error_reports, upkeep
from config.databases.sqlite3 import base as sqlite

SHARED = "PROMETHEUS_MULTIPROC_DIR"
EVERY = 5
"""Seconds between two counts of the open connections."""
ANSWERS = (0.01, 0.05, 0.2, 0.5, 1, 2, 5, 10)
WAITS = (0.01, 0.1, 0.5, 1, 5, 20)

disable_created_metrics()
own = CollectorRegistry()
requests = Counter(
    "girone_requests_total",
    "Requests answered; source: finished (kept bytes), rendered (and kept), site.",
    ("route", "method", "status", "source"),
    registry=own,
)
seconds = Histogram(
    "girone_request_seconds",
    "Seconds until an answer began to leave.",
    ("route", "source"),
    buckets=ANSWERS,
    registry=own,
)
database_seconds = Counter(
    "girone_database_seconds_total", "Seconds that requests spent in queries.", registry=own
)
queries = Counter("girone_database_queries_total", "Queries of requests.", registry=own)
lock_waits = Histogram(
    "girone_lock_wait_seconds",
    "Seconds that writers waited for the database or an event.",
    buckets=WAITS,
    registry=own,
)
connections = Gauge(
    "girone_connections", "Open connections.", registry=own, multiprocess_mode="livesum"
)
errors = Counter("girone_errors_total", "Errors logged.", registry=own)

_children: dict[tuple[str, str, str, str], tuple[Counter, Histogram]] = {}


class RequestDatabaseUse(threading.local):
    """Seconds and number of queries that this thread's current request has used so far."""

    seconds = 0.0
    queries = 0


spent = RequestDatabaseUse()


def count_request(route: str, method: str, status: str, source: str, took: float) -> None:
    """Count a finished request.

    route: view name. status: its class, as "2xx". source: ``finished`` (cached bytes), ``rendered``
    or ``site``. took: seconds. Adds the thread's database use, and resets it.
    """
    key = (route, method, status, source)
    counters = _children.get(key)
    if counters is None:
        counters = requests.labels(*key), seconds.labels(route, source)
        _children[key] = counters
    counters[0].inc()
    counters[1].observe(took)
    if spent.queries:
        database_seconds.inc(spent.seconds)
        queries.inc(spent.queries)
        spent.seconds, spent.queries = 0.0, 0


def watch_database() -> None:
    """Start counting this process's queries, lock waits and logged errors."""
    connection_created.connect(_watch_connection)
    if lock_waits.observe not in sqlite.lock_waits:
        sqlite.lock_waits.append(lock_waits.observe)
    if errors.inc not in error_reports.listeners:
        error_reports.listeners.append(errors.inc)


def _watch_connection(connection: BaseDatabaseWrapper, **_more: Any) -> None:
    timed = _timed_with_locks if connection.vendor == "postgresql" else _timed
    if timed not in connection.execute_wrappers:
        connection.execute_wrappers.append(timed)


def _timed(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    began = perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        spent.seconds += perf_counter() - began
        spent.queries += 1


def _timed_with_locks(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
) -> Any:
    """Time a query; one that locks rows takes hardly longer than it waits for them."""
    began = perf_counter()
    try:
        return _timed(execute, sql, params, many, context)
    finally:
        if " FOR UPDATE" in sql:
            lock_waits.observe(perf_counter() - began)


def track_connections(count: Callable[[], int]) -> None:
    """Set the gauge of open connections every five seconds, from a daemon thread.

    count: returns their number.
    """

    def follow() -> None:
        while True:
            connections.set(count())
            time.sleep(EVERY)

    threading.Thread(target=follow, name="connections", daemon=True).start()


class SiteStateCollector(Collector):
    """Prometheus collector of values that all processes share, read at each scrape.

    These are versions, disk, database size, last backup and check, queue lengths.
    """

    def collect(self) -> Iterator[Metric]:
        """Yield the gauges; what can't be read, or never was, is left out."""
        facts = upkeep.site_info()
        info = GaugeMetricFamily(
            "girone_info", "Versions.", labels=("version", "python", "database")
        )
        info.add_metric((facts.version, facts.python, facts.database), 1)
        yield info
        for name, words, value in (
            ("girone_disk_free_bytes", "Free beside the database.", facts.disk_free),
            ("girone_database_bytes", "Size of the database.", facts.database_bytes),
            ("girone_last_backup_seconds", "Moment of the last backup.", facts.backup),
            ("girone_last_verify_seconds", "Moment of the last check.", facts.verified),
        ):
            if value is not None:
                number = value if isinstance(value, int) else value.at.timestamp()
                yield GaugeMetricFamily(name, words, number)
        waiting = GaugeMetricFamily("girone_queue", "Length.", labels=("queue", "state"))
        for queue, counts in facts.queues.items():
            for state, number in counts.items():
                waiting.add_metric((queue, state), number)
        yield waiting


def render_metrics() -> bytes:
    """Return the metrics of all processes in Prometheus' text format."""
    asked = CollectorRegistry()
    if SHARED in os.environ:
        MultiProcessCollector(asked)
    asked.register(SiteStateCollector())
    counted = b"" if SHARED in os.environ else generate_latest(own)
    return counted + generate_latest(asked)
