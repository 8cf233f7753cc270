"""Texts alike, found by counting letters first: the same ones as by comparing all of them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz, process

from decks.cards.index import AlikeTexts, CardIndex

TEXTS = st.lists(st.text(max_size=40), max_size=12)


def compared(text: str, texts: list[str], least: int) -> list[str]:
    """Return the texts alike by comparing all of them."""
    found = process.extract(text, texts, scorer=fuzz.ratio, score_cutoff=least, limit=5)
    return [near for near, _score, _at in found]


@given(TEXTS, st.text(max_size=40), st.sampled_from((60, 72, 100)))
def test_the_same_are_found_as_by_comparing_all(texts: list[str], text: str, least: int) -> None:
    known = AlikeTexts(texts)
    for wanted in (text, *texts[:3], *(each[1:] for each in texts[:3])):
        assert known.nearest(wanted, least=least, limit=5) == compared(wanted, texts, least)


def test_a_catalogue_of_30_000_names_finds_the_slips_of_any() -> None:
    chance = Random(7)
    parts = ["".join(chance.sample("abcdefghilmnoprstuvz", 5)) for _ in range(175)]
    names = [f"{one} {other}" for one in parts for other in parts[:172]]
    index = CardIndex(1, "magic", ((name, "", name, *[""] * 4, None, "", "") for name in names))
    assert len(index) > 30_000 - len(parts)
    for name in chance.sample(names, 20):
        slip = name[:3] + "x" + name[4:]
        assert name in index.nearest(slip, 3)
        assert name in [found.name for found in index.complete(slip, 8)]


def test_a_text_too_long_to_be_a_name_is_alike_to_none() -> None:
    assert AlikeTexts(["a" * 300]).nearest("a" * 300, least=60, limit=1) == []


@pytest.mark.parametrize("text", ["", "a"])
def test_without_texts_nothing_is_alike(text: str) -> None:
    assert AlikeTexts([]).nearest(text, least=1, limit=1) == []
