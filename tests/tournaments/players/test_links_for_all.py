"""Personal links: of one and of all players, as list, cards and mail, made and revoked."""

import io
import re

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory
from django.urls import reverse
from pypdf import PdfReader

from accounts.mail import FROM_ONE_ASKER, count_mail_request, reserve_mail
from rules.errors import RuleError
from tests import factories as make
from tests.browsers import url
from tests.mails import sent_mails
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, PersonalLink
from tournaments.players.selectors.players import (
    derived_link_tokens,
    latest_link_by_organiser,
    link_of_token,
)
from tournaments.players.services import entries
from tournaments.players.services.entries import make_link, make_links, revoke_link

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def filled(by):
    found = make.open_event(by)
    make.players(found, 14, by)
    return found


def page(event, more=""):
    return url(f"manage-links{more}", event)


def works(token):
    return Client().get(reverse("tournaments:open-link", args=[token])).status_code == 302


def test_links_in_use_go_on(filled, by):
    first = filled.entries.get(number=1)
    before = make_link(entry=first, by=by)
    secret = make_links(event=filled, by=by)
    found = derived_link_tokens(filled, secret)
    assert len(found) == len(set(found.values())) == 14
    assert works(before)
    assert all(works(token) for token in list(found.values())[:3])
    assert filled.log.order_by("number").last().action == "links.made"
    player = Client(headers={"accept-language": "en"})
    told = player.get(reverse("tournaments:open-link", args=[before]), follow=True).content.decode()
    assert "created a personal link for you" in told
    assert "stopped working" not in told, "links in use go on"
    assert not any(token in repr(PersonalLink.objects.values()) for token in found.values())


def test_a_link_that_was_stopped_is_not_shown(filled, by):
    secret = make_links(event=filled, by=by)
    gone = filled.entries.get(number=3)
    revoke_link(entry=gone, by=by)
    assert gone not in derived_link_tokens(filled, secret)
    assert derived_link_tokens(filled, "another secret") == {}


def test_they_are_shown_once_and_only_to_who_made_them(filled, signed):
    assert Client().get(page(filled)).status_code == 403
    shown = signed.get(page(filled))
    assert "Players: 14" in shown.content.decode()
    made = signed.post(page(filled))
    assert made.status_code == 302
    after = signed.get(page(filled))
    assert after["Cache-Control"] == "no-store"
    cards = page(filled, "-cards")
    assert cards in after.content.decode()
    assert "/p/" not in after.content.decode()  # each goes to its player, by card or by mail
    assert signed.get(cards).status_code == 200
    other = Client()
    other.force_login(make.user())
    assert other.get(page(filled)).status_code == 403
    fresh = Client()
    fresh.force_login(filled.created_by)
    assert cards not in fresh.get(page(filled)).content.decode()
    assert fresh.get(cards).status_code == 302


def test_cards_are_twelve_a_sheet(filled, signed):
    assert signed.get(page(filled, "-cards")).status_code == 302
    signed.post(page(filled))
    answer = signed.get(page(filled, "-cards"))
    sheets = PdfReader(io.BytesIO(answer.content)).pages
    assert len(sheets) == 2
    text = "".join(sheet.extract_text() for sheet in sheets)
    assert text.count("testserver/p/") == 14


def test_only_organisers_make_links_and_none_without_players(filled, by, signed):
    keeper = Client()
    keeper.force_login(make.staff(filled, "scorekeeper").user)
    assert keeper.post(page(filled)).status_code == 403
    assert PersonalLink.objects.count() == 0
    empty = make.open_event(by)
    with pytest.raises(RuleError):
        make_links(event=empty, by=by)
    answer = signed.post(page(empty))
    assert answer.status_code == 409
    assert "There are no players yet" in answer.content.decode()


def test_without_mail_nothing_pretends(filled, signed, settings):
    settings.SENDS_MAIL = False
    signed.post(page(filled))
    assert signed.post(page(filled, "-mail")).status_code == 409
    assert sent_mails() == []


@pytest.fixture
def event(by: Actor) -> Event:
    return make.open_event(by)


@pytest.mark.parametrize("role", ["scorekeeper", "judge", "head_judge"])
def test_only_organisers_make_and_revoke_links_of_others(
    event: Event, ada: Entry, role: str
) -> None:
    other = make.staff(event, role)
    own = entries.make_link(entry=ada, by=Actor(entry=ada))
    link = link_of_token(own)
    assert link is not None
    assert link.entry == ada
    client = Client(headers={"accept-language": "en"})
    assert other.user is not None
    client.force_login(other.user)
    to = url("manage-player-link", event, ada.number)
    for sent in ({}, {"revoke": "1"}):
        assert client.post(to, sent).status_code == 403
    page = client.get(url("manage-player", event, ada.number))
    assert to not in page.content.decode()
    for act in (entries.make_link, entries.revoke_link):
        with pytest.raises(PermissionDenied):
            act(entry=ada, by=other)
    assert link_of_token(own) == link


def test_a_link_made_by_an_organiser_is_logged_and_told_on_the_players_page(
    ada: Entry, event: Event, by: Actor
) -> None:
    entries.make_link(entry=ada, by=Actor(entry=ada))
    assert latest_link_by_organiser(ada) is None
    assert by.user is not None
    by.user.name = "Olga Neri"
    by.user.save()
    ada.user = make.user()
    ada.save()
    client = Client(headers={"accept-language": "en"})
    client.force_login(ada.user)
    page = url("me", event)
    before = client.get(page)
    assert "created a personal link for you" not in before.content.decode()
    entries.make_link(entry=ada, by=by)
    line = event.log.order_by("number").last()
    assert line is not None
    assert (line.action, line.by, line.subject) == ("link.made", by.user, ada.name)
    told = client.get(page).content.decode()
    assert "Olga Neri" in told
    assert "created a personal link for you" in told
    now = client.get(url("me-now", event))
    assert "created a personal link for you" in now.content.decode()


def test_a_link_that_is_revoked_without_a_new_one_is_told(
    event: Event, ada: Entry, by: Actor
) -> None:
    ada.user = make.user()
    ada.save()
    old = entries.make_link(entry=ada, by=Actor(entry=ada))
    phone = Client(headers={"accept-language": "en"})
    assert phone.get(reverse("tournaments:open-link", args=[old])).status_code == 302
    page = url("me", event)
    assert "revoked your personal link" not in phone.get(page).content.decode()
    entries.revoke_link(entry=ada, by=by)
    gone = phone.get(reverse("tournaments:open-link", args=[old]))
    assert gone.status_code == 404
    assert "This link no longer works." in gone.content.decode()
    assert phone.get(page).status_code == 403
    assert "Open your personal link, or sign in" in phone.get(page).content.decode()
    phone.force_login(ada.user)
    assert "revoked your personal link" in phone.get(page).content.decode()
    entries.make_link(entry=ada, by=by)
    entries.revoke_link(entry=ada, by=by)
    told = phone.get(page).content.decode()
    assert "revoked your personal link" in told
    assert "Anyone with this link" not in told


SITE = "https://girone.example"


@pytest.fixture
def invited(by, settings):
    """Return an event of three with accounts; the third has not proved the address."""
    settings.SENDS_MAIL, settings.SITE_ADDRESS = True, SITE
    found = make.open_event(by, name="Coppa d’inverno")
    make.players_more(found, ["Ada", "Bea", "Carla"], by)
    for entry in found.entries.order_by("number"):
        entry.user = make.user(f"gioca{entry.number}@example.org")
        entry.save(update_fields=["user"])
        EmailAddress.objects.create(
            user=entry.user, email=entry.user.email, primary=True, verified=entry.number < 3
        )
    return found


def send(client, event):
    page = url("manage-links", event)
    client.post(page)
    return client.post(f"{page}mail/", follow=True).content.decode()


def test_links_are_mailed_once_a_player_an_hour(signed, invited, by):
    none_yet = signed.post(f"{reverse('tournaments:manage-links', args=[invited.slug])}mail/")
    assert none_yet.status_code == 409
    assert "Emails sent: 3" in send(signed, invited)
    make.players_more(invited, ["Dora"], by)
    entry = invited.entries.get(name="Dora")
    entry.user = make.user("gioca4@example.org")
    entry.save(update_fields=["user"])
    said = send(signed, invited)
    assert "Emails sent: 1" in said
    assert "less than an hour ago: Ada, Bea, Carla" in said
    assert [each.to for each in sent_mails()] == [
        [f"gioca{number}@example.org"] for number in (1, 2, 3, 4)
    ]


@pytest.mark.parametrize("lost", ["EmailMessage.send", "backends.locmem.EmailBackend.open"])
def test_a_mail_that_failed_is_no_mail_of_this_hour(signed, invited, lost):
    def refused(*_args):
        raise ConnectionRefusedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"django.core.mail.{lost}", refused)
        assert "Not sent: Ada, Bea, Carla" in send(signed, invited)
    assert "Emails sent: 3" in send(signed, invited)


def test_they_count_for_no_other_limit_and_no_other_limit_for_them(signed, invited):
    asked = RequestFactory().post("/")
    assert reserve_mail("invitation", "gioca1@example.org")
    assert "Emails sent: 3" in send(signed, invited)
    emails = [f"p{number}@example.org" for number in range(FROM_ONE_ASKER)]
    assert all(count_mail_request(asked, "invitation", email) for email in emails)


def test_an_address_that_nobody_has_proved_reads_no_name(signed, invited):
    send(signed, invited)
    texts = {each.to[0]: f"{each.subject}\n{each.body}" for each in sent_mails()}
    for entry in invited.entries.order_by("number"):
        text = texts[entry.user.email]
        named = entry.number < 3
        assert ("Coppa" in text) is named
        assert re.search(rf"{SITE}/p/[\w-]+/", text)


def test_they_lead_to_the_site_whatever_the_organiser_typed(signed, invited, settings):
    settings.ALLOWED_HOSTS = ["*"]
    page = url("manage-links", invited)
    signed.post(page, headers={"host": "evil.example"})
    signed.post(f"{page}mail/", headers={"host": "evil.example"})
    assert len(sent_mails()) == 3
    for each in sent_mails():
        assert re.findall(r"https?://[^/\s]+", each.body) == [SITE]


def test_a_site_without_an_address_mails_no_link_and_the_page_says_what_to_set(
    signed, invited, settings
):
    settings.SITE_ADDRESS, settings.ALLOWED_HOSTS = "", ["*"]
    page = url("manage-links", invited)
    shown = signed.post(page, follow=True).content.decode()
    assert "SITE_ADDRESS" in shown
    assert "Send 3 mails" not in shown
    refused = signed.post(f"{page}mail/")
    assert refused.status_code == 409
    assert "SITE_ADDRESS" in refused.content.decode()
    assert sent_mails() == []
