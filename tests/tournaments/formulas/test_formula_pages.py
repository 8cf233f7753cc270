"""Pages of saved formulas: files out and in, the list, examples, the menu."""

import json
import random
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from rules.formulas.custom import formula_faults, read_definition
from rules.formulas.starting_points import EXAMPLES
from tests import factories as make
from tests.browsers import text
from tests.tournaments.formulas.test_formula_builder import (
    NEW,
    as_fields,
    thirds,
)
from tests.tournaments.test_rubbish import RUBBISH
from tournaments.formulas.builder.draft import definition_from_draft, draft_from_definition
from tournaments.formulas.services import save_formula
from tournaments.models import Event, SavedFormula

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def test_out_as_a_file_and_in_again(signed, by) -> None:
    row = save_formula(owner=by.user, data=definition_from_draft(thirds()))
    file = signed.get(reverse("tournaments:formula-file", args=[row.slug]))
    assert json.loads(file.content) == row.definition
    upload = SimpleUploadedFile("formula.json", file.content)
    answer = signed.post("/formulas/import/", {"file": upload}, follow=True)
    assert answer.context["draft"] == draft_from_definition(read_definition(row.definition))
    assert SavedFormula.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Choose a file or paste the text."),
        ('{"girone_formula": 1,', "not JSON: 1:"),
        ("[" * 60_000, "not JSON"),
        ("[]", "This must be of type object."),
        ('{"girone_formula": 2}', "girone_formula: Use one of: 1."),
        ("{}", "girone_formula: This field is required."),
    ],
)
def test_an_import_says_which_place_is_wrong(signed, text, said) -> None:
    answer = signed.post("/formulas/import/", {"text": text})
    assert answer.status_code == 400
    assert said in answer.content.decode()


def test_a_wrong_place_is_named_by_its_path(signed) -> None:
    data = definition_from_draft(thirds())
    data["stages"][0]["groups"][1]["name"] = ""
    answer = signed.post("/formulas/import/", {"text": json.dumps(data)})
    assert "stages[0].groups[1].name" in answer.content.decode()


def test_a_formula_in_use_stays(signed, by) -> None:
    row = save_formula(owner=by.user, data=definition_from_draft(thirds()))
    event = make.event(by, formula=row.slug)
    away = reverse("tournaments:formula-delete", args=[row.slug])
    shown = signed.get("/formulas/").content.decode()
    assert event.name in shown
    assert away not in shown
    refused = signed.post(away)
    assert refused.status_code == 409
    assert event.name in refused.content.decode()
    Event.objects.all().delete()
    assert signed.post(away).status_code == 302
    assert not SavedFormula.objects.exists()


def test_formulas_of_others_are_not_there(by) -> None:
    row = save_formula(owner=by.user, data=definition_from_draft(thirds()))
    stranger = Client()
    stranger.force_login(make.user())
    for name in ("formula-change", "formula-file"):
        assert stranger.get(reverse(f"tournaments:{name}", args=[row.slug])).status_code == 404
    away = reverse("tournaments:formula-delete", args=[row.slug])
    assert stranger.post(away).status_code == 404
    assert stranger.get(f"{NEW}?copy={row.slug}").status_code == 404
    player = make.user(can_create_events=False)
    stranger.force_login(player)
    assert stranger.get("/formulas/").status_code == 403


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("key", EXAMPLES.keys())
def test_an_example_is_offered_and_can_be_saved_as_it_is(signed, key, language) -> None:
    spoken = {"Accept-Language": language}
    assert f'href="?example={key}"' in signed.get(NEW, headers=spoken).content.decode()
    begun = signed.get(f"{NEW}?example={key}", headers=spoken)
    assert begun.context["page"]["ready"]
    assert signed.post(NEW, as_fields(begun.context["draft"]) | {"act": "save"}).status_code == 302
    assert SavedFormula.objects.get().name == begun.context["draft"].values["name"]


def test_an_example_that_is_not_there_is_not_found(signed) -> None:
    assert signed.get(f"{NEW}?example=nothing").status_code == 404


@pytest.mark.parametrize(
    ("may", "there"), [({}, True), ({"can_create_events": False}, False), (None, False)]
)
def test_who_may_make_formulas_finds_them_in_the_menu_of_every_page(may, there) -> None:
    reader = Client(headers={"Accept-Language": "en"})
    if may is not None:
        reader.force_login(make.user(**may))
    menu = text(reader.get("/")).partition('aria-label="Main menu"')[2]
    assert ('<a href="/formulas/">' in menu.partition("</nav>")[0]) is there


def test_the_menu_says_when_one_is_among_the_formulas(signed) -> None:
    for page in ("/formulas/", NEW, "/formulas/import/"):
        assert '<a href="/formulas/" aria-current="true">' in text(signed.get(page))


def test_the_list_asks_as_often_for_one_formula_as_for_many(
    signed, by, django_assert_max_num_queries
) -> None:
    for _number in range(6):
        save_formula(owner=by.user, data=definition_from_draft(thirds()))
    with django_assert_max_num_queries(5):
        assert signed.get("/formulas/").status_code == 200


@pytest.mark.deep
def test_rubbish_breaks_no_step_and_what_is_stored_can_be_played(signed) -> None:
    signed.raise_request_exception = False
    usual, chance = as_fields(thirds()), random.Random(3)
    acts = ("look", "save", "fill:2", "add-seat:2:1", "add-stage:swiss", "overwrite", "back")
    for field in [*usual, "act", "newest", "stage-1-enters", "stage-2-fill_each"]:
        for value in chance.sample(RUBBISH, 1):
            body = usual | {"act": chance.choice(acts), "name": "\x00"} | {field: value}
            raw = urlencode(body, errors="surrogatepass").encode()
            form = "application/x-www-form-urlencoded"
            status = signed.post(NEW, data=raw, content_type=form).status_code
            assert status < 500, (field, value[:50], body["act"])
    for row in SavedFormula.objects.all():
        assert formula_faults(read_definition(row.definition)) == ()
    assert signed.get(f"{NEW}?go_on=1").status_code == 200
