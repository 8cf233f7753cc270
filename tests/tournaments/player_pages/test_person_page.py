"""A person's page across events: only who chose it has one, and what it tells."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from django.test import client as test_client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from tests import factories as make
from tests.browsers import read
from tests.front import Through, before_client
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.decklists.services import hide_lists, publish_lists
from tournaments.erasing.services.erase import erase_account
from tournaments.models import Entry, Event
from tournaments.player_pages.selectors import A_PAGE, page_of
from tournaments.player_pages.services import hide_person, show_person
from tournaments.players.services.entries import register
from tournaments.rounds.services import draft_round
from tournaments.standings.services import release_standings

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def user() -> User:
    return make.user("ada@example.org", name="Ada Bianchi")


def playing(user: User, event: Event, number: int = 1) -> Event:
    """Return the event, in which a player is the user's from now on."""
    Entry.objects.filter(event=event, number=number).update(user=user)
    return event


def page_for(user: User) -> str:
    """Return the address of the user's page, which is shown from now on."""
    show_person(user=user)
    user.refresh_from_db()
    return reverse("tournaments:person", args=[user.person_key])


def of_player(event: Event, number: int = 1) -> str:
    return reverse("tournaments:player", args=[event.slug, number])


def test_nobody_has_one_who_did_not_choose_it(client: Client, user: User) -> None:
    event = playing(user, make.played(make.organiser(), 3, formula="single-group"))
    assert user.person_key is None
    assert "/people/" not in client.get(of_player(event)).content.decode()
    for key in ("none", "null", user.pk):
        assert client.get(reverse("tournaments:person", args=[key])).status_code == 404


def test_it_tells_what_the_players_own_pages_tell(client: Client, user: User) -> None:
    by = make.organiser()
    over = playing(user, make.played(by, 3, formula="single-group"))
    going = playing(user, make.halfway(by, 6, rounds=2), 2)
    words = read(client, page_for(user))
    assert "Ada Bianchi" in words
    assert "2 events on this site" in words
    for event, number in ((over, 1), (going, 2)):
        assert event.name in words
        shown = page_of(load_facts(event, drafts=False), number)
        assert shown
        assert shown["figures"][-1][0] in words
        assert f'href="{of_player(event, number)}"' in client.get(page_for(user)).content.decode()
    with translation.override("en"):
        final = page_of(load_facts(over, drafts=False), 1)
    assert final
    assert "final rank, of 3" in words
    assert final["figures"][0][0] in words


def test_only_entries_of_the_account_itself_are_there(client: Client, user: User) -> None:
    by = make.organiser()
    own, other, namesake = (make.played(by, 3, formula="single-group") for _event in range(3))
    playing(user, own)
    playing(make.user("other@example.org", name="Ada Bianchi"), other)
    Entry.objects.filter(event=namesake, number=1).update(name="Ada Bianchi")
    html = client.get(page_for(user)).content.decode()
    assert of_player(own) in html
    assert other.slug not in html
    assert namesake.slug not in html


def test_their_players_pages_lead_to_it_and_no_other(client: Client, user: User) -> None:
    event = playing(user, make.played(make.organiser(), 3, formula="single-group"))
    to = page_for(user)
    assert f'href="{to}"' in client.get(of_player(event)).content.decode()
    assert "/people/" not in client.get(of_player(event, 2)).content.decode()


def test_chosen_otherwise_nothing_leads_there_at_the_next_request(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = playing(user, make.played(make.organiser(), 3, formula="single-group"))
    to = page_for(user)
    before_client()
    monkeypatch.setattr(test_client, "ClientHandler", Through)
    for _again in range(2):
        assert to in Client().get(of_player(event)).content.decode()
        assert Client().get(to).status_code == 200
    assert Through.rendered == [of_player(event)], "kept in front, and the person's page is not"
    hide_person(user=user)
    assert "/people/" not in Client().get(of_player(event)).content.decode()
    assert Client().get(to).status_code == 404
    assert page_for(user) != to
    assert Client().get(to).status_code == 404


def test_drafts_are_not_there(client: Client, user: User) -> None:
    by = make.organiser()
    draft = make.event(by)
    make.players(draft, 2, by)
    playing(user, draft)
    to = page_for(user)
    assert "No event yet." in read(client, to)
    client.force_login(by.user)
    assert draft.name not in read(client, to)
    event = playing(user, make.halfway(by, 4, rounds=1))
    before = client.get(to).content.decode()
    draft_round(event=event, expected_round=2, by=by)
    assert client.get(to).content.decode().count('class="disc ') == before.count('class="disc ')


def test_standings_that_are_held_back_are_held_back_here(client: Client, user: User) -> None:
    by = make.organiser()
    event = make.playing(by, 8, formula="swiss-cut", options={"rounds": 3}, standings_held="all")
    make.play_round(event.rounds.get(), by)
    first = load_facts(Event.objects.get(pk=event.pk)).stages[0].outcome
    (standings,) = first.standings.values()
    playing(user, event, standings.rows[-1].player)
    to = page_for(user)
    row = f"<b>{standings.rows[-1].rank}th</b>"
    english = {"accept-language": "en"}
    assert row not in client.get(to, headers=english).content.decode()
    release_standings(event=Event.objects.get(pk=event.pk), expected_round=1, by=by)
    assert row in client.get(to, headers=english).content.decode()


def test_a_list_is_linked_while_it_is_public(client: Client, user: User) -> None:
    by = make.organiser()
    event = playing(user, make.played(by, 3, formula="single-group", decklists="required"))
    to, of_list = page_for(user), reverse("tournaments:decklist", args=[event.slug, 1])
    client.force_login(by.user)
    assert of_list not in client.get(to).content.decode()
    publish_lists(event=event, by=by)
    assert of_list in client.get(to).content.decode()
    hide_lists(event=Event.objects.get(pk=event.pk), by=by)
    assert of_list not in client.get(to).content.decode()


def test_it_goes_with_the_account(client: Client, user: User) -> None:
    event = playing(user, make.played(make.organiser(), 3, formula="single-group"))
    to = page_for(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert client.get(to).status_code == 404
    assert "/people/" not in client.get(of_player(event)).content.decode()
    User.objects.filter(pk=user.pk).update(is_active=True)
    erase_account(user=user, confirm=user.email)
    user.refresh_from_db()
    assert user.person_key is None
    assert client.get(to).status_code == 404
    assert "/people/" not in client.get(of_player(event)).content.decode()


def test_the_choice_is_made_on_the_page_of_the_account(client: Client, user: User) -> None:
    event = playing(user, make.played(make.organiser(), 3, formula="single-group"))
    client.force_login(user)
    choose, account = reverse("tournaments:person-choose"), reverse("profile")
    assert "Show it to everybody" in read(client, account)
    for shown, action in (("yes", "person.shown"), ("no", "person.hidden")):
        for _twice in range(2):  # the second changes nothing
            assert client.post(choose, {"shown": shown}, follow=True).status_code == 200
        user.refresh_from_db()
        assert bool(user.person_key) == (shown == "yes")
        line = event.log.get(action=action)
        assert (line.by, line.after) == (user, {"number": 1})
    assert event.log.latest("number").action == "person.hidden"


def test_ten_events_stand_on_a_page_and_finished_ones_are_read_once(
    client: Client, user: User, django_assert_max_num_queries: object
) -> None:
    by = make.organiser()
    for _event in range(A_PAGE + 1):
        event = make.open_event(by)
        make.players(event, 2, by)
        playing(user, event)
    over = playing(user, make.played(by, 3, formula="single-group"))
    to = page_for(user)
    assert "Page 1 of 2" in read(client, to)
    assert "Page 2 of 2" in read(client, f"{to}?page=2")
    Event.objects.exclude(pk=over.pk).update(state=Event.State.DRAFT)
    read(client, to)
    with django_assert_max_num_queries(3):  # type: ignore[operator]
        assert over.name in read(client, to)


def test_who_registers_afterwards_is_there_at_once(client: Client, user: User) -> None:
    to = page_for(user)
    event = make.open_event(make.organiser())
    register(event=event, name="Ada", user=user, by=Actor(user=user))
    assert of_player(event) in client.get(to).content.decode()
