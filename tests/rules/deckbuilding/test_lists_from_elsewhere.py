"""Lists as forums, pages and programs of other games write them: read right, or asked about."""

import pytest

from rules.deckbuilding.data.formats import format_from_rules
from rules.deckbuilding.data.json import rules_from_json
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.text import parse_decklist
from tests.rules.deckbuilding.reading import (
    COMMANDER,
    EXO,
    MAGIC,
    POKEMON,
    READY,
    cards_of,
    problems,
    zones,
)

ONE_PIECE, STAR_WARS = READY["one-piece"], READY["star-wars-unlimited"]
ONE_DECK = format_from_rules(
    rules_from_json({"zones": [{"key": "main", "name": "Deck"}]}),
    key="k",
    game="g",
    game_name="G",
    name="N",
)

MARKED = [
    "4 [card]Lupo di Selce[/card]",
    "4 [url=https://cards.example/lupo?id=1]Lupo di Selce[/url]",
    "[b]4 Lupo di Selce[/b]",
    "[color=#8A2BE2][i]4x[/i] Lupo di Selce[/color]",
    "[*]4 Lupo di Selce",
    "<li>4 Lupo di Selce</li>",
    '<tr><td>4</td> <td><a href="/lupo">Lupo di Selce</a></td></tr>',
    "[*] 4 Lupo di Selce",
    "4 [[Lupo di Selce]]",
    "4x [Lupo di Selce](https://cards.example/lupo)",
    "* 4 [Lupo di Selce](https://cards.example/lupo_(selce))",
    "- 4x [Lupo di Selce](/card/lupo)",
    "4 `Lupo di Selce`",
    "4 ||Lupo di Selce||",
    "4 *Lupo di Selce*",
    "* 4x _Lupo di Selce_",
    "4 Lupo&nbsp;di Selce",
    "4 Lupo di Selc&#101;",
    "4 Lupo di Selce ●●●",
    "4x Lupo di Selce ••••• •",
    "Lupo di Selce x4 ○",
]


@pytest.mark.parametrize("line", MARKED)
def test_what_marks_a_name_on_a_page_is_taken_off(line: str) -> None:
    deck = parse_decklist(f"Main\n{line}\nSide\n1 Orso", MAGIC)
    assert (zones(deck), deck.problems) == (
        {"main": {"Lupo di Selce": 4}, "side": {"Orso": 1}},
        (),
    )


def test_marks_around_a_set_are_taken_off_too() -> None:
    deck = parse_decklist("4x [Lupo](https://cards.example/1) _(Prima Serie)_ ●●", MAGIC)
    ((_zone, entry),) = deck
    assert (entry.name, entry.count, entry.expansion) == ("Lupo", 4, "Prima Serie")


@pytest.mark.parametrize(
    "name",
    [
        "R&D",
        "Lupo & Orso",
        "[ Lupo",
        "Lupo [/",
        "Lupo; Orso &",
        "Lu_po_",
        "A *B",
        "([Lupo",
        "Lupo </",
        "Lupo < 3",
    ],
)
def test_signs_that_mark_nothing_stay(name: str) -> None:
    ((_zone, entry),) = parse_decklist(f"4 {name}", MAGIC)
    assert entry.name == name


@pytest.mark.parametrize("around", ["**{} [{}]**", "__{} ({})__", "## {} [{}]", "**{}:** {}"])
def test_headings_may_be_bold_and_have_a_count(around: str) -> None:
    deck = parse_decklist(
        f"{around.format('Creatures', 4)}\n4 Lupo\n{around.format('Side', 1)}\n1 Orso", MAGIC
    )
    assert zones(deck) == {"main": {"Lupo": 4}, "side": {"Orso": 1}}
    assert deck.problems == ()


def test_quoted_and_fenced_lists_are_read() -> None:
    deck = parse_decklist("```\n> Main\n> 4 Lupo\n>\n> Side\n> 1 Orso\n```", MAGIC)
    assert zones(deck) == {"main": {"Lupo": 4}, "side": {"Orso": 1}}
    assert deck.problems == ()


@pytest.mark.parametrize("about", ["About\nName", "Informazioni\nNome", "À propos\nNom"])
def test_what_a_list_is_called_is_no_card_in_other_languages(about: str) -> None:
    deck = parse_decklist(f"{about} Lupi\n\nDeck\n4 Lupo\n\nSideboard\n1 Orso", MAGIC)
    assert zones(deck) == {"main": {"Lupo": 4}, "side": {"Orso": 1}}
    assert deck.problems == ()


@pytest.mark.parametrize("line", ["1) 4x Lupo", "2. 4x Lupo", "3) 4 Lupo"])
def test_a_number_of_the_list_before_a_count_is_no_second_card(line: str) -> None:
    (problem,) = parse_decklist(line, MAGIC).problems
    assert (problem.code, problem.suggestions[0]) == ("line.unclear", "4x Lupo")


def test_headings_may_be_marked_as_on_a_page() -> None:
    text = (
        "[b]Creature (4)[/b]\n[list]\n[*]4 Lupo\n[/list]\n\n---\n[i]Terre:[/i] 56\n56 Bosco\n\n"
        "[b][u]Sideboard[/u][/b]\n3 Orso\n=====\n"
    )
    deck = parse_decklist(text, MAGIC)
    assert zones(deck) == {"main": {"Lupo": 4, "Bosco": 56}, "side": {"Orso": 3}}
    assert deck.problems == ()


@pytest.mark.parametrize(
    "line",
    [
        "4 Lupo, 4 Orso, 2 Gru",
        "4x Lupo 4x Orso",
        "4 Lupo; 4 Orso",
        "4 Lupo & 4x Orso",
        "4 Lupo [SET]||4 Orso [SET]",
        "[27/11/26, 18:40] Ada: 4 Lupo",
        "Lupo x4, Orso x4",
        "Lupo x4 Orso x2",
        "4 Lupo    4 Orso",
        "4 Lupo (SET) 12   3x Orso",
        "4 Lupo\t4 Orso",
        "4x Lupo\t 4x Orso",
    ],
)
def test_several_cards_on_a_line_are_asked_about(line: str) -> None:
    deck = parse_decklist(f"Main\n4 Gru\n{line}", MAGIC)
    assert zones(deck) == {"main": {"Gru": 4}}
    assert problems(deck) == [("line.unreadable", 3)]


@pytest.mark.parametrize(
    ("line", "count", "name"),
    [
        ("4\t7 Colored Fish", 4, "7 Colored Fish"),
        ("4  7 Colored Fish", 4, "7 Colored Fish"),
        ("4 Number 39: Utopia", 4, "Number 39: Utopia"),
        ("4 Borrowing 100,000 Arrows", 4, "Borrowing 100,000 Arrows"),
        ("4    Lupo     di   Selce", 4, "Lupo di Selce"),
        ("4 Lupo 4", 4, "Lupo 4"),
        ("Lupo     4x", 4, "Lupo"),
    ],
)
def test_numbers_in_a_name_are_no_second_card(line: str, count: int, name: str) -> None:
    ((_zone, entry),) = parse_decklist(line, MAGIC)
    assert (entry.count, entry.name) == (count, name)


def test_a_card_may_stand_behind_the_word_of_its_zone() -> None:
    deck = parse_decklist("Commander: Lupo, Re\n\n1 Gru\n98 Bosco", COMMANDER)
    assert zones(deck) == {"commander": {"Lupo, Re": 1}, "main": {"Gru": 1, "Bosco": 98}}
    deck = parse_decklist("**Leader:** Lupo | Re\nBase: Tana\nOrso\nGru", STAR_WARS)
    assert zones(deck) == {
        "leader": {"Lupo": 1},
        "base": {"Tana": 1},
        "main": {"Orso": 1, "Gru": 1},
    }
    assert deck.problems == ()
    deck = parse_decklist("4 Gru\nCompanion: Lupo\nMaybeboard: 2 Orso", MAGIC)
    assert zones(deck) == {"main": {"Gru": 4}, "side": {"Lupo": 1}}
    assert [(aside.heading, aside.cards) for aside in deck.aside] == [("Maybeboard", 2)]


@pytest.mark.parametrize("line", ["Deck: Lupi in fuga", "Mazzo: 4 Gru", "**Main:** Lupi"])
def test_what_stands_behind_the_word_of_the_deck_is_asked(line: str) -> None:
    deck = parse_decklist(f"{line}\nOrso\nOrso", ONE_DECK)
    assert zones(deck) == {"main": {"Orso": 2}}
    assert problems(deck) == [("line.unreadable", 1)]
    again = parse_decklist(f"{deck.problems[0].suggestions[0]}\nOrso\nOrso", ONE_DECK)
    assert (zones(again), again.problems) == ({"main": {"Orso": 2}}, ())


@pytest.mark.parametrize("line", ["Side: :", "Side: 2 Lupo, 3 Orso", "Side: 0 Lupo"])
def test_what_is_no_card_behind_a_word_is_named(line: str) -> None:
    assert problems(parse_decklist(f"4 Gru\n{line}", MAGIC)) == [("line.unreadable", 2)]


@pytest.mark.parametrize(
    "line", [": Lupo", "3: Lupo", f"{'Leader' * 20}: Lupo", "Rosso: Lupo", "Creature: Lupo"]
)
def test_other_words_before_a_colon_are_part_of_the_line(line: str) -> None:
    assert all(
        entry.name != "Lupo" or entry.count == 3 for _zone, entry in parse_decklist(line, MAGIC)
    )


def test_counts_behind_the_names_of_a_list_are_asked_about() -> None:
    deck = parse_decklist("Lupo 4\nOrso (Forma X) 3\nGru 12\n\nSideboard\nVolpe 2\nTana", MAGIC)
    assert zones(deck) == {"side": {"Tana": 1}}
    assert [(one.code, one.line, one.suggestions) for one in deck.problems] == [
        ("line.unclear", 1, ("4x Lupo", "1x Lupo 4")),
        ("line.unclear", 2, ("3x Orso (Forma X)", "1x Orso (Forma X) 3")),
        ("line.unclear", 3, ("12x Gru", "1x Gru 12")),
        ("line.unclear", 6, ("2x Volpe", "1x Volpe 2")),
    ]


@pytest.mark.parametrize(
    "text",
    ["Lupo 4\nOrso 2", "Lupo\nOrso\nGru\nVolpe 4\nTana 2\nCervo 3", "Lupo 146\nOrso 242\nGru 300"],
)
def test_a_few_names_may_end_with_a_number(text: str) -> None:
    deck = parse_decklist(text, EXO)
    assert deck.problems == ()
    assert [entry.name for _zone, entry in deck] == text.split("\n")


def test_a_number_behind_a_set_is_that_of_the_card() -> None:
    deck = parse_decklist("Lupo (SET) 1\nOrso (SET) 22\nGru (SET) 3", EXO)
    assert [(entry.name, entry.number) for _zone, entry in deck] == [
        ("Lupo", "1"),
        ("Orso", "22"),
        ("Gru", "3"),
    ]
    assert deck.problems == ()


def test_what_a_list_says_of_itself_is_no_card() -> None:
    text = (
        "Agenda (2)\n2x Lupo\n\nCode Gate (3)\n3x Orso (Prima Serie) ●●●\n\n15 influence spent "
        "(max 15, available 0)\n2 agenda points (between 2 and 3)\n5 cards (min 5)\n"
    )
    deck = parse_decklist(text, ONE_DECK)
    assert (zones(deck), deck.problems) == ({"main": {"Lupo": 2, "Orso": 3}}, ())
    wrong = parse_decklist(text.replace("5 cards", "45 cards"), ONE_DECK)
    assert problems(wrong) == [("line.unreadable", 9)]


def test_kinds_may_be_shortened() -> None:
    deck = parse_decklist("SPELLS and SORC. (4)\n4 Lupo\n36 INSTANTS and SORC.\n36 Orso", MAGIC)
    assert zones(deck) == {"main": {"Lupo": 4, "Orso": 36}}


def test_sections_without_cards_are_nothing() -> None:
    empty = "[Avatar]\n\n[Commander]\n1 Lupo\n\n[Planes]\n\n[Main]\n99 Orso\n[Schemes]\n[Dungeon]\n"
    deck = parse_decklist(empty, COMMANDER)
    assert zones(deck) == {"commander": {"Lupo": 1}, "main": {"Orso": 99}}
    assert deck.problems == ()
    filled = parse_decklist(empty.replace("[Schemes]\n", "[Schemes]\n1 Gru\n"), COMMANDER)
    assert problems(filled) == [("line.unreadable", 10)]


def test_cards_of_one_name_and_several_numbers_are_several_cards() -> None:
    text = "Leader\n1 OP12-001 Re\nMain\n4 OP01-013 Lupo\n4 OP10-005 Lupo\n42 OP01-001 Orso"
    faults = ONE_PIECE.validate(parse_decklist(text, ONE_PIECE))
    assert [(one.code, one.card) for one in faults] == [("copies.too_many", "OP01-001")]


@pytest.mark.parametrize(
    "energy",
    [
        "Basis-{R}-Energie SVE 2",
        "Energia base {R} SVE 2",
        "Énergie {R} de base SVE 2",
        "Energía {R} Básica SVE 2",
        "Energia {R} Básica SVE 2",
        "Basic {R} Energy SVE 2 rh",
    ],
)
def test_basic_energy_is_known_in_the_languages_of_its_cards(energy: str) -> None:
    assert POKEMON.validate(parse_decklist(f"60 {energy}", POKEMON)) == ()


@pytest.mark.parametrize("shape", [MAGIC, FORMATS.get("yugioh-2009"), STAR_WARS])
def test_a_list_of_a_page_is_the_same_in_every_game(shape: object) -> None:
    deck = parse_decklist("[b]Main[/b]\n3 [card]Lupo[/card]\n1 [[Orso]]", shape)
    assert [(count, name) for _zone, count, name in cards_of(deck)] == [(3, "Lupo"), (1, "Orso")]


THIRTY = "\n".join(f"4 Carta {name}" for name in "bcdefgh") + "\n2 Carta i"
WHOLE = {"leader": 1, "main": 30}


def sizes(text: str, shape: DeckFormat = EXO) -> dict[str, int]:
    """Return the sizes of a list's zones, which has no problem."""
    deck = parse_decklist(text, shape)
    assert deck.problems == ()
    return {zone: sum(found.values()) for zone, found in zones(deck).items()}


@pytest.mark.parametrize(
    "line",
    [
        *("Leader: Kronos", "Leader - Kronos", "LEADER – Kronos", "Leader = Kronos"),
        *("Leader; Kronos", "Leader\tKronos", "Leader → Kronos", "Leader -> 1 Kronos"),
        *("Leader (1): Kronos", "Leader 1: Kronos", "- Leader: Kronos", "* Leader: 1x Kronos"),
        *("[Leader] Kronos", "**Leader:** Kronos", "**Leader** - Kronos", "1 Leader: Kronos"),
    ],
)
def test_a_zone_and_its_card_stand_on_one_line(line: str) -> None:
    assert sizes(f"{line}\n\n{THIRTY}") == WHOLE
    assert zones(parse_decklist(line, EXO)) == {"leader": {"Kronos": 1}}


@pytest.mark.parametrize(
    "line", ["Elsa - Regina", "4 Fusion - Lupo", "Main deck - Lupi", "Deck - Lupi", "Capo - Kronos"]
)
def test_other_words_before_a_dash_name_no_zone(line: str) -> None:
    assert "Lupo" not in zones(parse_decklist(line, EXO)).get("fusion", {})
    assert zones(parse_decklist(line, EXO)).keys() <= {"main"}


TOTALS = [
    *(
        "30 cards",
        "30 carte",
        "Totale: 30 carte",
        "Total: 30",
        "Totale 30/30",
        "Tot. 30",
        "Tot: 30",
    ),
    *("(30 cards)", "(30 carte totali)", "= 30 carte", "[30 carte]", "30 pezzi", "Somma: 30"),
    *("N. carte: 30", "Mazzo: 30 carte", "Mazzo da 30 carte", "30 carte nel mazzo"),
]


@pytest.mark.parametrize("total", TOTALS)
def test_a_total_is_no_card_wherever_it_stands(total: str) -> None:
    for text in (
        f"{total}\nLeader: Kronos\n\n{THIRTY}",
        f"Leader\n1 Kronos\n\n{total}\n{THIRTY}",
        f"Leader\n1 Kronos\n\nMain\n{THIRTY}\n{total}",
    ):
        assert sizes(text) == WHOLE, text
    lines = TOTALS[:7]
    if total in lines:
        wrong = parse_decklist(
            f"Leader\n1 Kronos\nMain\n{THIRTY}\n{total.replace('30', '29')}", EXO
        )
        assert [problem.code for problem in wrong.problems] == ["line.unreadable"]


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "Main deck (30)",
            "Main deck: 30/30",
            "Main (30/30)",
            "Main deck, 30 carte",
            "Main 30/30",
        ),
        *("Mazzo principale (30 carte)", "Mazzo da 30 carte", "30 cards in main deck"),
        *("30 carte nel main", "Main deck (30 pz)"),
    ],
)
def test_the_main_zone_may_say_how_many_it_has(heading: str) -> None:
    assert sizes(f"Leader\n1 Kronos\n\n{heading}\n{THIRTY}") == WHOLE
