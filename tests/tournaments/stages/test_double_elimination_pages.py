"""A double elimination on pages, in pictures and in the workbook."""

from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override
from openpyxl import load_workbook

from rules.formulas import FORMULAS
from tests import factories as make
from tests.double_eliminations import (
    ahead,
    double_elimination,
    other_wins,
    play,
    seed_wins,
)
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import plan_of
from tournaments.core.permissions import Actor, Rights
from tournaments.desk.selectors.desk import desk_of
from tournaments.diagrams.selectors.formula_layout import formula_columns, picture, plan_columns
from tournaments.public.selectors.running_event import running_event
from tournaments.standings.selectors.standings import stage_standings

pytestmark = pytest.mark.django_db


def test_what_comes_next_is_said_for_a_win_and_a_loss(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 1)
    make.next_round(event, by)
    assert ahead(event, 1) == (
        "If you win: Upper bracket, final, against the winner of Bea – Carlo.",
        "If you lose: Lower bracket, round 2, match 2, against the winner of Gino – Fosca.",
    )
    assert ahead(event, 8) == (
        "If you win: Lower bracket, round 2, match 1, against the loser of Bea – Carlo.",
        "If you lose you are out.",
    )


def test_who_waits_knows_for_what(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 2)
    make.next_round(event, by)
    assert ahead(event, 1) == ("Next: Upper bracket, final, against Bea.",)
    assert ahead(event, 8) == ("out",)
    assert ahead(event, 3) == (
        "If you win: Lower bracket, semi-final, against the winner of Dora – Fosca.",
        "If you lose you are out.",
    )


def test_the_grand_final_may_go_on(by: Actor) -> None:
    event = double_elimination(by, 4)
    play(event, by, 3)
    make.next_round(event, by)
    assert ahead(event, 1) == ("If you lose you two meet once more.",)
    assert ahead(event, 2) == ("If you win you two meet once more.",)
    assert running_event(load_facts(event))["left"] == 0, "nobody knows of a second final yet"
    make.play_round(event.rounds.last(), by, other_wins)
    assert running_event(load_facts(event))["left"] == 1


def test_single_eliminations_say_it_as_well(by: Actor) -> None:
    event = make.started(by, 4, formula="single-elimination", format="creatures-of-exo")
    item = make.next_round(event, by)
    first = item.matches.get(number=1)
    names = " – ".join(
        str(m)
        for m in (item.matches.get(number=2).players[0], item.matches.get(number=2).players[1])
    )
    assert ahead(event, first.players[0].number) == (
        f"If you win: Final, against the winner of {names}.",
        f"If you lose: Third place, against the loser of {names}.",
    )


def test_the_picture_stands_in_two_rows(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 6)
    facts = load_facts(event)
    with override("en"):
        columns = formula_columns(facts, plan_of(event))
    assert [column.opens for column in columns if column.opens] == [
        *("Upper bracket", "Lower bracket", "Grand final")
    ]
    assert columns[-1].heading == "Grand final", "a second match is not needed"
    fresh_one = double_elimination(by, 4)
    with override("en"):
        to_come = formula_columns(load_facts(fresh_one), plan_of(fresh_one))
    assert to_come[-1].heading == "If it is needed"
    drawn = picture(columns)
    tops = {head.heading: head.down for head in drawn["heads"]}
    assert tops["Semi-final"] > tops["Semi-finals"] == 0


@pytest.mark.parametrize("how_many", [2, 3, 7, 9, 13, 16, 40])
def test_boxes_never_overlap(how_many: int) -> None:
    plan = FORMULAS.get("double-elimination").plan(how_many)
    drawn = picture(plan_columns(plan))
    spots = [(box.x, box.y, box.y + box.height) for box in drawn["boxes"]]
    for x, top, bottom in spots:
        beside = [spot for spot in spots if spot[0] == x and spot != (x, top, bottom)]
        assert all(other[2] <= top or other[1] >= bottom for other in beside)
        assert bottom <= drawn["height"]
        assert x + drawn["box_width"] <= drawn["width"]


def test_the_standings_show_the_whole_bracket(client: Client, by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 2)
    (stage,) = stage_standings(load_facts(event, drafts=False))
    assert len(stage.bracket) == 9
    assert stage.rounds == stage.tables == ()
    page = client.get(
        reverse("tournaments:standings", args=[event.slug]), headers={"accept-language": "it"}
    )
    text = page.content.decode()
    assert "Tabellone vincenti, finale" in text
    assert "Chi perde “Tabellone vincenti, finale”" in text
    assert "ncontro 11" not in text
    assert "Che cosa dicono le colonne" not in text


def test_the_desk_says_the_bracket_of_each_table(by: Actor) -> None:
    event = double_elimination(by)
    play(event, by, 1)
    make.next_round(event, by)
    with override("en"):
        desk = desk_of(load_facts(event), Rights(run=True, rule=True, manage=True))
    assert [row.bracket for row in desk.rows] == ["Upper bracket"] * 2 + ["Lower bracket"] * 2


def test_the_workbook_names_rounds_and_brackets(client: Client, by: Actor) -> None:
    event = make.play_event(double_elimination(by, 4), by, seed_wins)
    found = client.get(
        reverse("tournaments:workbook", args=[event.slug]) + "?whole=1",
        headers={"accept-language": "en"},
    )
    book = load_workbook(BytesIO(found.content))
    rows = list(book["Results"].iter_rows(values_only=True))
    where = {(row[3], row[1]) for row in rows[1:]}
    assert ("Lower bracket, semi-final", "Lower bracket") in where
    assert ("Grand final", "Grand final") in where


@pytest.mark.parametrize("name", ["standings", "formula", "pairings", "ranking"])
def test_pages_make_as_many_queries_for_any_number(client: Client, by: Actor, name: str) -> None:
    counted = []
    for how_many in (4, 20):
        event = double_elimination(by, how_many)
        play(event, by, 2)
        url = reverse(f"tournaments:{name}", args=[event.slug])
        client.get(url)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url).status_code == 200
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_the_options_are_in_the_form_of_a_new_event(client: Client, by: Actor) -> None:
    client.force_login(by.user)
    text = client.get("/events/new/?formula=double-elimination").content.decode()
    assert "option_double-elimination_second_final" in text
