"""A process that fills or empties the outbox: ``python -m tests.processes.mailing COMMAND …``.

``fill N`` queues personal links of N players; ``work`` delivers until it is killed, ``work killed``
between the server's answer to the first mail and its mark as sent; both with short pauses.
"""

import os
import signal
import sys
from datetime import timedelta

import django


def main(command: str, *arguments: str) -> None:
    """Do it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from accounts.outbox import worker

    if command == "fill":
        fill(int(arguments[0]))
        return
    worker.LEASE, worker.PAUSES, worker.POLL = timedelta(seconds=1), (0.2,), 0.1
    if arguments:
        worker.LANES, add = 1, worker.AcceptedDeliveries.add

        def add_and_die(accepted: worker.AcceptedDeliveries, key: str) -> None:
            add(accepted, key)
            os.kill(os.getpid(), signal.SIGKILL)

        worker.AcceptedDeliveries.add = add_and_die
    worker.DeliveryWorker().run()


def fill(players: int) -> None:
    """Queue the personal links of an event, and print its slug."""
    from tests import factories as make
    from tournaments.players.services.mailing import mail_links

    by = make.organiser()
    event = make.open_event(by, capacity=None)
    make.with_accounts(make.players(event, players, by))
    sys.stdout.write(f"{len(mail_links(event=event, by=by).queued)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
