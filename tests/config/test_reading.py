"""Reads that belong together see one state, and keep nobody from writing."""

from threading import Thread

import pytest
from django.db import connection, transaction

from accounts.models import User
from config.transaction import read_snapshot

pytestmark = pytest.mark.django_db(transaction=True)


def somebody_else_signs_up() -> None:
    """Write in a connection of its own, as another request would."""

    def write() -> None:
        with transaction.atomic():
            User.objects.create_user("later@example.org", "x", name="Later")
        connection.close()

    other = Thread(target=write)
    other.start()
    other.join(timeout=60)
    assert not other.is_alive(), "a reader keeps nobody waiting"


def test_what_is_written_between_two_reads_is_not_seen() -> None:
    with read_snapshot():
        assert User.objects.count() == 0
        somebody_else_signs_up()
        assert User.objects.count() == 0
    assert User.objects.count() == 1


def test_writing_transactions_lock_as_before() -> None:
    mode = getattr(connection, "transaction_mode", None)
    with read_snapshot():
        User.objects.count()
    assert getattr(connection, "transaction_mode", None) == mode
    with transaction.atomic(), read_snapshot():
        User.objects.create_user("now@example.org", "x", name="Now")
    assert User.objects.count() == 1
