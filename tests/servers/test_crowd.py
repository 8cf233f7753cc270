"""A thousand idle phones and two hundred slow ones, and somebody who wants a page.

And more idle phones than a server may hold connections.
"""

import pytest

from bench.connections import FEW_GOAL, IDLE, beside_more_phones_than_fit, hall, waiting
from tests.servers.running import needs

BUSY = 10
"""Times the goal that is allowed where other programs take the machine; ``bench`` has the goal."""


@pytest.mark.deep
@pytest.mark.processes
@pytest.mark.parametrize("kind", ["waitress", "gunicorn"])
def test_a_hall_of_phones_keeps_nobody_waiting(kind):
    if kind == "gunicorn" and needs("nginx", "openssl"):
        pytest.skip("needs nginx and openssl (apt-get install nginx)")
    with hall(kind, how_many=40) as asked:
        figures = list(waiting(kind, asked))
    crowded = [figure for figure in figures if f"{IDLE} idle" in figure.name]
    assert len(crowded) == 4
    assert [figure for figure in crowded if figure.value > BUSY * figure.goal] == []


@pytest.mark.deep
@pytest.mark.processes
def test_more_idle_phones_than_connections_fit_keep_nobody_out(site):
    figures = list(beside_more_phones_than_fit(site))
    assert len(figures) == 3
    assert [figure for figure in figures if figure.value > BUSY * FEW_GOAL] == []
    log = (site / "server.log").read_text()
    assert "Only 128 connections fit" in log
    assert log.count("idle longest is closed") == 1
