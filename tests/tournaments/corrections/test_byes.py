"""The wrong player rests in a published Swiss round, found once it has begun."""

import re
from typing import Any

import pytest
from rest_framework.test import APIClient

from config.wording import translate
from rules.corrections import BY_PLAN, PAIRED_FROM
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.scenes.base import SWISS
from tests.tournaments.corrections.test_follow import sound
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import FOLLOW, TAKE_BACK
from tournaments.corrections.selectors.seat import (
    NOT_NOW,
    bye_correction_of,
    could_rest,
    why_not_moved,
)
from tournaments.corrections.services.carrying import move_bye
from tournaments.models import Event, Match
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db


def bye_in(event: Event) -> Match:
    found = (
        Match.objects.exclude(match_seats__number=2)
        .filter(round__event=event)
        .select_related("round__event")
    )
    return found.order_by("-round__ordinal")[0]


def begun(by: Actor) -> tuple[Event, Match, int]:
    """Return an event in its second Swiss round, its bye, and who has won a match of that round."""
    event = make.halfway(by, 7, rounds=1, **SWISS)
    item = make.next_round(event, by)
    make.play_round(item, by)
    played = item.matches.of_two().order_by("number")[0]
    return Event.objects.get(pk=event.pk), bye_in(event), played.players[0].number


def moved(match: Match, player: int, way: str, by: Actor, **more: object):
    shown = bye_correction_of(load_facts(match.round.event), match, player)
    values = {"shown": shown.mark, "reason": "Wrong line", "way": way}
    return move_bye(match=match, player=player, by=by, **values | more)


@pytest.mark.parametrize("void", [False, True])
def test_who_should_have_rested_does_and_the_other_plays(by: Actor, void: bool) -> None:
    event, match, player = begun(by)
    before, out = load_facts(event).stages[0].state, match.players[0].number
    done = moved(match, player, FOLLOW, by, void=void)
    after = load_facts(event).stages[0].state
    assert after == done.follows.state != before
    assert bye_in(event).players[0].number == player
    plays = Match.objects.get(round=match.round, match_seats__entry__number=out)
    assert (plays.state == Match.State.FINAL) is void
    assert event.snapshots.count() == 1
    assert sound(event) == []
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert load_facts(event).stages[0].state == before
    assert sound(event) == []


def test_the_next_round_is_made_of_it_and_then_it_stays(by: Actor) -> None:
    event, match, player = begun(by)
    moved(match, player, FOLLOW, by, void=True)
    make.next_round(event, by)
    assert sound(event) == []
    facts = load_facts(event)
    assert why_not_moved(facts, match) is PAIRED_FROM
    with pytest.raises(RuleError) as refused:
        moved(match, could_rest(facts, match)[0].number, FOLLOW, by)
    assert refused.value.code == "cannot_follow"


def test_the_round_goes_with_its_results_once_the_name_is_typed(by: Actor) -> None:
    event, match, player = begun(by)
    with pytest.raises(BadInput) as refused:
        moved(match, player, TAKE_BACK, by)
    assert refused.value.code == "not_confirmed"
    done = moved(match, player, TAKE_BACK, by, confirm=event.name)
    assert (len(done.results_gone), load_facts(event).last_ordinal) == (3, 1)
    assert sound(event) == []


def test_where_the_rules_say_who_rests_they_are_named(by: Actor) -> None:
    event = make.playing(by, 5, formula="single-elimination", format=SWISS["format"])
    assert why_not_moved(load_facts(event), bye_in(event)) is BY_PLAN
    page = text(signed_in(by).get(url("match", event, bye_in(event).pk)))
    assert translate(BY_PLAN) in page
    swiss, match, _player = begun(by)
    played = match.round.matches.of_two()[0]
    assert why_not_moved(load_facts(swiss), played) is NOT_NOW


def test_page(by: Actor) -> None:
    event, match, player = begun(by)
    client, address = signed_in(by), url("match-bye", event, match.pk)
    assert address in text(client.get(url("match", event, match.pk)))
    assert client.get(address).status_code == 200
    assert client.get(address, {"player": "no"}).status_code == 400
    page = text(client.get(address, {"player": player}, headers={"accept-language": "en"}))
    assert "rests in round 2." in page
    shown = re.search(r'name="shown" value="(\w+)"', page)[1]
    again = re.findall(r'name="again" value="(\d+)"', page)
    assert len(again) == 1
    sent = {"player": player, "shown": shown, "confirm": "follow", "again": again}
    assert client.post(address, sent).status_code == 400  # a reason is asked for
    assert client.post(address, sent | {"reason": "x", "shown": "other"}).status_code == 409
    done = client.post(address, sent | {"reason": "Wrong line"}, follow=True)
    assert bye_in(event).players[0].number == player
    assert done.status_code == 200
    assert Match.objects.get(pk=again[0]).state == Match.State.OPEN
    assert sound(event) == []


def test_a_program_is_told_and_does_the_same(by: Actor) -> None:
    event, match, player = begun(by)
    client = APIClient()
    client.force_authenticate(by.user)
    address = f"/api/v1/events/{event.slug}/matches/{match.pk}/bye/"

    def ask(**more: Any) -> Any:
        return client.post(address, {"player": player} | more, format="json")

    told = ask().json()
    assert (told["ways"], told["rounds"], told["results"]) == (["follow", "take_back"], [2], 3)
    assert [each["fate"] for each in told["matches"]] == ["rests", "again"]
    assert ask(player=99).status_code == 404
    assert ask(way="follow", shown="another", note="x").json()["code"] == "stale"
    assert ask(way="follow", shown=told["mark"]).json()["code"] == "reason_missing"
    void = [told["matches"][1]["match"]]
    done = ask(way="follow", shown=told["mark"], void=void, note="Wrong line")
    assert done.json()["match"]["seats"] == [player]
    assert [each["fate"] for each in done.json()["matches"]] == ["rests", "void"]
    assert sound(event) == []
