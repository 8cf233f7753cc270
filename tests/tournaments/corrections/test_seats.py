"""The seat of a player who has left goes to who comes next in the stage before."""

import re

import pytest

from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.tournaments.corrections.test_follow import DOOMTROOPER, settled, sound, two_groups
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import departure_of
from tournaments.corrections.services.carrying import give_away
from tournaments.models import Match
from tournaments.players.services.departures import disqualify
from tournaments.stages.services import close_stage
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db


def test_page(by: Actor) -> None:
    event = two_groups(by)
    before = load_facts(event).stages[1].state
    out = before.seats["I"][0]
    client, address = signed_in(by), url("manage-player-seat", event, out)
    assert client.get(address).status_code == 302  # who plays keeps the seat
    disqualify(entry=event.entries.get(number=out), reason="Not a member", by=by)
    assert address in text(client.get(url("manage-player", event, out)))
    page = text(client.get(address))
    shown = re.search(r'name="shown" value="(\w+)"', page)[1]
    again = re.findall(r'name="again" value="(\d+)"', page)
    assert len(again) == 2  # others move up, too
    sent = {"shown": shown, "later": "follow", "confirm": "follow", "again": again}
    assert client.post(address, sent).status_code == 400  # a reason is asked for
    assert client.post(address, sent | {"reason": "x", "shown": "other"}).status_code == 409
    done = client.post(address, sent | {"reason": "Not a member"}, follow=True)
    assert "The seat is given to who comes next." in text(done)
    after = load_facts(event).stages[1].state
    assert out not in after.players
    assert len(set(after.players) - set(before.players)) == 1
    given = Match.objects.filter(round__event=event).exclude(earlier=[])
    assert {str(each.pk) for each in given} > set(again)
    assert sound(event) == []
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert load_facts(event).stages[1].state.seats == before.seats
    assert sound(event) == []


def test_where_nobody_comes_next_a_seat_becomes_free(by: Actor) -> None:
    event = make.started(by, 7, **DOOMTROOPER)
    make.play_stage(event, by)
    settled(event, by)
    close_stage(event=event, expected_stage=1, by=by)
    out, *others = load_facts(event).stages[1].state.players
    for entry in event.entries.exclude(number__in=others):
        disqualify(entry=entry, reason="Not members", by=by)
    shown = departure_of(load_facts(event), out)
    entry = event.entries.get(number=out)
    give_away(entry=entry, reason="Not a member", shown=shown.mark, by=by)
    assert load_facts(event).stages[1].state.seats["last three"] == (*others, None)
    assert sound(event) == []


def test_when_all_have_left_every_seat_becomes_free(by: Actor) -> None:
    event = make.started(by, 7, **DOOMTROOPER)
    make.play_stage(event, by)
    settled(event, by)
    close_stage(event=event, expected_stage=1, by=by)
    seated = load_facts(event).stages[1].state.players
    for entry in event.entries.all():
        disqualify(entry=entry, reason="Not members", by=by)
    for number in seated:
        shown = departure_of(load_facts(event), number)
        entry = event.entries.get(number=number)
        give_away(entry=entry, reason="Not a member", shown=shown.mark, by=by)
        assert sound(event) == []
    assert load_facts(event).stages[1].state.seats["last three"] == (None, None, None)
