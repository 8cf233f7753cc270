"""The dearest requests of a reader without account, on a site with 1,000 events.

``python -m bench anonymous [EVENTS PLAYERS]`` asks every address that such a reader may open, of
the site and of an event in each state, with nothing kept: no finished page, no facts, no cache. The
events are those that cost most: two in each time zone, as far apart as dates may be, with long
texts. Figures are milliseconds of the processor of this process.
"""

import time
from collections.abc import Iterator

from django.test import Client

from bench.timing import Figure
from tests.costly_site import addresses, costly_site, forget

EVENTS, PLAYERS, SHOWN = 1_000, 64, 5
GOAL = 1_000.0
"""Milliseconds."""


def measure(events: int = EVENTS, players: int = PLAYERS) -> Iterator[Figure]:
    """Yield the dearest requests, and how many of all failed."""
    site = costly_site(events, players)
    reader = Client(raise_request_exception=False)
    reader.get("/")  # templates are read once
    taken, failed = [], 0
    for address in addresses(site):
        forget()
        began = time.process_time()
        answer = reader.get(address)
        sum(map(len, answer))  # type: ignore[arg-type]
        taken.append(((time.process_time() - began) * 1000, address))
        failed += answer.status_code >= 500
    for spent, address in sorted(taken, reverse=True)[:SHOWN]:
        yield Figure(f"{address}: milliseconds", spent, GOAL)
    yield Figure(f"failed of {len(taken)} requests", failed, 0)
