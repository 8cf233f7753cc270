"""One line of a written list with another count, and a card more."""

import pytest

from rules.deckbuilding.edits import add_card, replace_count
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse_decklist
from rules.errors import BadInput, RuleError

EXO = FORMATS.get("creatures-of-exo")


@pytest.mark.parametrize(
    ("text", "line", "name", "count", "after"),
    [
        ("Main\n6 Onda (DT)\n3 Eco", 2, "onda", 5, "Main\n5 Onda (DT)\n3 Eco"),
        ("Onda x6", 1, "Onda", 5, "Onda x5"),
        ("Onda", 1, "Onda", 2, "2 Onda"),
        ("Eco\r\nOnda\r\nFaro", 2, "Onda", 0, "Eco\r\nFaro"),
        ("SB: 2x 2 Fast", 1, "2 Fast", 3, "SB: 3x 2 Fast"),
    ],
)
def test_another_count_leaves_all_else(text: str, line: int, name: str, count: int, after: str):
    assert replace_count(text, line, name, count) == after


def test_a_count_of_another_card_or_too_many_is_refused() -> None:
    with pytest.raises(RuleError):
        replace_count("2 Onda", 1, "Eco", 1)
    with pytest.raises(BadInput):
        replace_count("2 Onda", 1, "Onda", 1000)


@pytest.mark.parametrize(
    ("text", "zone", "typed", "after"),
    [
        ("", "main", "Eco", "1 Eco"),
        ("Main\n2 Onda\n\nSide\n1 Faro", "main", "3 Eco", "Main\n2 Onda\n3 Eco\n\nSide\n1 Faro"),
        ("2 Onda", "side", "Eco", "2 Onda\n\nSide\n1 Eco"),
        ("2 Onda\nSB: 1 Faro", "side", "Eco", "2 Onda\nSB: 1 Faro\nSB: 1 Eco"),
    ],
)
def test_a_card_more_stands_last_in_its_zone(text: str, zone: str, typed: str, after: str):
    assert add_card(text, parse_decklist(text, EXO), zone, typed, "Side") == after


def test_a_fault_that_one_count_mends_says_it() -> None:
    (fault,) = (
        v for v in EXO.validate(parse_decklist("9 Onda", EXO)) if v.code == "copies.too_many"
    )
    assert fault.cure is not None
    assert (fault.cure.line, fault.cure.count) == (1, fault.maximum)
    twice = EXO.validate(parse_decklist("9 Onda\n9 Onda (A)", EXO))
    assert all(v.cure is None for v in twice if v.code == "copies.too_many")
