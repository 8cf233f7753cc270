"""The files in CSV: the rows of the API, for spreadsheets in the reader's language."""

import csv
from io import StringIO

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import url
from tournaments.models import Entry
from tournaments.rounds import services as rounds

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def rows(answer, delimiter=","):
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    text = answer.content.decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(StringIO(text.removeprefix("\ufeff")), delimiter=delimiter))


def cell(value):
    if isinstance(value, list):
        return (" " if value and isinstance(value[0], str) else "–").join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


@pytest.mark.parametrize("kind", ["standings", "ranking", "matches", "players"])
def test_rows_and_columns_are_those_of_the_api(by, kind):
    event = make.played(by, 12)
    asked = f"/api/v1/events/{event.slug}/{kind}"
    stage = "?stage=1" if kind == "standings" else ""
    told = Client(headers=ENGLISH).get(f"{asked}/{stage}").json()
    found = rows(Client(headers=ENGLISH).get(f"{asked}.csv{stage}"))
    expected = told["results"] if isinstance(told, dict) else told
    assert len(found) == (told["count"] if isinstance(told, dict) else len(told)) >= 12
    for row, cells in zip(expected, found, strict=False):
        values = row | row.pop("values", {})
        assert values.keys() <= cells.keys()
        for key, value in values.items():
            assert cells[key] == cell(value)
    pages = Client(headers=ENGLISH).get(url(f"csv-{kind}", event) + stage)
    assert rows(pages) == found


def test_a_language_with_a_decimal_comma_has_semicolons_and_commas(by):
    event = make.played(by, 3, formula="single-group", format="creatures-of-exo")
    type(event).objects.filter(pk=event.pk).update(criteria=["points", "game_win", "lots"])
    address = url("csv-standings", event)
    italian = rows(Client(headers={"accept-language": "it"}).get(address), ";")
    english = rows(Client(headers=ENGLISH).get(address))
    assert [row["game_win"].replace(",", ".") for row in italian] == [
        r["game_win"] for r in english
    ]
    assert any("," in row["game_win"] for row in italian)


def test_a_stage_without_a_table_has_its_ranking_and_another_is_404(by):
    event = make.played(by, 12)
    final = event.stages.get(key="final").number
    anybody = Client(headers=ENGLISH)
    found = rows(anybody.get(f"{url('csv-standings', event)}?stage={final}"))
    assert [row["rank"] for row in found] == ["1", "2"]
    for wrong in ("99", "x", "-1"):
        assert anybody.get(f"{url('csv-matches', event)}?stage={wrong}").status_code == 404
    asked = f"/api/v1/events/{event.slug}/matches.csv"
    assert anybody.get(asked, {"stage": "x"}).status_code == 400
    assert anybody.get(asked, {"stage": 99}).status_code == 404


def test_formulas_are_defused(by):
    event = make.playing(by, 4, formula="single-group")
    Entry.objects.filter(event=event, number=1).update(name="=1+1", club="@x")
    cells = rows(Client().get(url("csv-players", event)), ";")[0]
    assert (cells["name"], cells["club"]) == ("'=1+1", "'@x")


def test_drafts_and_held_standings_are_only_for_those_who_may_see_them(by, client):
    event = make.halfway(by, 12, rounds=1)
    rounds.draft_round(event=event, expected_round=2, by=by)
    client.force_login(by.user)
    assert len(rows(Client(headers=ENGLISH).get(url("csv-matches", event)))) == 6
    staff = client.get(url("csv-matches", event), headers=ENGLISH)
    assert len(rows(staff)) == 12
