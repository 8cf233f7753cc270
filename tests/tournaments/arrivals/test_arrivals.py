"""The door: marking one, all, none; withdrawing who is missing; codes that only check in."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import by_link, signed_in
from tournaments.arrivals.photos import check_in_code, entry_by_code
from tournaments.arrivals.selectors import check_in_list
from tournaments.arrivals.services import (
    check_in_many,
    drop_absent_players,
    drop_players_without_list,
)
from tournaments.core.event_state import load_facts
from tournaments.core.names import fold_for_search
from tournaments.events.services import change_event
from tournaments.models import Entry, Event
from tournaments.personal.selectors.decisions import logged_drop
from tournaments.players.services.entries import check_in
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
STATUS = Entry.Status


@pytest.fixture
def event(by):
    """Return an event before its start with six players, the first of them here."""
    found = make.open_event(by, capacity=6, decklists="required")
    make.players_more(found, ["Ada", "Đorđe", "Dario", "Àlvaro", "Zeno", "Őry"], by)
    check_in(entry=found.entries.get(name="Ada"), by=by)
    found.refresh_from_db()
    return found


@pytest.fixture
def client(by):
    return signed_in(by)


def statuses(event):
    return dict(event.entries.values_list("name", "status"))


def numbers(event, *names):
    return set(event.entries.filter(name__in=names).values_list("number", flat=True))


def here(client, event, *parts):
    return client.get(reverse("tournaments:arrivals" + "".join(parts), args=[event.slug]))


def test_names_stand_where_people_look():
    names = ["Zeno", "Đorđe", "Dario", "Àlvaro", "Ezio", "Øystein", "Otto", "łukasz", "Luca"]
    assert sorted(names, key=fold_for_search) == [
        *("Àlvaro", "Dario", "Đorđe", "Ezio", "Luca", "łukasz", "Otto", "Øystein", "Zeno")
    ]


def test_the_list_counts_who_is_here_and_what_is_missing(event, by):
    make.hand_in(event.entries.get(name="Zeno"), by=by)
    found = check_in_list(event)
    assert [row.entry.name for row in found.rows] == [
        *("Ada", "Àlvaro", "Dario", "Đorđe", "Őry", "Zeno")
    ]
    assert (found.here, found.expected, len(found.absent)) == (1, 6, 5)
    assert len(found.without_list) == 5


def test_all_present_and_back(event, by):
    wanted = numbers(event, "Dario", "Zeno", "Ada")
    found = check_in_many(event=event, numbers=wanted, by=by)
    assert {entry.name for entry in found} == {"Dario", "Zeno"}  # Ada was here before
    line = event.log.order_by("number").last()
    assert (line.action, len(line.after["numbers"])) == ("entry.checked_in_many", 2)
    undo(event=event, expected=line.number, by=by)
    assert statuses(event)["Ada"] == STATUS.CHECKED_IN
    assert statuses(event)["Zeno"] == STATUS.REGISTERED


def test_the_absent_are_withdrawn_and_the_waiting_wait(event, by, client):
    make.players_more(event, ["Wanda"], by)
    assert statuses(event)["Wanda"] == STATUS.WAITING
    asked = here(client, event, "-absent").content.decode()
    assert "On the waiting list: 1" in asked
    wanted = numbers(event, "Ada", "Zeno", "Dario")
    found = drop_absent_players(event=event, numbers=wanted, by=by)
    assert {entry.name for entry in found} == {"Dario", "Zeno"}  # Ada arrived
    assert statuses(event)["Ada"] == STATUS.CHECKED_IN
    assert statuses(event)["Wanda"] == STATUS.WAITING
    line = event.log.get(action="entry.withdrawn_many")
    facts, left = load_facts(event), event.entries.get(name="Zeno")
    with override("en"):
        noted = logged_drop(facts, left)
        assert (noted.taken_out, noted.absent) == (True, False)
        assert logged_drop(facts, event.entries.get(name="Ada")) is None
    undo(event=event, expected=line.number, by=by)
    assert statuses(event)["Zeno"] == STATUS.REGISTERED


def test_who_handed_a_list_in_meanwhile_stays(event, by):
    wanted = numbers(event, "Ada", "Zeno")
    make.hand_in(event.entries.get(name="Zeno"), by=by)
    found = drop_players_without_list(event=event, numbers=wanted, by=by)
    assert [entry.name for entry in found] == ["Ada"]
    assert statuses(event)["Zeno"] == STATUS.REGISTERED


@pytest.mark.parametrize("act", [check_in_many, drop_absent_players])
def test_nobody_left_is_a_refusal_and_nothing_is_stored(event, by, act):
    version = event.version
    with pytest.raises(RuleError) as refused:
        act(event=event, numbers=numbers(event, "Ada"), by=by)
    assert refused.value.code == "nobody_left"
    event.refresh_from_db()
    assert event.version == version


def test_after_the_start_nobody_is_withdrawn_from_the_door(by):
    started = make.started(by, 4)
    with pytest.raises(RuleError):
        drop_absent_players(event=started, numbers={1, 2}, by=by)
    assert STATUS.WITHDRAWN not in statuses(started).values()


def test_a_code_only_checks_in(event, by, client):
    entry = event.entries.get(name="Zeno")
    entry.event = event
    code = check_in_code(entry)
    address = reverse("tournaments:arrive", args=[event.slug, code])
    assert Client().get(address).status_code == 403
    assert Client().post(address).status_code == 403
    shown = client.get(address)
    assert "Zeno" in shown.content.decode()
    assert statuses(event)["Zeno"] == STATUS.REGISTERED  # a look stores nothing
    assert client.post(address).status_code == 302
    assert statuses(event)["Zeno"] == STATUS.CHECKED_IN
    assert client.post(address).status_code == 409


def test_the_player_has_the_code_until_they_are_here(event, by):
    event = change_event(event=event, changes={"starts_at": timezone.now()}, by=by)
    entry = event.entries.get(name="Zeno")
    browser = by_link(entry, by)
    own = reverse("tournaments:me", args=[event.slug])
    assert "Your check-in code" in browser.get(own).content.decode()
    check_in(entry=entry, by=by)
    assert "Your check-in code" not in browser.get(own).content.decode()


def test_codes_of_others_are_of_nobody(event, by, client):
    other = make.open_event(by)
    make.players_more(other, ["Zeno"], by)
    entry = other.entries.get()
    entry.event = other
    code = check_in_code(entry)
    assert entry_by_code(event, code) is None
    assert entry_by_code(other, code) == entry
    for spoilt in (code[:-1], code.replace("-", "~"), "1-1", "x" * 300):
        assert (
            client.get(reverse("tournaments:arrive", args=[other.slug, spoilt])).status_code == 404
        )


def test_marking_answers_with_the_row_and_the_counts(event, client):
    number = event.entries.get(name="Zeno").number
    address = reverse("tournaments:arrivals-mark", args=[event.slug, number])
    text = client.post(address, headers={"hx-request": "true"}).content.decode()
    assert f'id="player-{number}"' in text
    assert 'hx-swap-oob="true"' in text
    assert "<strong>2</strong>" in text
    again = client.post(address, headers={"hx-request": "true"})
    assert again.status_code == 409
    assert 'role="alert"' in again.content.decode()
    undone = client.post(address, {"undo": "1"})
    assert undone.status_code == 302
    assert statuses(event)["Zeno"] == STATUS.REGISTERED


def test_many_shows_whom_first(event, client):
    page = here(client, event, "-absent").content.decode()
    assert all(name in page for name in ("Zeno", "Đorđe"))
    assert page.count("Drop absent players") == 3  # in the title, above the names, on the button
    assert statuses(event)["Zeno"] == STATUS.REGISTERED
    sent = {"player": sorted(numbers(event, "Zeno", "Őry"))}
    answer = client.post(reverse("tournaments:arrivals-absent", args=[event.slug]), sent)
    assert answer.status_code == 302
    assert statuses(event) | {"Zeno": STATUS.WITHDRAWN, "Őry": STATUS.WITHDRAWN} == statuses(event)
    assert statuses(event)["Dario"] == STATUS.REGISTERED
    rubbish = client.post(
        reverse("tournaments:arrivals-absent", args=[event.slug]), {"player": ["x", "²", "-1"]}
    )
    assert rubbish.status_code == 409


def test_all_and_those_without_a_list_by_the_page(event, client):
    every = {"player": sorted(numbers(event, "Zeno", "Dario"))}
    assert (
        client.post(reverse("tournaments:arrivals-all", args=[event.slug]), every).status_code
        == 302
    )
    assert statuses(event)["Zeno"] == STATUS.CHECKED_IN
    none = {"player": sorted(numbers(event, "Őry"))}
    address = reverse("tournaments:arrivals-no-list", args=[event.slug])
    assert "Őry" in client.get(address).content.decode()
    assert client.post(address, none).status_code == 302
    assert statuses(event)["Őry"] == STATUS.WITHDRAWN


def test_a_list_that_nobody_must_hand_in_is_nothing_to_put_in_order(event, client):
    assert b"Decklist missing" in here(client, event).content
    Event.objects.filter(pk=event.pk).update(decklists="optional")
    page = here(client, event).content.decode()
    assert "Decklist missing" not in page
    assert "Decklist missing" not in page
    assert " todo" not in page


def test_names_that_are_marked_together_stand_in_columns(event, client):
    page = here(client, event, "-all").content.decode()
    assert page.count("Mark all as present") == 3, "the title, the heading, the button"
    assert "names-of-many" in page
    assert "tournaments/arrivals." in page, "its style is missing"
