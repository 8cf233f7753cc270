"""The transcript of an event of tables, and what the program of the docs finds in it."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.transcripts import chained_anew, check

pytestmark = pytest.mark.django_db


@pytest.fixture
def document(by):
    event = make.played(by, 11, **make.TABLES)
    answer = Client().get(reverse("tournaments:transcript", args=[event.slug]))
    return json.loads(answer.content)


def test_nothing_is_wrong_and_rounds_of_tables_are_counted(document, tmp_path):
    _code, said = check(tmp_path / "transcript.json", document)
    assert "wrong 0" in said, said
    assert "sizes of tables 2" in said
    assert "cost of tables 2" in said


def test_another_cost_and_another_place_are_found(document, tmp_path):
    for line in document["log"]["lines"]:
        for place, row in line["facts"].get("rows", {}).items():
            if place == "round/2" and row.get("cost"):
                row["cost"]["repeats"] += 1
            if place.startswith("round/1/match/") and row and row["reports"]:
                row["reports"][-1]["places"] = [1, 3, 3, 3][: len(row["seats"])]
    _code, said = check(tmp_path / "transcript.json", chained_anew(document))
    assert "counted are" in said
    assert "its places are [1, 3, 3" in said
