"""What a sheet can hold: titles, cells and page headers, whatever people call things."""

from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest
from defusedxml.ElementTree import fromstring
from openpyxl import load_workbook

from rules.criteria import CRITERIA
from tests import factories as make
from tournaments.core.visibility import EVERY_LIST
from tournaments.exports.sheets import Column, Table, sheet_title, workbook
from tournaments.exports.workbook import event_workbook
from tournaments.standings.selectors.proofs import number

pytestmark = pytest.mark.django_db


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "name",
    [
        "Dungeons&Goblins",
        "&[Picture] & &A",
        "R&&G",
        "A" + "&" * 119,
        "&G" * 59,
        "A" + "\U0001f98a" * 118,
    ],
)
def test_any_name_is_printed_on_every_page(name):
    event = make.event(make.organiser(), name=name)
    with ZipFile(BytesIO(event_workbook(event, staff=True, sight=EVERY_LIST))) as parts:
        sheet = fromstring(parts.read("xl/worksheets/sheet1.xml"))
    header = sheet.findtext(".//{*}oddHeader")
    left = header.removeprefix("&L").removesuffix("&R&A").replace('&"-,Regular"', "")
    shown = left.replace("&&", "&")
    assert shown == name if name != "&G" * 59 else name.startswith(shown) and len(shown) >= 30
    assert len(header.encode("utf-16-le")) / 2 <= 255


def test_titles_are_short_legal_and_unique():
    taken = set()
    assert sheet_title("Standings [A]: 1/2*?", taken) == "Standings A 1 2"
    assert sheet_title("STANDINGS A 1 2", taken) == "STANDINGS A 1 2 (2)"
    long = [sheet_title("x" * 40, taken) for _ in range(12)]
    assert len(set(long)) == 12
    assert max(map(len, long)) == 31


@pytest.mark.parametrize(
    ("text", "kept"), [("x" * 40_000, 32_767), ("\U0001f98a" * 20_000, 16_383)]
)
def test_a_text_is_cut_to_what_a_cell_holds(text, kept):
    table = Table(
        key="", title="A", columns=(Column(key="k", label="K"),), rows=[(text,), (text[:9],)]
    )
    made = workbook([table], heading="", footing="", zone=ZoneInfo("UTC"))
    cells = [
        row[0] for row in load_workbook(BytesIO(made))["A"].iter_rows(min_row=2, values_only=True)
    ]
    assert cells == [text[:kept], text[:9]]


@pytest.mark.parametrize(
    "wish", ["\U0001f98a" * 31, "x" * 30 + "'s group", "'", " ' '", "a" * 27 + "'" * 5]
)
def test_every_title_is_one_that_a_workbook_takes(wish):
    taken: set[str] = set()
    columns = (Column(key="k", label="K"),)
    tables = [Table(key="", title=sheet_title(wish, taken), columns=columns) for _ in range(3)]
    made = workbook(tables, heading="", footing="", zone=ZoneInfo("UTC"))
    assert load_workbook(BytesIO(made)).sheetnames == [table.title for table in tables]
    assert max(len(table.title.encode("utf-16-le")) // 2 for table in tables) <= 31


def test_any_criterion_can_say_that_its_values_are_percentages(monkeypatch, in_english):
    by = make.organiser()
    event = make.halfway(by, 12)
    (key, *_others) = event.criteria
    monkeypatch.setitem(CRITERIA._items, key, replace(CRITERIA.get(key), percentage=True))
    found = load_workbook(BytesIO(event_workbook(event, staff=True, sight=EVERY_LIST)))
    standings = next(sheet for sheet in found.worksheets if "Standings" in sheet.title)
    assert standings["H2"].number_format == "0.00%"
    assert number(Fraction(1, 2), key) == "50.0 %"
    assert number(Fraction(2, 3), key) == "66.7 %", "rounded, as in the workbook"
