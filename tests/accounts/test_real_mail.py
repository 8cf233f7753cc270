"""Mail by a real server: what arrives there, who is refused, and what is said when it goes away."""

import email
import email.policy
import re
import socket

import pytest
from aiosmtpd.controller import Controller
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from config import env
from tests import factories as make

pytestmark = pytest.mark.django_db
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
        return found.get_content()


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
def client(by):
    found = Client(headers={"accept-language": "en"})
    found.force_login(by.user)
    return found


def send_links(client, event):
    page = reverse("tournaments:manage-links", args=[event.slug])
    client.post(page)
    answer = client.post(reverse("tournaments:manage-links-mail", args=[event.slug]))
    assert answer.status_code == 302
    return client.get(page).content.decode()


def test_everybody_with_an_address_gets_their_own_link_and_it_opens(client, event, box):
    said = send_links(client, event)
    assert "3 mails are on their way." in said
    assert sorted(rcpt for rcpt, _mail in box.mails) == [
        [f"gioca{number}@example.org"] for number in (1, 2, 3)
    ]
    for entry in event.entries.order_by("number")[:3]:
        text = box.to(entry.user.email)
        assert entry.name in text  # as it is spelt, not as HTML
        assert event.name in text
        (path,) = LINK.findall(text)
        player = Client()
        assert player.get(path).status_code == 302
        mine = player.get(reverse("tournaments:me", args=[event.slug])).content.decode()
        assert f"number {entry.number}" in mine or f"numero {entry.number}" in mine
    (subject,) = {mail["Subject"] for _rcpt, mail in box.mails}
    assert subject == f"Girone: {event.name}"


def test_who_is_refused_is_named_and_the_others_have_theirs(client, event, box):
    box.refuses.add("gioca2@example.org")
    said = send_links(client, event)
    assert "2 mails are on their way." in said
    assert "Not sent: Àlvaro &lt;Rey&gt;. Hand these links on." in said
    assert len(box.mails) == 2


def test_a_server_that_leaves_in_the_middle_is_told_and_nobody_is_counted_twice(client, event, box):
    box.leaves_after = 1
    said = send_links(client, event)
    assert "1 mail is on its way." in said
    assert len(box.mails) == 1
    unsent = re.search(r"Not sent: (.*?)\. Hand", said)[1]
    assert len(unsent.split(", ")) == 2


def test_a_new_account_is_confirmed_by_its_mail(box):
    client = Client(headers={"accept-language": "it"})
    form = {"email": "nora@example.org", "name": "Nora", "password1": "sala-grande-9"}
    assert client.post("/accounts/signup/", form).status_code == 302
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
    (path,) = LINK.findall(box.to(anna.email))
    at = client.get(path, follow=True).redirect_chain[-1][0]
    new = {"password1": "sala-piccola-8", "password2": "sala-piccola-8"}
    assert client.post(at, new).status_code == 302
    anna.refresh_from_db()
    assert anna.check_password("sala-piccola-8")


def test_an_account_stays_unmade_where_its_mail_is_refused(box):
    box.refuses.add("nora@example.org")
    client = Client(headers={"accept-language": "en"})
    form = {"email": "nora@example.org", "name": "Nora", "password1": "sala-grande-9"}
    answer = client.post("/accounts/signup/", form)
    assert answer.status_code == 503
    assert "The mail could not be sent" in answer.content.decode()
    assert box.mails == []
