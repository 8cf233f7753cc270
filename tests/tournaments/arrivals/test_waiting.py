"""The waiting list at the door: nobody moves up unseen, and whoever is there is let in."""

import re

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import signed_in
from tournaments.arrivals.photos import check_in_code
from tournaments.arrivals.services import drop_absent_players, drop_players_without_list
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.events import services as events
from tournaments.lots.services import draw_start_order
from tournaments.models import Entry, Seat
from tournaments.players.selectors.answers import registration_state
from tournaments.players.selectors.returns import waiting_list_position
from tournaments.players.services import departures, entries
from tournaments.players.services.departures import request_rejoin
from tournaments.players.services.entries import (
    admit_waiting_player,
    check_in,
    move_to_waiting_list_end,
)
from tournaments.starting.services import start_event
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
STATUS = Entry.Status


@pytest.fixture
def event(by):
    """Return an event with four places, three who wait, and Ada marked as present."""
    found = make.open_event(by, capacity=4, formula="single-group")
    make.players_more(found, ["Ada", "Bea", "Carlo", "Dora", "Wanda", "Xeno", "Yuri"], by)
    check_in(entry=found.entries.get(name="Ada"), by=by)
    found.refresh_from_db()
    return found


@pytest.fixture
def client(by):
    return signed_in(by)


def waiting(event):
    return [entry.name for entry in event.entries.waiting()]


def numbers(event, *names):
    return set(event.entries.filter(name__in=names).values_list("number", flat=True))


def entry_of(event, name):
    return event.entries.get(name=name)


def here(event):
    return reverse("tournaments:arrivals", args=[event.slug])


def door(event, entry):
    return reverse("tournaments:arrivals-waiting", args=[event.slug, entry.number])


def in_line(event, *names):
    facts = load_facts(event)
    return [waiting_list_position(facts, entry_of(event, name).number) for name in names]


def called(client, event):
    """Return whom the door names as next, in order."""
    page = client.get(here(event)).content.decode()
    part = page.partition('id="called"')[2].partition("</section>")[0]
    return re.findall(r'<bdi class="person">(\w+)', part)


def test_nobody_moves_up_when_the_absent_are_withdrawn(event, by):
    drop_absent_players(event=event, numbers=numbers(event, "Bea", "Carlo"), by=by)
    assert waiting(event) == ["Wanda", "Xeno", "Yuri"]
    line = event.log.get(action="entry.withdrawn_many")
    undo(event=event, expected=line.number, by=by)
    assert entry_of(event, "Bea").status == STATUS.REGISTERED


def test_the_door_shows_who_asks_to_come_back(event, by, client):
    bea = departures.withdraw(entry=entry_of(event, "Bea"), by=by)
    assert "Return requested" not in client.get(here(event)).content.decode()
    request_rejoin(entry=bea, by=Actor(entry=bea))
    page = client.get(here(event)).content.decode()
    assert "Return requested" in page
    assert reverse("tournaments:manage-player-return", args=[event.slug, bea.number]) in page


def test_nobody_moves_up_though_nobody_was_marked_before_the_absent_left(by):
    event = make.open_event(by, capacity=2)
    make.players_more(event, ["Ada", "Bea", "Wanda"], by)
    drop_absent_players(event=event, numbers=numbers(event, "Bea"), by=by)
    assert waiting(event) == ["Wanda"]


@pytest.mark.parametrize("act", [departures.withdraw, entries.remove_entry])
@pytest.mark.parametrize("leaves", ["Ada", "Bea"])
def test_nobody_moves_up_when_one_leaves_a_door_in_use(event, by, leaves, act):
    act(entry=entry_of(event, leaves), by=by)
    assert waiting(event) == ["Wanda", "Xeno", "Yuri"]


def test_nobody_moves_up_for_a_missing_list_more_places_or_an_undo(event, by):
    drop_players_without_list(event=event, numbers=numbers(event, "Bea"), by=by)
    events.change_event(event=event, changes={"capacity": 6}, by=by)
    late = entries.add_entry(event=event, name="Zita", by=by)
    line = event.log.get(action="entry.added", subject="Zita")
    undo(event=event, expected=line.number, by=by)
    assert waiting(event) == ["Wanda", "Xeno", "Yuri"]
    assert late.status == STATUS.WAITING, "a free place is theirs who wait already"


def test_before_the_door_is_in_use_the_first_who_waits_moves_up(event, by):
    check_in(entry=entry_of(event, "Ada"), action="undo_check_in", by=by)
    departures.withdraw(entry=entry_of(event, "Bea"), by=by)
    assert waiting(event) == ["Xeno", "Yuri"]


def test_the_page_names_who_is_next_after_the_absent_are_withdrawn(event, client):
    sent = {"player": sorted(numbers(event, "Bea", "Carlo"))}
    address = reverse("tournaments:arrivals-absent", args=[event.slug])
    page = client.post(address, sent, follow=True).content.decode()
    assert "Next on the waiting list: Wanda, Xeno" in page
    assert waiting(event) == ["Wanda", "Xeno", "Yuri"]


def freed(event, by):
    """Free two places."""
    drop_absent_players(event=event, numbers=numbers(event, "Bea", "Carlo"), by=by)


@pytest.mark.deep
def test_the_door_lets_in_who_is_here(event, by, client):
    assert 'id="called"' not in client.get(here(event)).content.decode()
    assert in_line(event, "Wanda", "Yuri", "Ada") == [1, 3, 0]
    freed(event, by)
    assert called(client, event) == ["Wanda", "Xeno"]
    assert in_line(event, "Wanda", "Xeno", "Yuri") == [0, 0, 1], "the free places are theirs"
    wanda, yuri = entry_of(event, "Wanda"), entry_of(event, "Yuri")
    answer = client.post(door(event, wanda), {"later": "1"}, follow=True)
    assert "Saved: Wanda" in answer.content.decode()
    assert waiting(event) == [*called(client, event), "Wanda"] == ["Xeno", "Yuri", "Wanda"]
    answer = client.post(door(event, yuri), follow=True)
    assert "Saved: Yuri" in answer.content.decode()
    yuri.refresh_from_db()
    assert (yuri.status, yuri.waiting_since) == (STATUS.CHECKED_IN, None)
    assert called(client, event) == ["Xeno"]
    assert client.post(door(event, yuri)).status_code == 409


def test_the_players_page_lets_in(event, by, client):
    wanda = entry_of(event, "Wanda")
    page = reverse("tournaments:manage-player", args=[event.slug, wanda.number])
    enter = reverse("tournaments:manage-player-enter", args=[event.slug, wanda.number])
    assert ">Check in<" in client.get(page).content.decode()
    assert client.post(enter).status_code == 409
    freed(event, by)
    shown = client.post(enter, follow=True).content.decode()
    assert "Saved: Wanda" in shown
    assert ">Check in<" not in shown


def test_no_more_are_let_in_than_there_are_places(event, by, client):
    with pytest.raises(RuleError) as refused:
        admit_waiting_player(entry=entry_of(event, "Wanda"), by=by)
    assert refused.value.code == "no_free_place"
    freed(event, by)
    admit_waiting_player(entry=entry_of(event, "Wanda"), by=by)
    admit_waiting_player(entry=entry_of(event, "Xeno"), here=False, by=by)
    assert entry_of(event, "Xeno").status == STATUS.REGISTERED
    assert 'id="called"' not in client.get(here(event)).content.decode()
    assert client.post(door(event, entry_of(event, "Yuri"))).status_code == 409
    assert waiting(event) == ["Yuri"]


@pytest.mark.deep
def test_letting_in_and_asking_later_can_be_taken_back(event, by):
    freed(event, by)
    for act in (admit_waiting_player, move_to_waiting_list_end):
        act(entry=entry_of(event, "Wanda"), by=by)
        undo(event=event, expected=event.log.order_by("number").last().number, by=by)
        assert waiting(event) == ["Wanda", "Xeno", "Yuri"]


def test_only_who_runs_the_event_lets_in_and_only_before_the_start(event, by):
    freed(event, by)
    judge = make.staff(event, "judge")
    wanda = entry_of(event, "Wanda")
    with pytest.raises(PermissionDenied):
        admit_waiting_player(entry=wanda, by=judge)
    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    for act in (admit_waiting_player, move_to_waiting_list_end):
        with pytest.raises(RuleError) as refused:
            act(entry=wanda, by=by)
        assert refused.value.code == "event_started"
    assert waiting(event) == ["Wanda", "Xeno", "Yuri"]
    assert [seat.entry.name for seat in Seat.objects.filter(stage__event=event)] == ["Ada", "Dora"]


def test_the_code_of_who_waits_lets_them_in(event, by, client):
    freed(event, by)
    wanda = entry_of(event, "Wanda")
    address = reverse("tournaments:arrive", args=[event.slug, check_in_code(wanda)])
    assert ">Check in<" in client.get(address).content.decode()
    assert client.post(address).status_code == 302
    assert entry_of(event, "Wanda").status == STATUS.CHECKED_IN


def test_the_api_behaves_alike(event, client):
    api = f"/api/v1/events/{event.slug}/players/"

    def patch(name, **body):
        address = f"{api}{entry_of(event, name).number}/"
        return client.patch(address, body, content_type="application/json")

    assert patch("Bea", status="withdrawn").status_code == 200
    assert patch("Wanda", status="checked_in").json()["status"] == "checked_in"
    full = patch("Xeno", status="registered")
    assert (full.status_code, full.json()["code"]) == (409, "no_free_place")
    client.delete(f"{api}{entry_of(event, 'Carlo').number}/")
    assert patch("Yuri", status="registered").json()["status"] == "registered"
    listed = client.get(api, {"status": "waiting"}).json()["results"]
    assert [player["name"] for player in listed] == waiting(event) == ["Xeno"]


def test_a_free_place_is_not_offered_to_who_comes_later(event, by):
    freed(event, by)
    registration = registration_state(event)
    assert registration["leads_to_waiting_list"]
    assert registration["waiting"] == 3
