"""Seeds that were entered wrong, found after the start."""

import re

import pytest
from rest_framework.test import APIClient

from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.scenes.base import SWISS
from tests.tournaments.corrections.test_follow import sound
from tests.transcripts import draws_of
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    Correction,
    ShortNames,
)
from tournaments.corrections.selectors.start import order_of_start, seeds_correction_of
from tournaments.corrections.selectors.wording import sentences
from tournaments.corrections.services.carrying import correct_seeds, right_seeds
from tournaments.exports.views import whole_transcript
from tournaments.lots.services import draw_start_order, record_start_order
from tournaments.models import Event
from tournaments.players.services.seeds import change_seeds
from tournaments.starting.services import start_event
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
KNOCK_OUT = {"formula": "single-elimination", "format": SWISS["format"]}


def turned(event: Event) -> dict[int, int]:
    """Return seeds by which the first of the draw and the fourth change places."""
    first, second, third, fourth, *_others = event.draws.filter(kind="start")[0].order
    return {fourth: 1, second: 2, third: 3, first: 4}


def foretold(event: Event) -> Correction:
    return seeds_correction_of(load_facts(fresh(event)), turned(event))


def corrected(event: Event, way: str, by: Actor, **more: object) -> Correction:
    values = {"shown": foretold(event).mark, "reason": "Last year's list", "way": way} | more
    return correct_seeds(event=event, seeds=turned(event), by=by, **values)


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def assert_checked(event: Event, by: Actor) -> None:
    """Play an event to its end, and assert that nothing is wrong with it and its draws."""
    for item in event.rounds.order_by("ordinal"):
        make.play_round(item, by)
    ended = fresh(make.play_event(fresh(event), by))
    assert sound(ended) == []
    draws_of(whole_transcript(ended))


def test_players_of_a_bracket_get_the_seats_of_their_seeds(by: Actor) -> None:
    event = make.playing(by, 7, **KNOCK_OUT)
    make.play_round(event.rounds.get(ordinal=1), by)
    before, shown = load_facts(fresh(event)), foretold(event)
    names = ShortNames(before.entries)
    assert any("Al primo turno" in words for words in sentences(shown, names))
    done = corrected(event, FOLLOW, by)
    after = load_facts(fresh(event))
    assert after.stages[0].state == shown.follows.state == done.follows.state
    assert after.stages[0].state.seats != before.stages[0].state.seats
    assert {n: after.entries[n].seed for n in turned(event)} == turned(event)
    assert event.snapshots.count() == 1
    assert sound(event) == []
    undo(event=event, expected=last_act(event).line.number, by=by)
    back = load_facts(fresh(event))
    assert back.stages[0].state == before.stages[0].state
    assert not any(entry.seed for entry in back.entries.values())
    assert sound(event) == []


def test_seats_stay_with_a_reason(by: Actor) -> None:
    event = make.playing(by, 7, **KNOCK_OUT)
    before = load_facts(fresh(event)).stages[0].state
    corrected(event, KEEP, by)
    facts = load_facts(fresh(event))
    assert facts.stages[0].state == before
    assert sorted(e.seed for e in facts.entries.values() if e.seed) == [1, 2, 3, 4]
    assert sound(event) == []
    assert_checked(event, by)


def test_rounds_go_and_are_made_from_the_right_seeds(by: Actor) -> None:
    event = make.halfway(by, 7, rounds=2, **KNOCK_OUT)
    with pytest.raises(BadInput) as refused:
        corrected(event, TAKE_BACK, by)
    assert refused.value.code == "not_confirmed"
    shown = corrected(event, TAKE_BACK, by, confirm=event.name)
    facts = load_facts(fresh(event))
    assert facts.rounds == ()
    assert dict(facts.stages[0].state.seats) != dict(shown.facts.stages[0].state.seats)
    make.next_round(Event.objects.get(pk=event.pk), by)
    assert sound(event) == []
    assert_checked(event, by)


def test_in_swiss_rounds_and_single_groups_nobody_moves(by: Actor) -> None:
    for values in (SWISS, {"formula": "single-group", "format": "doomtrooper-original"}):
        event = make.halfway(by, 6, **values)
        before = load_facts(fresh(event)).stages[0].state
        assert not foretold(event).reaches_further
        corrected(event, KEEP, by)
        assert load_facts(fresh(event)).stages[0].state == before
        assert sound(event) == []


def test_of_two_groups_those_who_stay_keep_their_seats(by: Actor) -> None:
    event = make.playing(by, 12, formula="mutant-chronicles", format="doomtrooper-original")
    shown = foretold(event)
    assert len(shown.follows.seats) == 2
    said = [*sentences(shown, ShortNames(shown.facts.entries))]
    assert all("sta nel girone" in words for words in said)
    assert len(said) == 2
    corrected(event, FOLLOW, by)
    assert load_facts(fresh(event)).stages[0].state == shown.follows.state
    assert sound(event) == []
    assert_checked(event, by)


def test_an_order_drawn_by_hand_is_given_whole(by: Actor) -> None:
    event = make.open_event(by, **KNOCK_OUT)
    make.players(event, 4, by)
    draw = record_start_order(event=event, order=[1, 2, 3, 4], witnesses="Anna", by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    event = Event.objects.get(pk=event.pk)
    order = [2, 1, 3, 4]
    shown = seeds_correction_of(load_facts(fresh(event)), {}, order)
    with pytest.raises(BadInput) as refused:
        seeds_correction_of(load_facts(fresh(event)), {}, [1, 2, 3, 4])
    assert refused.value.code == "same_seeds"
    values = {"seeds": {}, "order": order, "way": FOLLOW, "reason": "Upside down"}
    correct_seeds(event=event, shown=shown.mark, by=by, **values)
    assert list(order_of_start(load_facts(fresh(event)))) == order
    make.next_round(event, by)
    assert sound(event) == []
    assert_checked(event, by)


def test_who_waits_loses_a_seed_that_somebody_of_the_start_has(by: Actor) -> None:
    event = make.open_event(by, capacity=4, **KNOCK_OUT)
    make.players(event, 5, by)
    change_seeds(event=event, seeds={5: "1"}, by=by)
    draw = draw_start_order(event=event, seed="seed", by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    corrected(event, KEEP, by)
    now = {entry.number: entry.seed for entry in event.entries.all()}
    assert now == turned(event) | {5: None}
    with pytest.raises(BadInput) as refused:
        right_seeds(load_facts(fresh(event)), {1: 1, 2: 1})
    assert refused.value.code == "bad_seed"
    assert sound(event) == []


def test_before_the_start_they_are_simply_changed(by: Actor) -> None:
    event = make.open_event(by, **KNOCK_OUT)
    make.players(event, 4, by)
    with pytest.raises(RuleError) as refused:
        seeds_correction_of(load_facts(fresh(event)), {1: 1})
    assert refused.value.code == "no_start"
    answer = signed_in(by).get(url("manage-seeds-correct", event))
    assert answer["Location"].endswith("?seeds=1")


def test_page(by: Actor) -> None:
    event = make.playing(by, 7, **KNOCK_OUT)
    client, address = signed_in(by), url("manage-seeds-correct", event)
    player = order_of_start(load_facts(fresh(event)))[0]
    for page in ("manage", "manage-players"):
        assert f'href="{address}"' in text(client.get(url(page, event)))
    assert f'href="{address}"' in text(client.get(url("manage-player", event, player)))
    seeds = {f"seed_{number}": seed for number, seed in turned(event).items()}
    first = text(client.get(address))
    assert all(f'name="{name}"' in first for name in seeds)
    double = dict.fromkeys(seeds, 1)
    assert client.post(address, double).status_code == 400
    assert client.post(address, {}).status_code == 400  # nothing differs
    choices = text(client.post(address, seeds))
    assert "respects the seeds" in choices
    assert "Seat" not in choices
    seat = text(client.post(address, seeds | {"later": "follow"}))
    shown = re.search(r'name="shown" value="(\w+)"', seat)[1]
    again = re.findall(r'name="again" value="(\d+)"', seat)
    sent = seeds | {"shown": shown, "later": "follow", "confirm": "follow", "again": again}
    assert client.post(address, sent).status_code == 400  # a reason is asked for
    assert client.post(address, sent | {"reason": "x", "shown": "other"}).status_code == 409
    done = client.post(address, sent | {"reason": "Last year's list"}, follow=True)
    assert "The right seeds are recorded." in text(done)
    assert sound(event) == []


def test_a_program_is_told_and_does_the_same(by: Actor) -> None:
    event = make.playing(by, 7, **KNOCK_OUT)
    client, seeds = APIClient(), [{"player": n, "seed": s} for n, s in turned(event).items()]
    client.force_authenticate(by.user)
    address = f"/api/v1/events/{event.slug}/seeds/correction/"
    told = client.post(address, {"seeds": seeds}, format="json").json()
    assert told["ways"] == ["follow", "keep", "take_back"]
    body = {"seeds": seeds, "way": "follow", "note": "Old list"}
    assert client.post(address, body | {"shown": "x"}, format="json").json()["code"] == "stale"
    done = client.post(address, body | {"shown": told["mark"]}, format="json").json()
    assert done["matches"] == told["matches"] != []
    assert sound(event) == []
