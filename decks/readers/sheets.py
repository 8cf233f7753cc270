"""Tabular lists: CSV and .xlsx with a header in Italian or English, columns in any order.

Source: deck construction, Lists in and out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from django.utils.translation import gettext

from config.wording import translate
from decks.files.encodings import is_zip
from decks.files.limits import ONE_LIST
from decks.files.tables import (
    Table,
    delimited_rows,
    detect_delimiter,
    header_key,
    header_line,
    table_from_rows,
)
from decks.files.workbook import workbook_rows
from decks.readers.base import READERS, ParsedList, ReaderInput, editable_text, unreadable_text_line
from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.beside import unreadable_line_violation
from rules.deckbuilding.columns import ZoneColumns, collection_table_message, ignored_columns_note
from rules.deckbuilding.known_headings import is_zone_heading
from rules.deckbuilding.render import render_entry
from rules.deckbuilding.rows import CardTableRow, deck_from_rows, row_entry, row_language
from rules.deckbuilding.text import parse_decklist
from rules.names import clean_line
from rules.wording import Sentence

HEADERS: dict[str, tuple[str, ...]] = {
    "zone": ("zone", "zona", "section", "sezione", "board"),
    "count": (
        *("count", "quantity", "qty", "copies", "amount", "number of copies", "cardq"),
        *("quantità", "q.tà", "copie", "numero di copie", "numero copie"),
    ),
    "name": (
        *("name", "card", "card name", "cardname", "card title"),
        *("nome", "carta", "nome carta", "nome della carta"),
    ),
    "simple_name": ("simple name",),
    "kind": ("kind", "type", "tipo"),
    "set_code": ("set code", "edition code", "expansion code"),
    "expansion": ("expansion", "set", "edition", "espansione", "edizione"),
    "set_name": ("set name", "edition name", "expansion name"),
    "printing": ("printing",),
    "number": (
        *("number", "card number", "collector number", "collector #", "card #"),
        *("numero", "numero carta"),
    ),
    "version": ("version", "versione"),
    "genus": ("genus", "genere"),
    "language": ("language", "lingua"),
}

MOST_EMPTY = 50
WIDTH_RULE = Sentence("Put names that contain commas in quotation marks.")


def _read(source: ReaderInput, table: Table) -> ParsedList:
    rules = source.rules
    columns = table.columns(HEADERS, "name") if table.header else {}
    cells = [row.cells for row in table.rows]
    places = ZoneColumns(table.header, cells, columns, rules.format)
    rows = list(_card_rows(table, columns, places))
    if len(rules.format.zones) > 1 and _split_without_zones(rows):
        text = _as_text(rows)
        deck = parse_decklist(text, rules.format, rules.catalogue)
    else:
        deck = deck_from_rows(rows, rules.format, rules.catalogue)
        text = editable_text(deck, rules)
    found, notes = [], []
    if places.collection:
        head = clean_line(" | ".join(filter(None, table.header)))
        reason = collection_table_message(places.collection)
        found.append(unreadable_line_violation(rules.format.main, 1, head, reason))
        notes += [f"# {clean_line(translate(reason))}", unreadable_text_line(head)]
    if places.unread:
        found.append(ignored_columns_note(places.unread))
        said = gettext("Columns left out")
        notes.append(f"# {said}: {clean_line(', '.join(places.unread))}")
    if not found:
        return ParsedList(deck=deck, text=text)
    text = "".join((text, *(f"\n{note}" for note in notes), "\n"))
    return ParsedList(deck=replace(deck, problems=(*deck.problems, *found)), text=text)


def _split_without_zones(rows: Sequence[CardTableRow]) -> bool:
    gaps = any(after.number - before.number > 1 for before, after in pairwise(rows))
    return gaps and not any(clean_line(row.cells.get("zone", "")) for row in rows)


def _as_text(rows: Sequence[CardTableRow]) -> str:
    """Return such a table as a list with empty lines for empty rows, and the same numbers.

    A gap of more rows is shortened.
    """
    lines: list[str] = []
    before = 0
    for row in rows:
        lines += [""] * min(row.number - before - 1, MOST_EMPTY)
        lines.append(_line(row))
        before = row.number
    return "\n".join(lines) + "\n"


def _line(row: CardTableRow) -> str:
    if not row.fault and (language := row_language(row)):
        return f"Language: {language}"
    try:
        return render_entry(row_entry(row), times=True)
    except UnreadableLineError:
        return unreadable_text_line(row.shown)


def _card_rows(
    table: Table, columns: Mapping[str, int], places: ZoneColumns
) -> Iterator[CardTableRow]:
    for row in table.rows:
        written = CardTableRow(
            number=row.number,
            cells=_with_one_of_each({key: row.cell(at) for key, at in columns.items()}),
            shown=clean_line(" | ".join(filter(None, map(str.strip, row.cells)))),
            fault=WIDTH_RULE if any(map(str.strip, row.cells[len(table.header) :])) else None,
        )
        if written.fault or row_language(written):
            yield written
            continue
        placed = places.placed(row.cells)
        if placed.fault is not None:
            yield replace(written, fault=placed.fault)
        for word, count in () if placed.fault else placed.places or (("", ""),):
            other = {"zone": word} | ({"count": count} if count else {})
            if places.names_place(written.cells.get("kind", "")):
                other["kind"] = ""
            yield replace(written, cells={**written.cells, **other})


BY_ANY: dict[str, tuple[str, ...]] = {
    "expansion": ("set_code", "expansion", "set_name", "printing"),
    "name": ("simple_name", "name"),
}
"""What several columns may say, the best one first."""


def _with_one_of_each(cells: dict[str, str]) -> dict[str, str]:
    """Return the cells with one for what several columns say: a set by its code, else its name."""
    for key, keys in BY_ANY.items():
        named = [cells.pop(one, "") for one in keys]
        cells[key] = next(filter(None, named), "")
    return cells


def has_header(text: str) -> bool:
    """Return whether a text's first line names the column of cards and another column."""
    first = header_line(text)
    known = {header_key(word): key for key, words in HEADERS.items() for word in words}
    heads = first.split(detect_delimiter(first))
    names = [head.strip('"') for head in heads]
    found = {known.get(header_key(name)) or is_zone_heading(name) for name in names}
    return "name" in found and len(found - {False}) > 1


XLSX = READERS.define(
    key="xlsx",
    ending=".xlsx",
    recognises=lambda source: is_zip(source.content),
    read=lambda source: _read(source, table_from_rows(workbook_rows(source.content, ONE_LIST))),
    archive=True,
)
CSV = READERS.define(
    key="csv",
    ending=".csv",
    recognises=lambda source: has_header(source.text),
    read=lambda source: _read(source, table_from_rows(delimited_rows(source.text, ONE_LIST))),
)
