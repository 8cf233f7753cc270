"""Sign-up, sign-in and reset do as much work for an address that nobody has.

Counted, not timed: what takes long is hashing a password and sending a mail.
``tests/measures/answers.py`` measures the milliseconds.
"""

from collections import Counter

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests import factories as make
from tests.mails import sent_mails

pytestmark = pytest.mark.django_db
NOBODY = "nobody@example.org"


@pytest.fixture
def people():
    """Return an address of each kind of account, by what it is."""
    verified = make.user("anna@example.org")
    EmailAddress.objects.create(user=verified, email=verified.email, primary=True, verified=True)
    unverified = make.user("bruno@example.org")
    EmailAddress.objects.create(user=unverified, email=unverified.email, primary=True)
    make.user("carla@example.org", is_active=False)
    User.objects.create_user("dario@example.org", None, name="Dario")
    return {
        "verified": "anna@example.org",
        "in capitals": "ANNA@Example.org",
        "not verified": "bruno@example.org",
        "not active": "carla@example.org",
        "without a password": "dario@example.org",
        "nobody": NOBODY,
    }


@pytest.fixture
def hashed(monkeypatch):
    """Return a counter of the passwords that were hashed."""
    count, encode = Counter(), MD5PasswordHasher.encode

    def counted(self, *args, **more):
        count["hashed"] += 1
        return encode(self, *args, **more)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    return count


def work_of_sign_in(email, hashed):
    """Return the status of a sign-in with a wrong password, and how many passwords were hashed."""
    hashed.clear()
    form = {"login": email, "password": "sala-sbagliata-1"}
    return Client().post("/accounts/login/", form).status_code, hashed["hashed"]


def work_of_reset(email, hashed):
    """Return the status of asking for a new password, what was hashed, and the mails sent."""
    cache.clear()
    hashed.clear()
    sent_mails().clear()
    status = Client().post("/accounts/password/reset/", {"email": email}).status_code
    return status, hashed["hashed"], [each.to for each in sent_mails()] == [[email.lower()]]


def work_of_sign_up(email, hashed):
    """Return the status of a sign-up, what was hashed, and whether one mail was sent there."""
    cache.clear()
    hashed.clear()
    sent_mails().clear()
    form = {"email": email, "name": "Somebody", "password1": "sala-grande-9"}
    status = Client().post("/accounts/signup/", form).status_code
    return status, hashed["hashed"], [each.to for each in sent_mails()] == [[email.lower()]]


@pytest.mark.parametrize("sends_mail", [True, False], ids=["mail", "no mail"])
def test_a_wrong_password_is_hashed_as_often_for_every_address(
    people, hashed, settings, sends_mail
):
    settings.SENDS_MAIL = sends_mail
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory" if sends_mail else "none"
    work = {kind: work_of_sign_in(email, hashed) for kind, email in people.items()}
    assert set(work.values()) == {work["verified"]}, work
    assert work["verified"][1] > 0


def test_a_way_to_sign_in_that_hashes_for_accounts_alone_is_found(
    people, hashed, settings, monkeypatch
):
    """The check above is able to fail."""
    settings.AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
    lazy = f"{settings.AUTHENTICATION_BACKENDS[0]}._mitigate_timing_attack"
    monkeypatch.setattr(lazy, lambda self, password: None)
    assert work_of_sign_in(people["verified"], hashed) > work_of_sign_in(NOBODY, hashed)


def test_signing_up_hashes_and_sends_one_mail_whoever_asks(people, hashed, settings):
    """Safety notes, T23: a new account hashes a password, so a known address does, too."""
    settings.SENDS_MAIL = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    work = {kind: work_of_sign_up(email, hashed) for kind, email in people.items()}
    assert set(work.values()) == {(302, 1, True)}, work


def test_asking_for_a_new_password_sends_one_mail_whoever_asks(people, hashed, settings):
    settings.SENDS_MAIL = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    work = {kind: work_of_reset(email, hashed) for kind, email in people.items()}
    assert set(work.values()) == {(302, 0, True)}, work


def test_without_mail_a_new_password_asks_the_database_for_nobody(people, settings):
    settings.SENDS_MAIL = False
    for email in people.values():
        with CaptureQueriesContext(connection) as asked:
            answer = Client().post("/accounts/password/reset/", {"email": email})
        assert answer.status_code == 409
        assert [each["sql"] for each in asked if "accounts_user" in each["sql"]] == []
        assert [each["sql"] for each in asked if "emailaddress" in each["sql"]] == []
