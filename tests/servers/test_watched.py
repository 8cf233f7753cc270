"""Several processes, watched: counts that add up, over a reload too, and one format of lines."""

import os
import re
import signal
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.servers import running

pytestmark = [pytest.mark.processes, pytest.mark.deep]
ASKED = 40
PATHS = {
    "/": "tournaments:event-list",
    "/help/": "help",
    "/p/S3cret-token/": "tournaments:open-link",
    "/nowhere/": "unknown",
}


def series(port: int) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Return the samples of the page of counts, by name and labels."""
    text = running.ask(port, "/metrics").body.decode()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def total(port: int, name: str, **labels: str) -> float:
    """Return the sum of a series' samples that have these labels."""
    wanted = set(labels.items())
    return sum(
        value for (each, has), value in series(port).items() if each == name and wanted <= has
    )


@pytest.fixture(scope="module")
def watched(
    migrated: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[int, int, Path]]:
    """Serve a site by two workers; yield port, process and log."""
    folder = tmp_path_factory.mktemp("watched")
    (folder / "site.sqlite3").write_bytes((migrated / "site.sqlite3").read_bytes())
    port = running.free_port()
    settings = {"LISTEN": f"127.0.0.1:{port}", "WORKERS": "2", "THREADS": "4", "ACCESS_LOG": "1"}
    settings |= {"METRICS_FROM": "127.0.0.1", "TMPDIR": str(folder)}
    command = [str(running.BIN / "gunicorn"), "--config", "python:config.gunicorn", "config.wsgi"]
    with running.serving(command, folder, port, **settings) as server:
        yield port, server.pid, folder / "server.log"


def test_counts_of_all_processes_add_up(watched) -> None:
    port, pid, _log = watched
    name = "girone_requests_total"
    before = {route: total(port, name, route=route) for route in PATHS.values()}
    finished = total(port, name, route=PATHS["/"], source="finished")
    for path in PATHS:
        for _turn in range(ASKED):
            running.ask(port, path)
    for route in PATHS.values():
        assert total(port, name, route=route, method="GET") == before[route] + ASKED, route
    kept = total(port, name, route=PATHS["/"], source="finished") - finished
    assert kept >= ASKED - 3, "the bytes that are kept are counted, in front of Django"
    assert total(port, "girone_request_seconds_count", route=PATHS["/"]) >= ASKED
    assert total(port, name, route="unknown", status="4xx") >= ASKED
    assert total(port, "girone_database_seconds_total") > 0
    assert total(port, "girone_disk_free_bytes") > 0
    assert total(port, "girone_info") == 1
    asked, alive = total(port, name, route="help"), total(port, name, route="health-live")
    os.kill(pid, signal.SIGHUP)
    running.until(lambda: total(port, name, route="health-live") > alive + 3 or live(port))
    assert total(port, name, route="help") == asked, "what ended workers counted stays"


def live(port: int) -> bool:
    """Ask once more, so that the workers after a reload count too."""
    running.ask(port, "/health/live")
    return False


def test_every_line_has_its_moment_with_the_zone_and_no_secret(watched) -> None:
    port, _pid, log = watched
    running.ask(port, "/p/S3cret-token/?next=/p/S3cret-token/")
    said = log.read_text()
    checked = "System check identified no issues (0 silenced)."
    lines = [line for line in said.splitlines() if line and line != checked]
    assert any("gunicorn" in line for line in lines)
    assert any(
        re.search(r"girone.access: GET /p/\*\*\*/ \d{3} .* tournaments:open-link", line)
        for line in lines
    )
    assert "S3cret" not in said
    for line in lines:
        assert datetime.fromisoformat(line.split()[0]).tzinfo is not None, line


def test_open_connections_of_all_processes_are_told(watched) -> None:
    port, _pid, _log = watched
    opened = running.open_sockets(port, 3)  # one more fits each worker's threads
    running.until(lambda: total(port, "girone_connections") >= 3)
    for one in opened:
        one.close()
    running.until(lambda: total(port, "girone_connections") < 3)


def test_open_connections_of_waitress_are_told(site: Path) -> None:
    with running.waitress(site, METRICS_FROM="127.0.0.1") as port:
        opened = running.open_sockets(port, 6)
        running.until(lambda: total(port, "girone_connections") >= 6)
        for one in opened:
            one.close()
