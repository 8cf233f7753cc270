"""An event of tables of three and more is made and changed by the form."""

import re

import pytest

from tests import factories as make
from tests.browsers import ENGLISH, read, signed_in, text, url
from tournaments.events.forms.event import EventForm, initial_of, settings_of
from tournaments.models import Event

pytestmark = pytest.mark.django_db
NEW = "/events/new/?template=nothing"
SCRIPT = {"HX-Request": "true"} | ENGLISH
CHOSEN = {
    "name": "Lega",
    "starts_at": "2026-11-28T10:00",
    "format": "thoom",
    "formula": "tables-cut",
    "option_tables-cut_rounds": "3",
    "option_tables-cut_cut": "10",
    "option_tables-cut_sizes": "4 5 3",
    "option_tables-cut_small": "any",
    "table_worth": "win3",
    "preset": "tables",
}


@pytest.fixture
def signed(by):
    return signed_in(by)


def filled(page, **typed):
    values = {bound.html_name: bound.value() for bound in page.context["form"]}
    return {k: "" if v is None else v for k, v in values.items() if v is not False} | typed


def test_tables_are_chosen_as_any_formula(signed):
    page = signed.get(NEW)
    answer = signed.post(NEW, filled(page, **CHOSEN))
    assert answer.status_code == 302
    made = Event.objects.get()
    assert made.formula == "tables-cut"
    chosen = {"rounds": 3, "cut": 10, "sizes": [4, 5, 3], "small": "any"}
    assert made.options == chosen | {"ending": "tables"}
    assert made.table_points == {"preset": "win3"}
    assert made.criteria == ["points", "opponents_share", "opponents_average", "lots"]


def test_without_script_the_usual_ones_of_a_formula_chosen_blind_are_taken(signed):
    plain = {key: CHOSEN[key] for key in ("name", "starts_at", "format", "formula")}
    assert signed.post(NEW, filled(signed.get(NEW), **plain)).status_code == 302
    made = Event.objects.get()
    usual = {"rounds": 0, "cut": 1, "ending": "tables", "small": "low"}
    assert made.options == usual | {"sizes": [4, 3]}
    assert made.table_points is None
    assert made.criteria == ["points", "opponents_share", "opponents_average", "lots"]


def test_a_link_that_names_the_formula_brings_its_usual_order(signed):
    page = signed.get(f"{NEW}&formula=tables-cut")
    used = text(page).partition("data-used")[2].partition("data-unused")[0]
    names = re.findall(r'name="table_criterion_(\w+)"', used)
    assert names == ["points", "opponents_share", "opponents_average", "lots"]


def test_the_parts_of_the_form_follow_the_formula(signed):
    asked = f"{NEW}&formula=tables-cut&part="
    options, points, criteria = (
        text(signed.get(f"{asked}{part}", headers=SCRIPT))
        for part in ("options", "points", "criteria")
    )
    assert "tables of 4, of 5 or 3 where needed" in options
    assert "data-at-tables" in options
    assert "5 to the winner, 1 each where it is drawn, 0 otherwise" in points
    assert "points_win" not in points
    assert 'name="table_criterion_opponents_share"' in criteria
    assert "head_to_head" not in criteria
    by_place = text(signed.get(f"{asked}criteria&table_worth=places", headers=SCRIPT))
    used, _colon, _unused = by_place.partition("data-unused")
    assert 'name="table_criterion_places_made"' in used
    assert 'name="table_criterion_opponents_share"' not in used


OWN = {"table_worth": "by_place", "table_bye": "1"}


@pytest.mark.parametrize(
    ("typed", "at", "said"),
    [
        ({"option_tables-cut_cut": "9"}, "option_tables-cut_cut", "possible are 7, 10"),
        ({"option_tables-cut_cut": "8"}, "option_tables-cut_cut", "possible are 7, 10"),
        ({"option_tables-cut_cut": "6"}, "option_tables-cut_cut", "valid choice"),
        ({"format": "doomtrooper-original"}, "__all__", "scored between two"),
        (OWN | {"table_places": "1 2"}, "__all__", "later place"),
        (OWN | {"table_places": "due"}, "table_places", "Whole numbers"),
        ({"table_worth": "by_result", "table_bye": ""}, "table_bye", "need this number"),
    ],
)
def test_what_cannot_be_is_said_where_it_is_typed(signed, typed, at, said):
    answer = signed.post(NEW, filled(signed.get(NEW), **(CHOSEN | typed)), headers=ENGLISH)
    assert answer.status_code == 400
    assert said in " ".join(answer.context["form"].errors[at])
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    "points",
    [
        None,
        {"preset": "places"},
        {"win": 4, "draw": 2, "loss": 1, "bye": 3},
        {"places": [10, 6, 3], "bye": 6},
    ],
)
def test_settings_that_are_shown_are_stored_again_as_they_were(by, points):
    event = make.event(by, **make.TABLES, table_points=points)
    event.options |= {"sizes": [4, 2]}
    event.save()
    initial = initial_of(settings_of(event))
    shown = EventForm(owner_id=by.user.pk, initial=initial)
    typed = {bound.html_name: bound.value() for bound in shown}
    sent = EventForm(
        {k: "" if v is None else v for k, v in typed.items() if v is not False},
        owner_id=by.user.pk,
        initial=initial,
    )
    assert sent.is_valid(), sent.errors
    kept = ("formula", "options", "table_points", "criteria")
    assert {key: sent.values()[key] for key in kept} == {key: getattr(event, key) for key in kept}


def test_an_event_of_tables_becomes_one_of_two_again(by, signed):
    event = make.event(by, **make.TABLES, table_points={"preset": "places"})
    address = url("manage-settings", event)
    page = signed.get(address)
    typed = filled(page, formula="swiss-cut")
    for field in ("points", "criteria"):
        part = signed.get(f"{address}?part={field}&formula=swiss-cut", headers=SCRIPT)
        typed |= filled(part)
    options = signed.get(f"{address}?part=options&formula=swiss-cut", headers=SCRIPT)
    answer = signed.post(address, filled(options, **(typed | {"formula": "swiss-cut"})))
    assert answer.status_code == 302
    event.refresh_from_db()
    assert (event.formula, event.table_points) == ("swiss-cut", None)
    assert "opponents_points" in event.criteria


def test_the_rules_say_points_and_who_reports(by):
    event = make.event(by, **make.TABLES)
    said = read(signed_in(by), url("rules", event))
    assert "5 for the winner, 1 each for those between whom it is drawn, 0 for the others" in said
    assert "more than half of them agree" in said
    assert "Points for a win" not in said
