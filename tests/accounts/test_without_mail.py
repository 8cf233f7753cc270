"""A site without mail says so, and its administrator has a command for everything mail would do."""

import logging
import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from tests import factories as make
from tests.accounts.at_once import at_once

PASSWORD, OTHER = "girone-test", "sala-piccola-8"
pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return make.user("anna@example.org")


@pytest.fixture
def client():
    return Client(headers={"accept-language": "en"})


def sign_in(email, password=PASSWORD):
    form = {"login": email, "password": password}
    return Client(headers={"accept-language": "en"}).post("/accounts/login/", form)


def link_for(capsys, *arguments):
    call_command("password_link", *arguments)
    return capsys.readouterr().out.strip()


def opened(client, link):
    """Follow a link for a new password; return where its form is sent."""
    return client.get("/" + link.split("/", 3)[3], follow=True).redirect_chain[-1][0]


@pytest.mark.parametrize(
    "page", ["password/reset/", "password/reset/done/", "email/", "confirm-email/"]
)
def test_pages_that_would_send_mail_say_that_none_is_sent(client, anna, page):
    client.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
    for answer, status in (
        (client.get(f"/accounts/{page}"), 200),
        (client.post(f"/accounts/{page}", {"email": anna.email, "action_add": "1"}), 409),
    ):
        text = answer.content.decode()
        assert answer.status_code == status
        assert "This site sends no mail" in text
        assert "password_link" in text
        assert "have sent" not in text
    assert not mail.outbox


def test_asking_for_a_new_password_leaves_no_link_in_the_log(client, anna, caplog, capfd, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    with caplog.at_level(logging.DEBUG):
        client.post("/accounts/password/reset/", {"email": anna.email})
    out, err = capfd.readouterr()
    assert "/password/reset/key/" not in out + err + caplog.text


def test_the_page_is_the_same_for_an_unknown_address(client, anna):
    pages = [
        client.post("/accounts/password/reset/", {"email": email})
        for email in (anna.email, "nobody@example.org")
    ]
    known, unknown = (re.sub(rb'value="\w{64}"', b"", page.content) for page in pages)
    assert known == unknown


def test_the_administrators_link_makes_a_new_password_once(client, anna, capsys):
    link = link_for(capsys, "Anna@example.org", "--site", "https://girone.example/")
    assert link.startswith("https://girone.example/accounts/password/reset/key/")
    other = Client()
    at, there = opened(client, link), opened(other, link)
    new = {"password1": OTHER, "password2": OTHER}
    assert client.post(at, new).status_code == 302
    late = {"password1": "sala-terza-77", "password2": "sala-terza-77"}
    assert (
        "used already"
        in other.post(there, late, headers={"accept-language": "en"}).content.decode()
    )
    assert sign_in(anna.email, OTHER).status_code == 302
    assert sign_in(anna.email, "sala-terza-77").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_twenty_with_one_link_make_one_new_password(capsys):
    """Safety notes, T24."""
    anna = make.user("anna@example.org")
    link = link_for(capsys, anna.email)
    readers = [Client() for _ in range(20)]
    at = [opened(reader, link) for reader in readers]

    def act(number):
        new = {"password1": f"sala-numero-{number}", "password2": f"sala-numero-{number}"}
        return readers[number].post(at[number], new).status_code

    answers = at_once(act, 20)
    assert answers.count(302) == 1
    (first,) = (number for number, status in enumerate(answers) if status == 302)
    assert sign_in(anna.email, f"sala-numero-{first}").status_code == 302


def test_the_administrators_link_ends_after_an_hour(client, anna, capsys, settings):
    link = link_for(capsys, anna.email)
    assert settings.PASSWORD_RESET_TIMEOUT == 3600
    settings.PASSWORD_RESET_TIMEOUT = -1
    page = client.get("/" + link.split("/", 3)[3]).content.decode()
    assert "used already" in page
    assert 'name="password1"' not in page


def test_the_link_names_the_site(anna, capsys, settings):
    settings.ALLOWED_HOSTS = ["*", "sala.example"]
    assert link_for(capsys, anna.email).startswith("http://sala.example/accounts/")
    settings.CSRF_TRUSTED_ORIGINS = ["https://girone.example"]
    assert re.match("https://girone.example/accounts/", link_for(capsys, anna.email))


@pytest.mark.parametrize(
    "command", [["password_link", "x@y.it"], ["change_address", "x@y.it", "z@y.it"]]
)
def test_commands_leave_with_2_for_an_unknown_address(command):
    with pytest.raises(CommandError) as caught:
        call_command(*command)
    assert caught.value.returncode == 2


def test_the_administrator_changes_an_address(anna, capsys):
    sign_in(anna.email)
    call_command("change_address", anna.email, "Anna.Nuova@example.org")
    assert sign_in("anna.nuova@example.org").status_code == 302
    assert sign_in("anna@example.org").status_code == 200
    assert list(EmailAddress.objects.values_list("email", "verified", "primary")) == [
        ("anna.nuova@example.org", True, True)
    ]


@pytest.mark.parametrize("new", ["bruno@example.org", "BRUNO@example.org", "no address"])
def test_an_address_of_somebody_else_is_refused(anna, new):
    make.user("bruno@example.org")
    with pytest.raises(CommandError) as caught:
        call_command("change_address", anna.email, new)
    assert caught.value.returncode == 2
    assert User.objects.filter(email="anna@example.org").exists()


def test_an_address_that_somebody_only_asked_for_goes_to_its_owner(anna):
    bruno = make.user("bruno@example.org")
    EmailAddress.objects.create(user=bruno, email="nuova@example.org", verified=False)
    call_command("change_address", anna.email, "nuova@example.org")
    assert EmailAddress.objects.get(email="nuova@example.org").user == anna


def test_the_admin_site_changes_an_address_too(client, anna):
    sign_in(anna.email)
    boss = User.objects.create_superuser("boss@example.org", PASSWORD, name="Boss")
    client.force_login(boss, backend="django.contrib.auth.backends.ModelBackend")
    form = {"email": "nuova@example.org", "name": "Anna", "is_active": "on", "ceiling_factor": "1"}
    assert client.post(f"/admin/accounts/user/{anna.pk}/change/", form).status_code == 302
    assert sign_in("nuova@example.org").status_code == 302
    assert sign_in("anna@example.org").status_code == 200


class Gone:
    """A mail server that does not answer."""

    def __init__(self, *args, **kwargs):
        pass

    def send_messages(self, messages):
        raise ConnectionRefusedError


@pytest.mark.parametrize("email", ["anna@example.org", "nobody@example.org"])
def test_a_mail_server_that_is_gone_is_a_sentence(client, anna, settings, email):
    settings.SENDS_MAIL = True
    settings.EMAIL_BACKEND = f"{__name__}.Gone"
    answer = client.post("/accounts/password/reset/", {"email": email})
    assert answer.status_code == 503
    assert "could not be sent" in answer.content.decode()


def test_a_password_changes_though_nobody_can_be_told(client, anna, settings):
    settings.SENDS_MAIL = settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.EMAIL_BACKEND = f"{__name__}.Gone"
    EmailAddress.objects.create(user=anna, email=anna.email, primary=True, verified=True)
    client.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
    form = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert client.post("/accounts/password/change/", form).status_code == 302
    assert sign_in(anna.email, OTHER).status_code == 302
