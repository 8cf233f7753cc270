"""Export of a large event's workbook, against bare openpyxl writing the same cells."""

from collections.abc import Iterator
from io import BytesIO

from openpyxl import Workbook, load_workbook

from bench.timing import Ratio, compare
from tests import factories
from tournaments.core.visibility import EVERY_LIST
from tournaments.exports.workbook import event_workbook

PLAYERS = 1000


def measure() -> Iterator[Ratio]:
    """Yield the ratio for 1,000 players who play for twelve places."""
    by = factories.organiser()
    event = factories.started(by, PLAYERS)
    factories.play_stage(event, by)
    cells = [
        (sheet.title, [list(row) for row in sheet.iter_rows(values_only=True)])
        for sheet in load_workbook(BytesIO(event_workbook(event, staff=True, sight=EVERY_LIST)))
    ]
    yield compare(
        f"workbook, {PLAYERS:,} players / bare openpyxl, same cells",
        lambda: event_workbook(event, staff=True, sight=EVERY_LIST),
        lambda: bare(cells),
        turns=3,
    )


def bare(sheets: list[tuple[str, list[list[object]]]]) -> bytes:
    """Write the cells with openpyxl's write-only mode."""
    book = Workbook(write_only=True)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    into = BytesIO()
    book.save(into)
    return into.getvalue()
