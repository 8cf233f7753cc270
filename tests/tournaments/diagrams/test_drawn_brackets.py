"""Brackets as pictures: every match in its slot, states in words, a player's path."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests import factories as make
from tests.browsers import read
from tournaments.core.event_state import load_facts
from tournaments.core.formulas import formula_of
from tournaments.diagrams.selectors.drawn_brackets import drawings, followed_players
from tournaments.diagrams.selectors.drawn_paths import FollowedPlayer
from tournaments.diagrams.selectors.drawn_slots import DONE, NEXT, PLAYING, Drawing
from tournaments.diagrams.selectors.formula_layout import going_on, plan_columns
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def drawn(event: Event) -> Drawing:
    with translation.override("en"):
        (found,) = drawings(load_facts(event, drafts=False))
    return found


def followed(event: Event, number: int) -> FollowedPlayer | None:
    with translation.override("en"):
        return followed_players(load_facts(event, drafts=False), number, {}).get("stage-1")


def knock_out(players: int, rounds: int = 0) -> Event:
    by = make.organiser()
    return make.halfway(by, players, rounds=rounds, formula="single-elimination")


def numbers(drawing: Drawing) -> list[int]:
    slots = [slot for half in drawing.halves for each in half.rounds for slot in each.slots]
    return sorted(
        slot.number for slot in (*slots, *drawing.last, drawing.third) if slot and slot.number
    )


def test_two_slots_always_lead_to_one() -> None:
    (half,) = drawn(knock_out(6, rounds=1)).halves
    assert [len(each.slots) for each in half.rounds] == [4, 2, 1]
    first = half.rounds[0]
    assert [bool(slot.state) for slot in first.slots].count(False) == 2  # byes keep their places
    assert (first.done, first.total, first.over) == (2, 2, True)
    assert [each.now for each in half.rounds] == [False, True, False]


def test_states_are_told_in_words() -> None:
    by = make.organiser()
    event = make.playing(by, 4, formula="single-elimination")
    (half,) = drawn(event).halves
    assert {slot.state for slot in half.rounds[0].slots} == {PLAYING}
    (final,) = half.rounds[1].slots
    assert (final.state, final.words) == (NEXT, "to come")
    a, b = (row.entry for row in half.rounds[0].slots[0].rows)
    assert a is not None
    assert b is not None
    assert final.rows[0].words == f"{a.name} or {b.name}"
    assert final.heading == "Final"


def test_the_path_of_a_player_is_lit_as_far_as_it_goes() -> None:
    event = knock_out(8, rounds=1)
    (half,) = drawn(event).halves
    winner = next(row.entry for row in half.rounds[0].slots[0].rows if row.won)
    loser = next(row.entry for row in half.rounds[0].slots[0].rows if not row.won)
    assert winner is not None
    assert loser is not None
    numbers = [[slot.number for slot in each.slots] for each in half.rounds]
    lit = followed(event, winner.number)
    assert lit is not None
    assert lit.still_in
    assert lit.words == "in the semi-finals"
    assert lit.paths == {
        numbers[0][0]: ("lit", "lit"),
        numbers[1][0]: ("lit", "maybe"),
        numbers[2][0]: ("maybe", "maybe"),
    }
    assert [step.state for step in lit.road] == ["won", "now", "maybe"]
    assert lit.road[0].against == loser
    others = (half.rounds[0].slots[at].rows for at in (2, 3))
    one, other = (next(row.entry for row in rows if row.won and row.entry) for rows in others)
    assert lit.road[2].words == f"{one.name} or {other.name}"
    out = followed(event, loser.number)
    assert out is not None
    assert out.words == "out"
    assert out.paths == {numbers[0][0]: ("lit", "")}
    assert followed(event, 99) is None


@pytest.mark.parametrize("players", [3, 5, 6, 8, 11])
def test_every_match_of_a_double_elimination_has_one_slot(players: int) -> None:
    by = make.organiser()
    event = make.started(by, players, formula="double-elimination")
    drawing = drawn(event)
    shown = {box.number for column in drawing.columns for box in column.boxes}
    byes = {number for number in shown if number not in numbers(drawing)}
    assert sorted(shown - byes) == numbers(drawing)
    assert len(byes) == 2 ** (players - 1).bit_length() - players
    for half in drawing.halves:
        for one, other in zip(half.rounds, half.rounds[1:], strict=False):
            assert len(one.slots) == len(other.slots) * (1 if one.straight else 2)


def test_the_winner_stands_at_the_cup() -> None:
    by = make.organiser()
    event = make.played(by, 4, formula="single-elimination")
    found = drawn(event)
    assert found.winner is not None
    assert found.winner.number == load_facts(event).ranking[0][0]
    slots = [slot for each in found.halves[0].rounds for slot in each.slots]
    assert {slot.state for slot in slots} == {DONE}


def test_the_page_is_there_before_the_bracket_begins_and_says_so_without_one(
    client: Client,
) -> None:
    by = make.organiser()
    event = make.started(by, 6, formula="swiss-cut", options={"rounds": 2, "cut": 4})
    address = reverse("tournaments:bracket", args=[event.slug])
    assert address in read(client, reverse("tournaments:standings", args=[event.slug]))
    assert "to come" in read(client, address)
    other = make.started(by, 4, formula="single-group")
    address = reverse("tournaments:bracket", args=[other.slug])
    assert "No bracket in this event" in read(client, address)
    fresh = make.open_event(by)  # the formula begins and ends with one
    assert "No bracket in" not in (words := read(client, f"/events/{fresh.slug}/bracket/"))
    assert "No bracket yet" in words
    assert address not in read(client, reverse("tournaments:standings", args=[other.slug]))


@pytest.mark.parametrize("asked", ["", "x", "-1", "999999999", "１"])
def test_rubbish_follows_nobody(client: Client, asked: str) -> None:
    event = knock_out(4)
    address = reverse("tournaments:bracket", args=[event.slug])
    assert client.get(address, {"p": asked}).status_code == 200


def test_a_name_leads_to_the_path_and_the_path_to_the_name(client: Client) -> None:
    event = knock_out(4, rounds=1)
    page = client.get(reverse("tournaments:bracket", args=[event.slug]), {"p": 1})
    words = page.content.decode()
    assert 'class="side won followed"' in words or 'class="side followed"' in words
    assert reverse("tournaments:player", args=[event.slug, 1]) in words


def test_what_is_played_has_a_sign_only_while_the_event_is_on(client: Client) -> None:
    over = make.played(make.organiser(), 4, formula="single-elimination")
    for event, has_sign in ((knock_out(4), True), (over, False)):
        page = read(client, reverse("tournaments:bracket", args=[event.slug]))
        assert ('<i class="on">' in page) is has_sign


def test_a_lower_bracket_is_not_played_before_its_time() -> None:
    event = make.playing(make.organiser(), 8, formula="double-elimination")
    upper, lower = drawn(event).halves
    assert [each.being_played for each in upper.rounds] == [True, False, False]
    assert lower.rounds[0].now
    assert not any(each.being_played for each in lower.rounds)


def test_where_all_of_a_rank_go_on_none_is_called_best(in_english: None) -> None:
    plan = formula_of("groups-knockout").plan(12)
    assert going_on(plan.stages[0], plan.used_places(0)) == (
        "everybody on rank 1 of their group",
        "everybody on rank 2 of their group",
        "the 2 best of those on rank 3",
    )


def test_places_won_in_a_preliminary_are_short_where_there_is_little_room(in_english: None) -> None:
    columns = plan_columns(formula_of("mutant-chronicles").plan(33))
    shorts = [[line.short for box in each.boxes for line in box.lines] for each in columns]
    assert shorts[1][:2] == ["", "Winner, round 1 · 1"]
    assert shorts[2][:2] == ["Winner, round 2 · 1", "Winner, round 2 · 6"]


def test_who_has_a_bye_in_a_preliminary_is_named_by_the_seat(in_english: None) -> None:
    _first, groups, *_others = plan_columns(formula_of("mutant-chronicles").plan(14))
    assert [line.place for line in groups.boxes[0].lines] == [
        *("1st of the start", "6th of the start", "7th of the start"),
        "Winner of “Preliminary 2”",
    ]
