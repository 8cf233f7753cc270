"""An order of lots that was recorded the wrong way round, found after more was made from it."""

import re
from typing import Any

import pytest
from rest_framework.test import APIClient

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.tournaments.corrections.test_follow import DOOMTROOPER, sound
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    is_correctable,
    lots_correction_of,
)
from tournaments.corrections.services.carrying import correct_lots
from tournaments.lots import services as draws
from tournaments.models import Draw, Event, Match
from tournaments.stages.services import close_stage
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db


def drawn_by_hand(by: Actor, later: int = 1) -> tuple[Event, Draw]:
    """Return an event whose first stage ended by lots drawn by hand; ``later`` rounds followed."""
    event = make.started(by, 12, **DOOMTROOPER)
    make.play_stage(event, by, lambda _match, _index: Claim(score=(10, 10)))
    found = None
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        order = [int(player) for player in needed[0]]
        found = draws.record_lots(event=event, order=order, witnesses="Anna", by=by)
    close_stage(event=event, expected_stage=1, by=by)
    for _round in range(later):
        make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    return Event.objects.get(pk=event.pk), found


def turned(event: Event, draw: Draw) -> list[int]:
    """Return another order of lots by which others go on."""
    facts, order = load_facts(event), list(draw.order)
    for at in range(1, len(order)):
        other = [*order[at:], *order[:at]]
        if lots_correction_of(facts, draw, other).reaches_further:
            return other
    raise AssertionError("no order of these lots changes who goes on")


def corrected(event: Event, draw: Draw, way: str, by: Actor, **more: object):
    order = turned(event, draw)
    shown = lots_correction_of(load_facts(event), draw, order)
    values = {"order": order, "way": way, "shown": shown.mark, "reason": "Read upside down"}
    done = correct_lots(event=event, number=draw.number, by=by, **values | more)
    return shown, done


def test_who_was_really_drawn_gets_the_seat(by: Actor) -> None:
    event, draw = drawn_by_hand(by)
    before = load_facts(event)
    shown, done = corrected(event, draw, FOLLOW, by)
    after = load_facts(event)
    assert after.stages[1].state == shown.follows.state == done.follows.state
    assert after.stages[0].stage.places == shown.places != before.stages[0].stage.places
    assert event.snapshots.count() == 1
    assert sound(event) == []
    undo(event=event, expected=last_act(event).line.number, by=by)
    back = load_facts(event)
    assert [s.state for s in back.stages] == [s.state for s in before.stages]
    assert back.stages[0].stage.places == before.stages[0].stage.places
    assert sound(event) == []


def test_what_was_made_stays_and_everybody_reads_why(by: Actor, client) -> None:
    event, draw = drawn_by_hand(by)
    before = load_facts(event).stages[1].state
    shown, _done = corrected(event, draw, KEEP, by)
    facts = load_facts(event)
    assert facts.stages[1].state == before
    assert not is_correctable(facts, next(d for d in facts.draws if d.number == draw.number))
    assert event.log.order_by("-number")[0].after["kept"] == shown.effects.kept
    assert sound(event) == []
    page = text(client.get(url("standings", event), headers={"accept-language": "en"}))
    assert page.count("by decision of") == len(shown.effects.kept)
    assert "Read upside down" in page


def test_rounds_go_with_their_results_once_the_name_is_typed(by: Actor) -> None:
    event, draw = drawn_by_hand(by)
    with pytest.raises(BadInput) as refused:
        corrected(event, draw, TAKE_BACK, by)
    assert refused.value.code == "not_confirmed"
    shown, _done = corrected(event, draw, TAKE_BACK, by, confirm=event.name)
    facts = load_facts(event)
    assert facts.open_stage.stage.number == 1
    assert facts.last_ordinal == min(item.ordinal for item in shown.goes) - 1
    assert sound(event) == []
    close_stage(event=Event.objects.get(pk=event.pk), expected_stage=1, by=by)
    assert sound(event) == []


def test_what_the_tool_drew_stays(by: Actor) -> None:
    event, draw = drawn_by_hand(by)
    facts = load_facts(event)
    start = next(each for each in facts.draws if each.kind == Draw.Kind.START)
    for wrong, code in ((start, "lots_stay"), (draw, "same_order")):
        with pytest.raises((RuleError, BadInput)) as refused:
            lots_correction_of(facts, wrong, draw.order)
        assert refused.value.code == code
    with pytest.raises(BadInput) as refused:
        corrected(event, draw, FOLLOW, by, order=[1])
    assert refused.value.code == "bad_order"


def test_page(by: Actor) -> None:
    event, draw = drawn_by_hand(by)
    client, address = signed_in(by), url("lots-correct", event, draw.number)
    assert address in text(client.get(url("lots", event)))
    assert f'href="{url("lots", event)}"' in text(client.get(url("desk", event)))
    places = {f"place_{player}": at for at, player in enumerate(turned(event, draw), start=1)}
    first = text(client.get(address))
    assert all(f'name="{name}"' in first for name in places)
    same = {f"place_{player}": at for at, player in enumerate(draw.order, start=1)}
    tied = {"tied": ",".join(map(str, draw.order))}
    assert client.post(address, same | tied).status_code == 400
    choices = text(client.post(address, places | tied))
    assert "the right order" in choices
    seat = text(client.post(address, places | tied | {"later": "follow"}))
    shown = re.search(r'name="shown" value="(\w+)"', seat)[1]
    again = re.findall(r'name="again" value="(\d+)"', seat)
    sent = places | tied | {"shown": shown, "later": "follow", "confirm": "follow", "again": again}
    assert client.post(address, sent).status_code == 400  # a reason is asked for
    assert client.post(address, sent | {"reason": "x", "shown": "other"}).status_code == 409
    done = client.post(address, sent | {"reason": "Upside down"}, follow=True)
    assert "The right order is recorded." in text(done)
    assert Match.objects.filter(round__event=event).exclude(earlier=[]).exists()
    assert sound(event) == []
    assert "decides nothing any more" in text(client.get(address, follow=True))
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    assert "its lots stay as they are" in text(client.get(address, follow=True))


def test_a_program_is_told_and_does_the_same(by: Actor) -> None:
    event, draw = drawn_by_hand(by)
    client, order = APIClient(), turned(event, draw)
    client.force_authenticate(by.user)
    address = f"/api/v1/events/{event.slug}/draws/{draw.number}/correction/"

    def ask(**more: Any) -> Any:
        return client.post(address, {"order": order} | more, format="json")

    told = ask().json()
    assert told["ways"] == ["follow", "keep", "take_back"]
    assert ask(order=[1]).json()["code"] == "bad_order"
    assert ask(way="follow", shown="another", note="x").json()["code"] == "stale"
    done = ask(way="follow", shown=told["mark"], note="Upside down")
    assert done.json()["matches"] == told["matches"] != []
    for change in told["seats"]:
        seat = event.stages.get(number=2).seats.get(
            group__name=change["group"], number=change["seat"]
        )
        assert seat.entry.number == change["after"]
    assert sound(event) == []
