"""Personal links by mail: to the event's own players, once an hour, in words that are theirs."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.mail import FROM_ONE_ASKER, may_ask, take_turn
from tests import factories as make

SITE = "https://girone.example"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _by_mail(settings):
    settings.SENDS_MAIL, settings.SITE_ADDRESS = True, SITE


@pytest.fixture
def event(by):
    """Return an event of three with accounts; the third has not proved the address."""
    found = make.open_event(by, name="Coppa d’inverno")
    make.players_more(found, ["Ada", "Bea", "Carla"], by)
    for entry in found.entries.order_by("number"):
        entry.user = make.user(f"gioca{entry.number}@example.org")
        entry.save(update_fields=["user"])
        EmailAddress.objects.create(
            user=entry.user, email=entry.user.email, primary=True, verified=entry.number < 3
        )
    return found


@pytest.fixture
def client(by):
    found = Client(headers={"accept-language": "en"})
    found.force_login(by.user)
    return found


def send(client, event):
    page = reverse("tournaments:manage-links", args=[event.slug])
    client.post(page)
    return client.post(f"{page}mail/", follow=True).content.decode()


def test_links_are_mailed_once_a_player_an_hour(client, event, by):
    assert "3 mails are on their way." in send(client, event)
    make.players_more(event, ["Dora"], by)
    entry = event.entries.get(name="Dora")
    entry.user = make.user("gioca4@example.org")
    entry.save(update_fields=["user"])
    said = send(client, event)
    assert "1 mail is on its way." in said
    assert "less than an hour ago: Ada, Bea, Carla." in said
    assert [each.to for each in mail.outbox] == [
        [f"gioca{number}@example.org"] for number in (1, 2, 3, 4)
    ]


@pytest.mark.parametrize("lost", ["EmailMessage.send", "backends.locmem.EmailBackend.open"])
def test_a_mail_that_failed_is_no_mail_of_this_hour(client, event, lost):
    def refused(*_args):
        raise ConnectionRefusedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"django.core.mail.{lost}", refused)
        assert "Not sent: Ada, Bea, Carla." in send(client, event)
    assert "3 mails are on their way." in send(client, event)


def test_they_count_for_no_other_limit_and_no_other_limit_for_them(client, event):
    asked = RequestFactory().post("/")
    assert take_turn("invitation", "gioca1@example.org")
    assert "3 mails are on their way." in send(client, event)
    emails = [f"p{number}@example.org" for number in range(FROM_ONE_ASKER)]
    assert all(may_ask(asked, "invitation", email) for email in emails)


def test_an_address_that_nobody_has_proved_reads_no_name(client, event):
    send(client, event)
    texts = {each.to[0]: f"{each.subject}\n{each.body}" for each in mail.outbox}
    for entry in event.entries.order_by("number"):
        text = texts[entry.user.email]
        named = entry.number < 3
        assert (entry.name in text) is named
        assert ("Coppa" in text) is named
        assert re.search(rf"{SITE}/p/[\w-]+/", text)


def test_they_lead_to_the_site_whatever_the_organiser_typed(client, event, settings):
    settings.ALLOWED_HOSTS = ["*"]
    page = reverse("tournaments:manage-links", args=[event.slug])
    client.post(page, headers={"host": "evil.example"})
    client.post(f"{page}mail/", headers={"host": "evil.example"})
    assert len(mail.outbox) == 3
    for each in mail.outbox:
        assert re.findall(r"https?://[^/\s]+", each.body) == [SITE]


def test_a_site_without_an_address_mails_no_link_and_the_page_says_what_to_set(
    client, event, settings
):
    settings.SITE_ADDRESS, settings.ALLOWED_HOSTS = "", ["*"]
    page = reverse("tournaments:manage-links", args=[event.slug])
    shown = client.post(page, follow=True).content.decode()
    assert "SITE_ADDRESS" in shown
    assert "Send 3 mails" not in shown
    refused = client.post(f"{page}mail/")
    assert refused.status_code == 409
    assert "SITE_ADDRESS" in refused.content.decode()
    assert mail.outbox == []
