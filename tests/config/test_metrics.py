"""The counts of one process: requests, queries, waits for locks, errors, connections."""

import logging
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from prometheus_client.parser import text_string_to_metric_families

from config import error_reports, metrics, watching
from config.databases.sqlite3 import base as sqlite


def value(name: str, **labels: str) -> float:
    """Return the sum of a series' samples that have these labels."""
    text = metrics.generate_latest(metrics.own).decode()
    samples = (one for family in text_string_to_metric_families(text) for one in family.samples)
    wanted = labels.items()
    return sum(one.value for one in samples if one.name == name and wanted <= one.labels.items())


def test_requests_are_counted_with_what_they_took_from_the_database(monkeypatch):
    monkeypatch.setattr(metrics, "spent", metrics.RequestDatabaseUse())
    before = value("girone_requests_total"), value("girone_database_queries_total")
    for _query in range(3):
        metrics._timed(lambda *_told: None, "SELECT 1", (), False, {})
    metrics.count_request("a-page", "GET", "2xx", "site", 0.03)
    metrics.count_request("a-page", "GET", "5xx", "site", 3)
    assert value("girone_requests_total") == before[0] + 2
    assert value("girone_requests_total", route="a-page", status="5xx") == 1
    assert value("girone_request_seconds_bucket", route="a-page", le="0.05") == 1
    assert value("girone_database_queries_total") == before[1] + 3


def test_queries_that_lock_rows_are_waits_where_the_database_has_such():
    postgresql = SimpleNamespace(vendor="postgresql", execute_wrappers=[])
    metrics._watch_connection(postgresql)
    metrics._watch_connection(postgresql)
    (timed,) = postgresql.execute_wrappers
    before = value("girone_lock_wait_seconds_count")
    timed(lambda *_told: None, "SELECT 1 FROM x FOR UPDATE", (), False, {})
    timed(lambda *_told: None, "SELECT 1 FROM x", (), False, {})
    assert value("girone_lock_wait_seconds_count") == before + 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks rows")
def test_the_wait_for_a_transaction_to_begin_is_told(monkeypatch):
    waits: list[float] = []
    monkeypatch.setattr(sqlite, "lock_waits", [waits.append])
    with transaction.atomic():
        pass
    assert len(waits) == 1
    assert 0 <= waits[0] < 20


def test_errors_are_counted(monkeypatch):
    monkeypatch.setattr(error_reports, "listeners", [metrics.errors.inc])
    before = value("girone_errors_total")
    record = logging.LogRecord("x", logging.ERROR, "x", 1, "Wrong", (), None)
    error_reports.ErrorReportHandler().handle(record)
    assert value("girone_errors_total") == before + 1


def test_open_connections_are_told_at_once(settings):
    settings.METRICS_FROM = ["127.0.0.1"]
    watching.monitor_connections(lambda: 7)
    for _turn in range(100):
        if value("girone_connections") == 7:
            break
        metrics.time.sleep(0.05)
    assert value("girone_connections") == 7
