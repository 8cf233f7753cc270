"""CSV lists: UTF-8 with a byte-order mark for spreadsheets, formulas guarded."""

import csv
import re
from codecs import BOM_UTF8
from io import StringIO

from decks.files.delimited import FORMULA_SIGNS
from decks.writers.base import WRITERS, table_rows
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.wording import Sentence

_FORMULA = re.compile(f"'*[{FORMULA_SIGNS}]")


def guarded(text: str) -> str:
    """Return a cell with an apostrophe before anything like a formula; readers remove it."""
    return f"'{text}" if _FORMULA.match(text) else text


def _write(deck: Deck, _format: DeckFormat) -> bytes:
    out = StringIO(newline="")
    writer = csv.writer(out)
    for row in table_rows(deck):
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return BOM_UTF8 + out.getvalue().encode()


CSV = WRITERS.define(
    key="csv",
    ending=".csv",
    content_type="text/csv; charset=utf-8",
    label=Sentence("CSV"),
    write=_write,
)
