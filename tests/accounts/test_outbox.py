"""The outbox: stored with the act, tried again with growing pauses, forgotten in time."""

import threading
import time
from datetime import timedelta
from smtplib import SMTPAuthenticationError, SMTPDataError, SMTPRecipientsRefused

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Outgoing
from accounts.outbox import queue as outbox
from accounts.outbox import worker as working
from accounts.outbox.mail import MailChannel
from accounts.outbox.worker import (
    EXPIRED,
    FAULT,
    GONE,
    PAUSES,
    RESTORED,
    AcceptedDeliveries,
    DeliveryWorker,
)
from rules.errors import RuleError
from tests import factories as make
from tests.mails import sent_mails

pytestmark = pytest.mark.django_db


class Box:
    """A channel of tests: what it delivered, and what it raises for which receiver."""

    def __init__(self):
        self.had, self.raises, self.waits, self.busy = [], {}, {}, []

    def open(self):
        return

    def deliver(self, message, key):
        self.busy.append(message)
        if message in self.waits:
            self.waits[message].wait(20)
        self.busy.remove(message)
        if message in self.raises:
            raise self.raises[message]
        self.had.append((message, key))

    def close(self):
        return

    def refusal(self, error):
        known = isinstance(error, ConnectionError)
        return outbox.DeliveryFailure("gone away", final="never" in str(error)) if known else None


@pytest.fixture
def box():
    """Return a channel; the kind "note" delivers a receiver's address to it."""
    found, kept = Box(), dict(outbox.KINDS)
    kind = outbox.DeliveryKind(
        "note", lambda: found, lambda item: item.receiver, timedelta(hours=1)
    )
    outbox.register_kind(kind)
    found.kind = kind
    yield found
    outbox.KINDS.clear()
    outbox.KINDS.update(kept)


def put(box, *receivers, **more):
    rows = [Outgoing(receiver=receiver) for receiver in receivers]
    outbox.queue_deliveries(rows, box.kind, **more)
    return rows


def later(**passed):
    """Let time pass for what waits, as far as it shows."""
    for item in outbox.pending_deliveries():
        item.due_at -= timedelta(**passed)
        item.save()


def test_a_delivery_exists_with_its_act_or_not_at_all(box):
    with transaction.atomic():
        put(box, "a@example.org")
        transaction.set_rollback(True)
    assert not Outgoing.objects.exists()
    put(box, "a@example.org")
    DeliveryWorker().deliver_due()
    DeliveryWorker().deliver_due()
    (item,) = Outgoing.objects.all()
    assert box.had == [("a@example.org", item.key)]
    assert (item.state, item.tries, item.reason) == ("sent", 1, "")


def test_it_is_tried_again_after_growing_pauses_under_one_key(box, caplog):
    (item,) = put(box, "a@example.org", ends_at=timezone.now() + timedelta(days=1))
    box.raises["a@example.org"] = ConnectionError("not now")
    pauses = []
    for _try in range(5):
        DeliveryWorker().deliver_due()
        item.refresh_from_db()
        pauses.append(round((item.due_at - timezone.now()).total_seconds()))
        DeliveryWorker().deliver_due()  # too soon
        later(seconds=pauses[-1] + 1)
    assert pauses == list(PAUSES[:5])
    assert pauses == sorted(set(pauses))
    assert (item.state, item.tries, item.reason) == ("waiting", 5, "gone away")
    assert "a@example.org" not in caplog.text
    box.raises.clear()
    DeliveryWorker().deliver_due()
    assert box.had == [("a@example.org", item.key)]


def test_it_is_dropped_at_its_end_or_once_trying_is_of_no_use(box):
    box.raises["never@example.org"] = ConnectionError("never")
    box.raises["late@example.org"] = ConnectionError("not now")
    put(box, "never@example.org")
    put(box, "late@example.org", ends_at=timezone.now() + timedelta(seconds=PAUSES[0] - 1))
    put(box, "old@example.org", ends_at=timezone.now())
    DeliveryWorker().deliver_due()
    found = dict(Outgoing.objects.values_list("receiver", "reason"))
    assert found == {
        "never@example.org": "gone away",
        "late@example.org": "gone away",
        "old@example.org": EXPIRED,
    }
    assert set(Outgoing.objects.values_list("state", flat=True)) == {"failed"}
    assert box.had == []


def test_a_fault_of_the_program_stops_nobody_else(box, caplog):
    box.raises["a@example.org"] = KeyError("template")
    put(box, "a@example.org", "b@example.org")
    DeliveryWorker().deliver_due()
    assert [receiver for receiver, _key in box.had] == ["b@example.org"]
    assert Outgoing.objects.get(receiver="a@example.org").reason == FAULT
    assert "could not be made" in caplog.text


def test_what_nobody_can_compose_any_more_is_dropped(box):
    (item,) = put(box, "a@example.org")
    del outbox.KINDS["note"]
    DeliveryWorker().deliver_due()
    item.refresh_from_db()
    assert (item.state, item.reason) == ("failed", GONE)


def test_sent_again_it_has_another_key_and_the_same_receiver(box):
    (item,) = put(box, "a@example.org")
    outbox.requeue_delivery(item)  # it waits already
    DeliveryWorker().deliver_due()
    outbox.requeue_delivery(item)
    DeliveryWorker().deliver_due()
    keys = [key for _receiver, key in box.had]
    assert len(set(keys)) == 2
    outbox.delete_expired_mail(timezone.now() + timedelta(days=8))
    item.refresh_from_db()
    with pytest.raises(RuleError) as refused:
        outbox.requeue_delivery(item)
    assert refused.value.code == "address_gone"


def test_addresses_are_kept_for_a_week_and_rows_for_a_month(box):
    put(box, "a@example.org")
    DeliveryWorker().deliver_due()
    put(box, "waits@example.org", ends_at=timezone.now() + timedelta(days=60))
    now = timezone.now()
    for days, rows in ((6, ["a@example.org"]), (8, [""]), (31, [])):
        outbox.delete_expired_mail(now + timedelta(days=days))
        sent = Outgoing.objects.filter(state="sent")
        assert list(sent.values_list("receiver", flat=True)) == rows, days
    assert outbox.pending_deliveries().get().receiver == "waits@example.org"


def test_tidy_ends_what_no_worker_ended(box):
    (old,) = put(box, "a@example.org", ends_at=timezone.now() - timedelta(minutes=1))
    call_command("tidy")
    old.refresh_from_db()
    assert (old.state, old.reason) == ("failed", EXPIRED)


def test_an_old_copy_sends_nothing_that_was_sent_since(box):
    (item,) = put(box, "a@example.org")
    call_command("outbox", "--drop")
    DeliveryWorker().deliver_due()
    item.refresh_from_db()
    assert (item.state, item.reason, box.had) == ("failed", RESTORED, [])


def test_the_command_delivers_what_is_due_and_nothing_without_mail(box, settings):
    put(box, "a@example.org")
    settings.SENDS_MAIL = False
    call_command("outbox", "--once")
    assert box.had == []
    settings.SENDS_MAIL = True
    call_command("outbox", "--once")
    assert len(box.had) == 1


def test_what_the_server_accepted_is_not_sent_again_though_it_was_not_marked(box, monkeypatch):
    (item,) = put(box, "a@example.org")
    with monkeypatch.context() as patch:
        patch.setattr(working, "_mark_sent", lambda _item: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            DeliveryWorker().deliver_due()
    later(minutes=10)
    DeliveryWorker().deliver_due()
    item.refresh_from_db()
    assert (item.state, len(box.had)) == ("sent", 1)
    assert not AcceptedDeliveries().path.exists()


def test_an_empty_outbox_is_read_by_one_query_and_never_written(box):
    put(box, "a@example.org")
    DeliveryWorker().deliver_due()
    with CaptureQueriesContext(
        connection,
    ) as asked:
        DeliveryWorker()._look()
    (query,) = asked.captured_queries
    assert query["sql"].startswith("SELECT")


@pytest.fixture
def running(box, monkeypatch):
    """Return a worker that runs in a thread."""
    monkeypatch.setattr(working, "POLL", 0.05)
    worker = DeliveryWorker()
    thread = threading.Thread(target=worker.run)
    yield worker, thread
    worker.stop.set()
    for waits in box.waits.values():
        waits.set()
    thread.join(20)
    assert not thread.is_alive()


def until(holds):
    for _wait in range(400):
        if holds():
            return
        time.sleep(0.05)
    pytest.fail("it never held")


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_no_receiver_is_held_up_by_another(box, running):
    worker, thread = running
    slow = [f"slow-{number}@example.org" for number in range(working.LANES - 1)]
    box.waits = {receiver: threading.Event() for receiver in slow}
    put(box, *slow, *slow)  # each has two: only one of them at a time
    thread.start()
    until(lambda: len(box.busy) == len(slow))
    assert sorted(box.busy) == sorted(slow)
    quick = [f"quick-{number}@example.org" for number in range(40)]
    put(box, *quick)
    until(lambda: len(box.had) == len(quick))
    assert {receiver for receiver, _key in box.had} == set(quick)
    for waits in box.waits.values():
        waits.set()
    until(lambda: len(box.had) == len(quick) + 2 * len(slow))
    assert worker.in_flight == {} or box.busy == []


@pytest.mark.django_db(transaction=True)
def test_retries_leave_room_for_what_is_new(box, running):
    _worker, thread = running
    slow = [f"slow-{number}@example.org" for number in range(2 * working.LANES)]
    box.waits = {receiver: threading.Event() for receiver in slow}
    put(box, *slow)
    Outgoing.objects.update(tries=1)
    thread.start()
    until(lambda: len(box.busy) == working.LANES // 2)
    put(box, "new@example.org")
    until(lambda: [receiver for receiver, _key in box.had] == ["new@example.org"])
    assert len(box.busy) == working.LANES // 2


@pytest.mark.django_db(transaction=True)
def test_a_worker_forgets_addresses_while_it_runs(box, running):
    _worker, thread = running
    (item,) = put(box, "a@example.org")
    DeliveryWorker().deliver_due()
    Outgoing.objects.update(done_at=timezone.now() - timedelta(days=8))
    thread.start()
    until(lambda: Outgoing.objects.get(pk=item.pk).receiver == "")


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_of_a_data_folder_one_works(box, running):
    _worker, thread = running
    box.waits["a@example.org"] = threading.Event()
    put(box, "a@example.org")
    thread.start()
    until(lambda: box.busy)
    put(box, "b@example.org")
    DeliveryWorker().deliver_due()  # the other has the lock: no effect
    until(lambda: len(box.had) == 1)


def test_what_a_mail_server_answers_is_told_without_addresses():
    read = MailChannel().refusal
    refused = read(SMTPRecipientsRefused({"a@x.org": (550, b"<a@x.org>: no such mailbox")}))
    assert (refused.reason, refused.final) == ("550 …: no such mailbox", True)
    assert not read(SMTPRecipientsRefused({"a@x.org": (450, b"greylisted")})).final
    assert read(SMTPDataError(554, b"spam")).final
    assert not read(SMTPAuthenticationError(535, b"bad password")).final
    assert not read(ConnectionRefusedError(111, "Connection refused")).final
    assert read(ConnectionRefusedError(111, "Connection refused")).reason == "Connection refused"
    assert read(KeyError("x")) is None


def test_erasing_an_account_deletes_what_goes_to_its_addresses(box):
    anna = make.user("anna@example.org")
    EmailAddress.objects.create(user=anna, email="Second@example.org")
    put(box, "ANNA@example.org", "second@example.org", "bea@example.org")
    outbox.queue_deliveries([Outgoing(receiver="old@example.org", user=anna)], box.kind)
    outbox.erase_deliveries(anna)
    assert list(Outgoing.objects.values_list("receiver", flat=True)) == ["bea@example.org"]


def test_who_asked_for_a_mail_reads_whether_it_was_sent(settings):
    settings.SENDS_MAIL, settings.SITE_ADDRESS = True, "https://girone.example"
    make.user("anna@example.org")
    phone = Client(headers={"accept-language": "en"})
    assert phone.get("/accounts/mail/").content.strip() == b""
    phone.post("/accounts/password/reset/", {"email": "anna@example.org"})
    assert "/accounts/mail/" in phone.get("/accounts/password/reset/done/").content.decode()
    assert "Waiting" in phone.get("/accounts/mail/").content.decode()
    (sent,) = sent_mails()
    assert sent.extra_headers["Message-ID"] == f"<{Outgoing.objects.get().key}@girone.example>"
    told = phone.get("/accounts/mail/").content.decode()
    assert "Sent" in told
    assert "hx-get" not in told
    Outgoing.objects.update(state="failed")
    assert "could not be sent" in phone.get("/accounts/mail/").content.decode()
    assert phone.get("/accounts/mail/", headers={"cookie": ""}).status_code == 200


def test_a_table_of_mails_holds_no_link_and_no_text(settings):
    settings.SENDS_MAIL, settings.SITE_ADDRESS = True, "https://girone.example"
    make.user("anna@example.org")
    Client().post("/accounts/password/reset/", {"email": "anna@example.org"})
    stored = repr(list(Outgoing.objects.values()))
    assert "anna@example.org" in stored
    assert "http" not in stored
    assert "/reset/" not in stored


@pytest.mark.parametrize("act", ["sign up", "change"])
@pytest.mark.django_db(transaction=True)
def test_an_account_changes_with_its_mail_or_not_at_all(act, settings, monkeypatch):
    settings.SENDS_MAIL, settings.SITE_ADDRESS = True, "https://girone.example"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    anna = make.user("anna@example.org")
    EmailAddress.objects.create(user=anna, email=anna.email, primary=True, verified=True)
    phone = Client(raise_request_exception=False)
    phone.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
    new, old = "sala-piccola-8", "girone-test"
    form, at = {
        "sign up": (
            {"email": "nora@example.org", "name": "Nora", "password1": new},
            "/accounts/signup/",
        ),
        "change": (
            {"oldpassword": old, "password1": new, "password2": new},
            "/accounts/password/change/",
        ),
    }[act]
    reader = phone if act == "change" else Client(raise_request_exception=False)

    def cut_off(*_row):
        raise OSError("the power is gone")

    with monkeypatch.context() as patch:
        patch.setattr("accounts.adapter.queue_account_mail", cut_off)
        assert reader.post(at, form).status_code == 500
    anna.refresh_from_db()
    assert anna.check_password(old)
    assert not EmailAddress.objects.filter(email="nora@example.org").exists()
    cache.clear()  # allauth counts confirmations there, whatever became of them
    assert reader.post(at, form).status_code == 302
    assert Outgoing.objects.count() == 1
