"""Rules look at a deck's counts first, and at its entries where these show a fault."""

from collections import Counter
from dataclasses import fields, replace
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from rules.deckbuilding.card_lists.lists import (
    EXCLUDED_TOGETHER,
    LIMITED,
    NO_LISTS,
    CardLists,
    ListedCard,
)
from rules.deckbuilding.deck import Deck, Entry
from rules.deckbuilding.formats import FORMATS, DeckFormat, Reading, copies_of
from rules.deckbuilding.zones import Kind, KnownKinds, find_kind
from rules.names import name_key
from rules.wording import Sentence

NAMES = ["Brace", "BRACE", "Lupo", "Scudo Astrale", "Il sacrificio di Nathaniel"]
NAMES += ["Sacrificio di Nathaniel", "Riserve Segrete", "Portale", "Agnello da sacrificare"]


@st.composite
def decks(draw: st.DrawFn, shape: DeckFormat) -> Deck:
    words = ["", "Drago", *(kind.words[0] for kind in shape.kinds)]
    entries = st.builds(
        Entry,
        name=st.sampled_from(NAMES),
        count=st.integers(min_value=1, max_value=12),
        kind=st.sampled_from(words),
        expansion=st.sampled_from(["", "DT", "her", "ZZZ"]),
        version=st.sampled_from(["", "", "A", "b", "C"]),
        genus=st.sampled_from(["", "Luce", "light", "Fuoco"]),
        language=st.sampled_from(["", "", "it", "English"]),
    )
    zones = (*shape.zone_keys, "elsewhere")
    return Deck(zones={zone: tuple(draw(st.lists(entries, max_size=5))) for zone in zones})


SHAPES_AND_DECKS = st.sampled_from(list(FORMATS)).flatmap(
    lambda shape: st.tuples(st.just(shape), decks(shape))
)


@given(SHAPES_AND_DECKS)
def test_the_counts_are_those_of_the_entries(given_: tuple[DeckFormat, Deck]) -> None:
    shape, deck = given_
    reading = Reading(deck=deck, format=shape)
    assert reading.totals == {key: card.total for key, card in reading.copies.items()}
    assert deck.tally.copies == {
        key: card.total for key, card in copies_of(deck, NO_LISTS, None).items()
    }
    for zone, entries in deck.zones.items():
        assert deck.size(zone) == sum(entry.count for entry in entries)
        assert reading.kindless(zone) == sum(e.count for e in entries if not e.kind)
        for kind in shape.kinds:
            known = [e.count for e in entries if find_kind(shape.kinds, e.kind) is kind]
            assert reading.number_of(kind, zone) == sum(known)


@given(SHAPES_AND_DECKS)
def test_no_card_in_a_wrong_zone_slips_through(given_: tuple[DeckFormat, Deck]) -> None:
    shape, deck = given_
    wrong = set()
    for zone, entry in deck:
        kind = find_kind(shape.kinds, entry.kind)
        if kind is not None and kind.zones == ():
            wrong.add(("kind.not_a_deck_card", zone, entry.key))
        elif kind is not None and zone in shape.zone_keys and zone not in (kind.zones or (zone,)):
            wrong.add(("kind.wrong_zone", zone, entry.key))
    told = {(v.code, v.zone, name_key(v.card)) for v in shape.validate(deck) if v.card}
    assert wrong <= told


@given(SHAPES_AND_DECKS)
def test_listed_cards_and_copies_are_found_by_their_totals(
    given_: tuple[DeckFormat, Deck],
) -> None:
    shape, deck = given_
    most = shape.limits().get("copies")
    listed = shape.lists.most_copies
    codes = {(v.code, shape.lists.key(v.card)) for v in shape.validate(deck) if v.card}
    for key, card in copies_of(deck, shape.lists, None).items():
        if card.total > listed.get(key, card.total):
            assert ("card.limited" if listed[key] else "card.banned", key) in codes
        elif most is not None and shape.game != "saint-seiya" and key not in listed:
            assert (("copies.too_many", key) in codes) is (card.total > most)


ALIASED = CardLists(
    cards={
        LIMITED: (ListedCard(name="Portale"),),
        EXCLUDED_TOGETHER: (ListedCard(name="Lupo", partner="Riserve Segrete"),),
    },
    originals={"lupo": "brace", "agnello da sacrificare": "portale"},
)


@given(decks(FORMATS.get("doomtrooper-original")))
@example(Deck(zones={"deck": (Entry(name="Brace"), Entry(name="Riserve Segrete"))}))
def test_lists_are_looked_at_where_they_concern_a_card_of_the_deck(deck: Deck) -> None:
    """A card of a pair may be listed under an alias and be in the deck under its own name."""
    shape = replace(FORMATS.get("doomtrooper-original"), lists=ALIASED)
    found = copies_of(deck, ALIASED, None)
    limited = "portale" in found and found["portale"].total > 1
    codes = {violation.code for violation in shape.validate(deck)}
    assert ("card.limited" in codes) is limited
    assert ("cards.excluded_together" in codes) is ({"brace", "riserve segrete"} <= found.keys())


def test_words_are_kept_but_neither_many_nor_long_ones() -> None:
    kind = Kind(key="one", label=Sentence("One"), words=("One", "Ones"))
    known = KnownKinds([kind], most=4, longest=8)
    asked = ["One", "ONE", "other", "another", "more", "a very long word", "ones", "ONE"]
    assert [known[text] for text in asked] == [kind, kind, None, None, None, None, kind, kind]
    assert set(known) == {"One", "Ones", "ONE", "other"}


@given(SHAPES_AND_DECKS, st.booleans())
def test_no_copy_too_many_slips_through(given_: tuple[DeckFormat, Deck], an_alias: bool) -> None:
    """Saint Seiya's limit of copies is looked for by counts first, also under other names."""
    _shape, deck = given_
    shape = FORMATS.get("saint-seiya")
    if an_alias:
        shape = replace(shape, lists=CardLists(originals={"lupo": "brace"}))
    found = {v.card for v in shape.validate(deck) if v.code == "copies.too_many"}
    copies: Counter[str] = Counter()
    for zone, entry in deck:
        kind = find_kind(shape.kinds, entry.kind)
        if zone != "cosmo" and (kind is None or kind.key != "cosmo"):
            copies[shape.lists.key(entry.name)] += entry.count
    many = {key for key, total in copies.items() if total > 3 and key != "scudo astrale"}
    assert {shape.lists.key(card or "") for card in found} - {"scudo astrale"} == many


def test_a_copy_of_an_entry_keeps_every_field() -> None:
    values: dict[str, Any] = {each.name: each.name for each in fields(Entry) if each.init}
    entry = Entry(**values | {"count": 2, "line": 3})
    moved, changed = entry.at(7), entry.but(kind="Drago", genus="Luce")
    assert (moved, moved.line, moved.key) == (entry, 7, entry.key)
    assert changed == replace(entry, kind="Drago", genus="Luce")
    assert (changed.line, changed.key) == (3, entry.key)
