"""Lots recorded the wrong way round, the wrong player resting, and corrections by programs."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from config.wording import translate
from rules.corrections import BY_PLAN, PAIRED_FROM
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.scenes.base import SWISS
from tests.tournaments.corrections.test_follow import (
    DOOMTROOPER,
    asking,
    confirmed,
    corrections,
    sound,
    two_groups,
)
from tournaments.core.event_state import load_facts
from tournaments.core.kept_places import reassignment_texts
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    draw_correction,
    is_draw_correctable,
)
from tournaments.corrections.selectors.seat import (
    NOT_NOW,
    bye_candidate_entries,
    bye_change_refusal,
    bye_correction,
)
from tournaments.corrections.services.carrying import correct_random_draw, move_bye
from tournaments.exports.handout.contents import result_sheet
from tournaments.lots import services as draws
from tournaments.models import Draw, Event, Match
from tournaments.paper.contents.tables import standings_sheet
from tournaments.personal.selectors.decisions import staff_decisions
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
        found = draws.record_tied_order(event=event, order=order, witnesses="Anna", by=by)
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
        if draw_correction(facts, draw, other).reaches_further:
            return other
    raise AssertionError("no order of these lots changes who goes on")


def corrected(event: Event, draw: Draw, way: str, by: Actor, **more: object):
    order = turned(event, draw)
    shown = draw_correction(load_facts(event), draw, order)
    values = {"order": order, "way": way, "shown": shown.mark, "reason": "Read upside down"}
    done = correct_random_draw(event=event, number=draw.number, by=by, **values | more)
    return shown, done


@pytest.mark.deep
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


@pytest.mark.deep
def test_what_was_made_stays_and_everybody_reads_why(by: Actor, client) -> None:
    event, draw = drawn_by_hand(by)
    before = load_facts(event).stages[1].state
    shown, _done = corrected(event, draw, KEEP, by)
    facts = load_facts(event)
    assert facts.stages[1].state == before
    assert not is_draw_correctable(facts, next(d for d in facts.draws if d.number == draw.number))
    assert event.log.order_by("-number")[0].after["kept"] == shown.effects.kept
    assert sound(event) == []
    page = text(client.get(url("standings", event), headers={"accept-language": "en"}))
    assert page.count("gave the seat") == len(shown.effects.kept)
    assert "Read upside down" in page


@pytest.mark.deep
def test_rounds_go_with_their_results_once_the_name_is_typed(by: Actor) -> None:
    event, draw = drawn_by_hand(by)
    assert make.refusal(corrected, event, draw, TAKE_BACK, by) == "not_confirmed"
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
        assert make.refusal(draw_correction, facts, wrong, draw.order) == code
    assert make.refusal(corrected, event, draw, FOLLOW, by, order=[1]) == "bad_order"


@pytest.mark.deep
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
    assert "Make only this correction" in choices
    seat = text(client.post(address, places | tied | {"later": "follow"}))
    _again, done = confirmed(client, address, seat, **places, **tied)
    assert "Saved." in text(done)
    assert Match.objects.filter(round__event=event).exclude(earlier=[]).exists()
    assert sound(event) == []
    assert "This is no longer possible." in text(client.get(address, follow=True))
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    assert "This is no longer possible." in text(client.get(address, follow=True))


@pytest.mark.deep
def test_a_program_is_told_and_does_the_same(by: Actor) -> None:
    event, draw = drawn_by_hand(by)
    ask = asking(by, event, f"draws/{draw.number}/correction", order=turned(event, draw))
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
    shown = bye_correction(load_facts(match.round.event), match, player)
    values = {"shown": shown.mark, "reason": "Wrong line", "way": way}
    return move_bye(match=match, player=player, by=by, **values | more)


@pytest.mark.deep
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


@pytest.mark.deep
def test_the_next_round_is_made_of_it_and_then_it_stays(by: Actor) -> None:
    event, match, player = begun(by)
    moved(match, player, FOLLOW, by, void=True)
    make.next_round(event, by)
    assert sound(event) == []
    facts = load_facts(event)
    assert bye_change_refusal(facts, match) is PAIRED_FROM
    refused = make.refusal(moved, match, bye_candidate_entries(facts, match)[0].number, FOLLOW, by)
    assert refused == "cannot_follow"


@pytest.mark.deep
def test_the_round_goes_with_its_results_once_the_name_is_typed(by: Actor) -> None:
    event, match, player = begun(by)
    assert make.refusal(moved, match, player, TAKE_BACK, by) == "not_confirmed"
    done = moved(match, player, TAKE_BACK, by, confirm=event.name)
    assert (len(done.results_gone), load_facts(event).last_ordinal) == (3, 1)
    assert sound(event) == []


@pytest.mark.deep
def test_where_the_rules_say_who_rests_they_are_named(by: Actor) -> None:
    event = make.playing(by, 5, formula="single-elimination", format=SWISS["format"])
    assert bye_change_refusal(load_facts(event), bye_in(event)) is BY_PLAN
    page = text(signed_in(by).get(url("match", event, bye_in(event).pk)))
    assert translate(BY_PLAN) in page
    swiss, match, _player = begun(by)
    played = match.round.matches.of_two()[0]
    assert bye_change_refusal(load_facts(swiss), played) is NOT_NOW


@pytest.mark.deep
def test_page_of_a_bye(by: Actor) -> None:
    event, match, player = begun(by)
    client, address = signed_in(by), url("match-bye", event, match.pk)
    assert address in text(client.get(url("match", event, match.pk)))
    assert client.get(address).status_code == 200
    assert client.get(address, {"player": "no"}).status_code == 400
    page = text(client.get(address, {"player": player}, headers={"accept-language": "en"}))
    assert "<h2>Bye: " in page
    again, done = confirmed(client, address, page, player=player)
    assert len(again) == 1
    assert bye_in(event).players[0].number == player
    assert done.status_code == 200
    assert Match.objects.get(pk=again[0]).state == Match.State.OPEN
    assert sound(event) == []


@pytest.mark.deep
def test_a_program_moves_a_bye(by: Actor) -> None:
    event, match, player = begun(by)
    ask = asking(by, event, f"matches/{match.pk}/bye", player=player)
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


def asked(by: Actor) -> tuple[Event, Match, Any]:
    """Return an event, a match whose correction can be followed, and how to ask."""
    event = two_groups(by)
    match, _shown = next(each for each in corrections(event, by) if each[1].why_not is None)
    score = [match.decision.score_b, match.decision.score_a]
    body = {"version": match.version, "score": score, "note": "Swapped"}
    return event, match, asking(by, event, f"matches/{match.pk}/correction", **body)


@pytest.mark.deep
def test_it_foretells_and_does_what_it_foretold(by: Actor) -> None:
    event, match, ask = asked(by)
    told = ask().json()
    assert told["ways"] == ["follow", "keep", "take_back"]
    assert (told["why_not"], told["rounds"], told["results"]) == ("", [4, 5], 4)
    assert {each["fate"] for each in told["matches"]} == {"again", "passes"}
    assert Match.objects.get(pk=match.pk).version == match.version
    void = [each["match"] for each in told["matches"] if each["fate"] == "again"][:1]
    assert ask(way="follow", shown="another").json()["code"] == "stale"
    done = ask(way="follow", shown=told["mark"], void=void)
    assert done.status_code == 200
    assert done.json()["match"]["version"] == match.version + 1
    fates = {each["match"]: each["fate"] for each in done.json()["matches"]}
    assert fates[void[0]] == "void"
    for change in told["matches"]:
        stored = Match.objects.get(pk=change["match"])
        assert [player.number for player in stored.players] == change["after"]
        assert (stored.state == Match.State.FINAL) == (fates[stored.pk] == "void")
    assert sound(event) == []
    assert ask(way="follow", shown=told["mark"]).json()["code"] == "stale"


@pytest.mark.deep
def test_a_program_takes_rounds_back(by: Actor) -> None:
    event, _match, ask = asked(by)
    mark = ask().json()["mark"]
    assert ask(way="take_back", shown=mark).json()["code"] == "not_confirmed"
    assert ask(way="take_back", shown=mark, confirm=event.name).status_code == 200
    assert load_facts(event).last_ordinal == 3
    assert load_facts(event).open_stage.stage.number == 1
    assert sound(event) == []


@pytest.mark.deep
def test_what_is_kept_is_told_by_the_log_and_the_standings(by: Actor, client: Client) -> None:
    event, _match, ask = asked(by)
    before = load_facts(event).stages[1].state
    places = ask().json()["effects"]["places"]
    assert ask(way="keep").status_code == 200
    assert load_facts(event).stages[1].state == before
    kept = event.log.order_by("-number")[0].after["kept"]
    assert [(each["holds"], each["belongs"]) for each in kept] == [
        (each["before"], each["after"]) for each in places
    ]
    assert sound(event) == []
    page = text(client.get(url("standings", event), headers={"accept-language": "en"}))
    assert page.count("gave the seat") == len(kept)
    assert "Swapped" in page
    facts = load_facts(event)
    holder, belongs = kept[0]["holds"], kept[0]["belongs"]
    for name, parts in (("standings", ()), ("formula", ()), ("player", (holder,))):
        shown = text(client.get(url(name, event, *parts), headers={"accept-language": "en"}))
        assert "gave the seat" in shown
    with override("en"):
        words = reassignment_texts(facts)
        own = reassignment_texts(facts, holder)
        assert 0 < len(own) <= len(words)
        assert reassignment_texts(facts, belongs)
        told = staff_decisions(facts, event.entries.get(number=holder), plays=True)
        assert {*own} <= {each.line for each in told} & {*words}
        paper, workbook = standings_sheet(facts, timezone.now()), result_sheet(facts)
    assert paper["notes"][: len(kept)] == list(words)
    assert workbook.legend.startswith(" ".join(words))
