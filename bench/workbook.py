"""Export of a large event's workbook, against bare openpyxl writing the same cells."""

from collections.abc import Iterator
from functools import partial
from io import BytesIO

from openpyxl import Workbook, load_workbook

from bench.timing import Ratio, compare
from tests import factories
from tournaments.core.visibility import EVERY_LIST
from tournaments.exports.workbook import event_workbook
from tournaments.models import Event

PLAYERS = 512
FORMULAS = ("mutant-chronicles", "swiss-cut")


def measure() -> Iterator[Ratio]:
    """Yield the ratios for preliminary rounds for twelve places, and for all Swiss rounds.

    Ours begins with the event asked for and ends with the file; the baseline has the cells.
    """
    for formula in FORMULAS:
        by = factories.organiser()
        event = factories.started(by, PLAYERS, formula=formula)
        factories.play_stage(event, by)
        event = Event.objects.get(pk=event.pk)
        ours = partial(event_workbook, event, staff=True, sight=EVERY_LIST)
        cells = [
            (sheet.title, [list(row) for row in sheet.iter_rows(values_only=True)])
            for sheet in load_workbook(BytesIO(ours()))
        ]
        filled = sum(value is not None for _title, rows in cells for row in rows for value in row)
        title = f"workbook, {formula}, {PLAYERS:,} players, {filled:,} cells / bare openpyxl"
        yield compare(title, ours, partial(bare, cells), turns=5, goal=1.5)


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
