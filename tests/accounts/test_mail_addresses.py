"""Mails lead to the site by its own address, whatever host the request named."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client

from tests import factories as make

SITE = "https://girone.example"
SPOOFED = "evil.example"
RESET = "/accounts/password/reset/"
SIGN_UP = "/accounts/signup/"
PASSWORD = "sala-grande-9"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _by_mail(settings):
    cache.clear()
    settings.ALLOWED_HOSTS = ["*"]
    settings.SENDS_MAIL = True
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.SITE_ADDRESS = SITE


@pytest.fixture
def anna():
    person = make.user("anna@example.org")
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    return person


def browser():
    return Client(headers={"accept-language": "en", "host": SPOOFED})


def told() -> str:
    (sent,) = mail.outbox
    html = "".join(str(part) for part, _kind in sent.alternatives)
    return f"{sent.subject}\n{sent.body}\n{html}"


@pytest.mark.parametrize(
    ("address", "values"),
    [
        (SIGN_UP, {"email": "nora@example.org", "name": "Nora", "password1": PASSWORD}),
        (SIGN_UP, {"email": "anna@example.org", "name": "Anna", "password1": PASSWORD}),
        (RESET, {"email": "anna@example.org"}),
        (RESET, {"email": "nobody@example.org"}),
    ],
)
def test_no_mail_leads_to_the_host_that_was_asked(anna, address, values):
    assert browser().post(address, values).status_code == 302
    assert SPOOFED not in told()
    assert set(re.findall(r"https?://[^/\s]+", told())) == {SITE}


def test_the_link_of_a_new_password_works_where_the_site_is(anna):
    browser().post(RESET, {"email": anna.email})
    link = re.search(rf"{SITE}(/\S+)", told())
    assert link
    answer = Client(headers={"host": "girone.example"}).get(link[1], follow=True)
    assert answer.status_code == 200
    assert 'name="password1"' in answer.content.decode()


def test_a_changed_password_is_told_without_the_host_that_was_asked(anna):
    reader = browser()
    reader.force_login(anna)
    values = {"oldpassword": "girone-test", "password1": PASSWORD, "password2": PASSWORD}
    assert reader.post("/accounts/password/change/", values).status_code == 302
    assert SPOOFED not in told()
