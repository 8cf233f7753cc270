"""Notations of other programs, and what these print around the name of a card."""

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from decks.decklists.samples import sample_deck
from rules.deckbuilding.around import LONGEST, UnreadableLineError, parse_name
from rules.deckbuilding.catalogue import CardFacts, join_collector_number, split_collector_number
from rules.deckbuilding.deck import Deck, DeckEntry
from rules.deckbuilding.deck_json import deck_from_json, deck_to_json
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.known_headings import SECTION_WORDS
from rules.deckbuilding.lines import CardLine, read_card, read_plain_card
from rules.deckbuilding.render import render_deck, render_entry
from rules.deckbuilding.rows import CardTableRow, deck_from_rows
from rules.deckbuilding.settling import numbered_line_readings
from rules.deckbuilding.text import parse_decklist
from rules.names import clean_line
from tests.rules.deckbuilding.reading import EXO, MAGIC, YUGIOH, cards, cards_of, named, problems

FORMAT = pytest.mark.parametrize("shape", list(FORMATS), ids=named)

LINES = [
    "4 Lupo di Selce",
    "4x Lupo di Selce",
    "4 x Lupo di Selce",
    "Lupo di Selce x4",
    "Lupo di Selce 4x",
    "x4 Lupo di Selce",
    "Lupo di Selce (4)",
    "Lupo di Selce (x4)",
    "4\tLupo di Selce",
    "Lupo di Selce\t4",
    "4;Lupo di Selce",
    "Lupo di Selce;4",
    "4: Lupo di Selce",
    "4 - Lupo di Selce",
    "4 Lupo di Selce (SET) 123",
    "- 4 Lupo di Selce",
    "• Lupo di Selce x4",
    "**4 Lupo di Selce**",
    "４ Lupo di Selce",
    "４ｘ Lupo di Selce",
    "Lupo di Selce ×４",
    "Lupo di Selce（４）",
    "４：Lupo di Selce",
    "４\tLupo di Selce",
]
"""Two dozen ways to write four copies of a card."""

DOUBTFUL = [
    *("4. Lupo di Selce", "4) Lupo di Selce", "(4) Lupo di Selce", "4, Lupo di Selce"),
    *("Lupo di Selce - 4", "Lupo di Selce, 4", "Lupo di Selce: 4", "Lupo di Selce = 4"),
    *("4Lupo di Selce", "Lupo di Selce [4]", "SB: 4. Lupo di Selce"),
]
NO_CARD = ["4;Lupo di Selce;SET", "4\tLupo di Selce\tSET", "**Lupo di Selce**", "Lupo;0", "0: Lupo"]


@FORMAT
@pytest.mark.parametrize("line", LINES)
def test_four_copies_of_a_card(line: str, shape: DeckFormat) -> None:
    first, other = shape.main, "Orso (1)" if line.endswith(("4)", "４）")) else "1 Orso"
    for text in (line, f"{SECTION_WORDS[first][0]}\n{line}\n{other}", f"// {line}\n{line}"):
        deck = parse_decklist(text, shape)
        assert (first, 4, "Lupo di Selce") in cards_of(deck), text
        assert len(cards_of(deck)) == 1 + text.endswith(other)
        assert deck.problems == ()


@FORMAT
@pytest.mark.parametrize("line", DOUBTFUL)
def test_a_line_with_two_readings_is_asked_about(line: str, shape: DeckFormat) -> None:
    deck = parse_decklist(f"1 Orso\n{line}", shape)
    assert cards_of(deck) == [(shape.main, 1, "Orso")]
    (asked,) = deck.problems
    assert (asked.code, asked.severity, asked.line) == ("line.unclear", "error", 2)
    meant = [
        [(e.count, e.name) for _zone, e in parse_decklist(way, shape)] for way in asked.suggestions
    ]
    assert [(4, "Lupo di Selce")] in meant
    assert all(len(each) == 1 for each in meant)
    assert len(set(map(str, meant))) == len(meant) > 1
    assert all(
        each.code == "zone.unknown"
        for w in asked.suggestions
        for each in parse_decklist(w, shape).problems
    )


@FORMAT
@pytest.mark.parametrize("line", NO_CARD)
def test_a_line_that_holds_no_card_for_sure_is_told(line: str, shape: DeckFormat) -> None:
    deck = parse_decklist(line, shape)
    assert (cards_of(deck), problems(deck)) == ([], [("line.unreadable", 1)])


@pytest.mark.parametrize(
    "name", ["Fire // Ice", "X-23", "Legione 13", "Arma: Spada", "Borrowed 100,000 Arrows"]
)
@FORMAT
def test_signs_within_a_name_belong_to_it(name: str, shape: DeckFormat) -> None:
    for text, count in ((f"{name}\n{name} Bis", 1), (f"2 {name}\n2 {name} Bis", 2)):
        cards = [(shape.main, count, name), (shape.main, count, f"{name} Bis")]
        assert cards_of(parse_decklist(text, shape)) == cards


HEADINGS = [
    *("{}", "{}:", "{} (4)", "{} [4]", "{} - 4", "{};4", "{}\t4"),
    *("# {}", "#{}", "## {} (4)", "**{}**", "**{}:** 4", "__{}__", "*{}*", "[{}]", "== {} =="),
    *("--- {} ---", "!{}"),
]


@FORMAT
@pytest.mark.parametrize("way", HEADINGS)
def test_marks_around_the_word_of_a_zone_make_it_a_heading(way: str, shape: DeckFormat) -> None:
    for zone in shape.zone_keys:
        for word in SECTION_WORDS[zone]:
            deck = parse_decklist(f"{way.replace('{}', word)}\n4 Lupo", shape)
            assert (word, cards_of(deck), deck.problems) == (word, [(zone, 4, "Lupo")], ())


@FORMAT
@pytest.mark.parametrize("line", ["# Lista di Anna", "#lupi", "## Main event", "// A", "//Lupo"])
def test_other_lines_behind_such_a_mark_are_comments(line: str, shape: DeckFormat) -> None:
    last = shape.zone_keys[-1]
    deck = parse_decklist(f"{SECTION_WORDS[last][0]}\n{line}\n4 Lupo", shape)
    assert (cards_of(deck), deck.problems) == ([(last, 4, "Lupo")], ())


def test_a_kind_behind_a_mark_is_a_heading_too() -> None:
    assert cards_of(parse_decklist("# Mostri\n4 Lupo\n# Magie\n1 Dono", YUGIOH)) == [
        ("main", 4, "Lupo"),
        ("main", 1, "Dono"),
    ]


def test_a_kind_with_a_zone_of_its_own_opens_it_where_no_zone_is_open() -> None:
    text = "Mostri (4):\n4 Lupo\n\nMostri Fusione:\n2 Drago\n\nTrappole:\n1 Buca"
    found = [("main", 4, "Lupo"), ("main", 1, "Buca"), ("fusion", 2, "Drago")]
    assert cards_of(parse_decklist(text, YUGIOH)) == found
    assert cards_of(parse_decklist(f"Side\n{text}", YUGIOH)) == [
        ("side", count, name) for count, name in [(4, "Lupo"), (2, "Drago"), (1, "Buca")]
    ]


# --- With a catalogue --------------------------------------------------------------------
SHELF = cards(
    *(CardFacts(name=name) for name in ("Colored Fish", "7 Colored Fish", "Fulminara", "Scia x2"))
)


@FORMAT
@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("7 Colored Fish", "7 Colored Fish"),
        ("SB: 7 Colored Fish", "7 Colored Fish"),
        ("- 7 colored fish (SET 12)", "7 Colored Fish"),
        ("Scia x2", "Scia x2"),
    ],
)
def test_a_name_that_looks_like_a_count_and_a_name(
    line: str, other: str, shape: DeckFormat
) -> None:
    deck = parse_decklist(line, shape, SHELF)
    assert cards_of(deck) == []
    asked = next(each for each in deck.problems if each.code == "line.unclear")
    several, one = asked.suggestions
    for way, count in ((several, 7 if "7" in line else 2), (one, 1)):
        ((_zone, entry),) = parse_decklist(way, shape, SHELF)
        assert entry.count == count
        assert (entry.name.lower() == other.lower()) is (count == 1)


@pytest.mark.parametrize(
    "line", ["7x Colored Fish", "1 7 Colored Fish", "7 Fulminara", "4 7 Colored Fish"]
)
def test_other_lines_are_plain(line: str) -> None:
    assert parse_decklist(line, EXO, SHELF).problems == ()


def test_a_card_whose_name_begins_with_a_number_needs_no_count() -> None:
    assert cards_of(parse_decklist("7 colored fish", EXO)) == [("main", 7, "colored fish")]
    known = cards(CardFacts(name="3D Lupo"))
    assert cards_of(parse_decklist("3D Lupo", EXO, known)) == [("main", 1, "3D Lupo")]


@FORMAT
@pytest.mark.parametrize(
    "greeting", ["Ciao a tutti!", "Mazzo di Anna", "Roma 2026", "Buona fortuna"]
)
def test_a_greeting_is_no_card(greeting: str, shape: DeckFormat) -> None:
    text = f"{greeting}\n\n2 Fulminara\n1 fulminara\n1 Ignota\n- 1 Anche questa"
    deck = parse_decklist(text, shape, SHELF)
    found = [(3, "Fulminara"), (1, "Ignota"), (1, "Anche questa")]
    assert [(count, name) for _zone, count, name in cards_of(deck)] == found
    (asked,) = deck.problems
    assert (asked.code, asked.severity, asked.line) == ("line.no_card", "error", 1)


def test_what_a_line_without_a_number_may_be() -> None:
    near, counted = parse_decklist("Fulminera\nFulminara 3", EXO, SHELF).problems
    assert near.suggestions == ("1x Fulminara", "1x Fulminera")
    assert counted.suggestions == ("3x Fulminara", "1x Fulminara 3")


def test_names_are_compared_for_some_lines_only() -> None:
    asked: list[str] = []

    class Counted:
        def get(self, _key: str, /) -> None:
            return None

        def nearest(self, key: str, _limit: int, /) -> Sequence[str]:
            asked.append(key)
            return ()

    deck = parse_decklist(
        "\n".join(f"Riga {letter * 3}" for letter in "abcdefghijklmnopqrstuvwxyz"), EXO, Counted()
    )
    assert (len(deck.problems), len(asked)) == (26, 20)


# --- Whole lists -------------------------------------------------------------------------
WAYS = [
    "{count} {rest}",
    "{count}x {rest}",
    "{count} x {rest}",
    "x{count} {rest}",
    "{rest} x{count}",
    "{rest} {count}x",
    "{rest}\t{count}",
    "{count}\t{rest}",
    "{rest};{count}",
    "{count};{rest}",
    "{count}: {rest}",
    "{count} - {rest}",
    "- {count} {rest}",
    "• {rest} x{count}",
    "**{count} {rest}**",
]


@given(
    st.sampled_from(list(FORMATS)),
    st.integers(1, 50),
    st.lists(st.sampled_from(WAYS), min_size=1, max_size=8) | st.just(["{rest} ({count})"]),
    st.sampled_from(HEADINGS),
)
def test_a_legal_deck_is_the_same_in_every_notation(
    shape: DeckFormat, number: int, ways: list[str], heading: str
) -> None:
    deck = parse_decklist(sample_deck(shape.key, number), shape)
    assert not any(fault.severity == "error" for fault in shape.validate(deck))
    lines = []
    for at, (zone, entries) in enumerate(groupby(deck, key=lambda card: card[0])):
        lines += ["", heading.replace("{}", SECTION_WORDS[zone][0])]
        lines += [written(entry, ways[at % len(ways)]) for _zone, entry in entries]
    again = parse_decklist("\n".join(lines), shape)
    assert Deck(zones=again.zones, problems=again.problems) == Deck(zones=deck.zones)


def written(entry: DeckEntry, way: str) -> str:
    """Return an entry's line in a notation."""
    rest = render_entry(entry, times=True).partition("x ")[2]
    return way.replace("{count}", str(entry.count)).replace("{rest}", rest)


def test_a_reading_that_is_no_line_is_not_offered() -> None:
    said = read_card("(a):12")  # "12x (a)" has no name before its tag
    assert isinstance(said, CardLine)
    assert numbered_line_readings(said) is None


DOCS = (Path(__file__).parents[3] / "docs" / "decklists.md").read_text(encoding="utf-8")
SECTION = DOCS.partition("## What programs print")[2].partition("\n## ")[0]
CELLS = [
    row.replace(r"\|", "\0").split("|")[1] for row in SECTION.splitlines() if row.startswith("| `")
]
WRITTEN = [each.replace("\0", "|") for cell in CELLS for each in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize("line", WRITTEN)
def test_a_notation_of_the_documentation_is_four_lightning_bolts(line: str) -> None:
    (entry,) = parse_decklist(line, MAGIC).zone("main")
    assert (entry.count, entry.name) == (4, "Lightning Bolt")


def test_copies_add_up_over_all_notations() -> None:
    assert len(WRITTEN) > 25
    faults = MAGIC.validate(parse_decklist("\n".join(["60 Mountain", *WRITTEN]), MAGIC))
    assert [(one.code, one.found) for one in faults] == [("copies.too_many", 4 * len(WRITTEN))]


@pytest.mark.parametrize("line", WRITTEN)
def test_a_name_in_a_table_and_in_json_is_read_as_in_a_line(line: str) -> None:
    (written,) = parse_decklist(line, MAGIC).zone("main")
    name = re.sub(r"^(?:\* )?4x? ", "", line)
    row = CardTableRow(number=2, cells={"count": "4", "name": name}, shown=name)
    (in_table,) = deck_from_rows([row], MAGIC).zone("main")
    (in_json,) = deck_from_json({"main": [{"name": name, "count": 4}]}, MAGIC).zone("main")
    assert written == in_table == in_json


NUMBERS = ["146", "A25-141", "34p", "63★", "280†", "Φ1", "TG12", "SWSH123", "146/249", "JOU-65"]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("of", ["PLST", "2x2", "PR-SV"])
def test_a_number_is_a_text(number: str, of: str) -> None:
    wanted = DeckEntry(name="Lightning Bolt", count=4, expansion=of, number=number)
    for line in (
        f"4 Lightning Bolt ({of}) {number}",
        f"4 Lightning Bolt ({of} {number})",
        f"Lightning Bolt ({of}) {number} x4",
        f"4 Lightning Bolt ({of} #{number})",
    ):
        assert read_card(line).entry == wanted
    given_ = {"name": "Lightning Bolt", "count": 4, "expansion": of, "number": number}
    deck = deck_from_json({"main": [given_]}, MAGIC)
    assert deck.zone("main") == (wanted,)
    assert parse_decklist(render_deck(deck, MAGIC), MAGIC).zones == deck.zones
    assert deck_to_json(deck)["main"] == [given_]


@pytest.mark.parametrize(
    ("expansion", "number"),
    [
        *(("Crown Zenith", "GG30"), ("M10", "promo"), ("", "331"), ("", "a b"), ("M10", "")),
        *(("A #1", "2"), ("M10,", "7"), ("Core Set M21", ""), ("foil", ""), ("V1", "12")),
    ],
)
def test_set_and_number_come_back(expansion: str, number: str) -> None:
    for marked in (False, True):
        text = join_collector_number(expansion, number, marked=marked)
        assert not number or split_collector_number(text) == (expansion, number)
    for name in ("Lupo", "Legione 13", *(["Lupo (grigio)"] if expansion else [])):
        entry = DeckEntry(name=name, expansion=expansion, number=number, version="A")
        assert read_card(render_entry(entry)).entry == entry


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("7 Plains (331)", DeckEntry(name="Plains", count=7, number="331")),
        ("7 [UNH] Plains (4)", DeckEntry(name="Plains", count=7, expansion="UNH", number="4")),
        ("1 Plains (331) (0331)", DeckEntry(name="Plains", number="0331")),
        ("1 Plains (33) (34)", DeckEntry(name="Plains (33)", number="34")),
        ("1 Plains (33) <34>", DeckEntry(name="Plains (33)", number="34")),
        ("1 Plains <34> <35>", DeckEntry(name="Plains", number="35")),
        ("1 Lupo (Foil)", DeckEntry(name="Lupo", expansion="Foil")),
        ("1 Lupo (F)", DeckEntry(name="Lupo", expansion="F")),
        ("1 Lupo [A] [SLD] 84", DeckEntry(name="Lupo", version="A", expansion="SLD", number="84")),
        ("1 Lupo [A] 84", DeckEntry(name="Lupo [A] 84")),
        ("1 Lupo (Luce Piena) 7a", DeckEntry(name="Lupo (Luce Piena) 7a")),
        ("1 Lupo (DT) x3", DeckEntry(name="Lupo (DT) x3")),
        ("1 Lupo (DT) 3 (WAR)", DeckEntry(name="Lupo", expansion="WAR")),
        ("1 Lupo (Nero Lupo) 3 (WAR)", DeckEntry(name="Lupo (Nero Lupo) 3", expansion="WAR")),
        ("1 Lupo () 3", DeckEntry(name="Lupo () 3")),
        ("1 Robot #5", DeckEntry(name="Robot #5")),
        (f"1 Lupo (DT) {'1' * 21}", DeckEntry(name=f"Lupo (DT) {'1' * 21}")),
        ("1 # Lupo", DeckEntry(name="# Lupo")),
        ("1 Lupo (di #Selce #Nera", DeckEntry(name="Lupo (di #Selce #Nera")),
        ("1 Lupo *di Selce, Nera*", DeckEntry(name="Lupo *di Selce, Nera*")),
        ("1 Lupo ^^", DeckEntry(name="Lupo ^^")),
        ("1 Lupo|lupi", DeckEntry(name="Lupo|lupi")),
        ("1 Lupo (a|BC", DeckEntry(name="Lupo (a|BC")),
        ("1 |M10", DeckEntry(name="|M10")),
        ("1 Lupo | Nero [A]", DeckEntry(name="Lupo | Nero", version="A")),
        ("1 Lupo | [", DeckEntry(name="Lupo | [")),
        ("1 [44] Lupo", DeckEntry(name="[44] Lupo")),
        ("1 [4x] Lupo", DeckEntry(name="[4x] Lupo")),
        ("1 (DT) Lupo (WAR)", DeckEntry(name="Lupo", expansion="WAR")),
        ("1 (M10) 146 Lupo", DeckEntry(name="Lupo", expansion="M10", number="146")),
        ("1 [M10] #14a Lupo", DeckEntry(name="Lupo", expansion="M10", number="14a")),
        ("1 [M10] 1996 Lupo", DeckEntry(name="1996 Lupo", expansion="M10")),
        ("1 [#12] Lupo", DeckEntry(name="Lupo", number="12")),
        ("1 [OP01-025] Lupo", DeckEntry(name="Lupo", expansion="OP01-025")),
        ("1 Lupo 5,00 € TIX", DeckEntry(name="Lupo")),
        ("1 Lupo (nero) (M10)", DeckEntry(name="Lupo (nero)", expansion="M10")),
    ],
)
def test_what_is_the_name_and_what_is_not(line: str, entry: DeckEntry) -> None:
    assert read_card(line).entry == entry
    assert read_card(render_entry(entry)).entry == entry


@pytest.mark.parametrize(
    "line", ["2 Lupo *F*", "2 Lupo 13 (Foil)", "2 Lupo|M10", "2 Lupo #tag", f"2 {'a' * LONGEST}"]
)
def test_a_line_with_marks_is_no_plain_one(line: str) -> None:
    assert read_plain_card(line) is None


@pytest.mark.parametrize("line", ["2 " + "Lupo" + " *F*" * 30, "2 " + "a" * (LONGEST + 1)])
def test_what_no_program_writes_is_no_card(line: str) -> None:
    with pytest.raises(UnreadableLineError):
        read_card(line)


PIECES = [
    *("Lupo", "di", "x2", "(DT)", "(12)", "(DT 3)", "(Foil)", "(F)", "[A]", "[SLD]", "84", "{K}"),
    *("*F*", "*", "#tag", "#", "# !Side", "^a^", "^", "<b>", "<7>", "|M10", "| Nero", "$5", "3 €"),
    *("[M10:146]", "[#3]", "(V.2)", "//", "/", "-", ",", "(", ")", "[", "]", "★", "A25-141", ":"),
]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8), st.booleans(), st.booleans())
@example(["Lupo", "(12)", "(12)"], False, True)
def test_a_name_is_read_once(pieces: list[str], named: bool, numbered: bool) -> None:
    """Reading what was read, in a line as in JSON, finds the same card."""
    given_ = {"kind": "", "version": "", "genus": "", "language": ""}
    given_ |= {"expansion": "WAR" if named else "", "number": "5" if numbered else ""}
    try:
        found = parse_name(clean_line(" ".join(pieces)), count=2, given=given_)
    except UnreadableLineError:
        return
    entry = found.entry()
    if entry.name.endswith(":"):
        return
    assert parse_name(entry.name, count=2, given=found.tags).entry() == entry
    assert read_card(render_entry(entry)).entry == entry
