"""Writers of deck lists, one for each file type, registered in ``WRITERS``.

``table_rows`` are the rows of a table, CSV or workbook. What ``write_deck`` writes, the reader of
the same type reads back as the same deck.
"""

import csv
import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import NamedTuple

from xlsxwriter import Workbook

from decks.files.tables import FORMULA_SIGNS, write_text_cell
from rules.deckbuilding.around import TAGS
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.deck_json import deck_to_json
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.render import render_deck, section_heading
from rules.deckbuilding.rows import COLUMNS
from rules.registry import Registry
from rules.wording import Sentence


@dataclass(frozen=True, kw_only=True)
class Writer:
    """A file type in which decklists can be downloaded."""

    key: str
    ending: str
    content_type: str
    label: Sentence | str
    write: Callable[[Deck, DeckFormat], bytes]


WRITERS = Registry("file_type", Writer)


def table_rows(deck: Deck) -> Iterator[tuple[str | int, ...]]:
    """Yield a deck as rows of cells: header, declared language if any, then cards."""
    yield COLUMNS
    if deck.language:
        declares = {"name": f"Language: {deck.language}"}
        yield tuple(declares.get(column, "") for column in COLUMNS)
    for zone, entry in deck:
        tags = (str(getattr(entry, tag)) for tag in TAGS)
        yield (section_heading(zone), entry.count, entry.name, *tags)


_FORMULA = re.compile(f"'*[{FORMULA_SIGNS}]")


def escape_formula(text: str) -> str:
    """Return a cell's text, with an apostrophe before anything like a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def _write_csv(deck: Deck, _format: DeckFormat) -> bytes:
    out = StringIO(newline="")
    writer = csv.writer(out)
    for row in table_rows(deck):
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in row])
    return BOM_UTF8 + out.getvalue().encode()


CSV = WRITERS.define(
    key="csv",
    ending=".csv",
    content_type="text/csv; charset=utf-8",
    label="CSV",
    write=_write_csv,
)


def _write_json(deck: Deck, deck_format: DeckFormat) -> bytes:
    whole = {
        "format": deck_format.key,
        "language": deck.language,
        "zones": deck_to_json(deck),
    }
    return (json.dumps(whole, ensure_ascii=False, indent=2) + "\n").encode()


JSON = WRITERS.define(
    key="json",
    ending=".json",
    content_type="application/json",
    label="JSON",
    write=_write_json,
)


TEXT = WRITERS.define(
    key="text",
    ending=".txt",
    content_type="text/plain; charset=utf-8",
    label=Sentence("Text"),
    write=lambda deck, deck_format: render_deck(deck, deck_format).encode(),
)


WIDTHS = (14, 8, 40, 20, 16)  # characters


def _write_xlsx(deck: Deck, _format: DeckFormat) -> bytes:
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
                write_text_cell(sheet, number, at, value, quoted=quoted, style=style)
    book.close()
    return out.getvalue()


XLSX = WRITERS.define(
    key="xlsx",
    ending=".xlsx",
    content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    label="XLSX",
    write=_write_xlsx,
)


class WrittenFile(NamedTuple):
    """A file to be sent: its content, content type and name."""

    content: bytes
    content_type: str
    name: str


def write_deck(deck: Deck, deck_format: DeckFormat, kind: str) -> WrittenFile:
    """Return a deck as a file that reads back as the same deck, without its problems.

    kind: a key of WRITERS (csv, json, text, xlsx); raises BadInput ``unknown_file_type``.
    """
    writer = WRITERS.get(kind)
    content = writer.write(deck, deck_format)
    return WrittenFile(content, writer.content_type, f"{deck_format.key}{writer.ending}")
