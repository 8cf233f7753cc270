"""The dearest request of a reader without account, on a site with 1,000 events.

``python -m bench.anonymous [EVENTS PLAYERS]`` asks every address that such a reader may open, of
the site and of an event in each state, with nothing kept: no finished page, no facts, no cache. The
events are those that cost most: two in each time zone, as far apart as dates may be, with long
texts. Figures are milliseconds of the processor of this process.
"""

import os
import sys
import time
from collections.abc import Iterator
from tempfile import TemporaryDirectory

import django

EVENTS, PLAYERS, SHOWN = 1_000, 64, 5
GOAL = 1_000.0
"""Milliseconds."""


def measure(events: int = EVENTS, players: int = PLAYERS) -> Iterator[tuple[float, int, str]]:
    """Yield milliseconds, status and address of each request."""
    from django.test import Client

    from tests.costly_site import addresses, costly_site, forget

    site = costly_site(events, players)
    reader = Client(raise_request_exception=False)
    reader.get("/")  # templates are read once
    for address in addresses(site):
        forget()
        began = time.process_time()
        answer = reader.get(address)
        sum(map(len, answer))  # type: ignore[arg-type]
        yield (time.process_time() - began) * 1000, answer.status_code, address


def main(*numbers: int) -> int:
    """Print the dearest requests; return 1 if one is above the goal or is an error."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    taken = sorted(measure(*numbers), reverse=True)
    for spent, status, address in taken[:SHOWN]:
        sys.stdout.write(f"| {address} | {spent:.0f} ms | {status} |\n")
    wrong = [each for each in taken if each[1] >= 500]
    sys.stdout.write(f"{len(taken)} requests, {len(wrong)} failed, goal {GOAL:.0f} ms\n")
    return int(taken[0][0] > GOAL or bool(wrong))


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder}/bench.sqlite3")
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DEBUG": "0", "ENV_FILE": ""}
        os.environ |= {"ALLOWED_HOSTS": "testserver", "SECRET_KEY": "only-for-measuring-" * 4}
        django.setup()
        sys.exit(main(*map(int, sys.argv[1:])))
