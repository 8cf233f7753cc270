"""Formulas of one's own with the invented kinds of stage; run like ``played``."""

import pytest
from django.test import Client
from rest_framework.test import APIClient

from rules.formulas.custom import (
    custom_formula,
    definition_to_json,
    formula_faults,
    read_definition,
)
from rules.formulas.custom.checks import formula_faults as all_faults
from tests import factories as make
from tests.adding.settings import KIND, ROOT, SETTINGS
from tests.browsers import page
from tests.tournaments.formulas.test_formula_builder import as_fields, built
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.formulas.builder.draft import definition_from_draft
from tournaments.formulas.builder.page import builder_context
from tournaments.formulas.builder.steps import read_draft
from tournaments.models import Event
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def test_the_builder_takes_the_settings_from_the_kind(by: Actor) -> None:
    draft = built(f"add-stage:{KIND}", "add-stage:knockout")
    fields = as_fields(draft)
    assert fields["stage-1-rungs"] == "2"
    assert "stage-1-way_back" not in fields
    again = read_draft(fields | {"stage-1-rungs": "3", "stage-1-way_back": "on"})
    stage = builder_context(again)["stages"][0]
    shown = {field.html_name: field.label for field in stage["form"].settings()}
    assert shown["stage-1-rungs"] == "Rungs of the ladder"
    assert shown["stage-1-way_back"] == "The way back"
    assert builder_context(again)["ready"], builder_context(again)["problems"]
    definition = read_definition(definition_from_draft(again))
    assert definition.stages[0].own == (("rungs", 3), ("way_back", True))
    assert read_definition(definition_to_json(definition)) == definition
    assert custom_formula("own", definition).plan(12).stages[0].own == definition.stages[0].own
    wrong = builder_context(read_draft(fields | {"stage-1-rungs": "10"}))
    assert not wrong["ready"]


def test_an_own_formula_plays_the_rounds_that_its_settings_ask_for(
    program: APIClient, by: Actor
) -> None:
    draft = read_draft(as_fields(built(f"add-stage:{KIND}")) | {"stage-1-rungs": "3"})
    definition = definition_from_draft(draft)
    assert not [*formula_faults(read_definition(definition))]
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
    assert builder_context(draft)["ready"], builder_context(draft)["problems"]
    saved = program.post(f"{ROOT}formulas/", definition_from_draft(draft), format="json")
    assert saved.status_code == 201, saved.content
    event = make.started(by, 12, **SETTINGS | {"formula": saved.json()["slug"]})
    make.play_round(make.next_round(event, by), by)
    assert load_facts(event).stages[0].stage.seed
    late = program.post(
        f"{ROOT}events/{event.slug}/players/", {"name": "Zoe", "late": "loss"}, format="json"
    )
    assert late.status_code == 201, late.content
    drafted = make.next_round(event, by)
    assert "Zoe" in {str(side) for match in drafted.matches.all() for side in match.players}
    make.play_round(drafted, by)
    make.play_stage(event, by)
    page(client_of, "prospects", event)
    ended = make.play_event(event, by)
    swiss, cup = load_facts(ended).stages
    assert [len(swiss.rounds), len(cup.rounds)] == [swiss.plan.rounds, cup.total_rounds]
    for name in ("standings", "formula"):
        assert "Cup" in page(client_of, name, ended)
    for name in ("event", "pairings", "desk"):
        page(client_of, name, ended)
    assert list(verify_event(ended)) == []
    first = event_archive(ended)
    Event.objects.filter(pk=ended.pk).delete()
    assert event_archive(restore_archive(first, caller=by.user)) == first
