"""Personal links: of one and of all players, as list, cards and mail, made and revoked."""

import io
import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import PermissionDenied
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from accounts.mail import FROM_ONE_ASKER, count_mail_request, reserve_mail
from accounts.models import Outgoing
from accounts.outbox.worker import GONE
from rules.errors import RuleError
from tests import factories as make
from tests.browsers import url
from tests.mails import sent_mails
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_account
from tournaments.events.services import delete_event_rows
from tournaments.models import Entry, Event, PersonalLink
from tournaments.players.selectors.players import (
    derived_link_tokens,
    find_valid_link,
    latest_link_by_organiser,
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


@pytest.mark.deep
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


@pytest.mark.deep
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
    link = find_valid_link(own)
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
    assert find_valid_link(own) == link


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
    return client.post(url("manage-links-mail", event), follow=True).content.decode()


def test_links_are_mailed_once_a_player_an_hour(signed, invited, by):
    assert "Waiting: 3" in send(signed, invited)
    assert invited.log.order_by("number").last().after == {"numbers": [1, 2, 3]}
    make.players_more(invited, ["Dora"], by)
    entry = invited.entries.get(name="Dora")
    entry.user = make.user("gioca4@example.org")
    entry.save(update_fields=["user"])
    said = send(signed, invited)
    assert "Waiting: 1" in said
    assert "less than an hour ago: Ada, Bea, Carla" in said
    assert sorted(each.to for each in sent_mails()) == [
        [f"gioca{number}@example.org"] for number in (1, 2, 3, 4)
    ]
    Outgoing.objects.update(queued_at=timezone.now() - timedelta(hours=1))
    assert "Waiting: 4" in send(signed, invited)


def test_nobody_without_an_account_is_mailed(signed, filled, settings):
    settings.SENDS_MAIL, settings.SITE_ADDRESS = True, SITE
    assert "Send emails" not in signed.get(page(filled)).content.decode()
    assert signed.post(page(filled, "-mail")).status_code == 409
    assert not Outgoing.objects.exists()


def test_a_mail_that_failed_is_no_mail_of_this_hour(signed, invited):
    send(signed, invited)
    Outgoing.objects.filter(receiver="gioca2@example.org").update(state="failed")
    said = send(signed, invited)
    assert "Waiting: 1" in said
    assert "less than an hour ago: Ada, Carla" in said


def test_each_try_has_a_link_of_its_own_and_ends_no_other(signed, invited, settings):
    class Unsure(EmailBackend):
        """A mail server that takes a mail and does not answer."""

        def send_messages(self, messages):
            super().send_messages(messages)
            raise TimeoutError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.core.mail.backends.locmem.EmailBackend", Unsure)
        send(signed, invited)
        assert len(sent_mails()) == 3
    assert Entry.objects.get(name="Ada").links.get().unopened
    Outgoing.objects.update(due_at=timezone.now())
    mails = [each for each in sent_mails() if each.to == ["gioca1@example.org"]]
    links = [re.search(rf"{SITE}(/p/[\w-]+/)", each.body)[1] for each in mails]
    assert len(set(links)) == 2
    assert len({each.extra_headers["Message-ID"] for each in mails}) == 1
    assert all(Client().get(link).status_code == 302 for link in links)
    assert not Entry.objects.get(name="Ada").links.filter(unopened=True).exists()


def test_who_has_left_or_has_another_address_gets_no_link(signed, invited):
    send(signed, invited)
    Entry.objects.get(name="Ada").user.delete()
    bea = Entry.objects.get(name="Bea").user
    bea.email = "new@example.org"
    bea.save()
    Entry.objects.filter(name="Carla").update(status=Entry.Status.WAITING)
    assert sent_mails() == []
    assert set(Outgoing.objects.values_list("state", "reason")) == {("failed", GONE)}
    shown = signed.get(url("manage-mails", invited)).content.decode()
    assert "No longer needed" in shown


def test_the_page_of_mails_names_players_and_sends_again(signed, invited, settings):
    send(signed, invited)
    shown = signed.get(url("manage-mails", invited)).content.decode()
    assert "Ada" in shown
    assert "gioca1@example.org" not in shown
    assert "Send again" not in shown
    assert len(sent_mails()) == 3
    mail = Outgoing.objects.get(receiver="gioca1@example.org")
    assert "Send again" in signed.get(url("manage-mails", invited)).content.decode()
    assert signed.post(url("manage-mail-again", invited, mail.pk)).status_code == 302
    assert [each.to for each in sent_mails()[3:]] == [["gioca1@example.org"]]
    other = make.open_event(make.organiser())
    assert signed.post(url("manage-mail-again", other, mail.pk)).status_code == 403


def test_the_api_tells_the_mails_and_sends_again(signed, invited):
    send(signed, invited)
    sent_mails()
    at = reverse("tournaments_api:mails", args=[invited.slug])
    told = signed.get(at).json()
    assert (told["waiting"], told["sent"], told["failed"]) == (0, 3, 0)
    assert sorted(each["player"] for each in told["mails"]) == [1, 2, 3]
    assert "gioca1@example.org" not in repr(told)
    again = reverse("tournaments_api:mail-again", args=[invited.slug, told["mails"][0]["id"]])
    assert signed.post(again).status_code == 204
    assert signed.get(at).json()["waiting"] == 1
    assert signed.get(at).json()["mails"][0]["state"] == "waiting"


def test_erasing_a_player_reaches_what_waits_for_them(signed, invited, by):
    send(signed, invited)
    ada = invited.entries.get(name="Ada")
    assert Outgoing.objects.filter(subject=ada.pk).exists()
    Event.objects.filter(pk=invited.pk).update(state=Event.State.FINISHED)
    erase_account(user=ada.user, confirm=ada.user.email)
    assert sorted(Outgoing.objects.values_list("receiver", flat=True)) == [
        "gioca2@example.org",
        "gioca3@example.org",
    ]
    delete_event_rows(invited)
    assert not Outgoing.objects.exists()


@pytest.mark.deep
def test_they_count_for_no_other_limit_and_no_other_limit_for_them(signed, invited):
    asked = RequestFactory().post("/")
    assert reserve_mail("invitation", "gioca1@example.org")
    assert "Waiting: 3" in send(signed, invited)
    assert len(sent_mails()) == 3
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
    signed.post(url("manage-links-mail", invited), headers={"host": "evil.example"})
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
    assert "Send emails" not in shown
    refused = signed.post(f"{page}mail/")
    assert refused.status_code == 409
    assert "SITE_ADDRESS" in refused.content.decode()
    assert sent_mails() == []
