"""An event's workbook, read back and held against the pages."""

from io import BytesIO
from typing import Any

from openpyxl import load_workbook
from playwright.sync_api import Page

from tests.journeys.steps import Desk

TABLE = """table => ({
  head: [...table.tHead.rows[0].cells].map(c => c.querySelector('abbr')?.title || c.innerText),
  rows: [...table.tBodies].flatMap(body => [...body.rows]).filter(
    row => !row.matches('.cut-line, .more')).map(row => [...row.cells].map(
      c => (c.querySelector('bdi.person, .rank b') || c).textContent.replace('shared', '').trim())),
})"""


def download(page: Page, slug: str) -> dict[str, list[dict[str, Any]]]:
    """Download the workbook as the organiser; return its sheets as rows by column, by key."""
    page.goto(f"/events/{slug}/manage/files/")
    with page.expect_download() as arriving:
        page.get_by_role("link", name="Archive (.xlsx)").click()
    book = load_workbook(BytesIO(arriving.value.path().read_bytes()))
    columns: dict[str, dict[str, str]] = {}
    titles: dict[str, str] = {}
    for title, key, label, column in list(book["Schema"].values)[1:]:
        titles[key] = title
        columns.setdefault(key, {})[label] = column
    sheets = {}
    for key, title in titles.items():
        head, *rows = book[title].values
        names = [columns[key][label] for label in head]
        sheets[key] = [dict(zip(names, row, strict=True)) for row in rows]
        assert book[title].freeze_panes.endswith("2")
    labels = {f"{key}:{c}": label for key in columns for label, c in columns[key].items()}
    sheets["labels"] = [labels]
    return sheets


def tables_of(page: Page, selector: str) -> list[dict[str, Any]]:
    """Return the tables of a page with their headings in full."""
    found = page.locator(selector)
    return [found.nth(at).evaluate(TABLE) for at in range(found.count())]


def ranking_agrees(page: Page, slug: str, sheets: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Hold the final standings against the page; return its names."""
    page.goto(f"/events/{slug}/standings/")
    (table,) = tables_of(page, "#final")
    shown = [(int(row[0].strip("= ")), row[1]) for row in table["rows"]]
    assert shown == [(row["rank"], row["name"]) for row in sheets["ranking"]]
    return [name for _rank, name in shown]


def standings_agree(page: Page, slug: str, sheets: dict[str, list[dict[str, Any]]]) -> int:
    """Hold every table of the standings against its sheet; return how many there are."""
    page.goto(f"/events/{slug}/standings/")
    labels = sheets["labels"][0]
    compared = 0
    for stage in range(1, 9):
        keys = [key for key in sheets if key.startswith(f"standings.{stage}.")]
        shown = tables_of(page, f"table[id^=s{stage}-g]:not([id$=-cross])")
        assert len(shown) == len(keys)
        for key, table in zip(keys, shown, strict=True):
            _same(table, sheets[key], {label: c.split(":")[1] for c, label in labels.items()
                                       if c.startswith(f"{key}:")})  # fmt: skip
            compared += 1
    return compared


def _same(table: dict[str, Any], rows: list[dict[str, Any]], columns: dict[str, str]) -> None:
    assert len(table["rows"]) == len(rows)
    for cells, row in zip(table["rows"], rows, strict=True):
        shown = dict(zip(table["head"], cells, strict=True))
        assert int(shown.pop("Rank").strip("= ")) == row["rank"]
        assert shown.pop("Player") == row["name"]
        record = f"{row['won']}–{row['lost']}–{row['drawn']}"
        assert shown.pop("Wins – losses – draws") == record
        shown = {label: text for label, text in shown.items() if not label.startswith("Round ")}
        for label, text in shown.items():
            assert float(text.replace("−", "-")) == row[columns[label]], label


def results_agree(page: Page, desk: Desk, sheets: dict[str, list[dict[str, Any]]]) -> None:
    """Hold what was typed against the sheet of results, and both against the public pages."""
    by_table = {(row["round"], row["table"]): row for row in sheets["results"] if row["table"]}
    assert set(desk.entered) <= set(by_table)
    promotion = sheets["results"][0]["score_a"] is not None or any(
        row["score_a"] is not None for row in sheets["results"]
    )
    for place, (a, b, score) in desk.entered.items():
        row = by_table[place]
        assert (row["name_a"], row["name_b"]) == (a, b)
        in_points = promotion and row["score_a"] is not None
        found = (row["score_a"], row["score_b"]) if in_points else (row["games_a"], row["games_b"])
        assert found == score, place
    for ordinal in sorted({place[0] for place in desk.entered}):
        page.goto(f"/events/{desk.slug}/pairings/{ordinal}/")
        tables = tables_of(page, "#by-table table")
        for number, _sides, result in (row for table in tables for row in table["rows"]):
            if (ordinal, int(number) if number.isdecimal() else 0) in desk.entered:
                _a, _b, score = desk.entered[ordinal, int(number)]
                assert f"{score[0]}–{score[1]}" in result
