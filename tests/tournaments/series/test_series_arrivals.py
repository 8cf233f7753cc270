"""One door for the events of a day: a row for each person, which several phones mark at once."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests import factories as make
from tests.browsers import signed_in
from tests.convention import Convention, hold_convention
from tournaments.core.permissions import Actor
from tournaments.events.services import change_event
from tournaments.lots.services import draw_start_order
from tournaments.models import Entry, Event, StaffRole
from tournaments.players.services.entries import check_in
from tournaments.series.selectors import read_series
from tournaments.series.today import arriving_people, count_attendance, events_checking_in
from tournaments.starting.services import start_event

pytestmark = pytest.mark.django_db
DOOR = "/series/fiera/arrivals/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def fair(by: Actor) -> Convention:
    """Return a convention with two events in which players check in."""
    return hold_convention(by)


def key(event: Event, number: int) -> str:
    return f"{event.slug}:{number}"


def status(event: Event, number: int) -> str:
    return str(event.entries.get(number=number).status)


def sent(client: Client, players: list[str], **fields: Any) -> tuple[int, str]:
    """Send the form of a row; return the status and the row."""
    answer = client.post(f"{DOOR}mark/", {"player": players, **fields}, headers=HTMX)
    return answer.status_code, unescape(answer.content.decode())


def test_a_person_is_one_row_with_a_button_for_each_event(fair, by):
    facts = read_series("fiera", by)
    people = arriving_people(facts, events_checking_in(facts, by))
    assert [person.entry.name for person in people] == [
        "Ada",
        "Bea",
        "Carlo",
        "Dora",
        "Elio",
        "Fosca",
    ]
    assert [len(person.players) for person in people] == [2, 2, 2, 1, 1, 1]
    text = unescape(signed_in(by).get(DOOR).content.decode())
    assert text.count("<li data-row") == 6
    assert (
        text.count(f'name="only" value="{key(fair.duna, 1)}"')
        + text.count(f'value="{key(fair.duna, 1)}"\n                name="only"')
        == 1
    )


def test_only_events_before_their_start_and_of_the_readers_staff(fair, by):
    def opened(actor: Actor) -> list[str]:
        return [event.name for event in events_checking_in(read_series("fiera", actor), actor)]

    assert opened(by) == ["Cena", "Duna"]
    judge = make.staff(fair.duna)
    assert opened(judge) == ["Duna"]
    assert opened(Actor()) == []
    later = timezone.now() + timedelta(days=2)
    change_event(event=fair.cena, changes={"starts_at": later, "here_minutes": 0}, by=by)
    assert opened(by) == ["Duna"]
    change_event(event=fair.cena, changes={"here_minutes": 3 * 24 * 60}, by=by)
    assert opened(by) == ["Duna", "Cena"]
    draw = draw_start_order(event=fair.duna, seed="1", by=by)
    start_event(event=fair.duna, draw_number=draw.number, by=by)
    assert opened(by) == ["Cena"]


@pytest.mark.parametrize("method", ["get", "post"])
def test_nobody_else_gets_in(fair, client, method):
    path = DOOR if method == "get" else f"{DOOR}mark/"
    for reader in (client, signed_in(Actor(user=make.user()))):
        assert getattr(reader, method)(path).status_code == 403


def test_one_button_checks_a_person_in_for_all_their_events(fair, by):
    client, both = signed_in(by), [key(fair.cena, 1), key(fair.duna, 1)]
    code, row = sent(client, both, mark=both)
    assert code == 200
    assert 'aria-pressed="true"' in row
    assert 'id="door-counts"' in row
    assert [status(event, 1) for event in (fair.cena, fair.duna)] == ["checked_in"] * 2
    assert [(one["here"], one["expected"]) for one in count_attendance([fair.cena, fair.duna])] == [
        *((1, 6), (1, 3)),
    ]
    answer = client.post(f"{DOOR}mark/", {"player": both, "mark": both, "undo": "1"})
    assert (answer.status_code, answer["Location"]) == (302, DOOR)
    assert [status(event, 1) for event in (fair.cena, fair.duna)] == ["registered"] * 2


def test_a_button_marks_one_event_and_takes_it_back(fair, by):
    client, both = signed_in(by), [key(fair.cena, 2), key(fair.duna, 2)]
    sent(client, both, mark=both, only=both[1])
    assert (status(fair.cena, 2), status(fair.duna, 2)) == ("registered", "checked_in")
    sent(client, both, mark=both[:1], back=both[1])
    assert (status(fair.cena, 2), status(fair.duna, 2)) == ("registered", "registered")


def test_a_slower_phone_gets_the_row_as_it_is(fair, by):
    client, both = signed_in(by), [key(fair.cena, 1), key(fair.duna, 1)]
    check_in(entry=fair.cena.entries.get(number=1), by=by)
    code, row = sent(client, both, mark=both)
    assert code == 409
    assert 'role="alert"' in row
    assert 'name="undo"' in row  # both are here now
    assert status(fair.duna, 1) == Entry.Status.CHECKED_IN


def test_a_fee_is_noted_for_its_event(fair, by):
    change_event(event=fair.cena, changes={"fee": "5 €"}, by=by)
    client, both = signed_in(by), [key(fair.cena, 1), key(fair.duna, 1)]
    assert "Mark as paid" in client.get(DOOR).content.decode()
    sent(client, both, mark=both, paid=both[0])
    assert fair.cena.entries.get(number=1).fee_paid
    assert status(fair.cena, 1) == Entry.Status.REGISTERED
    sent(client, both, mark=both, unpaid=both[0])
    assert not fair.cena.entries.get(number=1).fee_paid


def test_what_no_row_sends_is_refused_and_stores_nothing(fair, by):
    client, other = signed_in(by), make.open_event(by)
    make.players(other, 1, by)
    known = key(fair.cena, 1)
    for players, fields in (
        ([], {}),
        ([key(other, 1)], {"mark": key(other, 1)}),
        ([key(fair.cena, 99)], {}),
        ([f"{fair.cena.slug}:x"], {}),
        ([known], {"mark": key(fair.cena, 2)}),
        ([known], {"only": key(fair.duna, 1)}),
    ):
        assert sent(client, players, **fields)[0] == 400
    assert not Entry.objects.filter(status=Entry.Status.CHECKED_IN).exists()


def test_staff_of_one_event_marks_nobody_in_another(fair):
    judge = make.staff(fair.duna, StaffRole.Role.SCOREKEEPER)
    both = [key(fair.cena, 1), key(fair.duna, 1)]
    assert sent(signed_in(judge), both, mark=both)[0] == 403
    assert sent(signed_in(judge), both[1:], mark=both[1:])[0] == 200
    assert (status(fair.cena, 1), status(fair.duna, 1)) == ("registered", "checked_in")
