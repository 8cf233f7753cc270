"""The clock of a round on the pages: what they say, the buttons, its settings."""

import re

import pytest
from django.test import Client

from rules.events.clock import ClockState
from tests import factories as make
from tests.browsers import ENGLISH, by_link, signed_in, text, url
from tests.tournaments.clock.by_hand import PAUSE, RESUME, START, act, shown
from tournaments.clock import services as clock
from tournaments.events.services.events import change_event
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def seconds(page: str) -> float:
    return float(re.search(r'data-left="(-?[\d.]+)"', page)[1])


def test_every_page_says_the_same(event, by, time):
    match = event.rounds.get().matches.get(table=1)
    player, other = by_link(match.players[0], by), by_link(match.players[1], by)
    desk = signed_in(make.staff(event))
    act(event, START, by)
    time.pass_by(123.4)
    clock.extend(match=match, minutes=5, reason="Controllo", by=by)
    pages = {
        "desk": desk.get(url("desk", event)),
        "pairings": Client(headers=ENGLISH).get(url("pairings", event)),
        "player": player.get(url("me", event)),
        "opponent": other.get(url("me", event)),
    }
    assert {seconds(text(page)) for page in pages.values()} == {2876.6}
    assert 'data-extra="5"' in text(pages["player"])
    assert 'data-own="5"' in text(pages["desk"])
    assert 'data-own="5"' in text(pages["pairings"])
    until = '2026-12-05T10:50:00+01:00">10:50</time>'
    assert until in text(pages["pairings"])
    assert "10:55</time>" in text(pages["player"])


def test_what_is_left_is_told_where_nothing_has_changed(event, by, time):
    match = event.rounds.get().matches.get(table=1)
    act(event, START, by)
    for client, address in (
        (signed_in(by), url("desk-tables", event)),
        (Client(headers=ENGLISH), url("pairings", event)),
        (by_link(match.players[0], by), url("me-now", event)),
    ):
        first = client.get(address, headers={"HX-Request": "true"})
        left = first["X-Clock"]
        time.pass_by(10)
        headers = {"HX-Request": "true", "If-None-Match": first["ETag"]}
        again = client.get(address, headers=headers)
        assert again.status_code == 304
        assert again["X-Clock"] == f"running {float(left.split()[1]) - 10:.2f}"
        act(event, PAUSE, by)
        changed = client.get(address, headers=headers)
        assert (changed.status_code, changed["X-Clock"][:7]) == (200, "paused ")
        act(event, RESUME, by)


def test_an_earlier_round_shows_no_clock(event, by, time):
    make.play_round(event.rounds.get(), by)
    make.next_round(event, by)
    act(event, START, by, ordinal=2)
    client = Client(headers=ENGLISH)
    assert "data-clock" in text(client.get(url("pairings", event)))
    assert "data-clock" not in text(client.get(url("pairings", event, 1)))


def test_the_buttons(event, by, time):
    judge = signed_in(make.staff(event))
    address = url("desk-clock", event, 1)
    page = text(judge.get(url("desk", event)))
    assert "Start the clock" in page
    answer = judge.post(address, {"action": "start", "version": "0"}, follow=True)
    assert "The clock is running." in text(answer)
    assert "Stop the clock" in text(answer)
    again = judge.post(address, {"action": "start", "version": "0"})
    assert again.status_code == 409
    assert "Somebody else has just set the clock" in text(again)
    assert "Stop the clock" in text(again)
    for body in ({}, {"action": "x", "version": "1"}, {"action": "add", "version": "1"}):
        assert judge.post(address, body).status_code == 400
    more = judge.post(address, {"action": "add", "version": "1", "minutes": "5"}, follow=True)
    assert "+5 min" in text(more)
    assert shown(event).minutes == 55


def test_a_page_without_any_staff_has_no_buttons(event, by, time):
    assert url("desk-clock", event, 1) not in text(Client().get(url("pairings", event)))


def test_warnings_are_set_in_the_settings(event, by):
    client = signed_in(by)
    page = text(client.get(url("manage-settings", event)))
    assert 'value="15, 10, 5"' in page
    form = {"name": event.name, "starts_at": "2026-12-05T10:00", "minutes": "50"}
    for typed, stored in (("20 5", [20, 5]), ("", []), ("5;10", [10, 5])):
        answer = client.post(url("manage-settings", event), form | {"warnings": typed})
        assert answer.status_code == 302, text(answer)
        assert Event.objects.get(pk=event.pk).warnings == stored
    for wrong in ("x", "0", "601", "1 2 3 4 5 6 7", "9" * 50):
        answer = client.post(url("manage-settings", event), form | {"warnings": wrong})
        assert answer.status_code == 400


def test_overtime_is_told_after_the_end_and_then_that_time_is_up(event, by, time):
    change_event(event=event, changes={"overtime": 5}, by=by)
    match = event.rounds.get().matches.get(table=1)
    anybody, player = Client(headers=ENGLISH), by_link(match.players[0], by)
    desk = signed_in(make.staff(event))
    act(event, START, by)
    time.pass_by(3000 + 72)
    for client, name in (
        (anybody, "pairings"),
        (anybody, "screen"),
        (player, "me"),
        (desk, "desk"),
    ):
        said = text(client.get(url(name, event)))
        assert "Overtime: 5 minutes after the end</span>" in said, name
        assert "+1:12" in said, name
    time.pass_by(240)
    said = text(anybody.get(url("pairings", event)))
    assert "Overtime: 5 minutes after the end</span>" not in said
    assert 'data-overtime="5"' in said
    assert shown(event).state is ClockState.OVER


def test_overtime_is_set_in_the_settings(event, by):
    client = signed_in(by)
    form = {"name": event.name, "starts_at": "2026-12-05T10:00", "minutes": "50"}
    for typed, stored in (("5", 5), ("0", None), ("", None)):
        answer = client.post(url("manage-settings", event), form | {"overtime": typed})
        assert answer.status_code == 302, text(answer)
        assert Event.objects.get(pk=event.pk).overtime == stored
    answer = client.post(url("manage-settings", event), form | {"overtime": "61"})
    assert answer.status_code == 400
    assert "less than or equal to 60" in text(answer)
