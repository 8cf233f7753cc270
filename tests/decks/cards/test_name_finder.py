"""Names found while they are typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.cards.index import NameFinder
from rules.names import name_key

KEYS = ["brace antica", "corvo dell'alba", "lupo di selce", "lupo di vetro", "regina dei lupi"]
FINDER = NameFinder(KEYS)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("lupo", ["lupo di selce", "lupo di vetro"]),
        ("LUP", ["lupo di selce", "lupo di vetro", "regina dei lupi"]),
        ("vetro", ["lupo di vetro"]),
        ("alba", ["corvo dell'alba"]),
        ("vetro lupo", ["lupo di vetro"]),
        ("ve lu", ["lupo di vetro"]),
        ("lupo di vitro", ["lupo di vetro"]),
        ("selze", ["lupo di selce"]),
        ("brece", ["brace antica"]),
        ("zzzz", []),
        ("", []),
        ("\u200b \n", []),
    ],
)
def test_first_letters_then_words_then_near_words(typed: str, found: list[str]) -> None:
    assert FINDER.find(typed, 8) == found


def test_no_more_than_asked_for() -> None:
    assert len(NameFinder(f"carta {at}" for at in range(100)).find("carta", 8)) == 8
    assert NameFinder([]).find("carta", 8) == []


NAME = st.lists(st.text("abcè' -", min_size=1, max_size=6), min_size=1, max_size=3).map(" ".join)


@given(names=st.lists(NAME, max_size=30), typed=NAME)
def test_what_begins_so_is_found_and_nothing_twice(names: list[str], typed: str) -> None:
    keys = {name_key(name) for name in names} - {""}
    found = NameFinder(keys).find(typed, 40)
    assert len(set(found)) == len(found)
    assert set(found) <= keys
    wanted = name_key(typed)
    if wanted:
        assert {key for key in keys if key.startswith(wanted)} <= set(found)
