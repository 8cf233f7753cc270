"""What a card catalogue changes: two languages, aliases, near names, meanings."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.card_lists import CardLists, read_card_lists
from rules.deckbuilding.catalogue import CardCatalogue, CardFacts, unify_languages
from rules.deckbuilding.deck import DeckEntry, Violation
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.settling import classify_line, line_classifier
from rules.deckbuilding.text import parse_decklist
from tests.rules.deckbuilding.reading import bilingual, cards

EXO = FORMATS.get("creatures-of-exo")
FREE = FORMATS.get("doomtrooper-free")
WOLF = bilingual("Lupo di Selce", "Flint Wolf", kind="Creatura")


def found(
    text: str, catalogue: CardCatalogue | None, key: str = "creatures-of-exo"
) -> dict[str, Violation]:
    shape = FORMATS.get(key)
    faults = shape.validate(parse_decklist(text, shape, catalogue), catalogue)
    return {fault.code: fault for fault in faults}


def test_a_card_in_two_languages_counts_once() -> None:
    text = "Main\n2 Lupo di Selce\nSide\n1 FLINT WOLF"
    over = found(text, cards(WOLF))["copies.too_many"]
    assert (over.card, over.found, over.line) == ("Lupo di Selce", 3, 4)
    assert "copies.too_many" not in found(text, None)
    assert "copies.too_many" not in found("Main\n1 Lupo di Selce\n1 Flint Wolf", cards(WOLF))


def test_either_name_brings_the_kind_home() -> None:
    queen = bilingual("Regina", "Queen", kind="Leader")
    deck = parse_decklist("queen", EXO, cards(queen))
    assert [entry.name for entry in deck.zone("leader")] == ["queen"]
    assert "card.unknown" not in found("queen\nRegina", cards(queen))


def lists(rows: str) -> CardLists:
    listed = (row.split(",") for row in rows.splitlines())
    return read_card_lists(
        [{"list": which, "card": card, "expansion": "", "aliases": ""} for which, card in listed],
        dated=date(2026, 1, 1),
    )


def test_a_list_may_name_a_card_in_either_language() -> None:
    deck = parse_decklist("Deck\nLupo di Selce\nFlint Wolf\nAltro", FREE)
    for named in ("Lupo di Selce", "Flint Wolf"):
        known = unify_languages(lists(f"banned,{named}"), cards(WOLF), [deck])
        keys = {known.key(name) for name in ("Lupo di Selce", "flint wolf", named)}
        assert keys == known.names("banned")
        assert known.key("Altro") == "altro"


def test_lists_are_kept_where_no_card_has_two_names() -> None:
    deck = parse_decklist("Deck\nLupo di Selce", FREE)
    assert unify_languages(FREE.lists, cards(WOLF), [deck]) is FREE.lists


def test_a_limit_holds_for_both_names() -> None:
    one = bilingual("Unico", "Only", max_copies=1)
    over = found("Main\nOnly\nUnico", cards(one))["copies.too_many"]
    assert (over.found, over.maximum) == (2, 1)


def test_aliases_of_a_list_are_known_to_the_catalogue_and_back() -> None:
    one, other = "Il sacrificio di Nathaniel", "Sacrificio di Nathaniel"
    for kept in (one, other):
        shelf = cards(CardFacts(name=kept, kind="Speciale", expansion="DT"))
        for written in (one, other):
            assert "card.unknown" not in found(f"Deck\n{written}", shelf, "doomtrooper-free")


def test_suggestions_are_data_too() -> None:
    unknown = found("Main\n1 Flint Wolv", cards(WOLF))["card.unknown"]
    assert unknown.suggestions == ("Lupo di Selce",)
    assert "Lupo di Selce" in str(unknown.sentence)


def test_rubbish_is_not_compared_with_every_card() -> None:
    asked: list[str] = []

    class Counted:
        def get(self, _key: str, /) -> CardFacts | None:
            return None

        def nearest(self, key: str, _limit: int, /) -> tuple[str, ...]:
            asked.append(key)
            return ()

    text = "\n".join(f"Carta {'abcdefghij'[at % 10] * (at + 1)}" for at in range(200))
    faults = EXO.validate(parse_decklist(text, EXO), Counted())
    assert sum(fault.code == "card.unknown" for fault in faults) == 200
    assert len(asked) == 20


WRITTEN = st.text(st.sampled_from("2x Main:Lingua{}()[]#-*SB1 \t"), max_size=20) | st.text()


@given(st.sampled_from(list(FORMATS)), WRITTEN)
def test_a_line_means_the_same_when_it_is_read_again(shape: DeckFormat, line: str) -> None:
    read = line_classifier(shape)
    fresh = classify_line(line, shape.zone_words, shape.heading_kinds)
    assert read(line) == fresh == read(line)


def test_formats_with_the_same_zones_and_kinds_share_what_they_know() -> None:
    original, free = FORMATS.get("doomtrooper-original"), FORMATS.get("doomtrooper-free")
    assert line_classifier(original) is line_classifier(free)
    assert line_classifier(original) is not line_classifier(EXO)


def test_a_cached_card_keeps_its_own_line_number() -> None:
    first, second = (parse_decklist(text, EXO).zones["main"] for text in ("2 Brace", "\n\n2 Brace"))
    assert first == second == (DeckEntry(name="Brace", count=2),)
    assert (first[0].line, second[0].line) == (1, 3)
