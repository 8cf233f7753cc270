"""What holds for every list of every format, whatever stands in it."""

from dataclasses import replace
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.text import parse

FILES = sorted((Path(__file__).parents[2] / "golden" / "decks").glob("*/*.txt"))
LEGAL = [path for path in FILES if path.stem.startswith("legal-")]


def faults(deck: Deck, deck_format: DeckFormat) -> set[tuple[object, ...]]:
    """Return what is wrong with a deck, whatever its lines and the names of its cards."""
    return {
        (v.code, v.zone, deck_format.lists.key(v.card or ""), v.found, v.minimum, v.maximum)
        for v in deck_format.validate(deck)
    }


@given(path=st.sampled_from(FILES), random=st.randoms(use_true_random=False))
def test_the_order_of_lines_changes_no_fault(path: Path, random: Random) -> None:
    deck_format = FORMATS.get(path.parent.name)
    deck = parse(path.read_text("utf-8"), deck_format)
    zones = {
        zone: tuple(random.sample(entries, len(entries))) for zone, entries in deck.zones.items()
    }
    assert faults(replace(deck, zones=zones), deck_format) == faults(deck, deck_format)


@given(path=st.sampled_from(LEGAL), data=st.data())
def test_a_copy_beyond_the_limit_is_an_error(path: Path, data: st.DataObject) -> None:
    deck_format = FORMATS.get(path.parent.name)
    most = deck_format.limits().get("copies")
    deck = parse(path.read_text("utf-8"), deck_format)
    zone, entry = data.draw(st.sampled_from(list(deck)))
    count = data.draw(st.integers((most or 0) + 1, 99))
    entries = [replace(entry, count=count) if e is entry else e for e in deck.zone(zone)]
    fuller = replace(deck, zones={**deck.zones, zone: tuple(entries)})
    codes = {fault.code for fault in deck_format.validate(fuller) if fault.card is not None}
    unlimited = most is None or zone == "cosmo"
    assert bool(codes & {"copies.too_many", "card.limited"}) is not unlimited
