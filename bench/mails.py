"""The outbox: storing the personal links of 200 players, and what a worker does while idle."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

from accounts.models import Outgoing
from accounts.outbox.queue import WAKE
from accounts.outbox.worker import DeliveryWorker
from bench.timing import Figure
from tests import factories as make
from tournaments.players.services.mailing import mail_links

PLAYERS, TURNS, IDLE = 200, 5, 20.0


def measure() -> Iterator[Figure]:
    """Yield seconds of storing, and of an idle worker what it wrote and computed."""
    settings.SENDS_MAIL, settings.SITE_ADDRESS = True, "https://girone.example"
    yield Figure(f"{PLAYERS} personal links stored: seconds, slowest of {TURNS}", stored(), 1)
    writes, computed = idle()
    yield Figure(f"idle worker, {IDLE:.0f} s: files of the database written", writes, 0)
    yield Figure("idle worker: milliseconds of the processor a second", computed, 5)


def stored() -> float:
    """Return the seconds of the slowest request that queues the links of an event."""
    by = make.organiser()
    event = make.open_event(by, capacity=None)
    make.with_accounts(make.players(event, PLAYERS, by))
    seconds = []
    for _turn in range(TURNS):
        Outgoing.objects.all().delete()
        began = time.perf_counter()
        mail_links(event=event, by=by)
        seconds.append(time.perf_counter() - began)
    Outgoing.objects.all().delete()
    return max(seconds)


def idle() -> tuple[int, float]:
    """Return how often a worker wrote while nothing waited, and its milliseconds a second."""
    worker = DeliveryWorker()
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    time.sleep(1)
    before, busy = written(), time.process_time()
    time.sleep(IDLE)
    busy, after = time.process_time() - busy, written()
    worker.stop.set()
    WAKE.set()
    thread.join()
    return sum(before[name] != after[name] for name in before), busy * 1000 / IDLE


def written() -> dict[str, object]:
    """Return a mark of each file of the database, which every write to it changes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_current_wal_insert_lsn()::text")
            return {"log": cursor.fetchone()[0]}
    database = str(connection.settings_dict["NAME"])
    files = [Path(database), Path(f"{database}-wal")]
    return {file.name: (file.stat().st_mtime_ns, file.stat().st_size) for file in files}
