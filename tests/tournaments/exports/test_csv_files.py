"""The files in CSV: the rows of the API, for spreadsheets in the reader's language."""

import csv
import shutil
import subprocess
from io import StringIO

import pytest
from django.test import Client
from openpyxl import load_workbook

from tests import factories as make
from tests.browsers import url
from tournaments.core.event_state import load_facts
from tournaments.exports.api import csv_file
from tournaments.models import Entry
from tournaments.rounds import services as rounds

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}
OFFICE = shutil.which("soffice")


def rows(answer, delimiter=","):
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    text = answer.content.decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(StringIO(text.removeprefix("\ufeff")), delimiter=delimiter))


def cell(value):
    if isinstance(value, list):
        return (" " if value and isinstance(value[0], str) else "–").join(map(str, value))
    if isinstance(value, dict):
        return " ".join(f"{key}:{one}" for key, one in value.items())
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


OTHERS = (
    ("groups-knockout", 9),
    ("single-group", 5),
    ("swiss-cut", 9),
    ("single-elimination", 6),
    ("double-elimination", 6),
)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("formula", "players"),
    [
        ("mutant-chronicles", 12),
        *(pytest.param(*values, marks=pytest.mark.deep) for values in OTHERS),
    ],
)
def test_rows_and_columns_are_those_of_the_api(by, formula, players):
    event = make.played(by, players, formula=formula)
    anybody = Client(headers=ENGLISH)
    with_table = [one.stage.number for one in load_facts(event).stages if one.kind.has_table]
    asked = [("ranking", ""), ("matches", ""), ("players", "")]
    asked += [("standings", f"?stage={number}") for number in with_table]
    for kind, stage in asked:
        address = f"/api/v1/events/{event.slug}/{kind}"
        told = anybody.get(f"{address}/{stage}").json()
        found = rows(anybody.get(f"{address}.csv{stage}"))
        expected = told["results"] if isinstance(told, dict) else told
        assert len(found) == (told["count"] if isinstance(told, dict) else len(told)) >= 2
        for row, cells in zip(expected, found, strict=False):
            values = row | row.pop("values", {})
            assert values.keys() <= cells.keys()
            for key, value in values.items():
                assert cells[key] == cell(value)
        assert rows(anybody.get(url(f"csv-{kind}", event) + stage)) == found


@pytest.mark.deep
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


@pytest.mark.deep
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


def test_a_file_without_rows_has_its_heads(by):
    event = make.open_event(by)
    for kind, column in (
        ("players", "number"),
        ("matches", "name_b"),
        ("ranking", "rank"),
        ("standings", "rank"),
    ):
        (heads,) = csv_file(kind, event, by).decode("utf-8-sig").splitlines()
        assert column in heads.split(",") or column in heads.split(";"), kind


def test_formulas_are_defused(by):
    event = make.playing(by, 4, formula="single-group")
    Entry.objects.filter(event=event, number=1).update(name="=1+1", club="@x")
    cells = rows(Client().get(url("csv-players", event)), ";")[0]
    assert (cells["name"], cells["club"]) == ("'=1+1", "'@x")


@pytest.mark.deep
def test_drafts_and_held_standings_are_only_for_those_who_may_see_them(by, client):
    event = make.halfway(by, 12, rounds=1)
    rounds.draft_round(event=event, expected_round=2, by=by)
    client.force_login(by.user)
    assert len(rows(Client(headers=ENGLISH).get(url("csv-matches", event)))) == 6
    staff = client.get(url("csv-matches", event), headers=ENGLISH)
    assert len(rows(staff)) == 12


@pytest.mark.deep
@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize(("language", "sign", "locale"), [("it", ";", 1040), ("en", ",", 1033)])
def test_libreoffice_opens_them_as_tables(by, tmp_path, language, sign, locale):
    event = make.played(by, 5, formula="single-group", format="creatures-of-exo")
    type(event).objects.filter(pk=event.pk).update(criteria=["points", "game_win", "lots"])
    Entry.objects.filter(event=event, number=1).update(name="=1+1", club='Città, "Nord"; Bari')
    reader = Client(headers={"accept-language": language})
    kinds = ("standings", "ranking", "matches", "players")
    answers = {kind: reader.get(url(f"csv-{kind}", event)) for kind in kinds}
    for kind, answer in answers.items():
        (tmp_path / f"{kind}.csv").write_bytes(answer.content)
    # separator, quote, UTF-8, first line, kinds of columns, language
    as_typed = f"--infilter=CSV:{ord(sign)},34,76,1,,{locale}"
    profile = f"-env:UserInstallation=file://{tmp_path}/office"
    files = [tmp_path / f"{kind}.csv" for kind in kinds]
    asked = [OFFICE, "--headless", profile, as_typed, "--convert-to", "xlsx", "--outdir", tmp_path]
    subprocess.run([*asked, *files], check=True, capture_output=True, timeout=300)
    for kind, answer in answers.items():
        expected = rows(answer, sign)
        head, *found = load_workbook(tmp_path / f"{kind}.xlsx").active.iter_rows()
        assert [one.value for one in head] == list(expected[0])
        assert len(found) == len(expected)
        assert not [one for row in found for one in row if one.data_type == "f"]
        for row, told in zip(found, expected, strict=True):
            texts = ["" if one.value is None else str(one.value) for one in row]
            names = [told[key] for key in ("name", "club") if key in told]
            assert all(name in texts for name in names)
        numbers = {"rank", "points", "game_win"} & {one.value for one in head}
        for at, one in enumerate(head):
            if one.value in numbers:
                assert all(isinstance(row[at].value, int | float) for row in found)
