"""A list through any writer and its reader is the same list."""

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl import load_workbook

from decks.decklists.samples import sample_deck
from decks.files.tables import read_table
from decks.readers.kinds import read_file
from decks.rulebook import DeckRules
from decks.writers import WRITERS, guarded, write_deck
from rules.deckbuilding.deck import Deck, Entry
from rules.deckbuilding.deck_json import deck_from_json
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.render import render
from rules.deckbuilding.text import parse
from tests.effort import examples

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
    deck = parse(path.read_text(encoding="utf-8"), deck_format)
    for kind in KINDS:
        again = through(deck, deck_format, kind)
        assert (again.zones, again.language) == (deck.zones, deck.language), kind
        assert render(again, deck_format) == render(deck, deck_format)


@pytest.mark.parametrize("key", FORMATS.keys())
@pytest.mark.parametrize("kind", KINDS)
def test_a_legal_list_comes_back_legal(key: str, kind: str) -> None:
    rules = DeckRules(format=FORMATS.get(key))
    deck = parse(sample_deck(key, 7), rules.format)
    written = write_deck(deck, rules.format, kind)
    assert read_file(written.content, written.name, rules).checked.legal
    assert read_file(written.content, "", rules).type == kind


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
    deck = Deck(zones={"leader": (), "main": (Entry(name=name),), "evolution": (), "side": ()})
    content = write_deck(deck, deck_format, "csv").content
    assert content.startswith(b"\xef\xbb\xbfzone,count,name,")
    line = content.decode("utf-8-sig").splitlines()[1]
    assert not any(cell[:1] in set("=+-@＝") for cell in line.split(","))
    assert read_table(content).rows[0].cells[2] == name


def test_tabs_and_returns_do_not_hide_a_formula() -> None:
    assert [guarded(text) for text in ("\t=1", "\r=1", "a=1", "'a", "")] == [
        "'\t=1",
        "'\r=1",
        "a=1",
        "'a",
        "",
    ]


def test_a_workbook_holds_texts_and_counts() -> None:
    deck_format = FORMATS.get("creatures-of-exo")
    deck = parse("Main\n2 =1+1 a\n1 1. carta", deck_format)
    table = read_table(write_deck(deck, deck_format, "xlsx").content)
    assert [row.cells[:3] for row in table.rows] == [
        ("Main", "2", "=1+1 a"),
        ("Main", "1", "1. carta"),
    ]


def test_spreadsheet_programs_find_texts_where_formulas_could_be() -> None:
    deck_format = FORMATS.get("creatures-of-exo")
    content = write_deck(parse("Main\n2 =1+1 a", deck_format), deck_format, "xlsx").content
    cells = load_workbook(BytesIO(content)).active[2]
    assert [(cell.value, cell.data_type) for cell in cells[:3]] == [
        ("Main", "s"),
        (2, "n"),
        ("=1+1 a", "s"),
    ]
    assert cells[2].quotePrefix
