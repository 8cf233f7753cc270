"""Tabular lists: CSV and .xlsx with a header in Italian or English, columns in any order.

Source: deck construction, Lists in and out.
"""

from collections.abc import Iterator

from decks.files.delimited import delimited_rows, delimiter_of, first_line
from decks.files.encodings import is_zip
from decks.files.limits import ONE_LIST
from decks.files.tables import Table, table_of
from decks.files.workbook import workbook_rows
from decks.readers.base import READERS, Reader, ReadList, Source, written
from rules.deckbuilding.rows import CardRow, deck_from_rows
from rules.names import name_key, tidy
from rules.wording import Sentence
from rules.wording import gettext_noop as _

HEADERS: dict[str, tuple[str, ...]] = {
    "zone": ("zone", "zona", "section", "sezione"),
    "count": (
        *("count", "quantity", "qty", "copies", "amount", "number of copies"),
        *("quantità", "q.tà", "copie", "numero di copie", "numero copie"),
    ),
    "name": ("name", "card", "card name", "nome", "carta", "nome carta", "nome della carta"),
    "kind": ("kind", "type", "tipo"),
    "expansion": ("expansion", "set", "edition", "espansione", "edizione"),
    "number": ("number", "card number", "collector number", "numero", "numero carta"),
    "version": ("version", "versione"),
    "genus": ("genus", "genere"),
    "language": ("language", "lingua"),
}

WIDTH_RULE = Sentence(
    _("The row has more cells than the first one. A name with a comma needs quotation marks.")
)


def _read(source: Source, table: Table) -> ReadList:
    deck_format = source.rules.format
    deck = deck_from_rows(_card_rows(table), deck_format, source.rules.catalogue)
    return ReadList(deck=deck, text=written(deck, deck_format))


def _card_rows(table: Table) -> Iterator[CardRow]:
    if not table.header:
        return
    columns = table.columns(HEADERS, "name")
    for row in table.rows:
        yield CardRow(
            number=row.number,
            cells={key: row.cell(at) for key, at in columns.items()},
            shown=tidy(" | ".join(filter(None, map(str.strip, row.cells)))),
            fault=WIDTH_RULE if any(map(str.strip, row.cells[len(table.header) :])) else None,
        )


def _has_header(source: Source) -> bool:
    """Return whether the first line names the column of cards and at least one other."""
    first = first_line(source.text)
    known = {name_key(word): key for key, words in HEADERS.items() for word in words}
    heads = first.split(delimiter_of(first))
    found = {known.get(name_key(head.strip('"')).rstrip(":.")) for head in heads}
    return "name" in found and len(found - {None}) > 1


XLSX = READERS.add(
    Reader(
        key="xlsx",
        ending=".xlsx",
        recognises=lambda source: is_zip(source.content),
        read=lambda source: _read(source, table_of(workbook_rows(source.content, ONE_LIST))),
        archive=True,
    )
)
CSV = READERS.add(
    Reader(
        key="csv",
        ending=".csv",
        recognises=_has_header,
        read=lambda source: _read(source, table_of(delimited_rows(source.text, ONE_LIST))),
    )
)
