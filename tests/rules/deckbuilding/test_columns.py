"""Columns of tables that say where a card is, under any name; what is unclear is asked."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.columns import PlaceColumns, Placed, columns_left_out
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.known_headings import USUAL_WORDS, Role, words_of
from tests.rules.deckbuilding.reading import EXO
from tests.rules.deckbuilding.ready import COMMANDER, MAGIC, READY

ASKED = "?"
KNOWN = {"name": 0, "count": 1}
SWU = READY["star-wars-unlimited"]


def places(
    heads: Sequence[str],
    *rows: Sequence[str],
    known: dict[str, int] | None = None,
    shape: DeckFormat = MAGIC,
) -> list[object]:
    """Return the places of each row, "?" where it is asked about."""
    columns = PlaceColumns(heads, rows, KNOWN if known is None else known, shape)
    return [_told(columns.placed(row)) for row in rows]


def _told(placed: Placed) -> object:
    if placed.fault is not None:
        assert placed.places == ()
        return ASKED
    return [(word, count) if count else word for word, count in placed.places]


@pytest.mark.parametrize("head", ["Board", "Mazzo", "Sideboarded", "Pila", "", "Type of pile"])
def test_a_column_whose_values_are_zones_is_one(head: str) -> None:
    rows = [["A", "4", "main"], ["B", "1", "Side"], ["C", "1", "maybe"], ["D", "1", ""]]
    found = places(["Name", "Qty", head], *rows, ["E", "1"])
    assert found == [["main"], ["Side"], ["maybe"], [], []]


@given(
    st.lists(
        st.sampled_from(
            [*USUAL_WORDS["main"], *USUAL_WORDS["side"], *words_of(Role.ASIDE), "", "Creatures"]
        ),
        min_size=1,
    )
)
def test_all_words_of_zones_are_values(words: list[str]) -> None:
    rows = [[f"Carta {at}", "1", word] for at, word in enumerate(words)]
    columns = PlaceColumns(["Name", "Qty", "Dove"], rows, KNOWN, MAGIC)
    if {*words} <= {"", "Creatures"}:
        assert columns.unread == (("Dove",) if "Creatures" in words else ())
        return
    assert columns.unread == ()
    assert [columns.placed(row).places for row in rows] == [
        ((word, ""),) if word not in ("", "Creatures") else () for word in words
    ]


@pytest.mark.parametrize(("yes", "no"), [("Yes", "No"), ("TRUE", "FALSE"), ("x", ""), ("sì", "no")])
@pytest.mark.parametrize(
    ("head", "word"),
    [("Sideboarded", "Sideboarded"), ("In Sideboard?", "Sideboard"), ("maybeboard", "maybeboard")],
)
def test_a_column_called_after_a_place_says_yes_or_no(
    yes: str, no: str, head: str, word: str
) -> None:
    found = places(["Name", "Qty", head], ["A", "4", no], ["B", "1", yes])
    assert found == [[], [word]]


def test_no_to_the_main_zone_is_asked_about() -> None:
    found = places(["Name", "Qty", "Main"], ["A", "4", "yes"], ["B", "1", "no"], ["C", "1", ""])
    assert found == [["Main"], ASKED, []]


def test_columns_called_after_zones_hold_numbers() -> None:
    heads, only = ["Name", "Main Qty", "Sideboard"], {"name": 0}
    rows = [["A", "4", "0"], ["B", "2", "1"], ["C", "", "3.0"], ["D", "0", ""], ["E", "", ""]]
    assert places(heads, *rows, known=only) == [
        [("Main", "4")],
        [("Main", "2"), ("Sideboard", "1")],
        [("Sideboard", "3")],
        [("", "0")],
        [("", "0")],
    ]
    heads = ["Name", "Qty", "Sideboard"]
    rows = [["A", "4", "0"], ["B", "2", "2"], ["C", "3", "1"], ["D"]]
    assert places(heads, *rows) == [[], ["Sideboard"], ASKED, []]


def test_categories_may_name_a_place() -> None:
    rows = [["A", "4", "Ramp, Removal"], ["B", "1", "Ramp; Maybeboard"], ["C", "1", "Commander|X,"]]
    found = places(["Name", "Qty", "Categories"], *rows, ["D", "1", "main, Ramp"], shape=COMMANDER)
    assert found == [[], ["Maybeboard"], ["Commander"], []]


def test_another_column_that_names_a_place_now_and_then_is_asked_about() -> None:
    rows = [["A", "4", "veloce"], ["B", "1", "Side"], ["C", "1", "main"], ["D", "1", ""]]
    columns = PlaceColumns(["Name", "Qty", "Note"], rows, KNOWN, MAGIC)
    assert [_told(columns.placed(row)) for row in rows] == [[], ASKED, [], []]
    assert columns.unread == ("Note",)
    assert "“Note” says “Side”" in str(columns.placed(rows[1]).fault)


def test_columns_that_contradict_each_other_are_asked_about() -> None:
    known = KNOWN | {"zone": 2}
    heads = ["Name", "Qty", "Zone", "Sideboarded", "Side"]
    rows = [["A", "4", "main", "No"], ["B", "1", "main", "Yes"], ["C", "1", "Side", "Yes"]]
    assert places(heads, *rows, known=known) == [["main"], ASKED, ["Side"]]
    rows = [["A", "4", "main", "", "3"], ["B", "", "Side", "", ""]]
    assert places(heads, *rows, known={"name": 0, "zone": 2}) == [ASKED, [("", "0")]]


def test_the_column_of_zones_keeps_words_that_nobody_knows() -> None:
    rows = [["A", "4", "Varie"], ["B", "1", "Creatures"], ["C", "1", "side"]]
    found = places(["Name", "Qty", "Zone"], *rows, known=KNOWN | {"zone": 2})
    assert found == [["Varie"], [], ["side"]]


def test_kinds_of_cards_may_be_zones() -> None:
    def of_kinds(*kinds: str, shape: DeckFormat = MAGIC) -> list[object]:
        rows = [["A", "1", kind] for kind in kinds]
        return places(["Name", "Qty", "Type"], *rows, known=KNOWN | {"kind": 2}, shape=shape)

    assert of_kinds("Main", "Side", "") == [["Main"], ["Side"], []]
    assert of_kinds("Creature", "Side") == [[], ["Side"]]
    assert of_kinds("Elfo", "Side", "Elfo") == [[], ASKED, []]
    assert of_kinds("Elfo", "Main", "Creature") == [[], [], []]
    assert of_kinds("") == [[]]
    assert of_kinds("Leader", "Creatura", "Side", shape=EXO) == [[], [], ["Side"]]
    assert of_kinds("Leader", "Base", "Unit", shape=SWU) == [["Leader"], ["Base"], []]
    heads = ["Name", "Qty", "Card Type"]
    assert places(heads, ["A", "1", "Leader"], ["B", "3", "Unit"], shape=SWU) == [["Leader"], []]


def test_columns_of_which_nothing_is_read_are_named() -> None:
    heads = ["Name", "Qty", "Foil", "Empty", "", "Board", "Deck"]
    rows = [["A", "4", "foil", "", "x", "main", "Lupi"], ["B", "1", "", " "]]
    columns = PlaceColumns(heads, rows, KNOWN, MAGIC)
    assert columns.unread == ("Foil", "5", "Deck")
    said = columns_left_out(columns.unread)
    assert (said.code, said.severity, said.found) == ("columns.left_out", "info", 3)
    assert "Foil, 5, Deck" in str(said.sentence)


def test_a_board_holds_the_card_of_a_zone_of_few() -> None:
    heads = ["Name", "Qty", "Board", "Commander"]
    rows = [["Lupo", "1", "main", "True"], ["Orso", "99", "main", ""], ["Gru", "1", "side", "True"]]
    assert places(heads, *rows, shape=COMMANDER) == [["Commander"], ["main"], ASKED]
    side = ["Name", "Qty", "Board", "Sideboard"]
    assert places(side, ["Lupo", "1", "main", "Yes"]) == [ASKED]
