"""The worker: claims what is due and delivers it, several at a time, until it is stopped.

Of all workers that use a data folder one works; the others wait for its lock, as processes of a
server may be several. While nothing waits it reads one index every ``POLL`` seconds.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection, connections
from django.db.models import F
from django.utils import timezone
from django.utils.translation import override
from filelock import AcquireReturnProxy, FileLock, Timeout

from accounts.models import Outgoing
from accounts.outbox.queue import (
    KINDS,
    WAKE,
    DeliveryChannel,
    DeliveryFailure,
    delete_expired_mail,
    pending_deliveries,
)
from config import transaction

log = logging.getLogger("accounts.outbox")

LANES = 8
"""Deliveries at a time; at most half of them are retries, so that new ones have room."""
CLEANING = 3600.0
"""Seconds between two looks at addresses whose time is over."""
POLL = 2.0
"""Seconds between two looks at an empty queue."""
LEASE = timedelta(minutes=3)
"""For how long a try may last; after that another worker may take the row."""
PAUSES = (30, 60, 120, 300, 900, 1800, 3600)
"""Seconds until the next try, after the first, the second … failed; the last one repeats."""
EXPIRED, GONE, FAULT, RESTORED = "expired", "gone", "fault", "restored"
"""Reasons of the program's own, which pages explain; all others are a server's words."""


class AcceptedDeliveries:
    """File with the keys of accepted deliveries that the database has not marked yet."""

    def __init__(self) -> None:
        self.path = Path(settings.OUTBOX_FILE)

    def add(self, key: str) -> None:
        """Note a key; it survives the end of the process."""
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, f"{key}\n".encode())
        finally:
            os.close(file)

    def store(self) -> None:
        """Mark as sent what is not marked yet, and delete the file; while no try goes on."""
        if not self.path.exists():
            return
        for item in pending_deliveries().filter(key__in=self.path.read_text().split()):
            _mark_sent(item)
        self.path.unlink()


class DeliveryWorker:
    """Delivers what is queued: ``run`` until stopped, or ``deliver_due`` once.

    ``run`` needs a thread or process of its own.
    """

    def __init__(self) -> None:
        self.accepted, self.claiming, self.stop = (
            AcceptedDeliveries(),
            threading.Lock(),
            threading.Event(),
        )
        self.in_flight: dict[str, bool] = {}
        """Receivers of present tries, and whether each is a retry: one at a time for each."""
        self.lanes: set[threading.Thread] = set()

    def run(self) -> None:
        """Deliver until ``stop`` is set; wait while another worker of this data works."""
        while not self.stop.is_set():
            try:
                with self._lock():
                    self._work()
            except Timeout:
                self.stop.wait(POLL)
            except (DatabaseError, OSError) as fault:  # being restored, or out of reach
                log.warning("The outbox waits: %s", fault)
                connection.close()
                self.stop.wait(POLL)
        connections.close_all()

    def _lock(self) -> AcquireReturnProxy:
        return FileLock(f"{settings.OUTBOX_FILE}.lock").acquire(timeout=0)

    def _work(self) -> None:
        """Give what is due to lanes; on the way out wait for those that are at it."""
        cleaned = -CLEANING
        try:
            while not self.stop.is_set():
                close_old_connections()
                self._look()
                if time.monotonic() > cleaned + CLEANING:
                    delete_expired_mail(timezone.now())
                    cleaned = time.monotonic()
                WAKE.wait(POLL)
        finally:
            for lane in self.lanes:
                lane.join()

    def _look(self) -> None:
        WAKE.clear()
        self.lanes = {lane for lane in self.lanes if lane.is_alive()}
        if not self.lanes:
            self.accepted.store()
        if len(self.lanes) < LANES:
            due = pending_deliveries().filter(due_at__lte=timezone.now())[: LANES - len(self.lanes)]
            for _number in range(due.count()):
                lane = threading.Thread(target=self._lane, name="outbox", daemon=True)
                self.lanes.add(lane)
                lane.start()

    def deliver_due(self) -> None:
        """Deliver what is due now, in this thread; no effect while another worker works."""
        with suppress(Timeout), self._lock():
            self.accepted.store()
            self._deliver_in_turn()
            self.accepted.store()

    def _lane(self) -> None:
        try:
            self._deliver_in_turn()
        except DatabaseError as fault:
            log.warning("The outbox waits: %s", fault)
        finally:
            connections.close_all()

    def _deliver_in_turn(self) -> None:
        opened: dict[Callable[[], DeliveryChannel], DeliveryChannel] = {}
        try:
            while (item := self._claim()) is not None:
                try:
                    self._try(item, opened)
                finally:
                    with self.claiming:
                        del self.in_flight[item.receiver]
        finally:
            for channel in opened.values():
                channel.close()

    def _claim(self) -> Outgoing | None:
        """Return the next delivery, whose row says for a while that somebody is at it."""
        with self.claiming:
            if self.stop.is_set():
                return None
            now = timezone.now()
            due = pending_deliveries().filter(due_at__lte=now).exclude(receiver__in=self.in_flight)
            if sum(self.in_flight.values()) >= LANES // 2:
                due = due.filter(tries=0)
            for item in due.order_by("tries", "due_at")[:LANES]:
                mine = pending_deliveries().filter(pk=item.pk, due_at=item.due_at)
                if mine.update(due_at=now + LEASE, tries=F("tries") + 1):
                    self.in_flight[item.receiver] = item.tries > 0
                    item.tries += 1
                    return item
            return None

    def _try(
        self, item: Outgoing, opened: dict[Callable[[], DeliveryChannel], DeliveryChannel]
    ) -> None:
        kind = KINDS.get(item.kind)
        if kind is None or item.ends_at <= timezone.now():
            _mark_failed(item, GONE if kind is None else EXPIRED)
            return
        if kind.channel not in opened:
            opened[kind.channel] = kind.channel()
        channel = opened[kind.channel]
        try:
            with override(item.language or None):
                channel.open()
                message = kind.compose(item)
                if message is None:
                    _mark_failed(item, GONE)
                    return
                channel.deliver(message, item.key)
        except DatabaseError:
            raise
        except Exception as error:
            channel.close()
            refusal = channel.refusal(error)
            if refusal is None:
                log.exception("%s could not be made", item)
            _put_off(item, refusal or DeliveryFailure(FAULT))
            return
        self.accepted.add(item.key)
        _mark_sent(item)


def _mark_sent(item: Outgoing) -> None:
    kind = KINDS.get(item.kind)
    with transaction.atomic():
        now = timezone.now()
        Outgoing.objects.filter(pk=item.pk).update(
            state=Outgoing.State.SENT, done_at=now, reason=""
        )
        if kind is not None:
            kind.delivered(item)


def _mark_failed(item: Outgoing, reason: str) -> None:
    pending_deliveries().filter(pk=item.pk).update(
        state=Outgoing.State.FAILED, done_at=timezone.now(), reason=reason
    )


def _put_off(item: Outgoing, refusal: DeliveryFailure) -> None:
    """Let a delivery be tried again after a pause, or fail if there is no time for that."""
    pause = PAUSES[min(item.tries, len(PAUSES)) - 1]
    due = timezone.now() + timedelta(seconds=pause)
    log.warning("%s failed, try %s: %s", item, item.tries, refusal.reason)
    if refusal.final or due >= item.ends_at:
        _mark_failed(item, refusal.reason)
    else:
        pending_deliveries().filter(pk=item.pk).update(due_at=due, reason=refusal.reason)
