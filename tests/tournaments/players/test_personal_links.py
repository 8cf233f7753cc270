"""A personal link is the player: who makes one for somebody else, and how they learn of it."""

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event
from tournaments.players.selectors.players import latest_link_by_organiser, link_of_token
from tournaments.players.services import entries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


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
    to = reverse("tournaments:manage-player-link", args=[event.slug, ada.number])
    for sent in ({}, {"revoke": "1"}):
        assert client.post(to, sent).status_code == 403
    page = client.get(reverse("tournaments:manage-player", args=[event.slug, ada.number]))
    assert to not in page.content.decode()
    for act in (entries.make_link, entries.revoke_link):
        with pytest.raises(PermissionDenied):
            act(entry=ada, by=other)
    assert link_of_token(own) == link


def test_a_link_made_by_an_organiser_is_logged_and_told_on_the_players_page(
    event: Event, ada: Entry, by: Actor
) -> None:
    assert by.user is not None
    by.user.name = "Olga Neri"
    by.user.save()
    ada.user = make.user()
    ada.save()
    client = Client(headers={"accept-language": "en"})
    client.force_login(ada.user)
    page = reverse("tournaments:me", args=[event.slug])
    before = client.get(page)
    assert "made a personal link for you" not in before.content.decode()
    entries.make_link(entry=ada, by=by)
    line = event.log.order_by("number").last()
    assert line is not None
    assert (line.action, line.by, line.subject) == ("link.made", by.user, ada.name)
    told = client.get(page).content.decode()
    assert "Olga Neri" in told
    assert "made a personal link for you" in told
    now = client.get(reverse("tournaments:me-now", args=[event.slug]))
    assert "made a personal link for you" in now.content.decode()


def test_a_link_of_ones_own_is_nothing_to_tell(ada: Entry) -> None:
    entries.make_link(entry=ada, by=Actor(entry=ada))
    assert latest_link_by_organiser(ada) is None


def test_a_link_that_is_revoked_without_a_new_one_is_told(
    event: Event, ada: Entry, by: Actor
) -> None:
    ada.user = make.user()
    ada.save()
    old = entries.make_link(entry=ada, by=Actor(entry=ada))
    phone = Client(headers={"accept-language": "en"})
    assert phone.get(reverse("tournaments:open-link", args=[old])).status_code == 302
    page = reverse("tournaments:me", args=[event.slug])
    assert "was revoked" not in phone.get(page).content.decode()
    entries.revoke_link(entry=ada, by=by)
    gone = phone.get(reverse("tournaments:open-link", args=[old]))
    assert gone.status_code == 404
    assert "Ask the organiser for a new one" in gone.content.decode()
    assert phone.get(page).status_code == 403
    assert "Open your personal link, or sign in" in phone.get(page).content.decode()
    phone.force_login(ada.user)
    assert "was revoked" in phone.get(page).content.decode()
    entries.make_link(entry=ada, by=by)
    entries.revoke_link(entry=ada, by=by)
    told = phone.get(page).content.decode()
    assert "was revoked" in told
    assert "Whoever has it acts as you" not in told
