"""The page of an event: what happens now, what to do before, who won."""

import gzip
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import factories as make
from tests.browsers import read
from tournaments.core.event_state import load_facts
from tournaments.models import Event, Match
from tournaments.public.selectors.running_event import marks_of, small_tables
from tournaments.public.selectors.stage_path import pegs_of, seats_bar, stage_path
from tournaments.public.selectors.tiles import tiles_of
from tournaments.results.services import results

pytestmark = pytest.mark.django_db
GROUPS = {"formula": "mutant-chronicles"}


def a_wins(match, by):
    """Enter that the first player of a match won."""
    results.decide_result(match=match, version=match.version, claim=make.a_wins(match), by=by)


def html(client, event, path=""):
    """Return the source of a page."""
    answer = client.get(f"/events/{event.slug}/{path}", headers={"Accept-Language": "en"})
    return answer.content.decode()


@pytest.fixture
def by():
    return make.organiser()


@pytest.fixture
def running(by):
    """Return an event with twelve players in its first round, one result entered."""
    event = make.playing(by, 12, **GROUPS)
    match = Match.objects.filter(round__event=event).order_by("table").first()
    a_wins(match, by)
    return Event.objects.get(pk=event.pk)


def test_a_running_event_says_where_it_is(client: Client, running: Event) -> None:
    page = html(client, running)
    assert 'aria-current="step"' in page
    assert "We are here:" in page
    assert page.count('class="match-tile') == 6
    assert page.count('class="match-tile over"') == 1
    assert "5 tables of 6 still to finish" in read(client, f"/events/{running.slug}/")


def test_small_tables_have_their_cut_line_in_words(client: Client, running: Event) -> None:
    page = html(client, running)
    assert page.count('class="mini"') == 3
    assert page.count("cut-line") == 6
    assert page.count("the first 2 go on") == 3
    assert page.count("on rank 3 the best 2 of 3") == 3
    assert page.count('class="is-maybe"') == 3, "third places are compared across the groups"


def test_the_latest_result_is_there_and_none_before(client: Client, by) -> None:
    event = make.playing(by, 4, formula="single-group")
    assert "Latest results" not in html(client, event)
    a_wins(Match.objects.filter(round__event=event).first(), by)
    assert "Latest results" in html(client, event)


def test_the_path_knows_done_now_and_next_and_who_skips(running: Event) -> None:
    path = stage_path(load_facts(running, drafts=False))
    assert path is not None
    assert [step.state for step in path.steps] == ["now", *["next"] * (len(path.steps) - 1)]
    assert [len(box.pegs) for box in path.steps[0].groups] == [4, 4, 4]
    assert path.steps[0].segments == ("half", "", "")
    assert [(skip.begin, skip.end) for skip in path.skips] == [(2, 4)]


def test_a_large_group_is_a_number_and_a_small_one_pegs() -> None:
    assert pegs_of(9).number == 9
    assert pegs_of(9).pegs == ()
    assert len(pegs_of(8).pegs) == 8
    assert len(set(pegs_of(3).pegs)) == 3


def test_before_the_start_it_says_places_left_and_who_is_coming(client: Client, by) -> None:
    event = make.open_event(by, capacity=16, venue="Sala")
    make.players_more(event, ["Anna"], by)
    page = html(client, event)
    assert "15 places left" in read(client, f"/events/{event.slug}/")
    assert "Who is coming" in page
    assert "Anna" in page
    assert 'class="seats-bar"' in page


def test_a_seat_bar_is_full_only_without_a_seat_left() -> None:
    assert sum(taken for _x, taken in seats_bar(31, 32)["cells"]) == 15
    assert sum(taken for _x, taken in seats_bar(32, 32)["cells"]) == 16
    assert len(seats_bar(1, 4)["cells"]) == 4


def test_a_finished_event_names_the_winner_and_the_road_of_each(client: Client, by) -> None:
    event = make.started(by, 4, formula="single-group")
    make.play_event(event, by)
    page = html(client, event)
    winner = re.search(r'class="headline">\s*(\S+) wins', page)
    assert winner
    assert page.count("road-cell won") == 1
    assert "the widest win" in page
    assert page.count("<div><dt>") >= 4
    assert "place-1" in page


def test_the_road_tells_the_final_from_the_match_for_third_place(client: Client, by) -> None:
    event = make.started(by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    make.play_event(event, by)
    cells = re.findall(r"road-cell[^>]*>\s*([^<]*?)\s*<", html(client, event))
    assert sum(words.startswith("Final ") for words in cells) == 2
    assert sum(words.startswith("Third place") for words in cells) == 2


@pytest.mark.parametrize(
    ("longest", "look"),
    [("Barbarossa", "steps"), ("Wolfensberg", "steps stacked"), ("W" * 25, "steps stacked small")],
)
def test_long_names_stand_below_one_another_on_the_podium(
    client: Client, by, longest: str, look: str
) -> None:
    event = make.started(by, 4, formula="single-group")
    make.play_event(event, by)
    event.entries.update(name=f"Ada {longest}-Conti")
    assert f'<ol class="{look}">' in html(client, event)


def test_rules_have_a_page_of_their_own(client: Client, running: Event) -> None:
    assert "Points for a win" not in html(client, running)
    assert "Points for a win" in html(client, running, "rules/")


def test_many_tables_are_not_all_drawn(by) -> None:
    options = {"rounds": 4, "cut": 8}
    criteria = ["points", "opponents_match_win", "game_win", "lots"]
    event = make.playing(by, 36, formula="swiss-cut", options=options, criteria=criteria)
    facts = load_facts(event, drafts=False)
    stage = facts.open_stage
    matches = stage.matches_of(stage.last_round)
    assert len(tiles_of(facts, stage, matches).drawn) == 18, "none of them is finished"
    many = [match._replace(pk=match.pk + 1000 * n) for n in range(5) for match in matches]
    shown = tiles_of(facts, stage, many)
    assert (len(shown.drawn), shown.all, shown.parts) == (0, 90, ())
    (table,) = small_tables(facts, stage).tables
    assert len(table["rows"]) == 9, "the best eight and the first below the line"
    assert table["columns"][1][0] == "OMW", "what decides first between equal points"
    assert {(row.zone, row.cut, row.level) for row in table["rows"]} == {("", "", False)}
    assert "the first 8 go on" not in html(Client(), event), "nobody has played"
    make.play_round(event.rounds.get(), by)
    facts = load_facts(event, drafts=False)
    (table,) = small_tables(facts, facts.open_stage).tables
    assert [row.cut != "" for row in table["rows"]] == [False] * 7 + [True, False]


def test_a_draw_a_win_and_a_loss_are_marks(by) -> None:
    event = make.playing(by, 4, formula="single-group")
    first = Match.objects.filter(round__event=event).order_by("table").first()
    a_wins(first, by)
    stage = load_facts(event, drafts=False).open_stage
    assert marks_of(stage)[first.players[0].number] == ("won",)
    assert marks_of(stage)[first.players[1].number] == ("lost",)


def test_the_page_stays_light_and_costs_few_queries(client: Client, running: Event) -> None:
    client.get(f"/events/{running.slug}/")
    with CaptureQueriesContext(connection) as sent:
        page = client.get(f"/events/{running.slug}/").content
    assert len(gzip.compress(page)) < 15_000
    assert len(sent) <= 14


def test_at_tables_of_four_tiles_have_places(by, in_english):
    event = make.playing(by, 8, **make.TABLES)
    item = event.rounds.get()
    a_wins(item.matches.order_by("number").first(), by)
    facts = load_facts(event)
    tiles = tiles_of(facts, facts.stages[0], facts.stages[0].matches_of(facts.rounds[0]))
    assert [side.score for side in tiles.drawn[0].sides] == ["1st", "2nd", "2nd", "2nd"]
    assert {side.score for side in tiles.drawn[1].sides} == {"–"}


def test_the_games_of_a_match_are_no_wide_win(client: Client, by) -> None:
    event = make.played(by, 4, formula="single-group", format="creatures-of-exo")
    shown = html(client, event)
    assert "matches for each player" in shown
    assert "the widest win" not in shown
