""".xlsx lists: counts as numbers, everything else as text."""

from io import BytesIO

from xlsxwriter import Workbook

from config.spreadsheets import write_text
from decks.writers.base import WRITERS, table_rows
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.wording import Sentence

WIDTHS = (14, 8, 40, 20, 16)  # characters


def _write(deck: Deck, _format: DeckFormat) -> bytes:
    out = BytesIO()
    book = Workbook(out, {"in_memory": True})
    sheet = book.add_worksheet("Deck")
    bold, quoted = book.add_format({"bold": True}), book.add_format({"quote_prefix": True})
    sheet.freeze_panes(1, 0)
    for at, width in enumerate(WIDTHS):
        sheet.set_column(at, at, width)
    for number, row in enumerate(table_rows(deck)):
        for at, value in enumerate(row):
            if isinstance(value, int):
                sheet.write_number(number, at, value)
            elif value:
                style = bold if number == 0 else None
                write_text(sheet, number, at, value, quoted=quoted, style=style)
    book.close()
    return out.getvalue()


XLSX = WRITERS.define(
    key="xlsx",
    ending=".xlsx",
    content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    label=Sentence("Workbook (.xlsx)"),
    write=_write,
)
