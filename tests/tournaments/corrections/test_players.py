"""A player who should not have been in: left in, out from now on, or another has the seat."""

import re

import pytest
from django.test import Client
from rest_framework.test import APIClient

from rules.corrections import PAIRED_FROM, Fate
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.scenes.base import GROUP, SWISS
from tests.tournaments.corrections.test_follow import sound, two_groups
from tests.tournaments.corrections.test_seeds import KNOCK_OUT, assert_checked, fresh
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    TAKE_OUT,
    Correction,
)
from tournaments.corrections.selectors.players import matches_left, player_correction_of
from tournaments.corrections.services.results import correct_player, who_comes
from tournaments.lots.services import draw_start_order
from tournaments.models import Entry, Event
from tournaments.starting.services import start_event
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
NEW = "Elena Gatti"


def foretold(event: Event, number: int, name: str = "", void: tuple[int, ...] = ()) -> Correction:
    facts = load_facts(fresh(event))
    return player_correction_of(facts, number, who_comes(facts, None, name), void)


def corrected(event: Event, number: int, way: str, by: Actor, **more: object) -> Correction:
    entry = event.entries.get(number=number)
    shown = foretold(event, number, str(more.get("name", "")))
    values = {"shown": shown.mark, "reason": "Another person", "way": way} | more
    return correct_player(entry=entry, by=by, **values)


def started_full(by: Actor, capacity: int, **values: object) -> Event:
    """Return a started event with one more than it has places, who waits."""
    event = make.open_event(by, capacity=capacity, **values)
    make.players(event, capacity + 1, by)
    draw = draw_start_order(event=event, seed="seed", by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    return fresh(event)


def taken_back(event: Event, by: Actor) -> None:
    undo(event=fresh(event), expected=last_act(event).line.number, by=by)


def head_judge(event: Event) -> Client:
    return signed_in(make.staff(event, "head_judge"))


def scorekeeper(event: Event) -> Client:
    return signed_in(make.staff(event, "scorekeeper"))


@pytest.mark.parametrize("void", [False, True])
def test_somebody_new_has_the_seat_in_a_group(by: Actor, void: bool) -> None:
    event = make.halfway(by, 6, **GROUP)
    make.next_round(event, by)
    before = load_facts(event)
    played = event.rounds.get(ordinal=1).matches.filter(match_seats__entry__number=1)
    keys = (played[0].pk,) if void else ()
    done = corrected(event, 1, FOLLOW, by, name=NEW, void=keys)
    after = load_facts(fresh(event))
    assert after.stages[0].state == done.follows.state
    assert [change.fate for change in done.changes] == [
        Fate.VOID if void else Fate.AGAIN,
        Fate.PASSES,
    ]
    assert (1 in after.stages[0].state.players, after.entries[7].name) == (False, NEW)
    assert after.entries[1].status == Entry.Status.WITHDRAWN
    assert event.snapshots.count() == 1
    assert sound(event) == []
    taken_back(event, by)
    back = load_facts(fresh(event))
    assert (back.stages[0].state, back.entries) == (before.stages[0].state, before.entries)
    assert sound(event) == []
    corrected(event, 1, FOLLOW, by, name=NEW, void=keys)
    assert_checked(event, by)


def test_who_waits_has_the_seat_in_a_bracket(by: Actor) -> None:
    event = started_full(by, 7, **KNOCK_OUT)
    item = make.next_round(event, by)
    make.play_round(item, by)
    out = item.matches.of_two()[0].players[0].number
    facts = load_facts(event)
    shown = player_correction_of(facts, out, facts.entries[8])
    corrected_to = {"comes": 8, "shown": shown.mark}
    done = corrected(event, out, FOLLOW, by, **corrected_to)
    assert [change.fate for change in done.changes] == [Fate.AGAIN]
    assert sound(event) == []
    with pytest.raises(BadInput) as refused:
        corrected(event, 8, FOLLOW, by, comes=out, shown="")
    assert refused.value.code == "unknown_player"
    assert_checked(event, by)


def test_in_swiss_rounds_the_last_one_passes_on_as_by_hand(by: Actor) -> None:
    event = make.halfway(by, 7, rounds=1, **SWISS)
    shown = foretold(event, 2, NEW)
    corrected(event, 2, FOLLOW, by, name=NEW)
    assert load_facts(fresh(event)).stages[0].state == shown.follows.state
    assert sound(event) == []
    make.play_round(event.rounds.get(ordinal=1), by)
    make.play_round(make.next_round(fresh(event), by), by)
    assert foretold(event, 3, "Ugo Bassi").why_not is PAIRED_FROM
    with pytest.raises(RuleError) as refused:
        corrected(event, 3, FOLLOW, by, name="Ugo Bassi")
    assert refused.value.code == "cannot_follow"
    assert sound(event) == []
    assert_checked(event, by)


def test_rounds_go_and_another_plays_them(by: Actor) -> None:
    event = make.halfway(by, 6, rounds=2, **SWISS)
    before = load_facts(event)
    with pytest.raises(BadInput) as refused:
        corrected(event, 3, TAKE_BACK, by, name=NEW)
    assert refused.value.code == "not_confirmed"
    corrected(event, 3, TAKE_BACK, by, name=NEW, confirm=event.name)
    facts = load_facts(fresh(event))
    assert facts.rounds == ()
    assert {*facts.stages[0].state.players} == {1, 2, 7, 4, 5, 6}
    assert sound(event) == []
    taken_back(event, by)
    assert load_facts(fresh(event)).stages[0].state == before.stages[0].state
    corrected(event, 3, TAKE_BACK, by, confirm=event.name)
    make.next_round(fresh(event), by)
    assert sound(event) == []
    assert_checked(event, by)


def test_out_from_now_on_and_left_in(by: Actor) -> None:
    event = make.playing(by, 6, **GROUP)
    before = load_facts(event)
    corrected(event, 1, KEEP, by)
    line = event.log.order_by("-number")[0]
    assert (line.reason, line.subject) == ("Another person", before.entries[1].name)
    assert load_facts(event).stages[0].state == before.stages[0].state
    left = [match.pk for _item, match in matches_left(before, 1)]
    corrected(event, 1, TAKE_OUT, by)
    after = load_facts(event).stages[0]
    assert [m.pk for m in after.matches if m.decision is not None] == left != []
    assert event.snapshots.count() == 2
    with pytest.raises(RuleError) as refused:
        corrected(event, 1, TAKE_OUT, by)
    assert refused.value.code == "not_in"
    assert sound(event) == []


def test_in_a_later_stage_who_comes_next_has_the_seat(by: Actor) -> None:
    event = two_groups(by)
    before = load_facts(event)
    out = int(before.stages[1].state.seats["I"][0])
    shown = corrected(event, out, FOLLOW, by)
    after = load_facts(fresh(event))
    assert after.stages[1].state == shown.follows.state
    assert after.stages[0].stage.places == shown.places
    assert out not in after.stages[1].state.players
    assert sound(event) == []
    taken_back(event, by)
    assert sound(event) == []
    corrected(event, out, TAKE_BACK, by, confirm=event.name)
    assert load_facts(fresh(event)).rounds == ()
    assert sound(event) == []


def test_page(by: Actor) -> None:
    event = make.halfway(by, 6, **GROUP)
    client, address = signed_in(by), url("manage-player-not-in", event, 1)
    for reader, may in ((client, True), (head_judge(event), True), (scorekeeper(event), False)):
        page = text(reader.get(url("manage-player", event, 1)))
        assert (address in page) is may
        assert (url("manage-seeds-correct", event) in page) is (reader is client)
    page = text(client.get(address))
    assert page.count('value="take_out"') == page.count('value="keep"') == 1
    assert 'value="follow"' not in page
    assert NEW in text(client.get(f"{address}?name={NEW}"))
    sent = {"comes": "", "name": NEW}
    seat = text(client.post(address, sent | {"later": "follow"}))
    shown = re.search(r'name="shown" value="(\w+)"', seat)[1]
    again = re.findall(r'name="again" value="(\d+)" checked', seat)
    assert len(again) == 1
    sent |= {"shown": shown, "later": "follow", "confirm": "follow", "again": again}
    assert client.post(address, sent).status_code == 400  # a reason is asked for
    assert client.post(address, sent | {"reason": "x", "shown": "other"}).status_code == 409
    done = client.post(address, sent | {"reason": "Another person"}, follow=True)
    assert "another has the seat" in text(done)
    assert client.get(address).status_code == 302  # no seat any more
    other = url("manage-player-not-in", event, 2)
    page = text(client.get(other))
    shown = re.search(r'name="shown" value="(\w+)"', page)[1]
    for way in ("keep", "take_out"):
        body = {"shown": shown, "confirm": way, "reason": "Not a member"}
        assert client.post(other, body).status_code == 302
    assert sound(event) == []


def test_two_for_one_seat_and_no_name_are_refused(by: Actor) -> None:
    event = started_full(by, 6, **GROUP)
    client, address = signed_in(by), url("manage-player-not-in", event, 1)
    assert client.get(f"{address}?comes=7").status_code == 200
    for query in (f"?comes=7&name={NEW}", "?comes=2", "?name=%20.%20"):
        assert client.get(f"{address}{query}").status_code == 400, query


def test_a_program_is_told_and_does_the_same(by: Actor) -> None:
    event = make.halfway(by, 6, **GROUP)
    client = APIClient()
    client.force_authenticate(by.user)
    address = f"/api/v1/events/{event.slug}/players/1/correction/"
    told = client.post(address, {}, format="json").json()
    assert told["ways"] == ["take_out", "keep", "take_back"]
    told = client.post(address, {"name": NEW}, format="json").json()
    assert told["ways"] == ["follow", "take_out", "keep", "take_back"]
    body = {"name": NEW, "way": "follow", "note": "x", "shown": told["mark"]}
    done = client.post(address, body, format="json").json()
    assert done["matches"] == told["matches"] != []
    assert client.post(address, {}, format="json").json()["code"] == "not_in"
    assert sound(event) == []
