"""The two workbooks of a large event, against bare openpyxl writing the same cells."""

from collections.abc import Iterator
from functools import partial
from io import BytesIO

from openpyxl import Workbook, load_workbook

from bench.timing import Ratio, compare
from tests import factories
from tournaments.core.visibility import EVERY_LIST
from tournaments.exports.handout.file import standings_workbook
from tournaments.exports.workbook import event_workbook
from tournaments.models import Event

PLAYERS = 512
FORMULAS = ("mutant-chronicles", "swiss-cut")
GOALS = {"standings": 3, "archive workbook": 1.5}
"""A page that is drawn has borders, fills and joined cells, which bare cells have not."""


def measure() -> Iterator[Ratio]:
    """Yield the ratios for preliminary rounds for twelve places, and for all Swiss rounds.

    Ours begin with the event asked for and end with the file; the baseline has the cells.
    """
    for formula in FORMULAS:
        by = factories.organiser()
        event = factories.started(by, PLAYERS, formula=formula)
        factories.play_stage(event, by)
        event = Event.objects.get(pk=event.pk)
        for name, ours in (
            ("standings", partial(standings_workbook, event, staff=True)),
            ("archive workbook", partial(event_workbook, event, staff=True, sight=EVERY_LIST)),
        ):
            cells = [
                (sheet.title, [list(row) for row in sheet.iter_rows(values_only=True)])
                for sheet in load_workbook(BytesIO(ours()))
            ]
            filled = sum(
                value is not None for _title, rows in cells for row in rows for value in row
            )
            title = f"{name}, {formula}, {PLAYERS:,} players, {filled:,} cells / bare openpyxl"
            yield compare(title, ours, partial(bare, cells), turns=5, goal=GOALS[name])


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
