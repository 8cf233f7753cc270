"""Which formula fits: the page, and the way from it to a new event."""

import pytest
from django.test import Client

from rules.formulas import FORMULAS
from rules.formulas.adviser import PlannedStage
from tests import factories as make
from tests.browsers import ENGLISH
from tournaments.core.formulas import formula_by_slug
from tournaments.core.labels import stages_text
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def client():
    return Client(headers=ENGLISH)


def test_nothing_is_said_before_anything_is_asked(client) -> None:
    page = client.get("/advice/")
    assert page.status_code == 200
    assert page.context["advice"] is None


def test_the_best_ways_come_first_and_every_formula_answers(client) -> None:
    page = client.get("/advice/?players=13&minutes=50&tables=6&hours=5&turn_round=10")
    advice = page.context["advice"]
    assert [f"{row['label']}: {row['way']}, {row['lasts']}" for row in advice["best"]] == [
        "Swiss and cut: 4 rounds and a final, 5 h 00 min",
        "Swiss only: 4 rounds, 4 h 00 min",
        "Groups and knock-out: 3 rounds and top 4, 5 h 00 min",
    ]
    rows = (*advice["best"], *advice["others"])
    assert {row["label"] for row in rows} >= {str(formula.label) for formula in FORMULAS}
    assert all(bool(row["needs"]) is not row["fits"] for row in rows)
    words = page.content.decode()
    assert "Best:" in words
    assert words.index("4 rounds and a final") < words.index("Others: ")


def test_of_more_than_two_stages_the_first_is_named_too(in_english) -> None:
    formula = formula_by_slug("mutant-chronicles")
    usual = {option.key: option.default for option in formula.options}
    told = {
        kind: stages_text(
            PlannedStage(stage=stage, rounds=3)
            for stage in formula.plan(33, usual | {"preliminary": kind}).stages
        ).split(", ")[0]
        for kind in range(3)
    }
    assert set(told.values()) == {"preliminary (3 rounds)"}


def test_where_nothing_fits_one_line_says_what_is_needed(client) -> None:
    page = client.get("/advice/?players=48&minutes=50&tables=6&hours=5")
    words = " ".join(page.content.decode().split())
    assert "<strong>No format fits.</strong>" in words
    assert "Swiss only, 6 rounds: Tables: 24 · 6 h 00 min" in words
    assert "164 h" not in words
    assert "Rounds of 7 minutes" not in words


def test_meeting_twice_is_a_row_where_the_time_is_enough(client) -> None:
    advice = client.get("/advice/?players=4&minutes=30&hours=9").context["advice"]
    rows = [row["take"] for row in (*advice["best"], *advice["others"])]
    for formula, legs in (("single-group", "2"), ("mutant-chronicles", "%5B2%2C+2%2C+2%5D")):
        found = [take for take in rows if f"formula={formula}" in take]
        assert any(f"%22legs%22%3A+{legs}" in take for take in found)


def test_too_few_players_are_told_how_many_each_needs(client) -> None:
    page = client.get("/advice/?players=1&minutes=50")
    advice = page.context["advice"]
    assert (advice["best"], advice["others"], advice["needed"]) == ((), (), "")
    assert ": 3" in page.content.decode()


@pytest.mark.parametrize("query", ["players=x&minutes=50", "players=0", "players=9&hours=nan"])
def test_wrong_numbers_are_named(client, query) -> None:
    page = client.get(f"/advice/?{query}")
    assert page.status_code == 200
    assert page.context["advice"] is None
    assert page.context["form"].errors


def test_a_formula_is_taken_into_the_form_of_a_new_event(client, by) -> None:
    client.force_login(by.user)
    advice = client.get("/advice/?players=4&minutes=35&hours=9").context["advice"]
    legs = "%22legs%22%3A+2%7D"
    take = next(
        row["take"]
        for row in (*advice["best"], *advice["others"])
        if "single-group" in row["take"] and legs in row["take"]
    )
    games = client.get(take).content.decode()
    assert "legs%22%3A+2%7D&amp;minutes=35&amp;game=Thoom" in games
    take += "&format=thoom"
    form = client.get(take).context["form"]
    values = {bound.html_name: bound.value() for bound in form}
    assert (values["formula"], values["minutes"]) == ("single-group", 35)
    typed = {k: "" if v is None else v for k, v in values.items() if v is not False}
    typed |= {"name": "Andata e ritorno", "starts_at": "2026-12-05T10:00"}
    assert client.post(take, typed).status_code == 302
    made = Event.objects.get()
    assert (made.formula, made.options["legs"], made.minutes) == ("single-group", 2, 35)
    assert made.capacity is None


def test_the_new_event_page_advises_too_and_keeps_the_game(client) -> None:
    client.force_login(make.organiser().user)
    page = client.get("/events/new/?format=creatures-of-exo&players=8&minutes=40&turn_round=")
    advice = page.context["advice"]
    rows = (*advice["best"], *advice["others"])
    assert rows
    assert all("format=creatures-of-exo" in row["take"] for row in rows)
    assert page.content.decode().count('id="advice_players"') == 1


@pytest.mark.deep
def test_what_a_link_cannot_ask_for_is_left_aside(client) -> None:
    client.force_login(make.organiser().user)
    game = "/events/new/?format=doomtrooper-open"
    form = client.get(f"{game}&formula=nothing&minutes=99999&options=1").context["form"]
    assert (form["formula"].value(), form["minutes"].value()) == ("mutant-chronicles", 60)
    for options in ("[1]", "{", '{"cut": 900}', '{"nothing": 1}', "[" * 400, "1e999"):
        asked = {"format": "thoom", "formula": "swiss-cut", "options": options}
        page = client.get("/events/new/", asked)
        assert page.status_code == 200
        assert page.context["form"]["option_swiss-cut_cut"].value() == "1"


def test_the_page_asks_the_database_nothing(client, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        client.get("/advice/?players=200&minutes=50")
