"""Signing up tells nobody who has an account where mail is set up; without mail it has a limit."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.test import Client

from accounts.invitations import invite
from accounts.models import SignUpInvitation, User
from config.shown_once import hash_of
from tests import factories as make
from tests.accounts.at_once import at_once

PASSWORD = "sala-grande-9"
SIGN_UP = "/accounts/signup/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    person = make.user("anna@example.org")
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    return person


@pytest.fixture
def _by_mail(settings):
    settings.SENDS_MAIL = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def browser(**extra):
    return Client(headers={"accept-language": "en"}, **extra)


def form(email, name="Somebody", password=PASSWORD):
    return {"email": email, "name": name, "password1": password}


def plain(answer, email):
    """Return an answer without what is made by chance, and without the address that was typed."""
    text = answer.content.decode().replace(email, "ADDRESS")
    text = re.sub(r'value="\w{64}"', "", text)
    # Expires is the moment of the answer, and every session has a reader's mark of its own.
    chance = ("X-Request-ID", "Expires", "X-Girone-Reader")
    headers = {key: value for key, value in answer.headers.items() if key not in chance}
    cookies = sorted(answer.cookies)
    return answer.status_code, text, headers, cookies


@pytest.mark.usefixtures("_by_mail")
def test_a_known_address_gets_the_same_answer_and_a_mail_of_its_own(anna):
    answers = {}
    for email in (anna.email, "nora@example.org"):
        reader = browser()
        first = reader.post(SIGN_UP, form(email))
        then = reader.get(first.url)
        again = reader.get(SIGN_UP)
        answers[email] = [plain(answer, email) for answer in (first, then, again)]
    assert answers[anna.email] == answers["nora@example.org"]
    assert answers[anna.email][0][0] == 302
    told, asked = (next(m for m in mail.outbox if m.to == [email]) for email in answers)
    assert "already" in told.body.lower()
    assert "/confirm-email/" not in told.body
    assert "/confirm-email/" in asked.body
    assert User.objects.count() == 2
    assert not EmailAddress.objects.get(email="nora@example.org").verified


@pytest.mark.usefixtures("_by_mail")
@pytest.mark.parametrize("password", ["12345", "girone-test"])
def test_a_refused_form_is_the_same_for_both(anna, password):
    pages = [
        plain(browser().post(SIGN_UP, form(email, "", password)), email)
        for email in (anna.email, "nora@example.org")
    ]
    assert pages[0] == pages[1]


@pytest.mark.usefixtures("_by_mail")
def test_an_address_is_checked_before_it_is_used():
    reader = browser()
    reader.post(SIGN_UP, form("nora@example.org", "Nora"))
    assert reader.get("/accounts/me/").status_code == 302
    link = re.search(r"/accounts/confirm-email/\S+", mail.outbox[0].body)[0]
    assert "nora@example.org" in reader.get(link).content.decode()
    reader.post(link)
    reader.post("/accounts/login/", {"login": "nora@example.org", "password": PASSWORD})
    assert "Nora" in reader.get("/accounts/me/").content.decode()


@pytest.mark.usefixtures("_by_mail")
def test_a_new_address_takes_the_place_of_the_old_once_it_is_checked(anna):
    reader = browser()
    reader.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
    reader.post("/accounts/reauthenticate/", {"password": "girone-test"})
    reader.post("/accounts/email/", {"email": "nuova@example.org", "action_add": ""})
    anna.refresh_from_db()
    assert anna.email == "anna@example.org"
    link = re.search(r"/accounts/confirm-email/\S+", mail.outbox[-1].body)[0]
    reader.post(link)
    anna.refresh_from_db()
    assert anna.email == "nuova@example.org"


def test_without_mail_asking_for_taken_addresses_ends_after_twenty(anna):
    reader = browser()
    for _ in range(20):
        answer = reader.post(SIGN_UP, form(anna.email))
        assert "already" in answer.content.decode()
    for email in (anna.email, "nobody@example.org"):
        assert reader.post(SIGN_UP, form(email)).status_code == 429
    assert (
        browser(REMOTE_ADDR="192.0.2.9").post(SIGN_UP, form("nora@example.org")).status_code == 302
    )


def test_by_invitation_nobody_else_signs_up_and_nothing_is_told(anna, settings):
    settings.SIGN_UP = "invitation"
    pages = [browser().post(SIGN_UP, form(email)) for email in (anna.email, "nora@example.org")]
    assert plain(pages[0], anna.email) == plain(pages[1], "nora@example.org")
    assert "by invitation" in pages[0].content.decode()
    assert User.objects.count() == 1


def test_an_invitation_makes_one_account(settings, capsys):
    settings.SIGN_UP = "invitation"
    call_command("invite", "--site", "https://girone.example")
    link = capsys.readouterr().out.strip()
    path = link.removeprefix("https://girone.example")
    token = path.strip("/").rpartition("/")[2]
    assert SignUpInvitation.objects.get().token_hash == hash_of(token)
    first, second = browser(), browser()
    for reader in (first, second):
        assert reader.get(path).url == SIGN_UP
        assert 'name="password1"' in reader.get(SIGN_UP).content.decode()
    assert first.post(SIGN_UP, form("nora@example.org", "Nora")).status_code == 302
    second.post(SIGN_UP, form("olga@example.org", "Olga"))
    assert list(User.objects.values_list("name", flat=True)) == ["Nora"]
    assert browser().get(path).status_code == 404


@pytest.mark.usefixtures("_by_mail")
def test_an_invitation_is_used_up_by_a_known_address_too(anna, settings):
    settings.SIGN_UP = "invitation"
    for email in (anna.email, "nobody@example.org"):
        path = f"/accounts/invitation/{invite()}/"
        reader = browser()
        reader.get(path)
        assert reader.post(SIGN_UP, form(email)).status_code == 302
        assert browser().get(path).status_code == 404


def test_an_invitation_ends(settings):
    settings.SIGN_UP = "invitation"
    path = f"/accounts/invitation/{invite()}/"
    reader = browser()
    reader.get(path)
    SignUpInvitation.objects.update(expires_at="2026-01-01T00:00Z")
    assert browser().get(path).status_code == 404
    assert "by invitation" in reader.post(SIGN_UP, form("nora@example.org")).content.decode()
    invite()
    assert SignUpInvitation.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_twenty_with_one_invitation_make_one_account(settings):
    """Safety notes, T24."""
    settings.SIGN_UP = "invitation"
    path = f"/accounts/invitation/{invite()}/"
    readers = [browser() for _ in range(20)]
    for reader in readers:
        reader.get(path)
    answers = at_once(
        lambda number: readers[number].post(SIGN_UP, form(f"p{number}@example.org")).status_code, 20
    )
    assert answers.count(302) == 1
    assert set(answers) <= {302, 404, 200}
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("by_mail", [True, False])
def test_one_address_signed_up_twice_at_the_same_moment_is_one_account(settings, by_mail):
    settings.SENDS_MAIL = by_mail
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory" if by_mail else "none"
    readers = [browser() for _ in range(8)]
    answers = at_once(
        lambda number: readers[number].post(SIGN_UP, form("nora@example.org")).status_code, 8
    )
    assert User.objects.count() == 1
    # A mailbox gets one mail of a kind in five minutes: who is later may be told so.
    assert set(answers) <= ({302, 429} if by_mail else {302, 200, 409})


def test_the_rules_of_passwords_are_one_line_in_the_readers_language():
    page = browser().get(SIGN_UP).content.decode()
    assert "At least 8 characters; not digits alone" in page
    assert "too similar to your other personal information" not in page
    italian = Client(headers={"accept-language": "it"}).get(SIGN_UP).content.decode()
    assert "Almeno 8 caratteri; non solo cifre" in italian
