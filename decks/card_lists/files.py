"""Read and write files of card lists (banned, limited …), row by row."""

import csv
import json
from collections.abc import Iterable
from hashlib import sha256
from io import StringIO

from decks.files.limits import Limits
from decks.files.tables import read_table
from rules.deckbuilding.card_lists.lists import CardLists
from rules.deckbuilding.card_lists.rows import COLUMNS, MOST_ROWS, ReadRows, Row, read_rows

CARD_LISTS = Limits(rows=MOST_ROWS + 1)
FORMULA_STARTS = ("=", "+", "-", "@")
GUARD = "'"


def read_list_file(content: bytes, name: str = "") -> ReadRows:
    """Return the valid rows of a CSV or XLSX file of card lists, and the problems of the others.

    Raises BadInput for a file that is neither CSV nor XLSX.
    """
    table = read_table(content, name, CARD_LISTS)
    return read_rows(
        (row.number, {head: _unguard_formula(row.cell(at)) for at, head in enumerate(table.header)})
        for row in table.rows
    )


def rows_of(lists: CardLists) -> tuple[Row, ...]:
    """Return card lists as the rows of a file."""
    rows = (
        {
            "list": which,
            "card": card.name,
            "expansion": card.expansion,
            "aliases": "|".join(card.aliases),
            "with": card.partner,
        }
        for which, cards in lists.cards.items()
        for card in cards
    )
    return tuple({column: text for column, text in row.items() if text} for row in rows)


def as_csv(rows: Iterable[Row]) -> str:
    """Return rows as the text of a CSV file that reads back as the same rows.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_guard_formula(row.get(column, "")) for column in COLUMNS])
    return written.getvalue()


def fingerprint(rows: Iterable[Row]) -> str:
    """Return a fingerprint of the lists that does not depend on the order of rows."""
    lines = sorted(json.dumps(dict(row), sort_keys=True, ensure_ascii=False) for row in rows)
    return sha256("\n".join(lines).encode()).hexdigest()


def _guard_formula(text: str) -> str:
    return GUARD + text if text.startswith(FORMULA_STARTS) else text


def _unguard_formula(text: str) -> str:
    return text[1:] if text.startswith(tuple(GUARD + sign for sign in FORMULA_STARTS)) else text
