"""Links for all players at once: one more each, shown once, as list, cards and mail."""

import io

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from rules.errors import RuleError
from tests import factories as make
from tournaments.models import PersonalLink
from tournaments.players.selectors.players import links_made
from tournaments.players.services.entries import make_link, make_links, revoke_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    found = make.open_event(by)
    make.players(found, 14, by)
    return found


@pytest.fixture
def client(by):
    found = Client(headers={"accept-language": "en"})
    found.force_login(by.user)
    return found


def page(event, more=""):
    return reverse(f"tournaments:manage-links{more}", args=[event.slug])


def works(token):
    return Client().get(reverse("tournaments:open-link", args=[token])).status_code == 302


def test_links_in_use_go_on(event, by):
    first = event.entries.get(number=1)
    before = make_link(entry=first, by=by)
    secret = make_links(event=event, by=by)
    found = links_made(event, secret)
    assert len(found) == len(set(found.values())) == 14
    assert works(before)
    assert all(works(token) for token in list(found.values())[:3])
    assert event.log.order_by("number").last().action == "links.made"
    player = Client(headers={"accept-language": "en"})
    told = player.get(reverse("tournaments:open-link", args=[before]), follow=True).content.decode()
    assert "made a personal link for you" in told
    assert "stopped working" not in told, "links in use go on"
    assert not any(token in repr(PersonalLink.objects.values()) for token in found.values())


def test_a_link_that_was_stopped_is_not_shown(event, by):
    secret = make_links(event=event, by=by)
    gone = event.entries.get(number=3)
    revoke_link(entry=gone, by=by)
    assert gone not in links_made(event, secret)
    assert links_made(event, "another secret") == {}


def test_they_are_shown_once_and_only_to_who_made_them(event, client):
    assert Client().get(page(event)).status_code == 403
    shown = client.get(page(event))
    assert "14 players get a new link" in shown.content.decode()
    made = client.post(page(event))
    assert made.status_code == 302
    after = client.get(page(event))
    assert after["Cache-Control"] == "no-store"
    assert after.content.decode().count("/p/") == 14
    other = Client()
    other.force_login(make.user())
    assert other.get(page(event)).status_code == 403
    fresh = Client()
    fresh.force_login(event.created_by)
    assert "/p/" not in fresh.get(page(event)).content.decode()


def test_cards_are_twelve_a_sheet(event, client):
    assert client.get(page(event, "-cards")).status_code == 302
    client.post(page(event))
    answer = client.get(page(event, "-cards"))
    sheets = PdfReader(io.BytesIO(answer.content)).pages
    assert len(sheets) == 2
    text = "".join(sheet.extract_text() for sheet in sheets)
    assert text.count("testserver/p/") == 14


def test_only_organisers_make_links(event, by):
    keeper = Client()
    keeper.force_login(make.staff(event, "scorekeeper").user)
    assert keeper.post(page(event)).status_code == 403
    assert PersonalLink.objects.count() == 0


def test_without_players_nothing_is_made(by, client):
    empty = make.open_event(by)
    with pytest.raises(RuleError):
        make_links(event=empty, by=by)
    answer = client.post(page(empty))
    assert answer.status_code == 409
    assert "There are no players yet" in answer.content.decode()


def test_mail_goes_to_who_has_an_address(event, client, settings):
    settings.SENDS_MAIL = True
    entry = event.entries.get(number=5)
    entry.user = make.user("gioca@example.org")
    entry.save(update_fields=["user"])
    assert client.post(page(event, "-mail")).status_code == 409
    client.post(page(event))
    assert client.post(page(event, "-mail")).status_code == 302
    (sent,) = mail.outbox
    assert sent.to == ["gioca@example.org"]
    token = sent.body.partition("/p/")[2].split("/")[0]
    assert works(token)


def test_without_mail_nothing_pretends(event, client, settings):
    settings.SENDS_MAIL = False
    client.post(page(event))
    assert client.post(page(event, "-mail")).status_code == 409
    assert mail.outbox == []


def test_what_the_server_refuses_is_named(event, client, settings, monkeypatch):
    settings.SENDS_MAIL = True
    entry = event.entries.get(number=5)
    entry.user = make.user("gioca@example.org")
    entry.save(update_fields=["user"])
    client.post(page(event))

    def refused(self):
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.message.EmailMessage.send", refused)
    client.post(page(event, "-mail"))
    said = client.get(page(event)).content.decode()
    assert f"Not sent: {entry.name}." in said
