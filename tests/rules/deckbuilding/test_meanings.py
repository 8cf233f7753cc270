"""What a line means is remembered, and stays the same."""

from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.deck import Entry
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.settling import meaning_of, reader_of
from rules.deckbuilding.text import parse

EXO = FORMATS.get("creatures-of-exo")
WRITTEN = st.text(st.sampled_from("2x Main:Lingua{}()[]#-*SB1 \t"), max_size=20) | st.text()


@given(st.sampled_from(list(FORMATS)), WRITTEN)
def test_a_line_means_the_same_when_it_is_read_again(shape: DeckFormat, line: str) -> None:
    read = reader_of(shape)
    fresh = meaning_of(line, shape.zone_words, shape.heading_kinds)
    assert read(line) == fresh == read(line)


def test_formats_with_the_same_zones_and_kinds_share_what_they_know() -> None:
    original, free = FORMATS.get("doomtrooper-original"), FORMATS.get("doomtrooper-free")
    assert reader_of(original) is reader_of(free)
    assert reader_of(original) is not reader_of(EXO)


def test_a_cached_card_keeps_its_own_line_number() -> None:
    first, second = (parse(text, EXO).zones["main"] for text in ("2 Brace", "\n\n2 Brace"))
    assert first == second == (Entry(name="Brace", count=2),)
    assert (first[0].line, second[0].line) == (1, 3)
