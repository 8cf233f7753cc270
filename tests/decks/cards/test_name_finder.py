"""Names found while they are typed, and texts alike by counting letters first."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz, process

from decks.cards.index import CardIndex, NameFinder, SimilarTextIndex
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


TEXTS = st.lists(st.text(max_size=40), max_size=12)


def compared(text: str, texts: list[str], least: int) -> list[str]:
    """Return the texts alike by comparing all of them."""
    found = process.extract(text, texts, scorer=fuzz.ratio, score_cutoff=least, limit=5)
    return [near for near, _score, _at in found]


@given(TEXTS, st.text(max_size=40), st.sampled_from((60, 72, 100)))
def test_the_same_are_found_as_by_comparing_all(texts: list[str], text: str, least: int) -> None:
    known = SimilarTextIndex(texts)
    for wanted in (text, *texts[:3], *(each[1:] for each in texts[:3])):
        assert known.nearest(wanted, least=least, limit=5) == compared(wanted, texts, least)


@pytest.mark.deep
def test_a_catalogue_of_30_000_names_finds_the_slips_of_any() -> None:
    chance = Random(7)
    parts = ["".join(chance.sample("abcdefghilmnoprstuvz", 5)) for _ in range(175)]
    names = [f"{one} {other}" for one in parts for other in parts[:172]]
    index = CardIndex(1, "magic", ((name, "", name, *[""] * 4, None, "", "") for name in names))
    assert len(index) > 30_000 - len(parts)
    for name in chance.sample(names, 20):
        slip = name[:3] + "x" + name[4:]
        assert name in index.nearest(slip, 3)
        assert name in [found["name"] for found in index.complete(slip, 8)]


def test_a_text_too_long_to_be_a_name_is_alike_to_none() -> None:
    assert SimilarTextIndex(["a" * 300]).nearest("a" * 300, least=60, limit=1) == []


@pytest.mark.parametrize("text", ["", "a"])
def test_without_texts_nothing_is_alike(text: str) -> None:
    assert SimilarTextIndex([]).nearest(text, least=1, limit=1) == []
