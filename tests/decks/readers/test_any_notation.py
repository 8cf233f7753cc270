"""A list in any notation of any reader, and through any writer, is the same deck."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl import load_workbook

from decks.decklists.samples import sample_deck
from decks.files.tables import read_table
from decks.readers.kinds import read_file
from decks.rulebook import DeckRules
from decks.writers import WRITERS, escape_formula, write_deck
from rules.deckbuilding.deck import Deck, DeckEntry
from rules.deckbuilding.deck_json import deck_from_json
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.render import render_deck
from rules.deckbuilding.text import parse_decklist
from tests.decks.readers.files import workbook
from tests.effort import examples
from tests.rules.deckbuilding.reading import MAGIC


@dataclass(frozen=True)
class Copies:
    """Copies of a printing of a card in the main deck or in the side."""

    name: str
    count: int
    set: str
    number: str
    side: bool


NAMES = [
    *("Lightning Bolt", "Counterspell", "Jace, Vryn's Prodigy", "Lim-Dûl's Vault", "Fire // Ice"),
    *(
        "Who // What // When",
        "Black Waltz No. 3",
        "B.F.M. 2",
        "Minsc & Boo",
        "Ætherling",
    ),
    *("Erase Not the Legacy", "Borrowing 100,000 Arrows", "X", "Urza's Saga", "_____ Goblin"),
]
NUMBERS = ["146", "A25-141", "34p", "63★", "280†", "Φ1", "DDN-64", "242a", "1", "999"]
CARDS = st.builds(
    Copies,
    st.sampled_from(NAMES),
    st.integers(1, 99),
    st.sampled_from(["M10", "PLST", "2X2", "SLD", "40K", "plst"]),
    st.sampled_from(NUMBERS),
    st.booleans(),
)
LISTS = st.lists(CARDS, min_size=1, max_size=12)

Line = Callable[[Copies], str]
WAYS: dict[str, list[Line]] = {
    "Arena": [lambda c: f"{c.count} {c.name} ({c.set.upper()}) {c.number}"],
    "Moxfield": [
        lambda c: f"{c.count} {c.name} ({c.set}) {c.number} *F* #Burn #!Red Deck",
        lambda c: f"{c.count} {c.name} ({c.set}) {c.number} *E*",
        lambda c: f"{c.count} {c.name}",
    ],
    "Archidekt": [
        lambda c: f"{c.count}x {c.name} ({c.set.lower()}) {c.number} [Burn{{noPrice}}] ^Have,#37d^",
        lambda c: f"{c.count}x {c.name} ({c.set.lower()}) {c.number} *F* ^Don't Have,#f47373^",
    ],
    "TappedOut": [
        lambda c: f"{c.count}x {c.name} ({c.set.upper()}:{c.number}) *F-etch*",
        lambda c: f"* {c.count} {c.name} $5.00",
    ],
    "deckstats": [
        lambda c: f"{c.count} [{c.set}#{c.number}] {c.name}",
        lambda c: f"{c.count} {c.name} # best of all",
    ],
    "XMage": [lambda c: f"{c.count} [{c.set.upper()}:{c.number}] {c.name}"],
    "Forge": [
        lambda c: f"{c.count} {c.name}|{c.set.upper()}",
        lambda c: f"{c.count} {c.name}|{c.set.upper()}|2",
        lambda c: f"{c.count} {c.name}+|{c.set.upper()}|[{c.number}]",
    ],
    "MTGGoldfish": [lambda c: f"{c.count} {c.name} <borderless> [{c.set.upper()}] (F)"],
    "Archidekt's categories": [
        lambda c: f"{c.count}x {c.name} ({c.set}) {c.number} [{'Sideboard' if c.side else 'Burn'}]",
    ],
    "TCGplayer": [lambda c: f"{c.count} {c.name} [{c.set.upper()}] {c.number}"],
    "Magic Online": [lambda c: f"{c.count} {c.name.replace(' // ', '/')}"],
    "Magic Workstation": [lambda c: f"{c.count} [{c.set.upper()}] {c.name} (2)"],
    "this program": [
        lambda c: f"{c.name} ({c.set} #{c.number}) x{c.count}",
        lambda c: f"{c.count};{c.name} ({c.set})",
        lambda c: f"{c.name}\t{c.count}",
    ],
}
HEADS = [("Main", "Side"), ("Deck", "Sideboard"), ("[Main]", "[Sideboard]"), ("# Main", "# Side")]


def in_text(cards: Sequence[Copies], way: str, at: int) -> str:
    """Return a list as a program writes it, the side below its heading or marked ``SB:``."""
    lines = [(WAYS[way][n % len(WAYS[way])](card), card.side) for n, card in enumerate(cards, at)]
    main, side = HEADS[at % len(HEADS)]
    if at % 3 == 0:
        return "\n".join(f"SB: {line}" if beside else line for line, beside in lines)
    parts = [[line for line, beside in lines if beside is part] for part in (False, True)]
    return "\n".join([main, *parts[0], "", side, *parts[1]])


TABLES: dict[str, tuple[tuple[str, ...], Callable[[Copies], tuple[object, ...]]]] = {
    "this program": (
        ("zone", "count", "name", "expansion", "number"),
        lambda c: ("Side" if c.side else "Main", c.count, c.name, c.set, c.number),
    ),
    "names with notation": (
        ("Section", "Quantity", "Card Name", "Foil"),
        lambda c: (
            "Sideboard" if c.side else "Main deck",
            f"{c.count}.0",
            f"{c.name} ({c.set}) {c.number}",
            "foil",
        ),
    ),
    "TappedOut": (
        ("Board", "Qty", "Name", "Printing", "Foil"),
        lambda c: ("side" if c.side else "main", c.count, c.name, c.set, "-"),
    ),
    "Magic Online": (
        ("Card Name", "Quantity", "ID #", "Set", "Collector #", "Sideboarded"),
        lambda c: (
            *(c.name.replace(" // ", "/"), c.count, 7, c.set, c.number),
            "Yes" if c.side else "No",
        ),
    ),
    "underscores": (
        ("card_name", "amount", "set_code", "set_name", "collector_number", "section"),
        lambda c: (
            c.name.replace(" // ", "/"),
            c.count,
            c.set,
            "A set",
            c.number,
            ["", "Side"][c.side],
        ),
    ),
}


def in_csv(cards: Sequence[Copies], table: str) -> bytes:
    """Return a list as a table with commas."""
    head, row = TABLES[table]
    out = StringIO()
    csv.writer(out).writerows([head, *map(row, cards)])
    return out.getvalue().encode()


def in_xlsx(cards: Sequence[Copies], table: str) -> bytes:
    head, row = TABLES[table]
    return workbook([head, *map(row, cards)])


def in_cod(cards: Sequence[Copies]) -> bytes:
    """Return a list of Cockatrice."""
    zones = ""
    for zone in ("main", "side"):
        zones += f'<zone name="{zone}">' + "".join(
            f'<card number="{c.count}" name={quoteattr(c.name)} setShortName="{c.set}" '
            f'collectorNumber="{c.number}"/>'
            for c in cards
            if c.side is (zone == "side")
        )
        zones += "</zone>"
    return f'<?xml version="1.0"?><cockatrice_deck version="1">{zones}</cockatrice_deck>'.encode()


def in_dek(cards: Sequence[Copies]) -> bytes:
    """Return a list of Magic Online."""
    rows = "".join(
        f'<Cards CatID="1" Quantity="{c.count}" Sideboard="{str(c.side).lower()}" '
        f'Name={quoteattr(c.name.replace(" // ", "/"))} Annotation="0"/>'
        for c in cards
    )
    return f"<Deck><NetDeckID>0</NetDeckID>{rows}</Deck>".encode()


def in_json(cards: Sequence[Copies]) -> bytes:
    zones: dict[str, list[dict[str, object]]] = {"main": [], "side": []}
    for at, c in enumerate(cards):
        tagged = {"name": c.name, "count": c.count, "expansion": c.set, "number": c.number}
        written = {"name": f"{c.name} ({c.set}) {c.number} *F*", "count": c.count}
        zones["side" if c.side else "main"].append(written if at % 2 else tagged)
    return json.dumps({"zones": zones}).encode()


def copies(deck: Deck) -> Counter[tuple[str, str]]:
    """Return the copies by zone and card."""
    found: Counter[tuple[str, str]] = Counter()
    for zone, entry in deck:
        found[zone, entry.key] += entry.count
    return found


def meant(cards: Sequence[Copies]) -> Counter[tuple[str, str]]:
    """Return the copies by zone and card that a list means."""
    plain = json.dumps(
        {
            "zones": {
                zone: [{"name": c.name, "count": c.count} for c in cards if c.side is side]
                for zone, side in (("main", False), ("side", True))
            }
        }
    )
    return copies(deck_of(plain.encode()))


def deck_of(content: bytes) -> Deck:
    deck = read_file(content, "", DeckRules(format=MAGIC)).checked.deck
    asked = [str(one.sentence) for one in deck.problems if one.code != "columns.left_out"]
    assert asked == []
    return deck


@pytest.mark.parametrize("way", WAYS)
@examples(2)
@given(LISTS, st.integers(0, 11))
def test_a_text_adds_up(way: str, cards: list[Copies], at: int) -> None:
    text = in_text(cards, way, at)
    assert copies(deck_of(text.encode())) == meant(cards), text


@pytest.mark.deep
@examples(5)
@given(LISTS, st.lists(st.sampled_from(sorted(WAYS)), min_size=12, max_size=12))
def test_a_text_of_many_programs_adds_up(cards: list[Copies], ways: list[str]) -> None:
    lines = [
        WAYS[way][at % len(WAYS[way])](card)
        for at, (card, way) in enumerate(zip(cards, ways, strict=False))
    ]
    text = "\n".join(
        f"SB: {line}" if card.side else line for line, card in zip(lines, cards, strict=True)
    )
    assert copies(deck_of(text.encode())) == meant(cards), text


@pytest.mark.deep
@pytest.mark.parametrize(
    "write",
    [
        *(lambda cards, table=table: in_csv(cards, table) for table in TABLES),
        *(lambda cards, table=table: in_xlsx(cards, table) for table in TABLES),
        *(in_cod, in_dek, in_json),
    ],
)
@examples(1.5)
@given(LISTS)
def test_a_file_adds_up(write: Callable[[Sequence[Copies]], bytes], cards: list[Copies]) -> None:
    assert copies(deck_of(write(cards))) == meant(cards)


GOLDEN = sorted((Path(__file__).parents[2] / "golden" / "decks").glob("*/*.txt"))
KINDS = WRITERS.keys()

PIECES = st.one_of(
    st.sampled_from(
        [
            *("2", "x2", "(DT 3)", "{K, G}", "[A]", "SB:", "-", "*", "#", ":", "Main", "è", "'"),
            *("=1+1", "+39", "@", "＝", '"', ",", ";", "\t", "\ufffe", "_x0041_"),
            *("<r>", "</r>", "Language: it", "\u0301", "\U0001f98a", "\u202e"),
            *("<b>", "&amp;", "\uffff"),
        ]
    ),
    st.text(max_size=4),
)
WORDS = st.lists(PIECES, max_size=4).map("".join) | st.lists(PIECES, max_size=4).map(" ".join)
ENTRIES = st.fixed_dictionaries(
    {"name": WORDS},
    optional={
        "count": st.integers(1, 999),
        "kind": WORDS,
        "expansion": WORDS,
        "number": WORDS,
        "genus": WORDS,
        "language": WORDS,
        "version": WORDS,
    },
)
ZONES = st.lists(st.tuples(st.integers(0, 3), ENTRIES), max_size=8)


def through(deck: Deck, deck_format: DeckFormat, kind: str) -> Deck:
    """Return what is read of a deck that was written."""
    written = write_deck(deck, deck_format, kind)
    return read_file(written.content, written.name, DeckRules(format=deck_format)).checked.deck


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_sample_comes_back_from_every_type(path: Path) -> None:
    deck_format = FORMATS.get(path.parent.name)
    deck = parse_decklist(path.read_text(encoding="utf-8"), deck_format)
    for kind in KINDS:
        again = through(deck, deck_format, kind)
        assert (again.zones, again.language) == (deck.zones, deck.language), kind
        assert render_deck(again, deck_format) == render_deck(deck, deck_format)


@pytest.mark.parametrize("key", FORMATS.keys())
@pytest.mark.parametrize("kind", KINDS)
def test_a_legal_list_comes_back_legal(key: str, kind: str) -> None:
    rules = DeckRules(format=FORMATS.get(key))
    deck = parse_decklist(sample_deck(key, 7), rules.format)
    written = write_deck(deck, rules.format, kind)
    assert read_file(written.content, written.name, rules).checked.legal
    assert read_file(written.content, "", rules).type == kind


@pytest.mark.deep
@examples(1.5)
@given(deck_format=st.sampled_from(list(FORMATS)), entries=ZONES, language=WORDS)
@example(
    deck_format=FORMATS.get("creatures-of-exo"),
    entries=[(0, {"name": "Language: it"}), (0, {"name": "'=x"}), (0, {"name": "''＋x"})],
    language="=it",
)
def test_any_deck_comes_back(
    deck_format: DeckFormat, entries: list[tuple[int, dict[str, object]]], language: str
) -> None:
    zones: dict[str, list[object]] = {}
    for at, entry in entries:
        zone = deck_format.zone_keys[at % len(deck_format.zones)]
        zones.setdefault(zone, []).append(entry)
    deck = deck_from_json(zones, deck_format, language)
    for kind in KINDS:
        again = through(deck, deck_format, kind)
        assert (again.zones, again.language) == (deck.zones, deck.language), kind
        assert again.problems == ()


@pytest.mark.parametrize(
    "name", ["=1+1 a", "+39 02 a", "-Luca", "@x", "＝1 a", "'=a", "a,b", 'a"b']
)
def test_no_cell_of_a_csv_file_is_a_formula(name: str) -> None:
    deck_format = FORMATS.get("creatures-of-exo")
    deck = Deck(zones={"leader": (), "main": (DeckEntry(name=name),), "evolution": (), "side": ()})
    content = write_deck(deck, deck_format, "csv").content
    assert content.startswith(b"\xef\xbb\xbfzone,count,name,")
    line = content.decode("utf-8-sig").splitlines()[1]
    assert not any(cell[:1] in set("=+-@＝") for cell in line.split(","))
    assert read_table(content).rows[0].cells[2] == name


def test_tabs_and_returns_do_not_hide_a_formula() -> None:
    assert [escape_formula(text) for text in ("\t=1", "\r=1", "a=1", "'a", "")] == [
        "'\t=1",
        "'\r=1",
        "a=1",
        "'a",
        "",
    ]


def test_a_workbook_holds_texts_and_counts() -> None:
    deck_format = FORMATS.get("creatures-of-exo")
    deck = parse_decklist("Main\n2 =1+1 a\n1 1. carta", deck_format)
    table = read_table(write_deck(deck, deck_format, "xlsx").content)
    assert [row.cells[:3] for row in table.rows] == [
        ("Main", "2", "=1+1 a"),
        ("Main", "1", "1. carta"),
    ]


def test_spreadsheet_programs_find_texts_where_formulas_could_be() -> None:
    deck_format = FORMATS.get("creatures-of-exo")
    content = write_deck(parse_decklist("Main\n2 =1+1 a", deck_format), deck_format, "xlsx").content
    cells = load_workbook(BytesIO(content)).active[2]
    assert [(cell.value, cell.data_type) for cell in cells[:3]] == [
        ("Main", "s"),
        (2, "n"),
        ("=1+1 a", "s"),
    ]
    assert cells[2].quotePrefix
