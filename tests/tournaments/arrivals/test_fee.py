"""The fee at the door, and from when players may say that they are here."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import by_link, signed_in
from tournaments.arrivals.selectors import check_in_list
from tournaments.arrivals.services import record_fee_payment
from tournaments.events.services import change_event
from tournaments.exports.loading import load_source
from tournaments.exports.tables import players_table
from tournaments.models import Entry
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    found = make.open_event(by, fee="10 €")
    make.players_more(found, ["Ada Rossi", "Ugo Verdi"], by)
    return found


@pytest.fixture
def client(by):
    return signed_in(by)


def address(event, name, *parts):
    return reverse(f"tournaments:{name}", args=[event.slug, *parts])


def test_presence_and_money_are_never_one_act(event, by, client):
    door = address(event, "arrivals-fee", 1)
    answer = client.post(door, headers={"hx-request": "true"})
    assert (answer.status_code, "paid" in answer.content.decode()) == (200, True)
    entry = event.entries.get(number=1)
    assert (entry.fee_paid, entry.status) == (True, Entry.Status.REGISTERED)
    assert check_in_list(event).unpaid == 1
    assert client.post(door, headers={"hx-request": "true"}).status_code == 409  # both helpers
    client.post(door, {"undo": "1"})
    assert not event.entries.get(number=1).fee_paid
    assert Client().post(door).status_code == 403


def test_it_is_taken_back_from_the_log(event, by):
    record_fee_payment(entry=event.entries.get(number=1), paid=True, by=by)
    line = event.log.latest("number")
    assert (line.action, line.after) == ("fee.paid", {"number": 1})
    undo(event=event, expected=line.number, by=by)
    assert not event.entries.get(number=1).fee_paid


@pytest.mark.parametrize(("fee", "taken"), [("10 €", True), ("", False), ("gratis", False)])
def test_only_an_event_with_an_amount_takes_a_fee(event, by, client, fee, taken):
    event = change_event(event=event, changes={"fee": fee}, by=by)
    text = client.get(address(event, "arrivals")).content.decode()
    assert ("Mark as paid: 10 €" in text) == taken
    assert (check_in_list(event).unpaid > 0) == taken


def test_the_staffs_workbook_says_who_paid(event, by):
    record_fee_payment(entry=event.entries.get(number=1), paid=True, by=by)
    event.refresh_from_db()
    of_staff = players_table(load_source(event, staff=True))
    assert [column.key for column in of_staff.columns][-1] == "fee"
    assert len({row[-1] for row in of_staff.rows}) == 2
    public = players_table(load_source(event, staff=False))
    assert "fee" not in [column.key for column in public.columns]


def test_players_say_that_they_are_here_from_two_hours_before(by):
    begins = timezone.now() + timedelta(hours=3)
    event = make.open_event(by, starts_at=begins, here_minutes=120)
    entry = make.players(event, 2, by)[0]
    phone = by_link(entry, by)
    page, button = address(event, "me"), address(event, "my-check-in")
    now = address(event, "me-now")
    text = phone.get(page).content.decode()
    assert "Check-in opens:" in text
    assert button not in text
    assert "Your check-in code" in text  # the staff may mark them at once
    assert phone.post(button).status_code == 409
    assert event.entries.get(pk=entry.pk).status == Entry.Status.REGISTERED
    tag = phone.get(now, headers={"hx-request": "true"})["ETag"]
    change_event(event=event, changes={"here_minutes": 240}, by=by)
    again = phone.get(now, headers={"hx-request": "true", "if-none-match": tag})
    assert (again.status_code, button in again.content.decode()) == (200, True)
    assert phone.post(button).status_code == 302
    assert event.entries.get(pk=entry.pk).status == Entry.Status.CHECKED_IN


def test_the_page_changes_when_the_time_has_come(by, monkeypatch):
    begins = timezone.now() + timedelta(hours=3)
    event = make.open_event(by, starts_at=begins, here_minutes=120)
    entry = make.players(event, 2, by)[0]
    phone = by_link(entry, by)
    page = address(event, "me-now")
    tag = phone.get(page, headers={"hx-request": "true"})["ETag"]
    later = timezone.now() + timedelta(hours=1, minutes=1)
    monkeypatch.setattr("tournaments.personal.selectors.state.timezone.now", lambda: later)
    again = phone.get(page, headers={"hx-request": "true", "if-none-match": tag})
    assert again.status_code == 200
    assert address(event, "my-check-in") in again.content.decode()


def test_the_organiser_sets_the_time_at_the_door(event, by, client):
    opens = address(event, "arrivals-opens")
    assert client.post(opens, {"minutes": "45"}).status_code == 302
    event.refresh_from_db()
    assert event.here_from == event.starts_at - timedelta(minutes=45)
    for wrong in ("", "-1", "10081", "1e3", "two"):
        client.post(opens, {"minutes": wrong})
    event.refresh_from_db()
    assert event.here_minutes == 45
    assert Client().post(opens, {"minutes": "5"}).status_code == 403


def test_the_staff_marks_whom_they_see_at_any_time(by):
    event = make.open_event(by, here_minutes=0)
    entry = make.players(event, 2, by)[0]
    with pytest.raises(RuleError):
        record_fee_payment(entry=entry, paid=False, by=by)
    client = signed_in(by)
    client.post(address(event, "arrivals-mark", entry.number))
    assert event.entries.get(pk=entry.pk).status == Entry.Status.CHECKED_IN
