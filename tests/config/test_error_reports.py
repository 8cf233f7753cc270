"""Errors are counted and reported, seldom, and without anything of a person's."""

import json
import logging
from threading import Event

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import path

from config import error_reports
from config.error_reports import PER_HOUR, ErrorReportHandler, recent_errors
from config.urls import handler404, handler500, urlpatterns  # noqa: F401

PRIVATE = ("anna@example.org", "Anna Rossi", "S3cret")


def breaks(request, token):
    raise ValueError(*PRIVATE, token, request.POST.get("password"))


urlpatterns = [*urlpatterns, path("p/<str:token>/broken/", breaks, name="broken")]


@pytest.fixture(autouse=True)
def reported(settings, monkeypatch):
    """Send mails at once, and to two people."""
    settings.ROOT_URLCONF = __name__
    settings.ADMINS = [("", "one@example.org"), ("", "two@example.org")]
    settings.SENDS_MAIL = True
    settings.SENTRY_DSN = ""
    monkeypatch.setattr(error_reports, "run_in_background", lambda work: work())
    cache.clear()
    yield
    cache.clear()


def broken(times: int = 1) -> None:
    """Ask for a page that breaks, with what must be told nobody."""
    browser = Client(raise_request_exception=False)
    for _turn in range(times):
        answer = browser.post(
            "/p/S3cret-token/broken/?q=Anna+Rossi",
            {"password": "S3cret", "email": "anna@example.org"},
            headers={"X-Request-ID": "abcdef0123"},
        )
        assert answer.status_code == 500


@pytest.mark.django_db
def test_a_mail_says_where_and_nothing_of_anybody():
    broken()
    (sent,) = mail.outbox
    assert sent.to == ["one@example.org", "two@example.org"]
    assert sent.subject.startswith("Girone: ValueError in tests/config/test_error_reports.py:")
    for told in ("Request: POST broken", "Number in the log: abcdef0123", "raise ValueError("):
        assert told in sent.body
    assert [word for word in PRIVATE if word in sent.subject + sent.body] == []


@pytest.mark.django_db
def test_a_page_that_stays_broken_sends_one_mail_and_counts_each():
    broken(30)
    assert len(mail.outbox) == 1
    assert len(recent_errors()) == 30
    moment, title, number = recent_errors()[0]
    assert title.startswith("ValueError in tests/config/")
    assert (number, moment.tzinfo is not None) == ("abcdef0123", True)


def test_many_kinds_of_errors_send_ten_mails_an_hour():
    log = logging.getLogger("girone.test")
    log.addHandler(handler := ErrorReportHandler(logging.ERROR))
    log.propagate = False
    try:
        for kind in range(3 * PER_HOUR):
            log.error(f"kind {kind} of %s", "anna@example.org")
        log.warning("no error")
    finally:
        log.removeHandler(handler)
        log.propagate = True
    assert len(mail.outbox) == PER_HOUR
    assert len(recent_errors()) == 3 * PER_HOUR
    assert not any("anna@" in one.subject + one.body for one in mail.outbox)


def handled(name: str) -> None:
    record = logging.LogRecord(name, logging.ERROR, "x", 1, "Wrong %s", ("value",), None)
    ErrorReportHandler().handle(record)


def test_wrong_hosts_which_anybody_can_send_are_no_errors():
    handled("django.security.DisallowedHost")
    assert (mail.outbox, recent_errors()) == ([], [])
    handled("django.request")
    assert len(mail.outbox) == len(recent_errors()) == 1


@pytest.mark.parametrize("missing", ["ADMINS", "SENDS_MAIL"])
def test_nothing_is_sent_where_nothing_is_set(settings, missing):
    setattr(settings, missing, [])
    handled("django.request")
    assert mail.outbox == []
    assert len(recent_errors()) == 1


def test_a_mail_server_that_refuses_breaks_nothing(monkeypatch):
    def refuse(*_told):
        raise ConnectionRefusedError

    monkeypatch.setattr(error_reports, "mail_admins", refuse)
    handled("django.request")
    assert len(recent_errors()) == 1


def test_no_request_waits_for_the_mail_server(monkeypatch):
    monkeypatch.undo()
    gate, done = Event(), Event()

    def slow():
        gate.wait(5)
        done.set()

    error_reports.run_in_background(slow)
    assert not done.is_set()
    gate.set()
    assert done.wait(5)


def test_sentry_gets_the_report_alone(settings, monkeypatch):
    sdk = pytest.importorskip("sentry_sdk")
    settings.SENTRY_DSN = "http://key@127.0.0.1:9/1"
    error_reports._sentry.cache_clear()
    client, sent = error_reports._sentry(), []
    transport = sdk.get_client().transport
    monkeypatch.setattr(transport, "capture_envelope", sent.append)
    assert client is sdk
    try:
        raise LookupError(*PRIVATE)
    except LookupError as error:
        told = (type(error), error, error.__traceback__)
    record = logging.LogRecord("django.request", 40, "x", 1, "%s", ("Anna Rossi",), told)
    ErrorReportHandler().handle(record)
    sdk.get_client().close()
    error_reports._sentry.cache_clear()
    (envelope,) = sent
    whole = json.dumps([item.payload.json for item in envelope.items])
    assert "LookupError" in whole
    assert "test_error_reports.py" in whole
    assert [word for word in PRIVATE if word in whole] == []
