"""Brackets as drawings: slots, paths, folds, and what their pages say."""

import re
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from lxml import html

from rules.brackets import bracket_order
from rules.formulas.mutant_chronicles import PLAY_IN, preliminary_stage
from rules.stages.base import bracket_matches
from tests import factories as make
from tests.browsers import ENGLISH, read
from tournaments.core.event_state import load_facts
from tournaments.core.formulas import formula_by_slug
from tournaments.diagrams.selectors.brackets import (
    DiagramPlayers,
    bracket_columns,
    next_match_numbers,
)
from tournaments.diagrams.selectors.drawn_brackets import (
    bracket_drawings,
    drawn_rounds,
    find_players_by_text,
    player_paths,
)
from tournaments.diagrams.selectors.drawn_brackets import two_sided_tree as tree_of_source
from tournaments.diagrams.selectors.drawn_slots import (
    DONE,
    NEXT,
    PLAYING,
    BracketDrawing,
    BracketSource,
    BracketTree,
    FoldedPart,
    MatchSlot,
    PlayerPath,
)
from tournaments.diagrams.selectors.formula_layout import advancing_texts, plan_columns
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def knock_out(players: int, rounds: int = 0) -> Event:
    by = make.organiser()
    return make.halfway(by, players, rounds=rounds, formula="single-elimination")


def tree_of(event: Event) -> BracketTree:
    with translation.override("en"):
        (found,) = bracket_drawings(load_facts(event, for_staff=False))
    assert found.tree is not None
    return found.tree


def folds_of(tree: BracketTree) -> list[FoldedPart]:
    return [fold for part in tree.parts for fold in (*part.left, *part.right)]


def slots_of(tree: BracketTree) -> list[MatchSlot]:
    folded = [
        slot
        for fold in folds_of(tree)
        for each in fold.rounds
        for pair in each["pairs"]
        for slot in pair.slots
    ]
    middles = [part.middle for part in tree.parts if part.middle]
    meeting = [slot for middle in middles for slot in (*middle.sides, middle.centre, middle.third)]
    last = [slot for each in tree.last for slot in each.slots]
    return [slot for slot in (*folded, *meeting, *last, tree.third) if slot and slot.state]


@pytest.mark.deep
@pytest.mark.parametrize(
    ("players", "folds", "parts"),
    [
        (17, 4, 1),
        (33, 4, 1),
        (64, 4, 1),
        (128, 8, 2),
        pytest.param(200, 16, 4, marks=pytest.mark.deep),
    ],
)
def test_every_match_has_one_place(players: int, folds: int, parts: int) -> None:
    event = make.playing(make.organiser(), players, formula="single-elimination")
    tree = tree_of(event)
    facts = load_facts(event)
    shape = bracket_matches(facts.stages[0].plan)
    byes = 2 ** (players - 1).bit_length() - players
    numbers = [slot.number for slot in slots_of(tree)]
    assert len(numbers) == len(set(numbers)) == len(shape) - byes
    assert (len(folds_of(tree)), len(tree.parts)) == (folds, parts)


@pytest.mark.parametrize(
    ("players", "survivors"), [(24, 3), (40, 5), (40, 12), (64, 2), (96, 6), (128, 2), (128, 4)]
)
def test_every_match_of_a_play_in_has_one_place(players: int, survivors: int) -> None:
    plan = preliminary_stage(PLAY_IN, players, survivors)
    shape = bracket_matches(plan)
    columns = bracket_columns(plan, None, DiagramPlayers(entries={}, stages=()), "")
    stage = SimpleNamespace(
        plan=plan, stage=SimpleNamespace(number=1), state=SimpleNamespace(seats={}, rounds=())
    )
    source = BracketSource(
        facts=SimpleNamespace(entries={}),  # type: ignore[arg-type]
        stage=stage,  # type: ignore[arg-type]
        begun=False,
        shape=shape,
        columns=tuple(columns),
        boxes={box.number: box for column in columns for box in column.boxes},
        rows={},
        feeds=next_match_numbers(shape),
        headings={box.number: column.heading for column in columns for box in column.boxes},
    )
    tree = tree_of_source(source, drawn_rounds(source, shape))
    numbers = [slot.number for slot in slots_of(tree)]
    byes = len(bracket_order(players, survivors)) - players
    assert len(numbers) == len(set(numbers)) == len(shape) - byes
    assert all("Semi" not in (part.middle.title if part.middle else "") for part in tree.parts)


def test_a_bye_is_not_drawn_and_the_name_stands_in_the_second_round(client: Client) -> None:
    event = make.playing(make.organiser(), 33, formula="single-elimination")
    page = html.fromstring(read(client, reverse("tournaments:bracket", args=[event.slug])))
    first = page.xpath("//*[h3[text()='Round of 64']]//*[contains(@class, 'match-tile')]")
    assert len(first) == 1
    second = page.xpath("//*[h3[text()='Round of 32']]//a[contains(@class, 'player')]")
    assert len(second) == 31
    assert "bye" not in page.xpath("//*[@class='bk-tree']")[0].text_content()


@pytest.fixture
def halfway() -> Event:
    return knock_out(64, rounds=1)


@pytest.mark.deep
def test_the_whole_stands_in_the_first_html_and_is_light(client: Client) -> None:
    event = knock_out(128, rounds=1)
    address = reverse("tournaments:bracket", args=[event.slug])
    answer = client.get(address, headers={**ENGLISH, "Accept-Encoding": "gzip"})
    assert len(answer.content) < 16_000
    page = html.fromstring(read(client, address))
    assert len(page.xpath("//*[contains(@class, 'match-tile')]")) == 128  # third place too
    assert len(page.xpath("//details[contains(@class, 'bk-fold')]")) == 11


@pytest.mark.deep
def test_bracket_pages_make_as_many_queries_for_any_number(client: Client, halfway: Event) -> None:
    counted = []
    for event in (knock_out(4), halfway):
        address = reverse("tournaments:bracket", args=[event.slug])
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            client.get(address, {"p": "3"})
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_a_name_finds_its_player_and_several_are_offered(client: Client, halfway: Event) -> None:
    address = reverse("tournaments:bracket", args=[halfway.slug])

    def looked_for(sought: str) -> html.HtmlElement:
        answer = client.get(address, {"p": sought}, headers=ENGLISH)
        return html.fromstring(answer.content.decode())

    entry = halfway.entries.get(name="Quinto 2")
    for sought in ("quinto 2", "QUI 2", str(entry.number)):
        (who,) = looked_for(sought).xpath("//*[@id='followed']")
        assert who.get("data-number") == str(entry.number)
    several = looked_for("qui").xpath("//*[@class='bk-hits']//a")
    assert [each.text for each in several] == ["Quinto", "Quinto 2", "Quinto 3"]
    assert all("data-follow" in each.attrib for each in several)
    assert (
        "No player with this name."
        in looked_for("xyz").xpath("//*[@id='followed']")[0].text_content()
    )


def test_what_a_path_shows(client: Client, halfway: Event) -> None:
    match = halfway.rounds.get().matches.get(number=1)
    address = reverse("tournaments:bracket", args=[halfway.slug])
    page = html.fromstring(read(client, f"{address}?p={match.players[0].number}"))
    lit = page.xpath("//div[contains(@class, 'match-tile') and contains(@class, ' lit')]")
    maybe = page.xpath("//*[contains(@class, 'match-tile')][contains(@class, ' maybe')]")
    assert (len(lit), len(maybe)) == (2, 4)
    road = page.xpath("//*[@class='bk-road']/li")
    assert [each.get("class") for each in road] == ["won", "now", *["maybe"] * 4]
    assert match.players[1].name in road[0].text_content()
    (own,) = page.xpath("//details[@data-own]")
    assert own.get("open") is not None


def test_a_long_name_gives_way_to_one_with_an_initial(client: Client) -> None:
    event = make.playing(make.organiser(), 20, formula="single-elimination")
    event.entries.filter(number=1).update(name="Emma Colombo")
    event.entries.filter(number=2).update(name="Ida Po")
    words = read(client, reverse("tournaments:bracket", args=[event.slug]))
    found = re.search(r'class="player w(\d+)"[^>]*>(<bdi.*?)</a>', words)
    assert found
    assert found[2] == (
        '<bdi class="person">Emma Colombo</bdi>'
        '<bdi class="short" aria-hidden="true">E. Colombo</bdi>'
    )
    assert "I. Po" not in words


def test_who_may_come_is_told_by_surname_or_as_much_as_tells_people_apart() -> None:
    event = make.playing(make.organiser(), 4, formula="single-elimination")
    first, second = event.rounds.get().matches.order_by("number")
    names = ("Ada Rossi", "Ugo Rossi", "Lia Riva", "Leo Riva")
    for entry, name in zip(
        (first.players[0], first.players[1], second.players[0], second.players[1]),
        names,
        strict=True,
    ):
        event.entries.filter(pk=entry.pk).update(name=name)
    with translation.override("en"):
        (found,) = bracket_drawings(load_facts(event, for_staff=False))
    final = found.halves[0].rounds[-1].slots[0]
    assert [row.words for row in final.rows] == ["A. Rossi or U. Rossi", "Lia Riva or Leo Riva"]


@pytest.mark.deep
def test_no_code_stands_where_a_name_can(client: Client) -> None:
    event = make.playing(make.organiser(), 32, formula="single-elimination")
    page = html.fromstring(read(client, reverse("tournaments:bracket", args=[event.slug])))
    unknown = [each.text for each in page.xpath("//*[@class='unknown']")]
    assert "Winner: Semi-final 1" in unknown
    assert "Loser: Semi-final 2" in unknown
    assert sum(" or " in each for each in unknown) == 16
    assert not [each for each in unknown if re.search(r"\b[WSL]\d|“Match \d", each)]


@pytest.mark.deep
@pytest.mark.parametrize(("players", "rounds", "sizes"), [(64, 2, [8, 4, 2, 1]), (8, 1, [2, 1])])
def test_the_event_page_shows_what_is_left(
    client: Client, players: int, rounds: int, sizes: list[int]
) -> None:
    event = knock_out(players, rounds)
    page = html.fromstring(read(client, reverse("tournaments:event", args=[event.slug])))
    (rest,) = page.xpath("//section[@aria-labelledby='rest-heading']")
    drawn = rest.xpath(".//ol[@class='bk-slots']")
    assert [len(each.xpath("./li")) for each in drawn] == sizes
    assert "Third place" in rest.text_content()
    names = {link.text_content() for link in rest.xpath(".//a[contains(@class, 'player')]/bdi[1]")}
    facts = load_facts(event)
    last = [match for match in facts.stages[0].matches if match.round_id == event.rounds.last().pk]
    assert len(names) == len(last)  # one winner of each match of the last round
    over = make.played(make.organiser(), 4, formula="single-elimination")
    assert "rest-heading" not in read(client, reverse("tournaments:event", args=[over.slug]))


class Named:
    def __init__(self, number: int, name: str) -> None:
        self.number, self.display_name = number, name


@pytest.mark.parametrize(
    ("sought", "found"),
    [
        ("42", [42]),
        ("7", []),
        ("Ada", [1]),  # a whole name is meant before its beginning
        ("ad", [1, 2]),
        ("rossi ada", [2]),
        ("agata", [42]),
        ("ágà", [42]),
        ("", []),
    ],
)
def test_whom_letters_mean(sought: str, found: list[int]) -> None:
    people = [Named(1, "Ada"), Named(2, "Ada Rossi"), Named(42, "Àgata D’Ambrà")]
    assert [each.number for each in find_players_by_text(people, sought)] == found  # type: ignore[arg-type]


def drawn(event: Event) -> BracketDrawing:
    with translation.override("en"):
        (found,) = bracket_drawings(load_facts(event, for_staff=False))
    return found


def followed(event: Event, number: int) -> PlayerPath | None:
    with translation.override("en"):
        return player_paths(load_facts(event, for_staff=False), number, {}).get("stage-1")


def numbers(drawing: BracketDrawing) -> list[int]:
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


def test_states_are_told_in_words(by) -> None:
    event = make.playing(by, 4, formula="single-elimination")
    (half,) = drawn(event).halves
    assert {slot.state for slot in half.rounds[0].slots} == {PLAYING}
    (final,) = half.rounds[1].slots
    assert (final.state, final.words) == (NEXT, "To come")
    a, b = (row.entry for row in half.rounds[0].slots[0].rows)
    assert a is not None
    assert b is not None
    assert final.rows[0].words == f"{a.name} or {b.name}"
    assert final.heading == "Final"


@pytest.mark.deep
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
    assert lit.words == "Semi-finals"
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
def test_every_match_of_a_double_elimination_has_one_slot(players: int, by) -> None:
    event = make.started(by, players, formula="double-elimination")
    drawing = drawn(event)
    shown = {box.number for column in drawing.columns for box in column.boxes}
    byes = {number for number in shown if number not in numbers(drawing)}
    assert sorted(shown - byes) == numbers(drawing)
    assert len(byes) == 2 ** (players - 1).bit_length() - players
    for half in drawing.halves:
        for one, other in zip(half.rounds, half.rounds[1:], strict=False):
            assert len(one.slots) == len(other.slots) * (1 if one.straight else 2)


def test_the_winner_stands_at_the_cup(by) -> None:
    event = make.played(by, 4, formula="single-elimination")
    found = drawn(event)
    assert found.winner is not None
    assert found.winner.number == load_facts(event).ranking[0][0]
    slots = [slot for each in found.halves[0].rounds for slot in each.slots]
    assert {slot.state for slot in slots} == {DONE}


@pytest.mark.deep
def test_the_page_is_there_before_the_bracket_begins_and_says_so_without_one(
    client: Client, by
) -> None:
    event = make.started(by, 6, formula="swiss-cut", options={"rounds": 2, "cut": 4})
    address = reverse("tournaments:bracket", args=[event.slug])
    assert address not in read(client, reverse("tournaments:standings", args=[event.slug]))
    assert "match-tile next" in read(client, address)
    other = make.started(by, 4, formula="single-group")
    address = reverse("tournaments:bracket", args=[other.slug])
    assert "No bracket" in read(client, address)
    fresh = make.open_event(by)  # the formula begins and ends with one
    assert "No bracket" in read(client, f"/events/{fresh.slug}/bracket/")
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


@pytest.mark.deep
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
    plan = formula_by_slug("groups-knockout").plan(12)
    assert advancing_texts(plan.stages[0], plan.used_places(0)) == (
        "Everybody ranked 1 in their group",
        "Everybody ranked 2 in their group",
        "The 2 best of those ranked 3",
    )


def test_places_won_in_a_preliminary_are_short_where_there_is_little_room(in_english: None) -> None:
    columns = plan_columns(formula_by_slug("mutant-chronicles").plan(33))
    shorts = [[line.short for box in each.boxes for line in box.lines] for each in columns]
    assert shorts[1][:2] == ["", "Winner: Round 1 · 1"]
    assert shorts[2][:2] == ["Winner: Round 2 · 1", "Winner: Round 2 · 6"]


def test_who_has_a_bye_in_a_preliminary_is_named_by_the_seat(in_english: None) -> None:
    _first, groups, *_others = plan_columns(formula_by_slug("mutant-chronicles").plan(14))
    assert [line.place for line in groups.boxes[0].lines] == [
        *("1st at the start", "6th at the start", "7th at the start"),
        "Winner of “Preliminary 2”",
    ]
