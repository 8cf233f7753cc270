"""Events with the invented game, criterion, kind of stage, formula and page.

``test_one_file_each`` runs these tests in a process in which ``EXTENSIONS`` names the package.
"""

from io import BytesIO, StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken
from openpyxl import load_workbook
from rest_framework.test import APIClient

from decks.decklists.samples import sample_deck
from rules.criteria import CRITERIA
from rules.formulas.adviser import advise
from rules.formulas.custom import custom_formula, faults, read_definition, write_definition
from rules.formulas.custom.checks import faults as all_faults
from tests import factories as make
from tests.browsers import page, read, signed_in
from tests.recipes import recipe
from tests.tournaments.formulas.test_formula_builder import as_fields, built
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.formulas.builder.draft import definition_of
from tournaments.formulas.builder.page import builder_page
from tournaments.formulas.builder.typed import read_draft
from tournaments.models import Event
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
CRITERION, GAME, KIND, FORMULA = "decisive", "stones", "ladder", "ladder-final"
SETTINGS: dict[str, Any] = {
    "format": GAME,
    "formula": FORMULA,
    "criteria": ["points", CRITERION, "lots"],
    "decklists": Event.Decklists.REQUIRED,
}
ROOT = "/api/v1/"


@pytest.fixture
def by() -> Actor:
    """Return an organiser."""
    return make.organiser()


@pytest.fixture
def client_of(by: Actor) -> Client:
    """Return the organiser's browser."""
    return signed_in(by)


@pytest.fixture
def program(by: Actor) -> APIClient:
    """Return the organiser's program."""
    _token, secret = AuthToken.objects.create(user=by.user)
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {secret}", HTTP_ACCEPT_LANGUAGE="en")
    return program


@recipe
def half_climbed(by: Actor) -> Event:
    """Return an event of six players whose ladder is climbed half."""
    event = make.started(by, 6, **SETTINGS)
    for _rung in range(2):
        make.play_round(make.next_round(event, by), by)
    return event


@recipe
def climbed(by: Actor) -> Event:
    """Return the same event, played to its end."""
    return make.play_event(half_climbed(by), by)


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event of six players whose ladder is climbed half."""
    return half_climbed(by)


@pytest.fixture
def played(by: Actor) -> Event:
    """Return the event, played to its end."""
    return climbed(by)


def by_command(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_the_event_is_played_to_its_end(played: Event) -> None:
    ladder, final = load_facts(played).stages
    assert (ladder.stage.kind, len(ladder.rounds), len(final.rounds)) == (KIND, 4, 1)
    assert all(row.values.keys() >= {CRITERION} for row in ladder.outcome.standings["A"].rows)
    assert sorted(player for level in load_facts(played).ranking for player in level) == [
        *range(1, 7)
    ]


def test_pages_show_it_while_it_runs(event: Event, client_of: Client) -> None:
    standings = page(client_of, "standings", event)
    assert "Decisive matches" in standings
    assert "Ladder" in page(client_of, "formula", event)
    for name in ("event", "players", "standings", "prospects", "pairings", "draws", "desk"):
        page(client_of, name, event)
    assert "Rung 2" in page(client_of, "pairings", event)
    assert "Stones" in page(client_of, "event", event)


def test_a_draft_of_its_rounds_says_that_the_rules_pair(event: Event, client_of: Client) -> None:
    made = client_of.post(
        reverse("tournaments:desk-draft", args=[event.slug]), {"expected_round": "3"}
    )
    assert made.status_code == 302
    shown = read(client_of, reverse("tournaments:desk-round", args=[event.slug, 3]))
    assert "The rules of this stage say who meets whom" in shown


def test_pages_show_it_when_it_is_over(played: Event, client_of: Client) -> None:
    for name in ("event", "players", "standings", "formula", "ranking", "draws", "desk"):
        page(client_of, name, played)
    page(client_of, "transcript", played)


def test_the_page_is_there(event: Event, client_of: Client) -> None:
    assert "Rungs climbed: 2." in read(client_of, reverse("rungs", args=[event.slug]))


def test_forms_offer_them(client_of: Client) -> None:
    form = read(client_of, reverse("tournaments:event-new"))
    for offered in (f'value="{GAME}"', f'value="{FORMULA}"'):
        assert offered in form
    assert "Stones" in read(client_of, reverse("decks:format_list"))
    assert "Stone" in read(client_of, reverse("decks:format", args=[GAME]))


def test_a_template_is_a_tile(client_of: Client) -> None:
    form = read(client_of, f"{reverse('tournaments:event-new')}?template=stones-evening")
    assert "Stones evening" in form
    assert f'value="{GAME}" selected' in form
    assert 'name="minutes" value="20"' in form


def test_programs_play_it(program: APIClient) -> None:
    body = {
        **SETTINGS,
        "name": "Torneo",
        "starts_at": "2027-01-09T10:00:00+01:00",
        "decklists": "off",
    }
    made = program.post(f"{ROOT}events/", body, format="json")
    assert made.status_code == 201, made.content
    address = f"{ROOT}events/{made.json()['slug']}/"
    program.patch(address, {"state": "registration"}, format="json")
    names = [{"name": name} for name in ("Ada", "Bea", "Carlo", "Dora")]
    for name in names:
        assert program.post(f"{address}players/", name, format="json").status_code == 201
    assert program.post(f"{address}start/", {}, format="json").status_code < 300
    for _rung in range(4):
        rung = program.post(f"{address}rounds/", {}, format="json")
        assert rung.status_code == 201, rung.content
        for match in rung.json()["matches"]:
            result = {"version": match["version"], "games": ["a"]}
            entered = program.put(f"{address}matches/{match['id']}/result/", result, format="json")
            assert entered.status_code < 300, entered.content
    standings = program.get(f"{address}standings/").json()
    assert CRITERION in str(standings)
    assert program.get(f"{address}scenarios/").status_code == 200
    assert KIND in str(program.get(f"{address}stages/").json())


def test_programs_read_what_there_is(program: APIClient) -> None:
    assert f"- {KIND}\n" in program.get("/api/schema/").content.decode()
    assert GAME in str(program.get(f"{ROOT}formats/").json())
    assert FORMULA in str(program.get(f"{ROOT}formulas/").json())


@pytest.mark.parametrize("whole", [False, True])
def test_it_goes_out_and_comes_in(event: Event, by: Actor, whole: bool) -> None:
    shown = make.play_event(event, by) if whole else event
    first = archive(shown)
    ranking = load_facts(shown).ranking
    Event.objects.filter(pk=shown.pk).delete()
    again = restore(first, caller=by.user)
    assert archive(again) == first
    assert load_facts(again).ranking == ranking
    ended = again if whole else make.play_event(Event.objects.get(pk=again.pk), by)
    assert ended.state == Event.State.FINISHED
    assert list(verify_event(Event.objects.get(pk=ended.pk))) == []


def test_it_is_sound(played: Event) -> None:
    assert list(verify_event(played)) == []
    assert "Nessuna differenza." in by_command("verify", played.slug)


def test_the_workbook_has_it(played: Event, client_of: Client) -> None:
    answer = client_of.get(reverse("tournaments:workbook", args=[played.slug]))
    book = load_workbook(BytesIO(answer.content))
    cells = {cell for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row}
    assert "Decisive matches" in cells
    assert any("Ladder" in title for title in book.sheetnames)


def test_the_log_and_what_is_ahead_are_told(event: Event, client_of: Client) -> None:
    for name in ("log", "manage", "manage-players"):
        page(client_of, name, event)


def test_the_adviser_knows_it() -> None:
    found = next(one for one in advise(8, minutes=30) if one.formula.key == FORMULA)
    assert (found.rounds, found.matches) == (5, 17)


def test_a_list_of_the_game_is_checked(program: APIClient) -> None:
    address = f"{ROOT}formats/{GAME}/validate/"
    right = sample_deck(GAME, 1)
    first = program.post(address, {"text": right}, format="json")
    second = program.post(address, {"text": right.replace("2 ", "4 ", 1)}, format="json")
    assert first.json()["legal"] is True, first.content
    assert second.json()["legal"] is False
    assert "copies.too_many" in str(second.json())


def test_the_builder_takes_the_settings_from_the_kind(by: Actor) -> None:
    draft = built(f"add-stage:{KIND}", "add-stage:knockout")
    fields = as_fields(draft)
    assert fields["stage-1-rungs"] == "2"
    assert "stage-1-way_back" not in fields
    again = read_draft(fields | {"stage-1-rungs": "3", "stage-1-way_back": "on"})
    stage = builder_page(again).stages[0]
    shown = {field.html_name: field.label for field in stage.form.settings()}
    assert shown["stage-1-rungs"] == "Rungs of the ladder"
    assert shown["stage-1-way_back"] == "The way back"
    assert builder_page(again).ready, builder_page(again).problems
    definition = read_definition(definition_of(again))
    assert definition.stages[0].own == (("rungs", 3), ("way_back", True))
    assert read_definition(write_definition(definition)) == definition
    assert custom_formula("own", definition).plan(12).stages[0].own == definition.stages[0].own
    wrong = builder_page(read_draft(fields | {"stage-1-rungs": "10"}))
    assert not wrong.ready


def test_an_own_formula_plays_the_rounds_that_its_settings_ask_for(
    program: APIClient, by: Actor
) -> None:
    draft = read_draft(as_fields(built(f"add-stage:{KIND}")) | {"stage-1-rungs": "3"})
    definition = definition_of(draft)
    assert not [*faults(read_definition(definition))]
    assert not [*all_faults(read_definition(definition))]
    saved = program.post(f"{ROOT}formulas/", definition, format="json")
    assert saved.status_code == 201, saved.content
    told = program.get(f"{ROOT}formulas/{saved.json()['slug']}/").json()
    assert told["stages"][0]["rungs"] == 3
    refused = program.post(
        f"{ROOT}formulas/check/",
        {**definition, "stages": [{**definition["stages"][0], "rungs": 99}]},
        format="json",
    )
    assert "rungs" in refused.content.decode()
    event = make.started(by, 12, **SETTINGS | {"formula": saved.json()["slug"]})
    ended = make.play_event(event, by)
    assert [len(stage.rounds) for stage in load_facts(ended).stages] == [3]
    assert list(verify_event(ended)) == []


def test_the_criterion_is_in_the_catalogue_of_the_page(event: Event, client_of: Client) -> None:
    assert CRITERION in CRITERIA
    assert CRITERION in read(client_of, reverse("tournaments:manage-criteria", args=[event.slug]))


def test_the_builders_page_shows_the_settings(client_of: Client) -> None:
    begun = as_fields(built(f"add-stage:{KIND}"))
    answer = client_of.post("/formulas/new/", begun | {"act": "add-stage:cup"})
    shown = answer.content.decode()
    assert "Rungs of the ladder" in shown
    assert 'name="stage-1-rungs" value="2"' in shown
    assert 'name="stage-1-way_back"' in shown
    assert "Match for third place" in shown


def test_kinds_that_pair_by_points_or_have_a_bracket_play_too(
    program: APIClient, client_of: Client, by: Actor
) -> None:
    draft = built("add-stage:monrad", "add-stage:cup")
    assert builder_page(draft).ready, builder_page(draft).problems
    saved = program.post(f"{ROOT}formulas/", definition_of(draft), format="json")
    assert saved.status_code == 201, saved.content
    event = make.started(by, 12, **SETTINGS | {"formula": saved.json()["slug"]})
    make.play_round(make.next_round(event, by), by)
    assert load_facts(event).stages[0].stage.seed
    late = program.post(
        f"{ROOT}events/{event.slug}/players/", {"name": "Zoe", "late": "loss"}, format="json"
    )
    assert late.status_code == 201, late.content
    drafted = make.next_round(event, by)
    assert "Zoe" in {str(side) for match in drafted.matches.all() for side in (match.a, match.b)}
    make.play_round(drafted, by)
    make.play_stage(event, by)
    page(client_of, "prospects", event)
    ended = make.play_event(event, by)
    swiss, cup = load_facts(ended).stages
    assert [len(swiss.rounds), len(cup.rounds)] == [swiss.plan.rounds, cup.total_rounds]
    for name in ("standings", "formula"):
        assert "Cup" in page(client_of, name, ended)
    for name in ("event", "pairings", "ranking", "desk"):
        page(client_of, name, ended)
    assert list(verify_event(ended)) == []
    first = archive(ended)
    Event.objects.filter(pk=ended.pk).delete()
    assert archive(restore(first, caller=by.user)) == first
