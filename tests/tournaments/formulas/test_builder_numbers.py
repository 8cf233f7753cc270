"""Numbers of the builder that can't be: told beside their field, kept as typed, never guessed."""

import pytest

from tests.tournaments.formulas.test_formula_builder import NEW, as_fields, built, thirds
from tournaments.formulas.builder.draft import MOST_SEATS, Draft, definition_of
from tournaments.formulas.builder.filling import read_draft
from tournaments.formulas.builder.page import builder_page
from tournaments.formulas.builder.steps import step
from tournaments.formulas.services import save_formula
from tournaments.models import SavedFormula

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

WRONG = ("-3", "0", "99999", "129", "1.5", "2e1", "many", "", " ", "²", "9" * 5000)


@pytest.fixture
def signed(by, client):
    client.force_login(by.user)
    return client


def typed(field: str, text: str) -> Draft:
    """Return three groups with a knock-out after them, a field of it changed."""
    return read_draft(as_fields(thirds()) | {field: text})


@pytest.mark.parametrize("text", WRONG)
def test_a_number_of_groups_that_can_not_be_is_told_beside_it_and_kept(text) -> None:
    draft = typed("stage-1-groups", text)
    assert [group.name for group in draft.stages[0].groups] == ["A", "B", "C"]
    page = builder_page(draft)
    field = page.stages[0].form["groups"]
    assert field.errors
    assert field.value() == text[:2000]
    assert [(problem.stage, problem.field) for problem in page.problems] == [
        (1, "id_stage-1-groups")
    ]


@pytest.mark.parametrize("text", ["-3", "99999", ""])
def test_such_a_formula_is_not_stored(signed, text) -> None:
    fields = as_fields(thirds()) | {"stage-1-groups": text}
    answer = signed.post(NEW, fields | {"act": "save"}, headers={"accept-language": "en"})
    assert answer.status_code == 400
    assert "Nothing was stored yet." in answer.content.decode()
    assert not SavedFormula.objects.exists()
    again = signed.get(f"{NEW}?go_on=1").context["draft"]
    assert again.stages[0].values["groups"] == text


@pytest.mark.parametrize("text", [" 2 ", "2.0", "+2", "00002", "٢"])
def test_a_right_number_takes_the_place_of_a_wrong_one(text) -> None:
    wrong = typed("stage-1-groups", "99999")
    right = read_draft(as_fields(wrong) | {"stage-1-groups": text})
    assert len(right.stages[0].groups) == 2
    assert not builder_page(right).stages[0].form["groups"].errors


def test_a_wrong_number_of_a_stored_formula_is_shown_again(signed, by) -> None:
    row = save_formula(owner=by.user, data=definition_of(thirds()))
    address = f"/formulas/{row.slug}/"
    fields = as_fields(signed.get(address).context["draft"])
    signed.post(address, fields | {"stage-1-groups": "-3", "act": "look"})
    again = signed.get(address)
    assert again.context["unsaved"]
    assert again.context["draft"].stages[0].values["groups"] == "-3"


@pytest.mark.parametrize("field", ["fill_each", "fill_best"])
@pytest.mark.parametrize("text", ["-3", "99999", "1025", "some"])
def test_places_are_not_filled_with_a_number_that_was_not_asked_for(field, text) -> None:
    draft = typed(f"stage-2-{field}", text)
    before = draft.stages[1].groups[0].seats[:]
    stepped = step(draft, "fill:2")
    assert stepped.draft.stages[1].groups[0].seats == before
    assert "Nothing was filled in" in stepped.note
    assert not stepped.loses
    page = builder_page(stepped.draft).stages[1]
    assert page.form[field].errors
    assert page.form[field].value() == text
    assert page.filling


def test_places_are_not_filled_from_a_stage_that_is_not_there() -> None:
    stepped = step(typed("stage-2-fill_from", "7"), "fill:2")
    assert "Nothing was filled in" in stepped.note


def test_a_group_that_is_full_says_so() -> None:
    draft = built("add-stage:round_robin", "add-stage:round_robin")
    draft.stages[1].groups[0].seats = [""] * MOST_SEATS
    stepped = step(draft, "add-seat:2:1")
    assert len(stepped.draft.stages[1].groups[0].seats) == MOST_SEATS
    assert str(MOST_SEATS) in stepped.note
