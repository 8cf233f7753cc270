"""Words over cards, as programs and players write them, in games of one's own: none is a card."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.known_headings import (
    LONGEST,
    SECTION_WORDS,
    USUAL_WORDS,
    Role,
    role_of,
    words_of,
)
from rules.deckbuilding.settling import MOST_OFFERS, with_ones
from rules.deckbuilding.text import parse
from rules.errors import RuleError
from tests.effort import examples
from tests.rules.deckbuilding.known_cards import cards
from tests.rules.deckbuilding.reading import EXO, THOOM, problems
from tests.rules.deckbuilding.ready import MAGIC, POKEMON, zones

CODES = {"line.unreadable", "line.unclear", "zone.unknown"}


WRITTEN = ["{}", "{}:", "{} (4)", "{}: 4", "{} : 4", "{} - 4", "{} [4]", "## {} - 4", "**{}**"]
WRITTEN += ["{} (4 cards)", "4 {}", "// 4 {}", "[{}]", "== {} =="]


@pytest.mark.parametrize("word", words_of(Role.KIND))
def test_a_kind_of_any_game_is_a_heading_in_a_list_with_numbers(word: str) -> None:
    for way, shape in product(WRITTEN, (MAGIC, POKEMON)):
        deck = parse(f"{way.replace('{}', word)}\n4 Lupo di Selce", shape)
        main = "main" if shape is MAGIC else "deck"
        if deck.problems:
            assert {code for code, _line in problems(deck)} <= CODES
        else:
            assert zones(deck) == {main: {"Lupo di Selce": 4}}, (way, word)


@pytest.mark.parametrize(
    "word",
    [
        *("Instants & Sorceries", "Instants and Sorceries", "Terre e Creature", "Trainer Cards"),
        *(
            "Energy cards",
            "Spells/Traps",
            "Actions + Songs",
            "Kreaturen und Länder",
            "Carte Energia",
        ),
        *("POKÉMON", "pokemon", "Artifacts, Enchantments"),
    ],
)
def test_kinds_are_joined_and_called_cards(word: str) -> None:
    for way in WRITTEN:
        assert zones(parse(f"{way.replace('{}', word)}\n4 Lupo", MAGIC)) == {"main": {"Lupo": 4}}


@pytest.mark.parametrize(
    "word", ["Instants &", "e Creature", "and", "Magia o", "Lupo e Orso", "Basic", "x" * 100, ""]
)
def test_other_words_are_none(word: str) -> None:
    assert role_of(word) is None


@pytest.mark.parametrize("word", ["Kreaturenliste", "Meine Karten 2026", "Burn", "Anna Rossi"])
@pytest.mark.parametrize(
    "cards_", ["59 Forest", "59x Forest", "Forest x59", "59\tForest", "- 59 Forest"]
)
def test_an_unknown_line_without_a_number_is_asked_about(word: str, cards_: str) -> None:
    for text in (f"{word}\n{cards_}", f"{cards_}\n\n{word}", f"- {word}\n{cards_}"):
        deck = parse(text, MAGIC)
        assert zones(deck) == {"main": {"Forest": 59}}
        ((code, line),) = problems(deck)
        assert (code, line) == ("line.unreadable", 3 if text.endswith(word) else 1)
        card, comment = deck.problems[0].suggestions
        assert zones(parse(card, MAGIC)) == {"main": {word: 1}}
        assert (zones(parse(comment, MAGIC)), parse(comment, MAGIC).problems) == ({}, ())


def test_a_list_without_numbers_is_one_copy_a_line() -> None:
    deck = parse("Lupo\nOrso\nCreatures\n- Volpe\nLupo", MAGIC)
    assert deck.problems == ()
    assert zones(deck) == {"main": {"Lupo": 2, "Orso": 1, "Creatures": 1, "Volpe": 1}}


def test_braces_and_sb_say_that_a_line_without_a_number_is_a_card() -> None:
    assert parse("4 Lupo\nRe {Leader}\nSB: Orso", EXO).problems == ()


@pytest.mark.parametrize("word", ["Kreaturenliste", "Mein Deck"])
def test_a_count_in_brackets_may_be_that_of_a_heading(word: str) -> None:
    deck = parse(f"{word} (20)\n20 Lupo", MAGIC)
    assert (zones(deck), problems(deck)) == ({"main": {"Lupo": 20}}, [("line.unclear", 1)])
    assert deck.problems[0].suggestions == (f"20x {word}", f"// {word} (20)")
    assert parse(f"{word} (20)\nLupo (20)", MAGIC).problems == ()


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("24 Lands\n20 Forest\n4 Bosco", []),
        ("20 Forest\n4 Bosco\n24 lands\n\n4 Lupo\n4 creatures", []),
        ("24 Lands\n\n20 Forest\n4 Bosco\n\nCreatures:\n4 Lupo", []),
        ("60 Maindeck\n24 Lands\n24 Forest\n36 Creatures\n36 Lupo\n15 Sideboard\n15 Orso", []),
        ("24 Lands\n20 Forest", [1]),
        ("4 Lupo\n15 Sideboard\n14 Orso", [2]),
        ("4 Lupo\n20 Creatures", [2]),
        ("Creatures x4\n4 Lupo", []),
        ("Creatures x4\n3 Lupo", [1]),
        ("4\tLupo\nCreatures\t9", []),
        ("4\tLupo\n9\tCreatures", [2]),
    ],
)
def test_a_heading_may_begin_with_its_count(text: str, asked: list[int]) -> None:
    deck = parse(text, MAGIC)
    assert problems(deck) == [("line.unclear", line) for line in asked]
    assert not {"Lands", "lands", "Creatures", "creatures", "Maindeck"} & {
        name for names in zones(deck).values() for name in names
    }
    for each in deck.problems:
        card, heading = each.suggestions
        assert parse(card, MAGIC).size("main") > 0
        assert parse(heading, MAGIC).problems == ()


def test_a_card_of_the_catalogue_is_called_like_a_heading() -> None:
    known = cards(CardFacts(name="Energy"), CardFacts(name="Lupo"))
    assert zones(parse("4 Energy\n4 Lupo", MAGIC, known)) == {"main": {"Energy": 4, "Lupo": 4}}
    assert problems(parse("Energy\n4 Lupo", MAGIC, known)) == [("line.unreadable", 1)]
    assert problems(parse("Lupo\n4 Energy", MAGIC, known)) == [("line.unreadable", 1)]


TOTALS = [
    *("{} cards", "{} Cards Total", "Total Cards: {}", "Total: {}", "Total: {} cards"),
    *("Karten insgesamt: {}", "{} Karten", "Total de cartes : {}", "Total de cartas: {}"),
    *(
        "Carte totali: {}",
        "Totale carte: {}",
        "{} carte",
        "Nombre total de cartes : {}",
        "# Total: {}",
    ),
    *("Deck size: {}", "Gesamtzahl der Karten - {}", "Card count: {}", "Totale ({})"),
]


@pytest.mark.parametrize("way", TOTALS)
def test_a_total_is_compared_with_the_cards(way: str) -> None:
    right, wrong = (f"56 Forest\n4 Lupo\n\n{way.replace('{}', str(n))}" for n in (60, 57))
    for shape in (MAGIC, POKEMON):
        assert parse(right, shape).problems == ()
        assert problems(parse(wrong, shape)) == [("line.unreadable", 4)]
        assert "60" in str(parse(wrong, shape).problems[0].sentence)
        assert sum(parse(wrong, shape).counts().values()) == 60


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("60 Forest\n60 cards\nSideboard\n15 Lupo\n15 cards\nTotal: 75", []),
        ("60 cards\n60 Forest\n\nSide\n1 Lupo", []),
        ("60 Forest\n62 cards\n\nSide\n1 Lupo\n2 cards", [2, 6]),
        ("Total:\n60 Forest", []),
        ("60x cards\n60 Forest", []),
    ],
)
def test_a_total_may_be_that_of_a_part(text: str, wrong: list[int]) -> None:
    assert problems(parse(text, MAGIC)) == [("line.unreadable", line) for line in wrong]


# --- Whatever the headings ---------------------------------------------------------------
WAYS = ["{}", "{}:", "{} ({n})", "{}: {n}", "{} - {n}", "# {}", "**{}**", "[{}]", "//{}", "{n} {}"]
NAMES = ["Lupo di Selce", "Orso", "Volpe Rossa", "Fire // Ice", "Re"]
MAINS = st.sampled_from([*USUAL_WORDS["main"], ""])
SIDES = st.sampled_from([*USUAL_WORDS["side"], *SECTION_WORDS["side"]])
PART = st.lists(
    st.tuples(st.sampled_from(NAMES), st.integers(1, 60)),
    min_size=1,
    max_size=5,
    unique_by=lambda one: one[0],
)


@examples(5)
@given(
    main=PART,
    side=PART,
    words=st.tuples(MAINS, SIDES),
    kinds=st.lists(st.sampled_from(words_of(Role.KIND)), min_size=5, max_size=5),
    ways=st.lists(st.sampled_from(WAYS), min_size=6, max_size=6),
    aside=st.none() | st.sampled_from(words_of(Role.ASIDE)),
    total=st.none() | st.sampled_from(TOTALS),
    numbers=st.sampled_from(["{n} {}", "{n}x {}", "{} x{n}", "{n}\t{}", "- {n} {}"]),
)
def test_a_list_is_the_same_deck_under_any_headings(
    main: list[tuple[str, int]],
    side: list[tuple[str, int]],
    words: tuple[str, str],
    kinds: list[str],
    ways: list[str],
    aside: str | None,
    total: str | None,
    numbers: str,
) -> None:
    """Nothing is read as something else; where a line is asked about, its count is not summed."""

    def over(way: str, word: str, count: int) -> str:
        return way.replace("{n}", str(count)).replace("{}", word)

    sizes = [sum(count for _name, count in part) for part in (main, side)]
    lines = [over(ways[0], words[0], sizes[0])] if words[0] else []
    for (name, count), kind, way in zip(main, kinds, ways[1:], strict=False):
        lines += [over(way, kind, count), over(numbers, name, count)]
    if aside:
        lines += ["", aside, "3 Gatto"]
    lines += ["", over(ways[5], words[1], sizes[1])]
    lines += [over(numbers, name, count) for name, count in side]
    if total:
        lines += ["", total.replace("{}", str(sum(sizes)))]
    deck = parse("\n".join(lines), MAGIC)
    assert zones(deck) == {"main": dict(main), "side": dict(side)}
    assert [each.code for each in deck.problems] == ["cards.left_out"] * bool(aside)


def test_long_lines_and_other_formats_are_read_as_before() -> None:
    assert parse(f"4 {'Lands ' * LONGEST}", THOOM).problems == ()


def test_a_one_is_written_before_each_line_without_a_number() -> None:
    text = "\ufeffLupo\r\n4 Orso\r\n- Volpe\nSB: 1 Re\n"
    assert with_ones(text, parse(text, MAGIC)) == (
        "\ufeff1x Lupo\r\n4 Orso\r\n1x Volpe\nSB: 1 Re\n"
    )
    with pytest.raises(RuleError) as refused:
        with_ones("4 Orso", parse("4 Orso", MAGIC))
    assert refused.value.code == "line_changed"


def test_answers_are_offered_for_some_lines_only() -> None:
    asked = parse("4 Orso\n" + "\n".join(f"Lupo {n}" for n in range(150)), MAGIC).problems
    assert len(asked) == 150
    assert [bool(each.suggestions) for each in asked] == [True] * MOST_OFFERS + [False] * 50


@pytest.mark.parametrize("line", ["****** Deck List ******", "*** Anna ***", "***Lista"])
def test_a_line_between_many_stars_is_no_card(line: str) -> None:
    deck = parse(f"{line}\n4 Lupo\n***4 Orso***", MAGIC)
    assert zones(deck)["main"]["Lupo"] == 4
    assert not any(each.line == 1 for each in deck.problems)
    assert problems(deck) or "Orso" in zones(deck)["main"]


def test_a_number_before_a_counted_line_may_be_that_of_the_list() -> None:
    (asked,) = parse("1. 4 Lupo", MAGIC).problems
    assert (asked.code, asked.suggestions) == ("line.unclear", ("4x Lupo", "1x 1. 4 Lupo"))
    assert parse("1. ", MAGIC).problems[0].code == "line.unreadable"
    for none in ("1. 0 Lupo", "Lupo - 2026"):
        assert zones(parse(none, MAGIC)) == {"main": {none: 1}}
