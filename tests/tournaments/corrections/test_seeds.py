"""Seeds that were entered wrong and players who should not have been in, found after the start."""

import re

import pytest
from django.test import Client

from rules.corrections import PAIRED_FROM, CorrectionEffect
from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.scenes.base import GROUP, SWISS
from tests.tournaments.corrections.test_follow import asking, confirmed, sound, two_groups
from tests.transcripts import draws_of
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    TAKE_OUT,
    Correction,
    DisplayNames,
)
from tournaments.corrections.selectors.start import (
    player_correction,
    seeds_correction,
    starting_order,
    unreported_matches,
)
from tournaments.corrections.selectors.wording import place_change_texts
from tournaments.corrections.services.carrying import correct_seeds, corrected_seeds
from tournaments.corrections.services.results import correct_player, find_replacement
from tournaments.exports.views import event_transcript
from tournaments.lots.services import draw_start_order, record_start_order
from tournaments.models import Entry, Event
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
    return seeds_correction(load_facts(fresh(event)), turned(event))


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
    draws_of(event_transcript(ended))


@pytest.mark.deep
def test_players_of_a_bracket_get_the_seats_of_their_seeds(by: Actor) -> None:
    event = make.playing(by, 7, **KNOCK_OUT)
    make.play_round(event.rounds.get(ordinal=1), by)
    before, shown = load_facts(fresh(event)), foretold(event)
    names = DisplayNames(before.entries)
    assert any(words.startswith("Turno 1: ") for words in place_change_texts(shown, names))
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


@pytest.mark.deep
def test_seats_stay_with_a_reason(by: Actor) -> None:
    event = make.playing(by, 7, **KNOCK_OUT)
    before = load_facts(fresh(event)).stages[0].state
    corrected(event, KEEP, by)
    facts = load_facts(fresh(event))
    assert facts.stages[0].state == before
    assert sorted(e.seed for e in facts.entries.values() if e.seed) == [1, 2, 3, 4]
    assert sound(event) == []
    assert_checked(event, by)


@pytest.mark.deep
def test_rounds_go_and_are_made_from_the_right_seeds(by: Actor) -> None:
    event = make.halfway(by, 7, rounds=2, **KNOCK_OUT)
    assert make.refusal(corrected, event, TAKE_BACK, by) == "not_confirmed"
    shown = corrected(event, TAKE_BACK, by, confirm=event.name)
    facts = load_facts(fresh(event))
    assert facts.rounds == ()
    assert dict(facts.stages[0].state.seats) != dict(shown.facts.stages[0].state.seats)
    make.next_round(Event.objects.get(pk=event.pk), by)
    assert sound(event) == []
    assert_checked(event, by)


@pytest.mark.deep
def test_in_swiss_rounds_and_single_groups_nobody_moves(by: Actor) -> None:
    for values in (SWISS, {"formula": "single-group", "format": "doomtrooper-original"}):
        event = make.halfway(by, 6, **values)
        before = load_facts(fresh(event)).stages[0].state
        assert not foretold(event).reaches_further
        corrected(event, KEEP, by)
        assert load_facts(fresh(event)).stages[0].state == before
        assert sound(event) == []


@pytest.mark.deep
def test_of_two_groups_those_who_stay_keep_their_seats(by: Actor) -> None:
    event = make.playing(by, 12, formula="mutant-chronicles", format="doomtrooper-original")
    shown = foretold(event)
    assert len(shown.follows.seats) == 2
    said = [*place_change_texts(shown, DisplayNames(shown.facts.entries))]
    assert all(re.fullmatch(r"Girone \w+: .+ → .+", words) for words in said)
    assert len(said) == 2
    corrected(event, FOLLOW, by)
    assert load_facts(fresh(event)).stages[0].state == shown.follows.state
    assert sound(event) == []
    assert_checked(event, by)


@pytest.mark.deep
def test_an_order_drawn_by_hand_is_given_whole(by: Actor) -> None:
    event = make.open_event(by, **KNOCK_OUT)
    make.players(event, 4, by)
    draw = record_start_order(event=event, order=[1, 2, 3, 4], witnesses="Anna", by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    event = Event.objects.get(pk=event.pk)
    order = [2, 1, 3, 4]
    shown = seeds_correction(load_facts(fresh(event)), {}, order)
    refused = make.refusal(seeds_correction, load_facts(fresh(event)), {}, [1, 2, 3, 4])
    assert refused == "same_seeds"
    values = {"seeds": {}, "order": order, "way": FOLLOW, "reason": "Upside down"}
    correct_seeds(event=event, shown=shown.mark, by=by, **values)
    assert list(starting_order(load_facts(fresh(event)))) == order
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
    assert make.refusal(corrected_seeds, load_facts(fresh(event)), {1: 1, 2: 1}) == "bad_seed"
    assert sound(event) == []


def test_before_the_start_they_are_simply_changed(by: Actor) -> None:
    event = make.open_event(by, **KNOCK_OUT)
    make.players(event, 4, by)
    assert make.refusal(seeds_correction, load_facts(fresh(event)), {1: 1}) == "no_start"
    answer = signed_in(by).get(url("manage-seeds-correct", event))
    assert answer["Location"].endswith("?seeds=1")


@pytest.mark.deep
def test_page(by: Actor) -> None:
    event = make.playing(by, 7, **KNOCK_OUT)
    client, address = signed_in(by), url("manage-seeds-correct", event)
    player = starting_order(load_facts(fresh(event)))[0]
    for page in ("manage-players",):
        assert f'href="{address}"' in text(client.get(url(page, event)))
    assert f'href="{address}"' in text(client.get(url("manage-player", event, player)))
    seeds = {f"seed_{number}": seed for number, seed in turned(event).items()}
    first = text(client.get(address))
    assert all(f'name="{name}"' in first for name in seeds)
    double = dict.fromkeys(seeds, 1)
    assert client.post(address, double).status_code == 400
    assert client.post(address, {}).status_code == 400  # nothing differs
    choices = text(client.post(address, seeds))
    assert "Recommended" in choices
    assert "Seat" not in choices
    seat = text(client.post(address, seeds | {"later": "follow"}))
    _again, done = confirmed(client, address, seat, **seeds)
    assert "Saved." in text(done)
    assert sound(event) == []


@pytest.mark.deep
def test_a_program_is_told_and_does_the_same(by: Actor) -> None:
    event = make.playing(by, 7, **KNOCK_OUT)
    seeds = [{"player": number, "seed": seed} for number, seed in turned(event).items()]
    ask = asking(by, event, "seeds/correction", seeds=seeds, note="Old list")
    told = ask().json()
    assert told["ways"] == ["follow", "keep", "take_back"]
    assert ask(way="follow", shown="x").json()["code"] == "stale"
    done = ask(way="follow", shown=told["mark"]).json()
    assert done["matches"] == told["matches"] != []
    assert sound(event) == []


NEW = "Elena Gatti"


def foreseen(event: Event, number: int, name: str = "", void: tuple[int, ...] = ()) -> Correction:
    facts = load_facts(fresh(event))
    return player_correction(facts, number, find_replacement(facts, None, name), void)


def put_right(event: Event, number: int, way: str, by: Actor, **more: object) -> Correction:
    entry = event.entries.get(number=number)
    shown = foreseen(event, number, str(more.get("name", "")))
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


@pytest.mark.deep
@pytest.mark.parametrize("void", [False, True])
def test_somebody_new_has_the_seat_in_a_group(by: Actor, void: bool) -> None:
    event = make.halfway(by, 6, **GROUP)
    make.next_round(event, by)
    before = load_facts(event)
    played = event.rounds.get(ordinal=1).matches.filter(match_seats__entry__number=1)
    keys = (played[0].pk,) if void else ()
    done = put_right(event, 1, FOLLOW, by, name=NEW, void=keys)
    after = load_facts(fresh(event))
    assert after.stages[0].state == done.follows.state
    assert [change.fate for change in done.changes] == [
        CorrectionEffect.VOID if void else CorrectionEffect.AGAIN,
        CorrectionEffect.PASSES,
    ]
    assert (1 in after.stages[0].state.players, after.entries[7].name) == (False, NEW)
    assert after.entries[1].status == Entry.Status.WITHDRAWN
    assert event.snapshots.count() == 1
    assert sound(event) == []
    taken_back(event, by)
    back = load_facts(fresh(event))
    assert (back.stages[0].state, back.entries) == (before.stages[0].state, before.entries)
    assert sound(event) == []
    put_right(event, 1, FOLLOW, by, name=NEW, void=keys)
    assert_checked(event, by)


@pytest.mark.deep
def test_who_waits_has_the_seat_in_a_bracket(by: Actor) -> None:
    event = started_full(by, 7, **KNOCK_OUT)
    item = make.next_round(event, by)
    make.play_round(item, by)
    out = item.matches.of_two()[0].players[0].number
    facts = load_facts(event)
    shown = player_correction(facts, out, facts.entries[8])
    corrected_to = {"comes": 8, "shown": shown.mark}
    done = put_right(event, out, FOLLOW, by, **corrected_to)
    assert [change.fate for change in done.changes] == [CorrectionEffect.AGAIN]
    assert sound(event) == []
    assert make.refusal(put_right, event, 8, FOLLOW, by, comes=out, shown="") == "unknown_player"
    assert_checked(event, by)


@pytest.mark.deep
def test_in_swiss_rounds_the_last_one_passes_on_as_by_hand(by: Actor) -> None:
    event = make.halfway(by, 7, rounds=1, **SWISS)
    shown = foreseen(event, 2, NEW)
    put_right(event, 2, FOLLOW, by, name=NEW)
    assert load_facts(fresh(event)).stages[0].state == shown.follows.state
    assert sound(event) == []
    make.play_round(event.rounds.get(ordinal=1), by)
    make.play_round(make.next_round(fresh(event), by), by)
    assert foreseen(event, 3, "Ugo Bassi").why_not is PAIRED_FROM
    assert make.refusal(put_right, event, 3, FOLLOW, by, name="Ugo Bassi") == "cannot_follow"
    assert sound(event) == []
    assert_checked(event, by)


@pytest.mark.deep
def test_rounds_go_and_another_plays_them(by: Actor) -> None:
    event = make.halfway(by, 6, rounds=2, **SWISS)
    before = load_facts(event)
    assert make.refusal(put_right, event, 3, TAKE_BACK, by, name=NEW) == "not_confirmed"
    put_right(event, 3, TAKE_BACK, by, name=NEW, confirm=event.name)
    facts = load_facts(fresh(event))
    assert facts.rounds == ()
    assert {*facts.stages[0].state.players} == {1, 2, 7, 4, 5, 6}
    assert sound(event) == []
    taken_back(event, by)
    assert load_facts(fresh(event)).stages[0].state == before.stages[0].state
    put_right(event, 3, TAKE_BACK, by, confirm=event.name)
    make.next_round(fresh(event), by)
    assert sound(event) == []
    assert_checked(event, by)


@pytest.mark.deep
def test_out_from_now_on_and_left_in(by: Actor) -> None:
    event = make.playing(by, 6, **GROUP)
    before = load_facts(event)
    put_right(event, 1, KEEP, by)
    line = event.log.order_by("-number")[0]
    assert (line.reason, line.subject) == ("Another person", before.entries[1].name)
    assert load_facts(event).stages[0].state == before.stages[0].state
    left = [match.pk for _item, match in unreported_matches(before, 1)]
    put_right(event, 1, TAKE_OUT, by)
    after = load_facts(event).stages[0]
    assert [m.pk for m in after.matches if m.decision is not None] == left != []
    assert event.snapshots.count() == 2
    assert make.refusal(put_right, event, 1, TAKE_OUT, by) == "not_in"
    assert sound(event) == []


def test_in_a_later_stage_who_comes_next_has_the_seat(by: Actor) -> None:
    event = two_groups(by)
    before = load_facts(event)
    out = int(before.stages[1].state.seats["I"][0])
    shown = put_right(event, out, FOLLOW, by)
    after = load_facts(fresh(event))
    assert after.stages[1].state == shown.follows.state
    assert after.stages[0].stage.places == shown.places
    assert out not in after.stages[1].state.players
    assert sound(event) == []
    taken_back(event, by)
    assert sound(event) == []
    put_right(event, out, TAKE_BACK, by, confirm=event.name)
    assert load_facts(fresh(event)).rounds == ()
    assert sound(event) == []


@pytest.mark.deep
def test_page_of_a_player(by: Actor) -> None:
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
    assert len(re.findall(r'name="again" value="\d+" checked', seat)) == 1
    again, done = confirmed(client, address, seat, **sent)
    assert len(again) == 1
    assert "Saved." in text(done)
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


@pytest.mark.deep
def test_a_program_is_told_of_a_player(by: Actor) -> None:
    event = make.halfway(by, 6, **GROUP)
    ask = asking(by, event, "players/1/correction")
    assert ask().json()["ways"] == ["take_out", "keep", "take_back"]
    told = ask(name=NEW).json()
    assert told["ways"] == ["follow", "take_out", "keep", "take_back"]
    done = ask(name=NEW, way="follow", note="x", shown=told["mark"]).json()
    assert done["matches"] == told["matches"] != []
    assert ask().json()["code"] == "not_in"
    assert sound(event) == []
