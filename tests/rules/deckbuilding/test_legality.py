"""Where a card may be played: in writing and back, and over several printings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.catalogue import legal_anywhere, legality_in_text, legality_of_text

WORDS = st.from_regex(r"[a-z][a-z ]{0,8}[a-z]", fullmatch=True).map(
    lambda word: " ".join(word.split())
)


@given(st.dictionaries(WORDS, st.none() | st.integers(1, 99)))
def test_what_is_written_reads_back(legality: dict[str, int | None]) -> None:
    assert legality_of_text(legality_in_text(legality)) == legality


def test_people_write_it_in_their_own_way() -> None:
    assert legality_of_text(" Pauper ,Vintage:1") == {"pauper": None, "vintage": 1}
    assert legality_of_text("-") == {}


@pytest.mark.parametrize(
    "text", ["", "pauper,", "vintage: x", "vintage: 0", ": 1", "vintage: 100", "\u200b"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names no format"):
        legality_of_text(text)


def test_any_printing_makes_a_card_legal_and_the_least_limit_holds() -> None:
    printings = [{"pauper": None, "vintage": 2}, {"vintage": 1}, {}, {"pauper": None}]
    assert legal_anywhere(printings) == {"pauper": None, "vintage": 1}
    assert legal_anywhere([]) == {}
