"""The operator's page and its API: who sees it, what it tells, and the test email."""

import smtplib
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import Outgoing
from config import VERSION, upkeep
from config.upkeep import SiteInfo, TaskRecord
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.models import TokenScope
from tournaments.site_status import selectors
from tournaments.staff.services import create_event_token

pytestmark = pytest.mark.django_db
NOW = datetime.now(UTC)
WELL = {
    "version": VERSION,
    "python": "3.11.7",
    "database": "SQLite",
    "database_bytes": 4_000_000,
    "disk_free": 8_000_000_000,
    "disk_bytes": 9_000_000_000,
    "backup": TaskRecord(NOW - timedelta(hours=3)),
    "verified": TaskRecord(NOW - timedelta(days=9)),
}
JSON = {"content_type": "application/json"}


@pytest.fixture(autouse=True)
def forgotten():
    """Begin without errors and without mails counted."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def operator():
    """Return a browser of the site's staff."""
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(make.user(email="operator@example.org", is_staff=True))
    return browser


def facts(monkeypatch, **changed) -> None:
    found = SiteInfo(**(WELL | changed))
    monkeypatch.setattr(selectors, "site_info", lambda: found)


def page(browser: Client) -> str:
    return " ".join(browser.get("/site/").content.decode().replace("\xa0", " ").split())


def test_the_page_tells_the_state_of_the_site(operator, monkeypatch):
    facts(monkeypatch)
    said = page(operator)
    for words in (VERSION, "SQLite · 3.8", "7.5", "(3 hours", "No differences.", "Site status"):
        assert words in said, words
    assert '<div class="notice warn"' not in said


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"disk_free": 1}, "The disk is almost full."),
        ({"verified": TaskRecord(NOW, 2)}, "Some events don’t match their log."),
        ({"backup": None}, "Back up the database:"),
        ({"backup": TaskRecord(NOW - timedelta(days=3))}, "Back up the database:"),
    ],
)
def test_one_next_step_is_named(operator, monkeypatch, changed, words):
    facts(monkeypatch, **changed)
    assert words in page(operator)
    assert operator.get("/api/v1/site/").json()["next_step"].startswith(words)


def test_the_last_error_is_told_by_its_number(operator, monkeypatch):
    facts(monkeypatch)
    cache.set("errors", [(NOW, "ValueError in tournaments/desk/views.py:7", "abcdef0123")])
    said = page(operator)
    assert "Look up error abcdef0123 in the log." in said
    assert "ValueError in tournaments/desk/views.py:7" in said
    (error,) = operator.get("/api/v1/site/").json()["last_errors"]
    assert error["request_id"] == "abcdef0123"


def test_the_real_state_can_be_read_in_both_languages(operator):
    italian = operator.get("/site/", headers={"accept-language": "it"})
    assert "Stato del sito" in italian.content.decode()
    assert "no-store" in italian["Cache-Control"]
    told = operator.get("/api/v1/site/").json()
    assert told["version"] == VERSION
    assert told["database_bytes"] is None or told["database_bytes"] > 0
    assert set(told["queues"].get("mail", {})) <= {"waiting", "sent", "failed"}


def test_others_see_nothing():
    browser = Client()
    browser.force_login(make.organiser().user)
    assert browser.get("/site/").status_code == 403
    assert browser.post("/site/test-mail/").status_code == 403
    assert browser.get("/api/v1/site/").status_code == 403


def test_a_token_for_one_event_reads_nothing_of_the_site():
    staff = Actor(user=make.user(is_staff=True))
    event = make.open_event(staff)
    token = create_event_token(event=event, level=TokenScope.Level.MANAGE, by=staff)
    answer = Client().get("/api/v1/site/", headers={"authorization": f"Token {token}"})
    assert (answer.status_code, answer.json()["code"]) == (403, "token_scope")


def test_a_demanded_second_factor_is_needed_here_too(settings):
    settings.SECOND_FACTOR = "demanded"
    user = make.user(is_staff=True)
    assert selectors.is_operator(user)
    user.by_session = True
    assert not selectors.is_operator(user)


def test_a_test_mail_goes_to_who_asks(operator, settings):
    settings.SENDS_MAIL = True
    said = operator.post("/site/test-mail/", follow=True).content.decode()
    assert "The mail server accepted the email to operator@example.org." in said
    (sent,) = mail.outbox
    assert sent.to == ["operator@example.org"]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (
            smtplib.SMTPAuthenticationError(535, b"5.7.8 Authentication failed"),
            "The mail server answered: 535 5.7.8 Authentication failed",
        ),
        (
            smtplib.SMTPRecipientsRefused({"a@b.example": (550, b"No such\nuser")}),
            "The mail server answered: 550 No such user",
        ),
        (
            smtplib.SMTPServerDisconnected("Connection lost"),
            "The mail server answered: Connection lost",
        ),
        (
            ConnectionRefusedError(111, "Connection refused"),
            "The mail server can’t be reached: Connection refused.",
        ),
        (TimeoutError("timed out"), "The mail server can’t be reached: timed out."),
    ],
)
def test_what_the_mail_server_answers_is_shown(operator, settings, monkeypatch, fault, words):
    def refuse(*_told, **_more):
        raise fault

    settings.SENDS_MAIL = True
    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    said = operator.post("/site/test-mail/", follow=True).content.decode()
    assert words in said.replace("&#x27;", "'")
    answer = operator.post("/api/v1/site/test-mail/", **JSON)
    assert answer.json() == {"sent": False, "detail": words}


def test_without_mail_the_page_says_what_to_set(operator, settings):
    settings.SENDS_MAIL = False
    assert "Set EMAIL_URL first." in page(operator)
    answer = operator.post("/api/v1/site/test-mail/", **JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "no_mail")
    assert mail.outbox == []


def test_test_mails_are_few(operator, settings):
    settings.SENDS_MAIL = True
    answers = [operator.post("/api/v1/site/test-mail/", **JSON).status_code for _turn in range(7)]
    assert answers == [200] * 5 + [409] * 2
    assert len(mail.outbox) == 5


def test_the_outbox_counts_its_mails_by_state(operator):
    assert upkeep.QUEUES["mail"]() == {}
    now = timezone.now()
    for state in ("waiting", "waiting", "failed"):
        Outgoing.objects.create(kind="link", language="en", state=state, ends_at=now)
    assert operator.get("/api/v1/site/").json()["queues"] == {"mail": {"waiting": 2, "failed": 1}}
