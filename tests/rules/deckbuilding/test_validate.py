"""What a deck is checked for: each rule, counts first, with any list and any catalogue."""

from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.deckbuilding.card_lists import (
    BANNED,
    EXCLUDED_TOGETHER,
    LIMITED,
    NO_LISTS,
    REMOVE_AFTER_USE,
    CardLists,
    ListedCard,
)
from rules.deckbuilding.catalogue import (
    CardCatalogue,
    CardFacts,
    combine_legalities,
    format_legality,
    parse_legality,
)
from rules.deckbuilding.deck import MOST_VIOLATIONS, Deck, DeckEntry, Violation, limit_violations
from rules.deckbuilding.formats import FORMATS, CheckInput, DeckFormat, copies_by_card
from rules.deckbuilding.text import parse_decklist
from rules.deckbuilding.zones import CardKind, KindCache, find_kind
from rules.errors import BadInput
from rules.names import name_key
from rules.wording import Sentence
from tests.rules.deckbuilding.reading import cards

EXO = FORMATS.get("creatures-of-exo")
ORIGINAL = FORMATS.get("doomtrooper-original")
OPEN = FORMATS.get("doomtrooper-open")
FREE = FORMATS.get("doomtrooper-free")


def found(text: str, key: str, catalogue: CardCatalogue | None = None) -> tuple[Violation, ...]:
    deck_format = FORMATS.get(key)
    return deck_format.validate(parse_decklist(text, deck_format, catalogue), catalogue)


def codes(text: str, key: str, catalogue: CardCatalogue | None = None) -> set[str]:
    return {violation.code for violation in found(text, key, catalogue)}


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(BadInput) as refused:
        FORMATS.get("chess")
    assert refused.value.code == "unknown_format"


def test_all_faults_come_in_the_order_of_zones_lines_codes_and_names() -> None:
    text = "\n".join(
        [
            "Side",
            "3 Zeta {Pedina}",
            "3 Alfa {Evoluzione}",
            "Fusione",
            "1 Coppa {Tattica}",
            "Main",
            "1 Lupo {Leader}",
            "0 Nulla",
            "1 Brace",
        ]
    )
    assert [(v.zone, v.line, v.code, v.card) for v in found(text, "creatures-of-exo")] == [
        ("leader", None, "zone.too_few", None),
        ("main", None, "zone.too_few", None),
        ("main", 7, "kind.wrong_zone", "Lupo"),
        ("main", 8, "line.unreadable", None),
        ("side", 2, "kind.not_a_deck_card", "Zeta"),
        ("fusion", 4, "zone.unknown", None),
        (None, None, "kind.unchecked", None),
        (None, 2, "copies.too_many", "Zeta"),
        (None, 3, "copies.too_many", "Alfa"),
    ]


def test_one_fault_a_card_code_and_zone() -> None:
    text = "Evolution\nBrace {Tattica}\nBRACE {Tattica} (DT)\nMain\nLupo"
    wrong = [v for v in found(text, "creatures-of-exo") if v.code == "kind.wrong_zone"]
    assert [(v.card, v.line) for v in wrong] == [("Brace", 2)]


def test_a_size_says_what_was_found_and_allowed() -> None:
    few, many = (
        next(v for v in found(f"Main\n{count} Brace", "creatures-of-exo") if v.zone == "main")
        for count in (29, 31)
    )
    assert (few.code, few.found, few.minimum, few.maximum) == ("zone.too_few", 29, 30, 30)
    assert str(few.sentence) == "Main deck: 29 instead of 30. Add 1."
    assert (many.code, many.found) == ("zone.too_many", 31)
    assert str(many.sentence) == "Main deck: 31 instead of 30. Take out 1."


def test_copies_name_the_line_that_is_too_much() -> None:
    text = "Leader\nBrace\nMain\nLupo\nBrace\nSide\nBrace"
    (copies,) = (v for v in found(text, "creatures-of-exo") if v.code == "copies.too_many")
    assert (copies.line, copies.found, copies.maximum, copies.zone) == (7, 3, 2, None)


@pytest.mark.parametrize(
    ("kinds", "code"),
    [
        (["Guerriero"] * 5 + [""], None),
        (["Guerriero Mishima", "Warrior", "guerrieri", "Carta Guerriero", "WARRIORS"], None),
        (["Guerriero"] * 4 + [""], "kind.unchecked"),
        (["Guerriero"] * 3 + [""], "kind.too_few"),
        (["Arma da Guerriero"] * 5, "kind.too_few"),
    ],
)
def test_five_warriors_known_or_possible(kinds: list[str], code: str | None) -> None:
    text = "Deck\n" + "\n".join(
        f"Carta {'abcdefgh'[at]} {{{kind}}}" if kind else f"Carta {'abcdefgh'[at]}"
        for at, kind in enumerate(kinds)
    )
    wanted = {"kind.unchecked", "kind.too_few"}
    assert codes(text, "doomtrooper-original") & wanted == ({code} if code else set())


@pytest.mark.parametrize(
    ("expansion", "original", "open_", "free"),
    [
        ("dt", None, None, None),
        ("Paradise Lost", None, None, None),
        ("extra-collezione", None, None, None),
        ("Heresy 14", "card.expansion_not_allowed", None, None),
        ("2nd Edition", "card.expansion_not_allowed", None, None),
        ("T.W.M", "card.expansion_unknown", "card.expansion_unknown", None),
        ("TWM", "card.expansion_not_allowed", "card.expansion_not_allowed", None),
        ("CASA", "card.expansion_unknown", "card.expansion_unknown", None),
    ],
)
def test_expansions_by_category(
    expansion: str, original: str | None, open_: str | None, free: str | None
) -> None:
    for key, code in (("original", original), ("open", open_), ("free", free)):
        said = codes(f"Brace ({expansion}) {{Speciale}}", f"doomtrooper-{key}")
        expected = {code} if code else set()
        if expansion == "T.W.M":
            expected = said & {"card.expansion_not_allowed", "card.expansion_unknown"}
        assert said & {"card.expansion_not_allowed", "card.expansion_unknown"} == expected


def test_no_expansion_is_said_once() -> None:
    unknown = [
        v for v in found("Brace\nLupo", "doomtrooper-open") if v.code == "card.expansion_unknown"
    ]
    assert [(v.card, v.found, v.severity) for v in unknown] == [(None, 2, "warning")]


@pytest.mark.parametrize(
    ("text", "mixed"),
    [
        ("Lingua: it\nBrace {lang=Italiano}\nLupo {lang=it-IT}", False),
        ("Brace {lang=it}\nLupo", False),
        ("Lingua: it\nBrace {lang=en}", True),
        ("Brace {lang=it}\nLupo {lang=Klingon}", True),
    ],
)
def test_one_language(text: str, mixed: bool) -> None:
    assert ("language.mixed" in codes(text, "doomtrooper-free")) is mixed


def test_the_catalogue_gives_kinds_expansions_and_limits() -> None:
    catalogue = cards(
        CardFacts(name="Sentinella", kind="Guerriero", expansion="HER"),
        CardFacts(name="Unico", max_copies=1),
        CardFacts(name="Molti", max_copies=9),
        CardFacts(name="Pedina", kind="Token"),
    )
    text = "Deck\n5 Sentinella {Arma}\n2 Unico (DT)\n9 Molti (DT)\n60 Altro (DT)"
    faults = found(text, "doomtrooper-original", catalogue)
    assert [(v.code, v.card, v.maximum) for v in faults] == [
        ("card.expansion_not_allowed", "Sentinella", None),
        ("card.unknown", "Altro", None),
        ("copies.too_many", "Unico", 1),
        ("copies.too_many", "Altro", 5),
    ]
    assert "kind.not_a_deck_card" in codes("Pedina {Creatura}", "creatures-of-exo", catalogue)


def test_an_unknown_card_gets_the_nearest_names() -> None:
    catalogue = cards(CardFacts(name="Fulminara"), CardFacts(name="Brace Antica"))
    near, far = (
        v
        for v in found("1 Fulminera\n1 Xyz", "creatures-of-exo", catalogue)
        if v.code == "card.unknown"
    )
    assert str(near.sentence).endswith("Did you mean: Fulminara?")
    assert (near.severity, near.zone, near.line) == ("warning", "main", 1)
    assert str(far.sentence).endswith("Check the spelling.")


def test_the_shipped_lists_are_complete_and_dated() -> None:
    assert {which: len(listed) for which, listed in ORIGINAL.lists.cards.items()} == {
        BANNED: 28,
        LIMITED: 72,
        REMOVE_AFTER_USE: 16,
        EXCLUDED_TOGETHER: 1,
    }
    assert ORIGINAL.lists.dated is not None
    assert ORIGINAL.lists.key("Sacrificio di Nathaniel") == "il sacrificio di nathaniel"


def test_limits_are_there_for_programs() -> None:
    assert EXO.limits() == {"copies": 2}
    assert FREE.limits() == {"warrior_minimum": 5, "copies": 5}
    assert (EXO.match.best_of, EXO.match.score, EXO.match.target) == (3, "games", None)
    assert (OPEN.match.best_of, OPEN.match.final_best_of, OPEN.match.target) == (1, 3, 40)


def violation(code, line):
    return Violation(code=code, sentence=Sentence(code), line=line)


@pytest.mark.parametrize("count", [0, 1, MOST_VIOLATIONS])
def test_all_that_fit_keep_their_order(count):
    found = [violation("card.unknown" if n % 2 else "card.banned", n) for n in range(count)]
    assert limit_violations(found) == tuple(found)


@pytest.mark.parametrize("count", [1, 7, 3_000])
def test_the_others_are_counted(count):
    found = [violation("line.unreadable", n) for n in range(MOST_VIOLATIONS + count)]
    *told, more = limit_violations(found)
    assert [one.line for one in told] == [*range(MOST_VIOLATIONS)]
    assert (more.code, more.severity, more.found) == ("list.more_problems", "info", count)


def test_an_error_is_never_among_the_others_while_a_warning_is_told():
    mild = [violation("card.unknown", n) for n in range(MOST_VIOLATIONS)]
    notes = [violation("kind.unchecked", n) for n in range(9)]
    told = limit_violations(
        [*notes, *mild, violation("card.banned", 1), violation("card.banned", 2)]
    )
    assert [one.code for one in told[:3]] == ["card.banned", "card.banned", "card.unknown"]
    assert told[-1].found == 11


WORDS = st.from_regex(r"[a-z][a-z ]{0,8}[a-z]", fullmatch=True).map(
    lambda word: " ".join(word.split())
)


@given(st.dictionaries(WORDS, st.none() | st.integers(1, 99)))
def test_what_is_written_reads_back(legality: dict[str, int | None]) -> None:
    assert parse_legality(format_legality(legality)) == legality


def test_people_write_it_in_their_own_way() -> None:
    assert parse_legality(" Pauper ,Vintage:1") == {"pauper": None, "vintage": 1}
    assert parse_legality("-") == {}


@pytest.mark.parametrize(
    "text", ["", "pauper,", "vintage: x", "vintage: 0", ": 1", "vintage: 100", "\u200b"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names no format"):
        parse_legality(text)


def test_any_printing_makes_a_card_legal_and_the_least_limit_holds() -> None:
    printings = [{"pauper": None, "vintage": 2}, {"vintage": 1}, {}, {"pauper": None}]
    assert combine_legalities(printings) == {"pauper": None, "vintage": 1}
    assert combine_legalities([]) == {}


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
    deck = parse_decklist(path.read_text("utf-8"), deck_format)
    zones = {
        zone: tuple(random.sample(entries, len(entries))) for zone, entries in deck.zones.items()
    }
    assert faults(replace(deck, zones=zones), deck_format) == faults(deck, deck_format)


@given(path=st.sampled_from(LEGAL), data=st.data())
def test_a_copy_beyond_the_limit_is_an_error(path: Path, data: st.DataObject) -> None:
    deck_format = FORMATS.get(path.parent.name)
    most = deck_format.limits().get("copies")
    deck = parse_decklist(path.read_text("utf-8"), deck_format)
    zone, entry = data.draw(st.sampled_from(list(deck)))
    count = data.draw(st.integers((most or 0) + 1, 99))
    entries = [replace(entry, count=count) if e is entry else e for e in deck.zone(zone)]
    fuller = replace(deck, zones={**deck.zones, zone: tuple(entries)})
    codes = {fault.code for fault in deck_format.validate(fuller) if fault.card is not None}
    unlimited = most is None or zone == "cosmo"
    assert bool(codes & {"copies.too_many", "card.limited"}) is not unlimited


NAMES = ["Brace", "BRACE", "Lupo", "Scudo Astrale", "Il sacrificio di Nathaniel"]
NAMES += ["Sacrificio di Nathaniel", "Riserve Segrete", "Portale", "Agnello da sacrificare"]


@st.composite
def decks(draw: st.DrawFn, shape: DeckFormat) -> Deck:
    words = ["", "Drago", *(kind.words[0] for kind in shape.kinds)]
    entries = st.builds(
        DeckEntry,
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
    reading = CheckInput(deck=deck, format=shape)
    assert reading.totals == {key: card.total for key, card in reading.copies.items()}
    assert deck.tally.copies == {
        key: card.total for key, card in copies_by_card(deck, NO_LISTS, None).items()
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
    for key, card in copies_by_card(deck, shape.lists, None).items():
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
@example(Deck(zones={"deck": (DeckEntry(name="Brace"), DeckEntry(name="Riserve Segrete"))}))
def test_lists_are_looked_at_where_they_concern_a_card_of_the_deck(deck: Deck) -> None:
    """A card of a pair may be listed under an alias and be in the deck under its own name."""
    shape = replace(FORMATS.get("doomtrooper-original"), lists=ALIASED)
    found = copies_by_card(deck, ALIASED, None)
    limited = "portale" in found and found["portale"].total > 1
    codes = {violation.code for violation in shape.validate(deck)}
    assert ("card.limited" in codes) is limited
    assert ("cards.excluded_together" in codes) is ({"brace", "riserve segrete"} <= found.keys())


def test_words_are_kept_but_neither_many_nor_long_ones() -> None:
    kind = CardKind(key="one", label=Sentence("One"), words=("One", "Ones"))
    known = KindCache([kind], most=4, longest=8)
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
    values: dict[str, Any] = {each.name: each.name for each in fields(DeckEntry) if each.init}
    entry = DeckEntry(**values | {"count": 2, "line": 3})
    moved, changed = entry.at(7), entry.but(kind="Drago", genus="Luce")
    assert (moved, moved.line, moved.key) == (entry, 7, entry.key)
    assert changed == replace(entry, kind="Drago", genus="Luce")
    assert (changed.line, changed.key) == (3, entry.key)
