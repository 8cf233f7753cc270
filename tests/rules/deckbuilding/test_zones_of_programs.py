"""Zones as programs write them, and what stands beside them: companions, maybeboards, names."""

import pytest

from rules.deckbuilding.beside import word_aside
from rules.deckbuilding.data.formats import main_of
from rules.deckbuilding.data.json import rules_from_json
from rules.deckbuilding.known_headings import USUAL_WORDS, Role, words_of
from rules.deckbuilding.text import parse
from tests.rules.deckbuilding.reading import EXO, problems
from tests.rules.deckbuilding.ready import COMMANDER, MAGIC, POKEMON, READY, zones


@pytest.mark.parametrize("way", ["{}", "{}:", "{} (4)", "//{}", "// {}", "[{}]", "{}:4"])
def test_main_and_side_are_known_whatever_a_game_calls_them(way: str) -> None:
    for word in USUAL_WORDS["main"]:
        side = way.replace("{}", USUAL_WORDS["side"][0])
        text = f"{side}\n1 Orso\n\n{way.replace('{}', word)}\n4 Lupo\n"
        assert zones(parse(text, MAGIC)) == {"main": {"Lupo": 4}, "side": {"Orso": 1}}, word
        assert zones(parse(f"{way.replace('{}', word)}\n4 Lupo", COMMANDER)) == {
            "main": {"Lupo": 4}
        }
    for word in USUAL_WORDS["side"]:
        text = f"4 Lupo\n{way.replace('{}', word)}\n1 Orso\n"
        if not text.startswith("4 Lupo\nSB:4"):  # "SB:4" is a card of the sideboard without a name
            assert zones(parse(text, MAGIC)) == {"main": {"Lupo": 4}, "side": {"Orso": 1}}, word
    for word in USUAL_WORDS["commander"]:
        text = f"{way.replace('{}', word)}\n1 Orso\n\nDeck\n4 Lupo"
        assert zones(parse(text, COMMANDER)) == {"commander": {"Orso": 1}, "main": {"Lupo": 4}}


def test_a_zone_that_a_game_has_not_is_asked_about() -> None:
    assert problems(parse("Commander\n1 Orso\nDeck\n4 Lupo", MAGIC)) == [("zone.unknown", 1)]
    assert problems(parse("4 Lupo\nSideboard\n1 Orso", POKEMON)) == [("zone.unknown", 2)]
    assert problems(parse("4 Lupo\nCompanion\n1 Orso", POKEMON)) == [("zone.unknown", 3)]


@pytest.mark.parametrize("word", words_of(Role.ASIDE))
def test_cards_aside_are_told_and_not_counted(word: str) -> None:
    for way in ("{}", "{}:", "//{}", "{} (3)", "# {}", "[{}]"):
        text = f"Deck\n4 Lupo\n\n{way.replace('{}', word)}\n2 Orso\n1 Volpe\n\nSideboard\n1 Gatto"
        deck = parse(text, MAGIC)
        assert zones(deck) == {"main": {"Lupo": 4}, "side": {"Gatto": 1}}
        assert problems(deck) == [("cards.left_out", 4)]
        assert (deck.problems[0].severity, deck.problems[0].found) == ("info", 3)
        assert [(one.word.casefold(), one.cards) for one in deck.aside] == [(word.casefold(), 3)]


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ("Sideboard\n1 Lurrus", {"Lurrus": 1}),
        ("Sideboard\n1 Orso", {"Orso": 1, "Lurrus": 1}),
        ("", {"Lurrus": 1}),
    ],
)
@pytest.mark.parametrize("word", words_of(Role.COMPANION))
def test_a_companion_counts_once(side: str, expected: dict[str, int], word: str) -> None:
    deck = parse(f"{word}\n1 Lurrus (IKO) 226\n\nDeck\n4 Lupo\n\n{side}", MAGIC)
    assert (zones(deck), deck.problems) == ({"main": {"Lupo": 4}, "side": expected}, ())


def test_what_programs_say_about_a_list_is_no_card() -> None:
    arena = "About\nName 4 Winds\n\nDeck\n4 Lupo"
    forge = (
        "[metadata]\nName=Mein Deck\nDeck Type=constructed\n[Main]\n4 Lupo|M10\n[Sideboard]\n1 Orso"
    )
    xmage = "NAME:Lupi\n4 [M10:1] Lupo\nSB: 1 Orso\nLAYOUT MAIN:(1,1)(NONE,false,50)|([M10:1],)"
    for text in (arena, forge, xmage):
        deck = parse(text, MAGIC)
        assert (zones(deck)["main"], deck.problems) == ({"Lupo": 4}, ())
    asked = parse("About\nLupo\n4 Orso", MAGIC)
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
        deck = parse(text, COMMANDER)
        expected: dict[str, dict[str, int]] = {"main": {"Lupo": 4}}
        if zone is not None:
            expected.setdefault(zone, {})["Orso"] = 1
        assert zones(deck) == expected
        code = {None: ["cards.left_out"], "side": ["zone.unknown"]}.get(zone, [])
        assert [each.code for each in deck.problems] == code


def test_a_category_without_braces_names_a_zone_where_no_heading_does() -> None:
    text = "4 Lupo [Ramp]\n1 Orso [Sideboard]\n1 Volpe [Maybeboard]"
    deck = parse(text, MAGIC)
    assert zones(deck) == {"main": {"Lupo": 4}, "side": {"Orso": 1}}
    assert [each.code for each in deck.problems] == ["cards.left_out"]
    assert [entry.version for _zone, entry in deck] == ["Ramp", ""]
    assert zones(parse(f"Main\n{text}", MAGIC)) == {"main": {"Lupo": 4, "Orso": 1, "Volpe": 1}}


def test_a_comment_over_comments_opens_nothing() -> None:
    deck = parse("4 Lupo\n// Sideboard\n// 1 Orso\n\n// Maybeboard\n", MAGIC)
    assert (zones(deck), problems(deck)) == ({"main": {"Lupo": 4}}, [])
    nested = parse("//Main\n// 4 Creature\n\n4 Lupo\n//Evoluzione\n1 Orso", MAGIC)
    assert zones(nested) == {"main": {"Lupo": 4, "Orso": 1}}


def test_the_main_zone_is_the_one_that_says_so_else_the_largest() -> None:
    def main(*named: tuple[str, str, int, int | None]) -> str:
        keys = ("key", "name", "min", "max")
        rules = {"zones": [dict(zip(keys, zone, strict=True)) for zone in named]}
        return main_of(rules_from_json(rules).zones).key

    assert main(("hero", "Eroe", 1, 1), ("cards", "Mazzo principale", 0, None)) == "cards"
    assert main(("hero", "Eroe", 1, 1), ("main", "Carte", 1, 1)) == "main"
    assert main(("hero", "Eroe", 1, 1), ("cards", "Carte", 40, 60), ("x", "X", 40, None)) == "x"
    assert main(("a", "A", 0, None), ("b", "B", 0, None)) == "a"
    assert [shape.main for shape in READY.values()] == [
        *("list", "deck", "main", "main", "main", "main", "deck", "main", "list", "main")
    ]


def test_the_word_over_cards_aside_is_read_as_such() -> None:
    assert [word_aside(word, MAGIC) for word in ("tokens", "Varie")] == ["tokens", "Maybeboard"]
    assert word_aside("Tokens", EXO) == "Maybeboard"  # a kind of cards there


def test_the_kinds_below_a_leader_are_of_the_deck() -> None:
    game = READY["one-piece"]
    text = "Leader (1)\n1 Re\n\nCharacters\n4 Lupo\nEvents\n2 Dono\n\nDON!! deck\n9 DON!!"
    main, don = {"Lupo": 4, "Dono": 2}, {"DON!!": 9}
    assert zones(parse(text, game)) == {"leader": {"Re": 1}, "main": main, "don": don}
    assert zones(parse("Leader\nCharacters\n1 Re", game)) == {"leader": {"Re": 1}}
    assert zones(parse("Leader\n1 Re\nTattiche:\n1 Dono", EXO))["main"] == {"Dono": 1}
    evolved = parse("Leader\n1 Re\nEvoluzioni Vice Leader:\n2 Drago", EXO)
    assert zones(evolved) == {"leader": {"Re": 1}, "evolution": {"Drago": 2}}
    assert zones(parse("Side\nTattiche:\n1 Dono", EXO)) == {"side": {"Dono": 1}}


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
        deck = parse(text.replace("* 20", f"{bullet}20").replace("\n", end), shape)
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
    deck = parse(text, COMMANDER)
    assert zones(deck) == {"commander": {"Re": 1}, "main": {"Orso": 1, "Volpe": 1, "Lupo": 1}}
    assert deck.problems == ()


def test_a_comment_parts_no_zone_that_holds_more_or_has_no_card_yet() -> None:
    text = "Commander\n// of my sister\n1 Re\n1 Regina\n\nDeck\n1 Orso"
    assert zones(parse(text, COMMANDER)) == {
        "commander": {"Re": 1, "Regina": 1},
        "main": {"Orso": 1},
    }
    assert zones(parse("4 Lupo\n\nSideboard\n1 Orso\n// against red\n1 Volpe", MAGIC)) == {
        "main": {"Lupo": 4},
        "side": {"Orso": 1, "Volpe": 1},
    }
    text = "Commander\n1 Re\n// made on Monday\n1 Regina\n"
    assert zones(parse(text, COMMANDER)) == {"commander": {"Re": 1}, "main": {"Regina": 1}}


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
    asked = parse(text, MAGIC).problems[0]
    assert (asked.code, asked.line) == ("line.unreadable", text.split("\n").index(line) + 1)
    assert asked.suggestions == ("Main deck", "Sideboard", "Maybeboard")
    for way in asked.suggestions:
        answered = parse(around.replace("{}", way), MAGIC).problems
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
    assert parse(text, MAGIC).problems == ()


def test_each_word_that_may_be_a_zone_is_asked_about() -> None:
    deck = parse("Main\n4 Lupo\n// Egg Deck\n1 Orso\n// Scheme Deck\n1 Volpe", MAGIC)
    assert problems(deck) == [("line.unreadable", 3), ("line.unreadable", 5)]
