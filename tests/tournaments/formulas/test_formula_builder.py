"""The pages of own formulas: each step keeps what was typed and says what is wrong."""

import pytest
from django.urls import reverse

from rules.formulas import FORMULAS
from rules.formulas.custom import formula_faults, read_definition
from rules.formulas.starting_points import definition_from_formula
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.formulas.builder.draft import (
    MOST_SEATS,
    FormulaDraft,
    definition_from_draft,
    draft_from_definition,
)
from tournaments.formulas.builder.page import builder_context
from tournaments.formulas.builder.steps import apply_step, read_draft
from tournaments.formulas.services import save_formula
from tournaments.models import SavedFormula

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]
NEW = "/formulas/new/"
FRAGMENT = {"HX-Request": "true"}


def built(*acts: str, **values: str) -> FormulaDraft:
    """Return a draft after some steps."""
    draft = FormulaDraft(values={"name": "Cup", "lowest": "12", "highest": "12", **values})
    for act in acts:
        draft = apply_step(draft, act).draft
    return draft


def sent(page) -> dict[str, str]:
    """Return what a browser would send of a builder's page: names and values of all its fields."""
    return as_fields(page.context["draft"])


def as_fields(draft: FormulaDraft) -> dict[str, str]:
    """Return the fields of a draft as a form holds them."""
    fields = {**draft.values, "version": str(draft.version)}
    for at, stage in enumerate(draft.stages, start=1):
        prefix = f"stage-{at}"
        fields[f"{prefix}-kind"] = stage.kind
        fields |= {f"{prefix}-{key}": value for key, value in stage.values.items()}
        if stage.shape.several_groups:
            fields[f"{prefix}-groups"] = str(len(stage.groups))
        for number, group in enumerate(stage.groups, start=1):
            place = f"{prefix}-group-{number}"
            fields[f"{place}-name"] = group.name
            if group.everybody:
                fields[f"{place}-everybody"] = "on"
            fields |= {f"{place}-seat-{n}": seat for n, seat in enumerate(group.seats, start=1)}
    return fields


def thirds() -> FormulaDraft:
    """Return three groups of four, then a knock-out with the two best thirds."""
    draft = built("add-stage:round_robin")
    fields = as_fields(draft) | {"stage-1-groups": "3"}
    return apply_step(read_draft(fields), "add-stage:knockout").draft


# --- The draft and its steps ------------------------------------------------------------------
def test_a_new_knock_out_is_filled_with_the_best_thirds() -> None:
    definition = definition_from_draft(thirds())
    assert formula_faults(read_definition(definition)) == ()
    entrants = definition["stages"][1]["groups"][0]["entrants"]
    assert entrants[:3] == [{"stage": 1, "group": name, "rank": 1} for name in "ABC"]
    assert entrants[6:] == [{"stage": 1, "best": 3, "nth": nth} for nth in (1, 2)]
    assert not definition["stages"][1].get("third_place")  # nowhere unless it is chosen


def quarter_finals() -> FormulaDraft:
    """Return four groups and quarter-finals that leave four: third place was ticked before."""
    draft = built("add-stage:round_robin", "add-stage:knockout", highest="16")
    return read_draft(as_fields(draft) | {"stage-2-survivors": "4", "stage-2-third_place": "on"})


def test_where_several_are_left_the_match_for_third_place_goes_by_itself() -> None:
    draft = quarter_finals()
    stage = builder_context(draft)["stages"][1]
    assert "third_place" not in stage["form"].fields
    assert not [problem for problem in stage["problems"] if "third" in problem.text]
    again = read_draft(as_fields(draft) | {"stage-2-survivors": "1"})
    assert "third_place" in builder_context(again)["stages"][1]["form"].fields


def test_losers_fill_a_stage_where_the_winners_play_on_already() -> None:
    draft = apply_step(quarter_finals(), "add-stage:knockout").draft
    draft = apply_step(draft, "add-stage:knockout").draft
    draft.stages[3].values["fill_from"] = "2"
    filled = apply_step(draft, "fill:4").draft
    assert filled.stages[2].groups[0].seats == [f"winner-2-0-{match}-0" for match in (1, 2, 3, 4)]
    assert filled.stages[3].groups[0].seats == [f"loser-2-0-{match}-0" for match in (1, 2, 3, 4)]
    assert any("advance further" in problem.text for problem in builder_context(filled)["problems"])
    first = apply_step(filled, "up-stage:4").draft
    assert formula_faults(read_definition(definition_from_draft(first) | {"name": "Cup"})) == ()
    assert apply_step(first, "fill:3").draft.stages[2].groups[0].seats[0] == "loser-2-0-1-0"


@pytest.mark.parametrize("formula", [one.key for one in FORMULAS])
@pytest.mark.parametrize("players", [3, 6, 8, 12, 13, 16, 20])
def test_every_shipped_formula_goes_through_the_form_unchanged(formula, players) -> None:
    shipped = FORMULAS.get(formula)
    if players < shipped.minimum:
        pytest.skip("too few players")
    definition = definition_from_formula(shipped, players, str)
    assert formula_faults(definition) == ()
    again = read_draft(as_fields(draft_from_definition(definition)))
    assert read_definition(definition_from_draft(again)) == definition
    page = builder_context(again)
    assert page["problems"] == ()
    assert [preview.players for preview in page["previews"]][-1] == players


def test_groups_of_which_everybody_goes_on_are_warned_of() -> None:
    acts = ("add-stage:round_robin", "remove-group:1:4", "remove-group:1:3", "add-stage:knockout")
    draft = built(*acts, lowest="4", highest="4")
    seats = [f"rank-1-{group}-{rank}-0" for rank in (1, 2) for group in (1, 2)]
    draft.stages[1].groups[0].seats = seats
    warned = [words for preview in builder_context(draft)["previews"] for words in preview.warnings]
    assert warned == ["Groups: nobody is eliminated."]


def test_places_follow_their_stage_and_their_group() -> None:
    draft = built("add-stage:round_robin", "add-stage:swiss", highest="16")
    draft = apply_step(draft, "add-stage:knockout").draft
    assert draft.stages[2].groups[0].seats[0].startswith("rank-2-")
    refused = apply_step(draft.copy(), "up-stage:3")
    assert refused.note
    assert refused.draft == draft
    gone = apply_step(draft.copy(), "remove-stage:2")
    assert gone.loses
    assert set(gone.draft.stages[1].groups[0].seats) == {""}
    fewer = apply_step(
        built("add-stage:round_robin", "add-stage:knockout"), "remove-group:1:2"
    ).draft
    names = definition_from_draft(fewer)["stages"][1]["groups"][0]["entrants"]
    assert {source["group"] for source in names} == {"A", "C", "D"}


def test_a_group_is_renamed_without_losing_who_comes_from_it() -> None:
    draft = thirds()
    fields = as_fields(draft) | {"stage-1-group-1-name": "Rossi"}
    entrants = definition_from_draft(read_draft(fields))["stages"][1]["groups"][0]["entrants"]
    assert entrants[0] == {"stage": 1, "group": "Rossi", "rank": 1}


def test_seats_are_added_moved_and_removed() -> None:
    draft = thirds()
    first, second = draft.stages[1].groups[0].seats[:2]
    moved = apply_step(draft.copy(), "up-seat:2:1:2")
    assert moved.draft.stages[1].groups[0].seats[:2] == [second, first]
    assert moved.focus == "stage-2-group-1-seat-1"
    less = apply_step(draft.copy(), "remove-seat:2:1:8")
    assert len(less.draft.stages[1].groups[0].seats) == 7
    again = apply_step(less.draft, "add-seat:2:1").draft
    assert again.stages[1].groups[0].seats[7] == "best-1-0-3-2"


@pytest.mark.parametrize(
    "act",
    [
        *("", "nonsense", "remove-stage", "remove-stage:9", "remove-stage:-1", "add-stage:chess"),
        *("up-seat:1:1:1", "remove-seat:2:1:99", "remove-group:2:1", "add-seat:2:9", "fill:99"),
        *("fill:", "up-stage:1", "remove-stage:²", "remove-seat:2:1:" + "9" * 5000),
    ],
)
def test_an_act_that_makes_no_sense_changes_nothing(act) -> None:
    assert apply_step(thirds(), act).draft == thirds()


def test_what_is_wrong_stands_at_its_stage() -> None:
    draft = thirds()
    draft.stages[1].groups[0].seats[7] = draft.stages[1].groups[0].seats[0]
    page = builder_context(draft)
    assert [problem.stage for problem in page["problems"]] == [2]
    wrong = [seat["number"] for seat in page["stages"][1]["groups"][0]["seats"] if seat["wrong"]]
    assert wrong == [1, 8]
    assert [row.label for row in page["previews"][0].rows] == ["Groups"]  # as far as it is right


# --- The pages ----------------------------------------------------------------------------
@pytest.mark.deep
def test_from_nothing_to_an_event_that_starts(signed, by) -> None:
    page = signed.get(f"{NEW}?empty=1")
    fields = sent(page) | {"name": "Coppa", "lowest": "12", "highest": "12"}
    for act in ("add-stage:round_robin", "add-stage:knockout"):
        if act.endswith("knockout"):
            fields["stage-1-groups"] = "3"
        page = signed.post(NEW, fields | {"act": act}, headers=FRAGMENT)
        assert page.status_code == 200
        fields = sent(page)
    assert b"<html" not in page.content
    answer = signed.post(NEW, fields | {"act": "save"})
    assert answer.status_code == 302
    assert answer["Location"] == reverse("tournaments:formulas")
    row = SavedFormula.objects.get(owner=by.user)
    assert row.slug in signed.get("/events/new/").content.decode()
    event = make.started(by, 12, formula=row.slug)
    assert [stage.plan.label.values["name"] for stage in load_facts(event).stages] == [
        "Groups",
        "Knock-out",
    ]
    shown = signed.get(reverse("tournaments:formula", args=[event.slug])).content.decode()
    assert "Best 3rd-placed" in shown
    assert "2nd best 3rd-placed" in shown


def test_a_faulty_formula_is_not_stored_and_not_lost(signed) -> None:
    draft = thirds()
    draft.values["name"] = ""
    draft.stages[1].groups[0].seats[0] = ""
    fields = as_fields(draft)
    answer = signed.post(NEW, fields | {"act": "save"})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert 'href="#id_name"' in page
    assert 'href="#stage-2-group-1-seat-1"' in page
    assert not SavedFormula.objects.exists()
    again = signed.get(f"{NEW}?go_on=1")
    assert again.context["draft"] == read_draft(fields)
    assert "go_on=1" in signed.get("/formulas/").content.decode()


def test_a_step_that_took_something_away_is_taken_back(signed) -> None:
    fields = as_fields(thirds())
    page = signed.post(NEW, fields | {"act": "remove-stage:1"})
    assert len(page.context["draft"].stages) == 1
    assert page.context["may_go_back"]
    back = signed.post(NEW, sent(page) | {"act": "back"})
    assert back.context["draft"] == read_draft(fields)
    assert not back.context["may_go_back"]


def test_a_stale_form_is_kept_and_may_take_the_place(signed, by) -> None:
    row = save_formula(owner=by.user, data=definition_from_draft(thirds()))
    address = reverse("tournaments:formula-change", args=[row.slug])
    fields = sent(signed.get(address)) | {"name": "Mine"}
    newer = definition_from_draft(thirds()) | {"name": "Theirs"}
    save_formula(owner=by.user, data=newer, slug=row.slug)
    answer = signed.post(address, fields | {"act": "save"})
    assert answer.status_code == 409
    assert answer.context["draft"].values["name"] == "Mine"
    assert SavedFormula.objects.get().name == "Theirs"
    newest = str(answer.context["row"].version)
    over = signed.post(address, fields | {"act": "overwrite", "newest": newest})
    assert over.status_code == 302
    assert SavedFormula.objects.get().name == "Mine"


def test_what_is_typed_and_not_saved_is_shown_again(signed, by) -> None:
    row = save_formula(owner=by.user, data=definition_from_draft(thirds()))
    address = reverse("tournaments:formula-change", args=[row.slug])
    assert not signed.get(address).context["unsaved"]
    signed.post(address, sent(signed.get(address)) | {"name": "Other", "act": "look"})
    again = signed.get(address)
    assert again.context["unsaved"]
    assert again.context["draft"].values["name"] == "Other"
    assert signed.get(f"{address}?stored=1").context["draft"].values["name"] == "Cup"


WRONG = ("-3", "0", "99999", "129", "1.5", "2e1", "many", "", " ", "²", "9" * 5000)


def typed(field: str, text: str) -> FormulaDraft:
    """Return three groups with a knock-out after them, a field of it changed."""
    return read_draft(as_fields(thirds()) | {field: text})


@pytest.mark.parametrize("text", WRONG)
def test_a_number_of_groups_that_can_not_be_is_told_beside_it_and_kept(text) -> None:
    draft = typed("stage-1-groups", text)
    assert [group.name for group in draft.stages[0].groups] == ["A", "B", "C"]
    page = builder_context(draft)
    field = page["stages"][0]["form"]["groups"]
    assert field.errors
    assert field.value() == text[:2000]
    assert [(problem.stage, problem.field) for problem in page["problems"]] == [
        (1, "id_stage-1-groups")
    ]


@pytest.mark.parametrize("text", ["-3", "99999", ""])
def test_such_a_formula_is_not_stored(signed, text) -> None:
    fields = as_fields(thirds()) | {"stage-1-groups": text}
    answer = signed.post(NEW, fields | {"act": "save"}, headers={"accept-language": "en"})
    assert answer.status_code == 400
    assert "<b>Not saved</b>" in answer.content.decode()
    assert not SavedFormula.objects.exists()
    again = signed.get(f"{NEW}?go_on=1").context["draft"]
    assert again.stages[0].values["groups"] == text


@pytest.mark.parametrize("text", [" 2 ", "2.0", "+2", "00002", "٢"])
def test_a_right_number_takes_the_place_of_a_wrong_one(text) -> None:
    wrong = typed("stage-1-groups", "99999")
    right = read_draft(as_fields(wrong) | {"stage-1-groups": text})
    assert len(right.stages[0].groups) == 2
    assert not builder_context(right)["stages"][0]["form"]["groups"].errors


@pytest.mark.parametrize("field", ["fill_each", "fill_best"])
@pytest.mark.parametrize("text", ["-3", "99999", "1025", "some"])
def test_places_are_not_filled_with_a_number_that_was_not_asked_for(field, text) -> None:
    draft = typed(f"stage-2-{field}", text)
    before = draft.stages[1].groups[0].seats[:]
    stepped = apply_step(draft, "fill:2")
    assert stepped.draft.stages[1].groups[0].seats == before
    assert "Fix the marked errors first." in stepped.note
    assert not stepped.loses
    page = builder_context(stepped.draft)["stages"][1]
    assert page["form"][field].errors
    assert page["form"][field].value() == text
    assert page["filling"]


def test_places_are_not_filled_from_a_stage_that_is_not_there() -> None:
    stepped = apply_step(typed("stage-2-fill_from", "7"), "fill:2")
    assert "Fix the marked errors first." in stepped.note


def test_a_group_that_is_full_says_so() -> None:
    draft = built("add-stage:round_robin", "add-stage:round_robin")
    draft.stages[1].groups[0].seats = [""] * MOST_SEATS
    stepped = apply_step(draft, "add-seat:2:1")
    assert len(stepped.draft.stages[1].groups[0].seats) == MOST_SEATS
    assert str(MOST_SEATS) in stepped.note
