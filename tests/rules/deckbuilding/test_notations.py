"""Lists as players write them, in every format: each is read right, or asked about."""

from collections.abc import Sequence
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.decklists.samples import sample_deck
from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.deck import Deck, Entry
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.known_headings import SECTION_WORDS
from rules.deckbuilding.lines import CardLine, read_card
from rules.deckbuilding.render import render_entry
from rules.deckbuilding.settling import readings_of
from rules.deckbuilding.text import parse
from tests.rules.deckbuilding.known_cards import cards
from tests.rules.deckbuilding.reading import EXO, YUGIOH, cards_of, named, problems

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
        deck = parse(text, shape)
        assert (first, 4, "Lupo di Selce") in cards_of(deck), text
        assert len(cards_of(deck)) == 1 + text.endswith(other)
        assert deck.problems == ()


@FORMAT
@pytest.mark.parametrize("line", DOUBTFUL)
def test_a_line_with_two_readings_is_asked_about(line: str, shape: DeckFormat) -> None:
    deck = parse(f"1 Orso\n{line}", shape)
    assert cards_of(deck) == [(shape.main, 1, "Orso")]
    (asked,) = deck.problems
    assert (asked.code, asked.severity, asked.line) == ("line.unclear", "error", 2)
    meant = [[(e.count, e.name) for _zone, e in parse(way, shape)] for way in asked.suggestions]
    assert [(4, "Lupo di Selce")] in meant
    assert all(len(each) == 1 for each in meant)
    assert len(set(map(str, meant))) == len(meant) > 1
    assert all(
        each.code == "zone.unknown" for w in asked.suggestions for each in parse(w, shape).problems
    )


@FORMAT
@pytest.mark.parametrize("line", NO_CARD)
def test_a_line_that_holds_no_card_for_sure_is_told(line: str, shape: DeckFormat) -> None:
    deck = parse(line, shape)
    assert (cards_of(deck), problems(deck)) == ([], [("line.unreadable", 1)])


@pytest.mark.parametrize(
    "name", ["Fire // Ice", "X-23", "Legione 13", "Arma: Spada", "Borrowed 100,000 Arrows"]
)
@FORMAT
def test_signs_within_a_name_belong_to_it(name: str, shape: DeckFormat) -> None:
    for text, count in ((f"{name}\n{name} Bis", 1), (f"2 {name}\n2 {name} Bis", 2)):
        cards = [(shape.main, count, name), (shape.main, count, f"{name} Bis")]
        assert cards_of(parse(text, shape)) == cards


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
            deck = parse(f"{way.replace('{}', word)}\n4 Lupo", shape)
            assert (word, cards_of(deck), deck.problems) == (word, [(zone, 4, "Lupo")], ())


@FORMAT
@pytest.mark.parametrize("line", ["# Lista di Anna", "#lupi", "## Main event", "// A", "//Lupo"])
def test_other_lines_behind_such_a_mark_are_comments(line: str, shape: DeckFormat) -> None:
    last = shape.zone_keys[-1]
    deck = parse(f"{SECTION_WORDS[last][0]}\n{line}\n4 Lupo", shape)
    assert (cards_of(deck), deck.problems) == ([(last, 4, "Lupo")], ())


def test_a_kind_behind_a_mark_is_a_heading_too() -> None:
    assert cards_of(parse("# Mostri\n4 Lupo\n# Magie\n1 Dono", YUGIOH)) == [
        ("main", 4, "Lupo"),
        ("main", 1, "Dono"),
    ]


def test_a_kind_with_a_zone_of_its_own_opens_it_where_no_zone_is_open() -> None:
    text = "Mostri (4):\n4 Lupo\n\nMostri Fusione:\n2 Drago\n\nTrappole:\n1 Buca"
    found = [("main", 4, "Lupo"), ("main", 1, "Buca"), ("fusion", 2, "Drago")]
    assert cards_of(parse(text, YUGIOH)) == found
    assert cards_of(parse(f"Side\n{text}", YUGIOH)) == [
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
    deck = parse(line, shape, SHELF)
    assert cards_of(deck) == []
    asked = next(each for each in deck.problems if each.code == "line.unclear")
    several, one = asked.suggestions
    for way, count in ((several, 7 if "7" in line else 2), (one, 1)):
        ((_zone, entry),) = parse(way, shape, SHELF)
        assert entry.count == count
        assert (entry.name.lower() == other.lower()) is (count == 1)


@pytest.mark.parametrize(
    "line", ["7x Colored Fish", "1 7 Colored Fish", "7 Fulminara", "4 7 Colored Fish"]
)
def test_other_lines_are_plain(line: str) -> None:
    assert parse(line, EXO, SHELF).problems == ()


def test_a_card_whose_name_begins_with_a_number_needs_no_count() -> None:
    assert cards_of(parse("7 colored fish", EXO)) == [("main", 7, "colored fish")]
    known = cards(CardFacts(name="3D Lupo"))
    assert cards_of(parse("3D Lupo", EXO, known)) == [("main", 1, "3D Lupo")]


@FORMAT
@pytest.mark.parametrize(
    "greeting", ["Ciao a tutti!", "Mazzo di Anna", "Roma 2026", "Buona fortuna"]
)
def test_a_greeting_is_no_card(greeting: str, shape: DeckFormat) -> None:
    text = f"{greeting}\n\n2 Fulminara\n1 fulminara\n1 Ignota\n- 1 Anche questa"
    deck = parse(text, shape, SHELF)
    found = [(3, "Fulminara"), (1, "Ignota"), (1, "Anche questa")]
    assert [(count, name) for _zone, count, name in cards_of(deck)] == found
    (asked,) = deck.problems
    assert (asked.code, asked.severity, asked.line) == ("line.no_card", "error", 1)


def test_what_a_line_without_a_number_may_be() -> None:
    near, counted = parse("Fulminera\nFulminara 3", EXO, SHELF).problems
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

    deck = parse(
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
    deck = parse(sample_deck(shape.key, number), shape)
    assert not any(fault.severity == "error" for fault in shape.validate(deck))
    lines = []
    for at, (zone, entries) in enumerate(groupby(deck, key=lambda card: card[0])):
        lines += ["", heading.replace("{}", SECTION_WORDS[zone][0])]
        lines += [written(entry, ways[at % len(ways)]) for _zone, entry in entries]
    again = parse("\n".join(lines), shape)
    assert Deck(zones=again.zones, problems=again.problems) == Deck(zones=deck.zones)


def written(entry: Entry, way: str) -> str:
    """Return an entry's line in a notation."""
    rest = render_entry(entry, times=True).partition("x ")[2]
    return way.replace("{count}", str(entry.count)).replace("{rest}", rest)


def test_a_reading_that_is_no_line_is_not_offered() -> None:
    said = read_card("(a):12")  # "12x (a)" has no name before its tag
    assert isinstance(said, CardLine)
    assert readings_of(said) is None
