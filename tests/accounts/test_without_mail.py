"""Sites without mail, and with a real server of it: what is said and what arrives."""

import email
import email.policy
import logging
import re
import socket

import pytest
from aiosmtpd.controller import Controller
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.models import Outgoing, User
from accounts.outbox.worker import DeliveryWorker
from config import env
from tests import factories as make
from tests.accounts.at_once import at_once
from tests.browsers import url
from tests.mails import sent_mails

pytestmark = pytest.mark.django_db


PASSWORD, OTHER = "girone-test", "sala-piccola-8"


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
        assert "This site can’t send email" in text
        assert "password_link" in text
        assert "have sent" not in text
    assert not sent_mails()


def test_asking_for_a_new_password_leaves_no_link_in_the_log(client, anna, caplog, capfd, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    with caplog.at_level(logging.DEBUG):
        client.post("/accounts/password/reset/", {"email": anna.email})
    out, err = capfd.readouterr()
    assert "/password/reset/key/" not in out + err + caplog.text


def test_the_administrators_link_makes_a_new_password_once(client, anna, capsys):
    link = link_for(capsys, "Anna@example.org", "--site", "https://girone.example/")
    assert link.startswith("https://girone.example/accounts/password/reset/key/")
    other = Client()
    at, there = opened(client, link), opened(other, link)
    new = {"password1": OTHER, "password2": OTHER}
    assert client.post(at, new).status_code == 302
    late = {"password1": "sala-terza-77", "password2": "sala-terza-77"}
    assert (
        "This link no longer works."
        in other.post(there, late, headers={"accept-language": "en"}).content.decode()
    )
    assert sign_in(anna.email, OTHER).status_code == 302
    assert sign_in(anna.email, "sala-terza-77").status_code == 200


@pytest.mark.deep
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
    assert "This link no longer works." in page
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

    def open(self):
        raise ConnectionRefusedError


@pytest.mark.parametrize("email", ["anna@example.org", "nobody@example.org"])
def test_a_mail_server_that_is_gone_is_a_sentence(client, anna, settings, email):
    settings.SENDS_MAIL = True
    settings.EMAIL_BACKEND = f"{__name__}.Gone"
    answer = client.post("/accounts/password/reset/", {"email": email})
    assert (answer.status_code, answer.url) == (302, "/accounts/password/reset/done/")
    assert sent_mails() == []
    assert "Waiting" in client.get("/accounts/mail/").content.decode()
    Outgoing.objects.update(ends_at=timezone.now(), due_at=timezone.now())
    assert sent_mails() == []
    assert "could not be sent" in client.get("/accounts/mail/").content.decode()


def test_a_password_changes_though_nobody_can_be_told(client, anna, settings):
    settings.SENDS_MAIL = settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.EMAIL_BACKEND = f"{__name__}.Gone"
    EmailAddress.objects.create(user=anna, email=anna.email, primary=True, verified=True)
    client.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
    form = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert client.post("/accounts/password/change/", form).status_code == 302
    assert sign_in(anna.email, OTHER).status_code == 302


LINK = re.compile(r"https://girone\.example(/\S+)")


class Box:
    """What a mail server does with each mail; ``leaves_after`` ends the connection instead."""

    def __init__(self):
        self.mails, self.refuses, self.leaves_after = [], set(), None

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802
        if address in self.refuses:
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        if self.leaves_after is not None and len(self.mails) >= self.leaves_after:
            server.transport.close()
            return "421 going away"
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append((envelope.rcpt_tos, mail))
        return "250 OK"

    def to(self, address):
        """Return the text of the only mail to an address."""
        (found,) = (mail for rcpt, mail in self.mails if rcpt == [address])
        assert found["To"] == address
        return found.get_body(("plain",)).get_content()


@pytest.fixture
def box(settings, monkeypatch):
    """Return the box of a mail server on this machine, set up as a site does it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    found = Box()
    controller = Controller(found, hostname="127.0.0.1", port=port)
    controller.start()
    monkeypatch.setenv("EMAIL_URL", f"smtp://127.0.0.1:{port}")
    for name, value in env.mail("EMAIL_URL").items():
        setattr(settings, name, value)
    settings.SENDS_MAIL, settings.SITE_ADDRESS = True, "https://girone.example"
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    yield found
    controller.stop()


@pytest.fixture
def event(by):
    """Return an event with three players who have accounts and one who has none."""
    found = make.open_event(by, name="Tom & Jerry’s “Coppa”")
    people = ["Đorđe D'Amico", "Àlvaro <Rey>", "Őry", "Zeno"]
    make.players_more(found, people, by)
    for number, entry in enumerate(found.entries.order_by("number")[:3], 1):
        email = f"gioca{number}@example.org"
        entry.user = make.user(email)
        EmailAddress.objects.create(user=entry.user, email=email, primary=True, verified=True)
        entry.save(update_fields=["user"])
    return found


@pytest.fixture
def desk(by):
    found = Client(headers={"accept-language": "en"})
    found.force_login(by.user)
    return found


def send_links(client, event):
    answer = client.post(url("manage-links-mail", event))
    assert answer.status_code == 302
    DeliveryWorker().deliver_due()
    return client.get(url("manage-mails", event)).content.decode()


def states():
    """Return the state of the mail to each receiver."""
    return dict(Outgoing.objects.values_list("receiver", "state"))


def test_everybody_with_an_address_gets_their_own_link_and_it_opens(desk, event, box):
    said = send_links(desk, event)
    assert "Waiting: 3" in said
    assert set(states().values()) == {"sent"}
    assert sorted(rcpt for rcpt, _mail in box.mails) == [
        [f"gioca{number}@example.org"] for number in (1, 2, 3)
    ]
    for entry in event.entries.order_by("number")[:3]:
        text = box.to(entry.user.email)
        (path,) = LINK.findall(text)
        player = Client()
        assert player.get(path).status_code == 302
        mine = player.get(url("me", event)).content.decode()
        assert f"number {entry.number}" in mine or f"numero {entry.number}" in mine
    (subject,) = {mail["Subject"] for _rcpt, mail in box.mails}
    assert subject == f"Girone: {event.name}"


def test_who_is_refused_is_named_and_the_others_have_theirs(desk, event, box):
    box.refuses.add("gioca2@example.org")
    said = send_links(desk, event)
    assert "550 no such mailbox" in said
    assert "gioca2@example.org" not in said
    assert len(box.mails) == 2
    assert [address for address, state in states().items() if state == "failed"] == [
        "gioca2@example.org"
    ]


def test_a_server_that_leaves_in_the_middle_is_told_and_nobody_is_counted_twice(desk, event, box):
    box.leaves_after = 1
    send_links(desk, event)
    assert len(box.mails) == 1
    assert sorted(states().values()) == ["sent", "waiting", "waiting"]
    box.leaves_after = None
    Outgoing.objects.update(due_at=timezone.now())
    DeliveryWorker().deliver_due()
    assert sorted(rcpt for rcpt, _mail in box.mails) == [[address] for address in sorted(states())]
    for entry in event.entries.order_by("number")[:3]:
        (path,) = LINK.findall(box.to(entry.user.email))
        assert Client().get(path).status_code == 302


def test_a_new_account_is_confirmed_by_its_mail(box):
    client = Client(headers={"accept-language": "it"})
    form = {"email": "nora@example.org", "name": "Nora", "password1": "sala-grande-9"}
    assert client.post("/accounts/signup/", form).status_code == 302
    DeliveryWorker().deliver_due()
    (path,) = LINK.findall(box.to("nora@example.org"))
    assert "/confirm-email/" in path
    assert not EmailAddress.objects.get(email="nora@example.org").verified
    client.post(path)
    assert EmailAddress.objects.get(email="nora@example.org").verified


def test_a_new_password_is_chosen_by_its_mail(box):
    anna = make.user("anna@example.org")
    EmailAddress.objects.create(user=anna, email=anna.email, primary=True, verified=True)
    client = Client(headers={"accept-language": "en"})
    client.post("/accounts/password/reset/", {"email": anna.email})
    DeliveryWorker().deliver_due()
    (path,) = LINK.findall(box.to(anna.email))
    at = client.get(path, follow=True).redirect_chain[-1][0]
    new = {"password1": "sala-piccola-8", "password2": "sala-piccola-8"}
    assert client.post(at, new).status_code == 302
    anna.refresh_from_db()
    assert anna.check_password("sala-piccola-8")


def test_who_signs_up_with_a_refused_address_reads_that_no_mail_was_sent(box):
    box.refuses.add("nora@example.org")
    client = Client(headers={"accept-language": "en"})
    form = {"email": "nora@example.org", "name": "Nora", "password1": "sala-grande-9"}
    assert client.post("/accounts/signup/", form).status_code == 302
    DeliveryWorker().deliver_due()
    assert "The email could not be sent" in client.get("/accounts/mail/").content.decode()
    assert box.mails == []
    assert not EmailAddress.objects.get(email="nora@example.org").verified
