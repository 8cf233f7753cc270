"""Read a file of cards, one card per row, and collect the faults of every row.

``cards_as_csv`` writes the table that ``read_cards`` reads: a preview sends on what it has read.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO

from decks.files.limits import MEBIBYTE, FileLimits
from decks.files.tables import Row, Table, duplicate_column_error, missing_column_error, read_table
from rules.deckbuilding.catalogue import format_legality, parse_legality
from rules.errors import BadInput
from rules.names import clean_line, name_key
from rules.numbers import parse_whole_number
from rules.wording import Sentence
from rules.wording import gettext_noop as _

CARDS = FileLimits(size=10 * MEBIBYTE, unpacked=60 * MEBIBYTE, rows=50_000, elements=400_000)

COLUMNS = {
    "name": ("name", "nome", "name_it", "nome italiano", "carta", "card"),
    "name_en": ("name_en", "nome inglese", "nome_en", "english name", "inglese", "english"),
    "kind": ("kind", "tipo", "type"),
    "expansion": ("expansion", "espansione", "set"),
    "number": ("number", "numero"),
    "genus": ("genus", "genere"),
    "max_copies": ("max_copies", "copie massime", "max copies", "copie_massime"),
    "other_names": ("other_names", "altri nomi", "other names", "aliases"),
    "legal_in": ("legal_in", "legale in", "legal in"),
}
ALSO = "|"
"""Between the other names of a card."""
ID = "id"  # the attribute by which simulators know a card
ID_WORDS = frozenset({"id", "passcode", "codice"})
LONGEST = {"name": 160, "name_en": 160, "kind": 80, "expansion": 80, "number": 20, "genus": 80}
LONGEST_KEY = 200
LONGEST_ATTRIBUTE = 4000
LONGEST_HEADER = 60

MOST_COPIES = 999
_WHOLE = re.compile(r"([0-9]+)[.,]0+")  # the number of a card, which may begin with zeros


@dataclass(frozen=True, slots=True, kw_only=True)
class CardData:
    """One printing of a card, as stored; ``attributes`` holds the file's other columns.

    ``key`` and ``key_en`` are its ``name`` and ``name_en``, normalised for comparison.
    ``other_names`` are separated by ``|``; ``legal_in`` is as ``format_legality`` writes it, "" if
    unknown.
    """

    key: str
    key_en: str
    name: str
    name_en: str
    kind: str
    genus: str
    expansion: str
    number: str
    max_copies: int | None
    other_names: str = ""
    legal_in: str = ""
    attributes: Mapping[str, str] = field(hash=False, default_factory=dict)

    @property
    def printing(self) -> tuple[str, str, str]:
        """Return the unique key of a row within a catalogue: name, expansion and number."""
        return self.key, self.expansion, self.number


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFault:
    """An invalid row of a file; ``row`` is its number in a spreadsheet, from 1."""

    row: int
    sentence: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFile:
    """Cards read from a file, and its invalid rows; with any it must not be stored.

    ``source`` is the label of a published catalogue (Scryfall), "" for a table of one's own.
    """

    cards: tuple[CardData, ...]
    faults: tuple[RowFault, ...] = ()
    source: str = ""


def read_cards(content: bytes, name: str = "", limits: FileLimits = CARDS) -> CardFile:
    """Return the cards of a CSV or XLSX file, and its invalid rows.

    ``name`` is the file's. Duplicate rows count once. Raises BadInput for a file that is not a
    table, has no rows or no column of names.
    """
    table = read_table(content, name, limits)
    columns = table.columns(COLUMNS)
    if not {"name", "name_en"} & columns.keys():
        raise missing_column_error("name")
    if not table.rows:
        raise BadInput("no_cards", "The file has no cards.")
    others = dict(_attribute_columns(table, columns))
    cards: dict[tuple[str, str, str], CardData] = {}
    rows: dict[tuple[str, str, str], int] = {}
    faults: list[RowFault] = []
    for row in table.rows:
        try:
            card = _card_of_row(row, columns, others)
        except _BadRowError as fault:
            faults.append(RowFault(row=row.number, sentence=fault.sentence))
            continue
        known = cards.setdefault(card.printing, card)
        first = rows.setdefault(card.printing, row.number)
        if known != card:
            faults.append(RowFault(row=row.number, sentence=_contradicts(card, first)))
    return CardFile(cards=tuple(cards.values()), faults=tuple(faults))


class _BadRowError(Exception):
    """A row that is not a valid card."""

    def __init__(self, template: str, **values: object) -> None:
        self.sentence = Sentence(template, values)
        super().__init__(template)


def _contradicts(card: CardData, first: int) -> Sentence:
    return Sentence(
        "“%(card)s” is also in row %(row)s. Remove one.", {"card": card.name, "row": first}
    )


def _attribute_columns(table: Table, columns: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the columns stored as attributes; raises BadInput for two of the same name."""
    seen: set[str] = set()
    for at, head in enumerate(table.header):
        name = clean_line(head)[:LONGEST_HEADER]
        if not name or at in columns.values():
            continue
        if name_key(name) in ID_WORDS:
            name = ID
        if name in seen:
            raise duplicate_column_error(name, name)
        seen.add(name)
        yield name, at


def _card_of_row(row: Row, columns: Mapping[str, int], others: Mapping[str, int]) -> CardData:
    texts = {key: _text(row, key, columns.get(key)) for key in LONGEST}
    name = texts["name"] or texts["name_en"]
    key, key_en = name_key(name), name_key(texts["name_en"])
    if not key:
        raise _BadRowError(_("The card name is missing."))
    if len(key) > LONGEST_KEY or len(key_en) > LONGEST_KEY:
        raise _too_long("name", LONGEST_KEY)
    number = _WHOLE.fullmatch(texts["number"])
    return CardData(
        key=key,
        key_en=key_en,
        name=name,
        name_en=texts["name_en"],
        kind=texts["kind"],
        genus=texts["genus"],
        expansion=texts["expansion"],
        number=number[1] if number else texts["number"],
        max_copies=_copies_from_text(clean_line(row.cell(columns.get("max_copies")))),
        other_names=_other_names(row, columns.get("other_names")),
        legal_in=_legal_in(clean_line(row.cell(columns.get("legal_in")))),
        attributes=dict(_attributes(row, others)),
    )


def _text(row: Row, key: str, column: int | None) -> str:
    text = clean_line(row.cell(column))
    if len(text) > LONGEST[key]:
        raise _too_long(key, LONGEST[key])
    return text


def _copies_from_text(text: str) -> int | None:
    if not text:
        return None
    copies = parse_whole_number(text)
    if copies is None or copies > MOST_COPIES:
        raise _BadRowError(
            _("Enter a whole number from %(least)s to %(most)s."), least=0, most=MOST_COPIES
        )
    return copies


def _other_names(row: Row, column: int | None) -> str:
    names = [clean_line(name) for name in row.cell(column).split(ALSO)]
    if any(len(name) > LONGEST["name"] for name in names):
        raise _too_long("other_names", LONGEST["name"])
    return ALSO.join(filter(name_key, names))


def _legal_in(text: str) -> str:
    """Return where a card is legal in its one spelling; an empty cell says nothing."""
    if not text:
        return ""
    if len(text) > LONGEST_ATTRIBUTE:
        raise _too_long("legal_in", LONGEST_ATTRIBUTE)
    try:
        return format_legality(parse_legality(text))
    except ValueError:
        raise _BadRowError(
            _("“%(text)s” can’t be read. Example: legacy, vintage: 1"),
            text=text[:40],
        ) from None


def _attributes(row: Row, others: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for name, at in others.items():
        text = clean_line(row.cell(at))
        if len(text) > LONGEST_ATTRIBUTE:
            raise _too_long(name, LONGEST_ATTRIBUTE)
        if text:
            yield name, text


def _too_long(column: str, most: int) -> _BadRowError:
    return _BadRowError(
        _("%(column)s: at most %(most)s characters."),
        column=column,
        most=most,
    )


HELD = FileLimits(size=32 * MEBIBYTE, unpacked=60 * MEBIBYTE, rows=50_000)
"""What the second request of a load may bring."""


def cards_as_csv(cards: Iterable[CardData]) -> bytes:
    """Return cards as a CSV file, with their attributes as further columns."""
    listed = list(cards)
    attributes = list(dict.fromkeys(name for card in listed for name in card.attributes))
    columns = (*LONGEST, "max_copies", "other_names", "legal_in")
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow([*columns, *attributes])
    for card in listed:
        row = [getattr(card, name) for name in columns]
        writer.writerow([*row, *(card.attributes.get(name, "") for name in attributes)])
    return written.getvalue().encode()
