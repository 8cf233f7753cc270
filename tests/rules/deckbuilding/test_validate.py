"""What a validator says: all faults, in their order, with the catalogue's help."""

import pytest

from rules.deckbuilding.card_lists.lists import BANNED, EXCLUDED_TOGETHER, LIMITED, REMOVE_AFTER_USE
from rules.deckbuilding.catalogue import CardFacts, Catalogue
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse
from rules.errors import BadInput
from tests.rules.deckbuilding.known_cards import cards

EXO = FORMATS.get("creatures-of-exo")
ORIGINAL = FORMATS.get("doomtrooper-original")
OPEN = FORMATS.get("doomtrooper-open")
FREE = FORMATS.get("doomtrooper-free")


def found(text: str, key: str, catalogue: Catalogue | None = None) -> tuple[Violation, ...]:
    deck_format = FORMATS.get(key)
    return deck_format.validate(parse(text, deck_format, catalogue), catalogue)


def codes(text: str, key: str, catalogue: Catalogue | None = None) -> set[str]:
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
    assert str(few.sentence) == "Main deck, cards: 29; needed: exactly 30. Add 1."
    assert (many.code, many.found) == ("zone.too_many", 31)
    assert str(many.sentence) == "Main deck, cards: 31; needed: exactly 30. Take out 1."


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
    assert str(far.sentence).endswith("Check how it is spelt.")


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
