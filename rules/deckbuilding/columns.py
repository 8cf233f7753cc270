"""Which columns of a table say where a card is, whatever they are called.

A column whose values are zones is one (``Board``: main, side, maybe); one that is called after a
zone says yes or no, or how many (``Sideboarded``: Yes); categories may name a zone among others.
What can't be told for certain is asked about in its row.

Source: tables exported by TappedOut, Archidekt, Magic Online and collection programs.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from rules.deckbuilding.beside import find_section_heading
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import Heading
from rules.deckbuilding.known_headings import (
    HeadingRole,
    find_heading_role,
    fold_heading,
    is_main_heading,
)
from rules.deckbuilding.zones import fold_kind
from rules.names import clean_line, name_key
from rules.numbers import parse_whole_number
from rules.wording import Sentence

UNREAD = "columns.left_out"
LEFT_OUT_LINE = re.compile(r"# ?(?:columns left out|colonne tralasciate): (\S.*)", re.IGNORECASE)
"""The line that keeps in the text of a list which columns were left out."""

_YES = frozenset({"yes", "y", "true", "x", "si", "s", "vero", "✓", "✔", "ja", "oui"})
_NO = frozenset({"no", "n", "false", "falso", "-", "nein", "non"})
_AROUND_HEADS = frozenset({"in", "is", "qty", "quantity", "count", "copies", "number", "of", "#"})
_CATEGORIES = frozenset(map(fold_heading, ("Category", "Categories", "Categoria", "Categorie")))
_COLLECTION_HEADS = frozenset(
    map(
        fold_heading,
        (
            *("Binder Type", "Tradelist", "Trade", "For Trade", "Wishlist", "Wantlist", "Wants"),
            *("Haves", "Collection", "Lista desideri", "Lista dei desideri", "Scambio"),
        ),
    )
)
_COLLECTIONS = frozenset(
    map(fold_heading, ("Binder", "List", "Collection", "Inventory", "Tradelist", "Wantlist"))
) | frozenset(map(fold_heading, ("Raccoglitore", "Collezione", "Lista")))
_BETWEEN = str.maketrans(dict.fromkeys(";|/", ","))


class _Says(Enum):
    """What the cells of a column say of the place of a card."""

    PLACES = auto()
    YES_OR_NO = auto()
    HOW_MANY = auto()
    CATEGORIES = auto()
    UNCLEAR = auto()


@dataclass(frozen=True, slots=True)
class RowZones:
    """The zones of the cards in a row of a table.

    ``places`` are (zone as written, count as written; "": that of the row). ``fault`` says why they
    can't be determined, None if they can.
    """

    places: tuple[tuple[str, str], ...] = ()
    fault: Sentence | None = None


@dataclass(frozen=True, slots=True)
class _Column:
    at: int
    head: str
    says: _Says
    place: Heading | None

    def cell(self, row: Sequence[str]) -> str:
        return clean_line(row[self.at]) if self.at < len(row) else ""


@dataclass(slots=True)
class _Found:
    """What the columns say of one row."""

    words: dict[object, str] = field(default_factory=dict)
    counts: list[tuple[str, str]] = field(default_factory=list)
    unclear: Sentence | None = None

    def add(self, place: Heading | None, word: str) -> None:
        self.words.setdefault((place.zone or place.role) if place else word, word)

    def ask(self, column: _Column, cell: str) -> None:
        self.unclear = Sentence(
            "If the column “%(column)s” (“%(text)s”) is the zone, rename it Zone.",
            {"column": column.head, "text": cell},
        )


class ZoneColumns:
    """The columns of a table that say which zone cards belong to.

    Built from headers, rows and ``known``, column numbers from 0 by meaning. ``unread`` are the
    headers of columns that are ignored; ``collection`` is that of a column that only tables of
    whole collections have, else "".
    """

    def __init__(
        self,
        heads: Sequence[str],
        rows: Sequence[Sequence[str]],
        known: Mapping[str, int],
        deck_format: DeckFormat,
    ) -> None:
        """Look at the heads and at all values."""
        self._format, self._known = deck_format, known
        held = {at: key for key, at in known.items()}
        self._columns: list[_Column] = []
        unread = []
        self.collection = ""
        for at, head in enumerate(heads):
            cells = (clean_line(row[at]) for row in rows if at < len(row))
            values = list(dict.fromkeys(filter(None, cells)))
            column = self._column(at, head, held.get(at), values)
            if column is not None:
                self._columns.append(column)
            if values and held.get(at, "kind") == "kind" and self._of_collection(head, at, rows):
                self.collection = self.collection or head or str(at + 1)
            if values and at not in held and (column is None or column.says is _Says.UNCLEAR):
                unread.append(head or str(at + 1))
        self.unread = tuple(unread)
        self._few = {zone.key for zone in deck_format.zones if zone.has_few}

    def placed(self, row: Sequence[str]) -> RowZones:
        """Return where the copies of a row are."""
        found = _Found()
        for column in self._columns:
            self._look(column, row, found)
        if found.unclear is not None:
            return RowZones(fault=found.unclear)
        if len(found.words) > 1 and self._few & found.words.keys():
            found.words.pop(self._format.main, None)  # a board holds its commander too
        if len(found.words) > 1 or (found.words and found.counts):
            words = (*found.words.values(), *(word for word, _count in found.counts))
            fault = Sentence("The card is in several zones: %(zones)s.", {"zones": words})
            return RowZones(fault=fault)
        if found.counts:
            return RowZones(places=tuple(found.counts))
        in_numbers = any(column.says is _Says.HOW_MANY for column in self._columns)
        if in_numbers and "count" not in self._known:
            return RowZones(places=(("", "0"),))
        return RowZones(places=tuple((word, "") for word in found.words.values()))

    def names_place(self, kind: str) -> bool:
        """Return whether the cell of a kind names a place, and is none of the game's kinds."""
        own = fold_kind(kind) in self._format.heading_kinds
        return not own and self._place(kind) is not None

    def _column(self, at: int, head: str, key: str | None, values: list[str]) -> _Column | None:
        says, place = None, None
        if key == "zone":
            says = _Says.PLACES
        elif key == "kind":
            kinds = self._format.heading_kinds
            says = self._of_values([one for one in values if fold_kind(one) not in kinds])
        elif key is None and values:
            place = self._place_of_head(head)
            says = self._unknown_column(head, place, values)
        return None if says is None else _Column(at, head, says, place)

    def _unknown_column(self, head: str, place: Heading | None, values: list[str]) -> _Says | None:
        says = self._of_values(values)
        if says is not _Says.PLACES and place is not None:
            if {name_key(value) for value in values} <= _YES | _NO:
                return _Says.YES_OR_NO
            if all(parse_whole_number(value) is not None for value in values):
                return _Says.HOW_MANY
        if says is not _Says.PLACES and fold_heading(head) in _CATEGORIES:
            return _Says.CATEGORIES
        return says

    def _of_values(self, values: Sequence[str]) -> _Says | None:
        """Return what values say: all are places or kinds, or a place is among other words."""
        places = [self._place(value) for value in values]
        if not any(places):
            return None
        named = zip(values, places, strict=True)
        if all(place or find_heading_role(value) is HeadingRole.KIND for value, place in named):
            return _Says.PLACES
        return _Says.UNCLEAR if any(map(self._is_elsewhere, places)) else None

    def _is_elsewhere(self, place: Heading | None) -> bool:
        return place is not None and place.zone != self._format.main

    def _place(self, word: str) -> Heading | None:
        return find_section_heading(word, self._format)

    def _of_collection(self, head: str, at: int, rows: Sequence[Sequence[str]]) -> bool:
        """Return whether a column is one of collections, or says that rows are of one.

        Decks of Moxfield have ``Tradelist Count`` too, the same as the count of their cards.
        """
        copies = self._known.get("count", at)
        cells = [(clean_line(row[at]), row[copies : copies + 1]) for row in rows if at < len(row)]
        values = [cell for cell, _count in cells if cell]
        if all(map(is_main_heading, values)):  # Binder Type: deck
            return False
        if fold_heading(" ".join(_telling(head))) in _COLLECTION_HEADS:
            return copies == at or any([cell] != [*map(clean_line, count)] for cell, count in cells)
        others = [value for value in values if fold_heading(value) not in _COLLECTIONS]
        return len(others) < len(values) and all(
            is_main_heading(one) or self._place(one) is not None for one in others
        )

    def _place_of_head(self, head: str) -> Heading | None:
        """Return the place after which a column is called: ``Sideboard``, ``Side Qty``."""
        kept = _telling(head)
        return self._place(head) or (self._place(" ".join(kept)) if kept else None)

    def _look(self, column: _Column, row: Sequence[str], found: _Found) -> None:
        cell = column.cell(row)
        if not cell:
            return
        if column.says is _Says.PLACES:
            place = self._place(cell)
            if column.at == self._known.get("kind") and not self.names_place(cell):
                return
            if place is not None or find_heading_role(cell) is not HeadingRole.KIND:
                found.add(place, cell)
        elif column.says is _Says.YES_OR_NO:
            if name_key(cell) in _YES:
                found.add(column.place, self._word(column))
            elif not self._is_elsewhere(column.place):
                found.ask(column, cell)
        elif column.says is _Says.HOW_MANY:
            self._look_at_number(column, cell, row, found)
        elif column.says is _Says.CATEGORIES:
            for part, place in self._categories(cell):
                found.add(place, part)
        elif self._is_elsewhere(self._place(cell)):
            found.ask(column, cell)

    def _look_at_number(
        self, column: _Column, cell: str, row: Sequence[str], found: _Found
    ) -> None:
        number = parse_whole_number(cell)
        if not number:
            return
        at = self._known.get("count")
        if at is None:
            found.counts.append((self._word(column), str(number)))
        elif at < len(row) and parse_whole_number(row[at]) == number:
            found.add(column.place, self._word(column))
        else:
            found.ask(column, cell)

    def _word(self, column: _Column) -> str:
        return column.place.word if column.place else column.head

    def _categories(self, cell: str) -> Iterator[tuple[str, Heading]]:
        """Yield the categories that name a place other than the main zone."""
        for part in map(clean_line, cell.translate(_BETWEEN).split(",")):
            place = self._place(part) if part else None
            if place is not None and self._is_elsewhere(place):
                yield part, place


def _telling(head: str) -> list[str]:
    """Return the words of a column's name without those that say how its values are told."""
    words = head.replace("_", " ").replace("?", " ").split()
    return [word for word in words if name_key(word) not in _AROUND_HEADS]


def collection_table_message(column: str) -> Sentence:
    """Return the message for a table with a column of whole collections, not of decks."""
    return Sentence(
        "If these cards are the deck, remove the column “%(column)s”.",
        {"column": column},
    )


def ignored_columns_note(heads: Sequence[str]) -> Violation:
    """Return the note that columns with these headers were ignored."""
    return Violation(
        code=UNREAD,
        sentence=Sentence("Columns ignored: %(columns)s.", {"columns": tuple(heads)}),
        found=len(heads),
    )
