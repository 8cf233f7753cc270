"""Headings and zones of lists, as people and programs write them."""

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.deckbuilding.beside import excluded_heading
from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.data.formats import main_zone
from rules.deckbuilding.data.json import rules_from_json
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.known_headings import (
    LONGEST,
    SECTION_WORDS,
    USUAL_WORDS,
    HeadingRole,
    find_heading_role,
    headings_with_role,
)
from rules.deckbuilding.settling import MOST_OFFERS, add_missing_counts
from rules.deckbuilding.text import parse_decklist
from rules.errors import RuleError
from tests.effort import examples
from tests.rules.deckbuilding.reading import (
    COMMANDER,
    EXO,
    MAGIC,
    POKEMON,
    READY,
    THOOM,
    cards,
    problems,
    zones,
)

CODES = {"line.unreadable", "line.unclear", "zone.unknown"}


WRITTEN = ["{}", "{}:", "{} (4)", "{}: 4", "{} : 4", "{} - 4", "{} [4]", "## {} - 4", "**{}**"]
WRITTEN += ["{} (4 cards)", "4 {}", "// 4 {}", "[{}]", "== {} =="]


@pytest.mark.parametrize("word", headings_with_role(HeadingRole.KIND))
def test_a_kind_of_any_game_is_a_heading_in_a_list_with_numbers(word: str) -> None:
    for way, shape in product(WRITTEN, (MAGIC, POKEMON)):
        deck = parse_decklist(f"{way.replace('{}', word)}\n4 Lupo di Selce", shape)
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
        assert zones(parse_decklist(f"{way.replace('{}', word)}\n4 Lupo", MAGIC)) == {
            "main": {"Lupo": 4}
        }


@pytest.mark.parametrize(
    "word", ["Instants &", "e Creature", "and", "Magia o", "Lupo e Orso", "Basic", "x" * 100, ""]
)
def test_other_words_are_none(word: str) -> None:
    assert find_heading_role(word) is None


@pytest.mark.parametrize("word", ["Kreaturenliste", "Meine Karten 2026", "Burn", "Anna Rossi"])
@pytest.mark.parametrize(
    "cards_", ["59 Forest", "59x Forest", "Forest x59", "59\tForest", "- 59 Forest"]
)
def test_an_unknown_line_without_a_number_is_asked_about(word: str, cards_: str) -> None:
    for text in (f"{word}\n{cards_}", f"{cards_}\n\n{word}", f"- {word}\n{cards_}"):
        deck = parse_decklist(text, MAGIC)
        assert zones(deck) == {"main": {"Forest": 59}}
        ((code, line),) = problems(deck)
        assert (code, line) == ("line.unreadable", 3 if text.endswith(word) else 1)
        card, comment = deck.problems[0].suggestions
        assert zones(parse_decklist(card, MAGIC)) == {"main": {word: 1}}
        assert (zones(parse_decklist(comment, MAGIC)), parse_decklist(comment, MAGIC).problems) == (
            {},
            (),
        )


def test_a_list_without_numbers_is_one_copy_a_line() -> None:
    deck = parse_decklist("Lupo\nOrso\nCreatures\n- Volpe\nLupo", MAGIC)
    assert deck.problems == ()
    assert zones(deck) == {"main": {"Lupo": 2, "Orso": 1, "Creatures": 1, "Volpe": 1}}


def test_braces_and_sb_say_that_a_line_without_a_number_is_a_card() -> None:
    assert parse_decklist("4 Lupo\nRe {Leader}\nSB: Orso", EXO).problems == ()


@pytest.mark.parametrize("word", ["Kreaturenliste", "Mein Deck"])
def test_a_count_in_brackets_may_be_that_of_a_heading(word: str) -> None:
    deck = parse_decklist(f"{word} (20)\n20 Lupo", MAGIC)
    assert (zones(deck), problems(deck)) == ({"main": {"Lupo": 20}}, [("line.unclear", 1)])
    assert deck.problems[0].suggestions == (f"20x {word}", f"// {word} (20)")
    assert parse_decklist(f"{word} (20)\nLupo (20)", MAGIC).problems == ()


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
    deck = parse_decklist(text, MAGIC)
    assert problems(deck) == [("line.unclear", line) for line in asked]
    assert not {"Lands", "lands", "Creatures", "creatures", "Maindeck"} & {
        name for names in zones(deck).values() for name in names
    }
    for each in deck.problems:
        card, heading = each.suggestions
        assert parse_decklist(card, MAGIC).size("main") > 0
        assert parse_decklist(heading, MAGIC).problems == ()


def test_a_card_of_the_catalogue_is_called_like_a_heading() -> None:
    known = cards(CardFacts(name="Energy"), CardFacts(name="Lupo"))
    assert zones(parse_decklist("4 Energy\n4 Lupo", MAGIC, known)) == {
        "main": {"Energy": 4, "Lupo": 4}
    }
    assert problems(parse_decklist("Energy\n4 Lupo", MAGIC, known)) == [("line.unreadable", 1)]
    assert problems(parse_decklist("Lupo\n4 Energy", MAGIC, known)) == [("line.unreadable", 1)]


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
        assert parse_decklist(right, shape).problems == ()
        assert problems(parse_decklist(wrong, shape)) == [("line.unreadable", 4)]
        assert "60" in str(parse_decklist(wrong, shape).problems[0].sentence)
        assert sum(parse_decklist(wrong, shape).counts().values()) == 60


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
    assert problems(parse_decklist(text, MAGIC)) == [("line.unreadable", line) for line in wrong]


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
    kinds=st.lists(st.sampled_from(headings_with_role(HeadingRole.KIND)), min_size=5, max_size=5),
    ways=st.lists(st.sampled_from(WAYS), min_size=6, max_size=6),
    aside=st.none() | st.sampled_from(headings_with_role(HeadingRole.ASIDE)),
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
    # A zone of other games, and a mark of the side without its card.
    assume("Leader" not in kinds and (words[1], ways[5]) != ("SB", "{}: {n}"))

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
    deck = parse_decklist("\n".join(lines), MAGIC)
    assert zones(deck) == {"main": dict(main), "side": dict(side)}
    assert [each.code for each in deck.problems] == ["cards.left_out"] * bool(aside)


def test_long_lines_and_other_formats_are_read_as_before() -> None:
    assert parse_decklist(f"4 {'Lands ' * LONGEST}", THOOM).problems == ()


def test_a_one_is_written_before_each_line_without_a_number() -> None:
    text = "\ufeffLupo\r\n4 Orso\r\n- Volpe\nSB: 1 Re\n"
    assert add_missing_counts(text, parse_decklist(text, MAGIC)) == (
        "\ufeff1x Lupo\r\n4 Orso\r\n1x Volpe\nSB: 1 Re\n"
    )
    with pytest.raises(RuleError) as refused:
        add_missing_counts("4 Orso", parse_decklist("4 Orso", MAGIC))
    assert refused.value.code == "line_changed"


def test_answers_are_offered_for_some_lines_only() -> None:
    asked = parse_decklist("4 Orso\n" + "\n".join(f"Lupo {n}" for n in range(150)), MAGIC).problems
    assert len(asked) == 150
    assert [bool(each.suggestions) for each in asked] == [True] * MOST_OFFERS + [False] * 50


@pytest.mark.parametrize("line", ["****** Deck List ******", "*** Anna ***", "***Lista"])
def test_a_line_between_many_stars_is_no_card(line: str) -> None:
    deck = parse_decklist(f"{line}\n4 Lupo\n***4 Orso***", MAGIC)
    assert zones(deck)["main"]["Lupo"] == 4
    assert not any(each.line == 1 for each in deck.problems)
    assert problems(deck) or "Orso" in zones(deck)["main"]


def test_a_number_before_a_counted_line_may_be_that_of_the_list() -> None:
    (asked,) = parse_decklist("1. 4 Lupo", MAGIC).problems
    assert (asked.code, asked.suggestions) == ("line.unclear", ("4x Lupo", "1x 1. 4 Lupo"))
    assert parse_decklist("1. ", MAGIC).problems[0].code == "line.unreadable"
    for none in ("1. 0 Lupo", "Lupo - 2026"):
        assert zones(parse_decklist(none, MAGIC)) == {"main": {none: 1}}


@pytest.mark.parametrize("way", ["{}", "{}:", "{} (4)", "//{}", "// {}", "[{}]", "{}:4"])
def test_main_and_side_are_known_whatever_a_game_calls_them(way: str) -> None:
    for word in USUAL_WORDS["main"]:
        side = way.replace("{}", USUAL_WORDS["side"][0])
        text = f"{side}\n1 Orso\n\n{way.replace('{}', word)}\n4 Lupo\n"
        assert zones(parse_decklist(text, MAGIC)) == {"main": {"Lupo": 4}, "side": {"Orso": 1}}, (
            word
        )
        assert zones(parse_decklist(f"{way.replace('{}', word)}\n4 Lupo", COMMANDER)) == {
            "main": {"Lupo": 4}
        }
    for word in USUAL_WORDS["side"]:
        text = f"4 Lupo\n{way.replace('{}', word)}\n1 Orso\n"
        if not text.startswith("4 Lupo\nSB:4"):  # "SB:4" is a card of the sideboard without a name
            assert zones(parse_decklist(text, MAGIC)) == {
                "main": {"Lupo": 4},
                "side": {"Orso": 1},
            }, word
    for word in USUAL_WORDS["commander"]:
        text = f"{way.replace('{}', word)}\n1 Orso\n\nDeck\n4 Lupo"
        assert zones(parse_decklist(text, COMMANDER)) == {
            "commander": {"Orso": 1},
            "main": {"Lupo": 4},
        }


def test_a_zone_that_a_game_has_not_is_asked_about() -> None:
    assert problems(parse_decklist("Commander\n1 Orso\nDeck\n4 Lupo", MAGIC)) == [
        ("zone.unknown", 1)
    ]
    assert problems(parse_decklist("4 Lupo\nSideboard\n1 Orso", POKEMON)) == [("zone.unknown", 2)]
    assert problems(parse_decklist("4 Lupo\nCompanion\n1 Orso", POKEMON)) == [("zone.unknown", 3)]


@pytest.mark.parametrize("word", headings_with_role(HeadingRole.ASIDE))
def test_cards_aside_are_told_and_not_counted(word: str) -> None:
    for way in ("{}", "{}:", "//{}", "{} (3)", "# {}", "[{}]"):
        text = f"Deck\n4 Lupo\n\n{way.replace('{}', word)}\n2 Orso\n1 Volpe\n\nSideboard\n1 Gatto"
        deck = parse_decklist(text, MAGIC)
        assert zones(deck) == {"main": {"Lupo": 4}, "side": {"Gatto": 1}}
        assert problems(deck) == [("cards.left_out", 4)]
        assert (deck.problems[0].severity, deck.problems[0].found) == ("info", 3)
        assert [(one.heading.casefold(), one.cards) for one in deck.aside] == [(word.casefold(), 3)]


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ("Sideboard\n1 Lurrus", {"Lurrus": 1}),
        ("Sideboard\n1 Orso", {"Orso": 1, "Lurrus": 1}),
        ("", {"Lurrus": 1}),
    ],
)
@pytest.mark.parametrize("word", headings_with_role(HeadingRole.COMPANION))
def test_a_companion_counts_once(side: str, expected: dict[str, int], word: str) -> None:
    deck = parse_decklist(f"{word}\n1 Lurrus (IKO) 226\n\nDeck\n4 Lupo\n\n{side}", MAGIC)
    assert (zones(deck), deck.problems) == ({"main": {"Lupo": 4}, "side": expected}, ())


def test_what_programs_say_about_a_list_is_no_card() -> None:
    arena = "About\nName 4 Winds\n\nDeck\n4 Lupo"
    forge = (
        "[metadata]\nName=Mein Deck\nDeck Type=constructed\n[Main]\n4 Lupo|M10\n[Sideboard]\n1 Orso"
    )
    xmage = "NAME:Lupi\n4 [M10:1] Lupo\nSB: 1 Orso\nLAYOUT MAIN:(1,1)(NONE,false,50)|([M10:1],)"
    for text in (arena, forge, xmage):
        deck = parse_decklist(text, MAGIC)
        assert (zones(deck)["main"], deck.problems) == ({"Lupo": 4}, ())
    asked = parse_decklist("About\nLupo\n4 Orso", MAGIC)
    assert problems(asked) == [("line.unreadable", 2)]


@pytest.mark.parametrize(
    ("mark", "zone"),
    [
        ("[Maybeboard{noDeck}{noPrice}]", None),
        ("[Sideboard{noPrice}]", "side"),
        ("# !Commander", "commander"),
        ("*CMDR*", "commander"),
        ("[Ramp{noPrice}]", "main"),
        ("[Wishes{noDeck},Ramp]", None),
        ("[Creature{noPrice}]", "main"),
    ],
)
def test_a_mark_behind_a_card_names_its_zone(mark: str, zone: str | None) -> None:
    for text in (
        f"4 Lupo\n1 Orso {mark}",
        f"1 Orso {mark}\n4 Lupo",
        f"Deck\n1 Orso {mark}\n4 Lupo",
    ):
        deck = parse_decklist(text, COMMANDER)
        expected: dict[str, dict[str, int]] = {"main": {"Lupo": 4}}
        if zone is not None:
            expected.setdefault(zone, {})["Orso"] = 1
        assert zones(deck) == expected
        code = {None: ["cards.left_out"], "side": ["zone.unknown"]}.get(zone, [])
        assert [each.code for each in deck.problems] == code


def test_a_category_without_braces_names_a_zone_where_no_heading_does() -> None:
    text = "4 Lupo [Ramp]\n1 Orso [Sideboard]\n1 Volpe [Maybeboard]"
    deck = parse_decklist(text, MAGIC)
    assert zones(deck) == {"main": {"Lupo": 4}, "side": {"Orso": 1}}
    assert [each.code for each in deck.problems] == ["cards.left_out"]
    assert [entry.version for _zone, entry in deck] == ["Ramp", ""]
    assert zones(parse_decklist(f"Main\n{text}", MAGIC)) == {
        "main": {"Lupo": 4, "Orso": 1, "Volpe": 1}
    }


def test_a_comment_over_comments_opens_nothing() -> None:
    deck = parse_decklist("4 Lupo\n// Sideboard\n// 1 Orso\n\n// Maybeboard\n", MAGIC)
    assert (zones(deck), problems(deck)) == ({"main": {"Lupo": 4}}, [])
    nested = parse_decklist("//Main\n// 4 Creature\n\n4 Lupo\n//Evoluzione\n1 Orso", MAGIC)
    assert zones(nested) == {"main": {"Lupo": 4, "Orso": 1}}


def test_the_main_zone_is_the_one_that_says_so_else_the_largest() -> None:
    def main(*named: tuple[str, str, int, int | None]) -> str:
        keys = ("key", "name", "min", "max")
        rules = {"zones": [dict(zip(keys, zone, strict=True)) for zone in named]}
        return main_zone(rules_from_json(rules).zones).key

    assert main(("hero", "Eroe", 1, 1), ("cards", "Mazzo principale", 0, None)) == "cards"
    assert main(("hero", "Eroe", 1, 1), ("main", "Carte", 1, 1)) == "main"
    assert main(("hero", "Eroe", 1, 1), ("cards", "Carte", 40, 60), ("x", "X", 40, None)) == "x"
    assert main(("a", "A", 0, None), ("b", "B", 0, None)) == "a"
    assert {key: shape.main for key, shape in READY.items() if shape.main != "main"} == {
        **dict.fromkeys(("lorcana", "lorcana-draft", "lorcana-sealed"), "deck"),
        **dict.fromkeys(("pokemon-standard", "pokemon-expanded"), "deck"),
        **{key: "list" for key in READY if key.startswith(("chess", "flesh", "without"))},
    }


def test_the_word_over_cards_aside_is_read_as_such() -> None:
    assert [excluded_heading(word, MAGIC) for word in ("tokens", "Varie")] == [
        "tokens",
        "Maybeboard",
    ]
    assert excluded_heading("Tokens", EXO) == "Maybeboard"  # a kind of cards there


def test_the_kinds_below_a_leader_are_of_the_deck() -> None:
    game = READY["one-piece"]
    text = "Leader (1)\n1 Re\n\nCharacters\n4 Lupo\nEvents\n2 Dono\n\nDON!! deck\n9 DON!!"
    main, don = {"Lupo": 4, "Dono": 2}, {"DON!!": 9}
    assert zones(parse_decklist(text, game)) == {"leader": {"Re": 1}, "main": main, "don": don}
    assert zones(parse_decklist("Leader\nCharacters\n1 Re", game)) == {"leader": {"Re": 1}}
    assert zones(parse_decklist("Leader\n1 Re\nTattiche:\n1 Dono", EXO))["main"] == {"Dono": 1}
    evolved = parse_decklist("Leader\n1 Re\nEvoluzioni Vice Leader:\n2 Drago", EXO)
    assert zones(evolved) == {"leader": {"Re": 1}, "evolution": {"Drago": 2}}
    assert zones(parse_decklist("Side\nTattiche:\n1 Dono", EXO)) == {"side": {"Dono": 1}}


def test_a_second_heading_of_a_leader_opens_that_zone_again() -> None:
    for word in ("# nota", "Tattiche:"):
        text = f"Leader\n1 Re\n\nMain\n3 Orso\n\nLeader\n{word}\n1 Regina"
        assert zones(parse_decklist(text, EXO)) == {
            "leader": {"Re": 1, "Regina": 1},
            "main": {"Orso": 3},
        }


PTCGO = """\
****** Pokémon Trading Card Game Deck List ******

##Pokémon - 20

* 4 Pikachu MEW 25
* 16 Charmander MEW 4

##Trainer Cards - 20

* 20 Potion SVI 1

##Energy - 20

* 20 Lightning Energy  4

Total Cards - 60

****** Deck List Generated by the Pokémon TCG Online www.pokemon.com/TCGO ******
"""


@pytest.mark.parametrize("bullet", ["* ", "", "• "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_lines_around_an_export_of_pokemon_are_read_without_asking(
    bullet: str, end: str
) -> None:
    for shape, zone in ((POKEMON, "deck"), (MAGIC, "main")):
        text = PTCGO.replace("* 4", f"{bullet}4").replace("* 16", f"{bullet}16")
        deck = parse_decklist(text.replace("* 20", f"{bullet}20").replace("\n", end), shape)
        assert deck.problems == ()
        assert sum(zones(deck)[zone].values()) == 60
        assert len(zones(deck)[zone]) == 4


@pytest.mark.parametrize("mark", ["//", "// ", "# ", "#"])
@pytest.mark.parametrize(
    "words", [("Ramp", "Card Draw"), ("Removal (1)", "Lands"), ("★", "Wincon")]
)
def test_a_category_behind_the_commander_is_of_the_deck(mark: str, words: tuple[str, str]) -> None:
    one, other = (f"{mark}{word}" for word in words)
    text = f"{mark}Commander\n1 Re\n\n{one}\n1 Orso\n1 Volpe\n\n{other}\n1 Lupo\n"
    deck = parse_decklist(text, COMMANDER)
    assert zones(deck) == {"commander": {"Re": 1}, "main": {"Orso": 1, "Volpe": 1, "Lupo": 1}}
    assert deck.problems == ()


def test_a_comment_parts_no_zone_that_holds_more_or_has_no_card_yet() -> None:
    text = "Commander\n// of my sister\n1 Re\n1 Regina\n\nDeck\n1 Orso"
    assert zones(parse_decklist(text, COMMANDER)) == {
        "commander": {"Re": 1, "Regina": 1},
        "main": {"Orso": 1},
    }
    assert zones(parse_decklist("4 Lupo\n\nSideboard\n1 Orso\n// against red\n1 Volpe", MAGIC)) == {
        "main": {"Lupo": 4},
        "side": {"Orso": 1, "Volpe": 1},
    }
    text = "Commander\n1 Re\n// made on Monday\n1 Regina\n"
    assert zones(parse_decklist(text, COMMANDER)) == {"commander": {"Re": 1}, "main": {"Regina": 1}}


@pytest.mark.parametrize(
    "line",
    [
        *("// Egg Deck", "//Attraction deck (10)", "# Sticker Board", "*** Scheme Deck ***"),
        *("// Mazzo delle uova:", "## Eggpool", "// 15 Extra Deck", "// Mazo de planos"),
    ],
)
@pytest.mark.parametrize(
    "around",
    [
        "4 Lupo\n{}\n2 Orso",
        "Side\n{}\n\n2 Orso",
        "{}\n2 Orso\nMain\n4 Lupo",
        "Main\n{}\n// Creatures (2)\n2 Orso",
        "Tokens\n1 Lupo\n{}\n2. Orso",
    ],
)
def test_a_word_that_may_be_an_unknown_zone_is_asked_about(line: str, around: str) -> None:
    text = around.replace("{}", line)
    asked = parse_decklist(text, MAGIC).problems[0]
    assert (asked.code, asked.line) == ("line.unreadable", text.split("\n").index(line) + 1)
    assert asked.suggestions == ("Main deck", "Sideboard", "Maybeboard")
    for way in asked.suggestions:
        answered = parse_decklist(around.replace("{}", way), MAGIC).problems
        assert [one.code for one in answered if one.line == asked.line] in ([], ["cards.left_out"])


@pytest.mark.parametrize(
    "text",
    [
        "// Red Deck\n4 Lupo\nSide\n2 Orso",
        "4 Lupo\n// Egg Deck\n// Ramp\n2 Orso",
        "4 Lupo\n// Egg Deck\nSide\n2 Orso",
        "4 Lupo\n// Egg Deck",
        "4 Lupo\n// taken from my old Egg Deck\n2 Orso",
        "4 Lupo\n# Deck list\n2 Orso",
        "4 Lupo\n// 4!\n2 Orso",
    ],
)
def test_titles_and_remarks_are_no_zones(text: str) -> None:
    assert parse_decklist(text, MAGIC).problems == ()


def test_each_word_that_may_be_a_zone_is_asked_about() -> None:
    deck = parse_decklist("Main\n4 Lupo\n// Egg Deck\n1 Orso\n// Scheme Deck\n1 Volpe", MAGIC)
    assert problems(deck) == [("line.unreadable", 3), ("line.unreadable", 5)]


BESIDE = [
    *("~foil~", "foil", "- Etched", "= nice", "@M10", r"\ foil", "*a, b*", "% 12", "+ 1", "> x"),
    *("(M10) 146 foil", "(SLD) 84 NM", "(Weird) (M10) 146", "[A] 146", "|weird", "^"),
    *("M10 146", "- M10", ": SLD 63★", "★", "\U0001f525"),
]
AHEAD = ["M10 146 ", "M10:146 ", "SLD-63★ ", "~", "★ ", "*"]


def asked(*lines: str, known: object = None) -> list[Violation]:
    faults = MAGIC.validate(parse_decklist("\n".join(lines), MAGIC), known)  # type: ignore[arg-type]
    return [one for one in faults if one.code == "line.unclear"]


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("other", ["Lightning Bolt", "Lightning Bolt (LEA) 161 reverse holofoil"])
def test_a_card_with_something_beside_it_is_asked_about(beside: str, other: str) -> None:
    lines = ("52 Mountain", f"4 {other}", f"1 Lightning Bolt {beside}")
    found = asked(*lines)
    assert (found[-1].line, found[-1].severity) == (3, "error")
    assert {one.suggestions for one in found} == {("Lightning Bolt",)}
    assert asked(*lines[:1], "2 Lightning Bolt", "1 Lightning Bolt ~foil~") == []


@pytest.mark.parametrize("ahead", AHEAD)
def test_what_stands_before_a_card_is_asked_about_too(ahead: str) -> None:
    (found,) = asked("52 Mountain", "4 Lightning Bolt", f"1 {ahead}Lightning Bolt")
    assert found.suggestions == ("Lightning Bolt",)


@pytest.mark.parametrize("beside", ["Bis", "13", "XL", ", Lord of Bolts", "- Storm Bolt", "II"])
def test_other_words_make_another_card(beside: str) -> None:
    assert asked("4 Lightning Bolt", f"4 Lightning Bolt {beside}") == []


def test_what_a_catalogue_knows_is_not_asked_about() -> None:
    known = cards(CardFacts(name="Lightning Bolt"), CardFacts(name="Lightning Bolt = nice"))
    assert asked("4 Lightning Bolt", "4 Lightning Bolt = nice", known=known) == []
    assert asked("4 Lightning Bolt", "4 Lightning Bolt = bad", known=known) != []


def test_a_name_of_marks_alone_is_let_be() -> None:
    assert asked("4 Lightning Bolt", "4 1 = Bolt", "4 7 Lightning Bolt") == []
