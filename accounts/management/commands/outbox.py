"""``manage.py outbox``: deliver the mails that are queued, until it is stopped."""

import signal
from argparse import ArgumentParser
from threading import current_thread, main_thread
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from accounts.outbox.queue import WAKE, drop_pending_deliveries
from accounts.outbox.worker import RESTORED, DeliveryWorker


class Command(BaseCommand):
    """Runs the worker of ``accounts.outbox``, which delivers queued mails."""

    help = (
        "Delivers the mails that are queued, until it is stopped; a site without EMAIL_URL has "
        "none. `girone` and `make run` do so themselves, a server by a unit of its own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what to do instead of going on."""
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--once", action="store_true", help="deliver what is due, then end")
        how.add_argument(
            "--drop", action="store_true", help="deliver none of it, as after an old copy came back"
        )

    def handle(self, *args: Any, once: bool, drop: bool, **options: Any) -> None:
        """Deliver; SIGTERM lets the present deliveries end."""
        if drop:
            drop_pending_deliveries(RESTORED)
            return
        if not settings.SENDS_MAIL:
            return
        worker = DeliveryWorker()
        if once:
            worker.deliver_due()
            return

        def end(_signal: int, _frame: object) -> None:
            worker.stop.set()
            WAKE.set()

        if current_thread() is main_thread():  # config.server runs it in a thread
            signal.signal(signal.SIGTERM, end)
            signal.signal(signal.SIGINT, end)
        worker.run()
