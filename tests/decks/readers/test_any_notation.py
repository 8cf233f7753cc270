"""A list in any notation of any reader adds up to the same deck."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import StringIO
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.readers.kinds import read_file
from decks.rulebook import DeckRules
from rules.deckbuilding.deck import Deck
from tests.decks.readers.files import workbook
from tests.effort import examples
from tests.rules.deckbuilding.ready import MAGIC


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
