"""Which formula fits: the page, and the way from it to a new event."""

import pytest
from django.test import Client

from rules.formulas import FORMULAS
from tests import factories as make
from tests.browsers import ENGLISH
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def client():
    return Client(headers=ENGLISH)


def test_nothing_is_said_before_anything_is_asked(client) -> None:
    page = client.get("/advice/")
    assert page.status_code == 200
    assert page.context["advice"] is None


def test_every_formula_answers_those_that_fit_first(client) -> None:
    page = client.get("/advice/?players=16&minutes=50&tables=8&hours=6&turn_round=10")
    rows = page.context["advice"].rows
    assert {row.label for row in rows} == {str(formula.label) for formula in FORMULAS}
    assert [row.fits for row in rows] == sorted((row.fits for row in rows), reverse=True)
    assert all(bool(row.needs) is not row.fits for row in rows)
    words = page.content.decode()
    assert "does not fit" in words
    assert "h 00 min" in words


def test_meeting_twice_is_a_row_where_the_time_is_enough(client) -> None:
    page = client.get("/advice/?players=4&minutes=30&hours=9")
    twice = [row for row in page.context["advice"].rows if row.twice]
    assert {row.id for row in twice} >= {"single-group-twice", "mutant-chronicles-twice"}
    assert "everybody meets twice" in page.content.decode()


def test_too_few_players_are_told_how_many_each_needs(client) -> None:
    page = client.get("/advice/?players=1&minutes=50")
    assert page.context["advice"].rows == ()
    assert "at least 3 players" in page.content.decode()


@pytest.mark.parametrize("query", ["players=x&minutes=50", "players=0", "players=9&hours=nan"])
def test_wrong_numbers_are_named(client, query) -> None:
    page = client.get(f"/advice/?{query}")
    assert page.status_code == 200
    assert page.context["advice"] is None
    assert page.context["form"].errors


def test_a_formula_is_taken_into_the_form_of_a_new_event(client) -> None:
    by = make.organiser()
    client.force_login(by.user)
    rows = client.get("/advice/?players=4&minutes=35").context["advice"].rows
    take = next(row.take for row in rows if row.id == "single-group-twice")
    form = client.get(take).context["form"]
    values = {bound.html_name: bound.value() for bound in form}
    assert (values["formula"], values["minutes"]) == ("single-group", 35)
    typed = {k: "" if v is None else v for k, v in values.items() if v is not False}
    typed |= {"name": "Andata e ritorno", "starts_at": "2026-12-05T10:00"}
    assert client.post(take, typed).status_code == 302
    made = Event.objects.get()
    assert (made.formula, made.options["legs"], made.minutes) == ("single-group", 2, 35)


def test_the_new_event_page_advises_too_and_keeps_the_template(client) -> None:
    client.force_login(make.organiser().user)
    page = client.get("/events/new/?template=creatures-of-exo&players=8&minutes=40&turn_round=")
    rows = page.context["advice"].rows
    assert rows
    assert all("template=creatures-of-exo" in row.take for row in rows)
    assert page.content.decode().count('id="advice_players"') == 1


def test_what_a_link_cannot_ask_for_is_left_aside(client) -> None:
    client.force_login(make.organiser().user)
    page = client.get("/events/new/?formula=nothing&minutes=99999&twice=1")
    form = page.context["form"]
    assert (form["formula"].value(), form["minutes"].value()) == ("mutant-chronicles", 60)


def test_the_page_asks_the_database_nothing(client, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        client.get("/advice/?players=200&minutes=50")
