"""Rules of single games: Saint Seiya, Thoom and Yu-Gi-Oh!."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.card_lists import read_card_lists
from rules.deckbuilding.catalogue import CardCatalogue, CardFacts
from rules.deckbuilding.data.formats import apply_card_lists
from rules.deckbuilding.deck import Deck, DeckEntry, Violation
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.text import parse_decklist

SEIYA = FORMATS.get("saint-seiya")
COUNT = st.integers(0, 5)


def found(text: str, catalogue: CardCatalogue | None = None) -> dict[str, Violation]:
    violations = SEIYA.validate(parse_decklist(text, SEIYA, catalogue), catalogue)
    return {violation.code: violation for violation in violations}


def copies(*lines: str) -> tuple[int | None, int | None] | None:
    violation = found("Main\n" + "\n".join(lines)).get("copies.too_many")
    return (violation.found, violation.maximum) if violation else None


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["3 Scudo Astrale"], None),
        (["4 Scudo Astrale"], (4, 3)),
        (["3 Scudo Astrale", "3 Scudo Astrale [A]"], None),
        (["3 Scudo Astrale", "4 Scudo Astrale [A]"], (4, 3)),
        (["3 SCUDO ASTRALE [a]", "3 Scudo Astrale [B]"], None),
        (["2 Scudo Astrale [A]", "2 scudo astrale [a]"], (4, 3)),
        (["2 Scudo Astrale [A]", "2 Scudo Astrale [B]", "1 Scudo Astrale"], None),
        (["2 Scudo Astrale [A]", "2 Scudo Astrale [B]", "3 Scudo Astrale"], (5, 3)),
        (["3 Scudo Astrale", "1 Scudo Astrale [A]", "3 Scudo Astrale [B]"], (4, 3)),
        (["1 Scudo Astrale [A]", "1 Scudo Astrale [B]", "1 Scudo Astrale [C]"], (3, 2)),
        (["3 Catena di Cerbero [A]", "3 Catena di Cerbero [B]", "3 Scudo Astrale"], None),
        (["2 Nuvola Nera [A]", "2 Nuvola Nera [B]"], (4, 3)),
        (["3 Nuvola Nera [A]"], None),
        (["3 Nuvola Nera (AAA)", "1 NUVOLA NERA (BBB)"], (4, 3)),
    ],
)
def test_copies_and_versions(lines: list[str], fault: tuple[int, int] | None) -> None:
    assert copies(*lines) == fault
    assert copies(*reversed(lines)) == fault


@given(a=COUNT, b=COUNT, none=COUNT)
def test_two_versions_hold_three_copies_each(a: int, b: int, none: int) -> None:
    lines = [
        (a, "Catena di Cerbero [A]"),
        (b, "Catena di Cerbero [B]"),
        (none, "Catena di Cerbero"),
    ]
    joined = [max(a, b), min(a, b) + none] if a and b else [a, b, none]
    fault = copies(*(f"{count} {name}" for count, name in lines if count))
    assert (fault is not None) is (max(joined) > 3)


def test_copies_of_a_deck_without_lines_are_counted_too() -> None:
    twice = tuple(DeckEntry(name="Scudo Astrale", count=2, version="A") for _at in range(2))
    deck = Deck(zones={"main": twice})
    (violation,) = (v for v in SEIYA.validate(deck) if v.code == "copies.too_many")
    assert (violation.found, violation.maximum, violation.line) == (4, 3, None)


def test_too_many_copies_name_their_line_and_what_to_do() -> None:
    violation = found("Main\n2 Scudo Astrale [A]\n2 Scudo Astrale [A] (ORO)")["copies.too_many"]
    assert (violation.zone, violation.card, violation.line) == (None, "Scudo Astrale", 3)
    assert str(violation.sentence).startswith(
        "“Scudo Astrale [A]”: 4 copies of one version (maximum 3)."
    )


def test_copies_of_cosmo_and_in_the_cosmo_zone_do_not_count() -> None:
    text = (
        "Main\n3 Onda {Tecnica}\n4 Scintilla {Cosmo}\nCosmo\n6 Scintilla {Cosmo}\n1 Onda {Tecnica}"
    )
    assert "copies.too_many" not in found(text)
    assert found("Main\n3 Onda\nSide\n1 Onda")["copies.too_many"].found == 4


def test_the_catalogue_limits_copies() -> None:
    class Cards(dict[str, CardFacts]):
        def nearest(self, key: str, limit: int, /) -> list[str]:
            return []

    catalogue = Cards(
        {
            "onda": CardFacts(name="Onda", max_copies=1),
            "scudo astrale": CardFacts(name="Scudo Astrale", max_copies=6),
        }
    )
    text = "Main\n2 Onda\n4 Scudo Astrale [A]\n3 Scudo Astrale [B]"
    violations = SEIYA.validate(parse_decklist(text, SEIYA), catalogue)
    limits = [(v.card, v.maximum) for v in violations if v.code == "copies.too_many"]
    assert limits == [("Onda", 1), ("Scudo Astrale", 3)]


def test_a_listed_card_is_reported_once() -> None:
    rows = [{"list": "limited", "card": name} for name in ("Onda", "Scudo Astrale")]
    shape = apply_card_lists(SEIYA, read_card_lists(rows, dated=date(2026, 1, 1)))
    text = "Main\n4 Onda\n2 Scudo Astrale [A]\n4 Scudo Astrale [B]\n4 Fiamma"
    told = [(v.card, v.code) for v in shape.validate(parse_decklist(text, shape)) if v.card]
    assert told == [
        ("Onda", "card.limited"),
        ("Scudo Astrale", "card.limited"),
        ("Fiamma", "copies.too_many"),
    ]


def proportions(places: int, characters: int, size: int) -> dict[str, Violation]:
    text = f"Main\n{size - places - characters} Onda {{Tecnica}}\nCosmo\n1 Scintilla {{Cosmo}}"
    text = (f"{places} Casa {{Luogo}}\n" if places else "") + text
    text = (f"{characters} Guardiana {{Personaggio}}\n" if characters else "") + text
    return found(text)


@given(size=st.integers(45, 90), places=st.integers(1, 22), characters=st.integers(0, 22))
def test_proportions_hold_from_a_fifth_to_three_tenths(
    size: int, places: int, characters: int
) -> None:
    said = proportions(places, characters, size)
    shares = (Fraction(places, size), Fraction(characters, size))
    fine = all(Fraction(1, 5) <= share <= Fraction(3, 10) for share in shares)
    assert ("kind.proportion" in said) is not fine
    assert "kind.none" not in said


@pytest.mark.parametrize(
    ("places", "characters", "size", "numbers"),
    [
        (10, 10, 50, None),
        (15, 15, 50, None),
        (9, 10, 50, (9, 10, 15)),
        (10, 16, 50, (16, 10, 15)),
        (9, 20, 46, (9, 10, 13)),
        (14, 14, 46, (14, 10, 13)),
        (13, 10, 46, None),
    ],
)
def test_a_proportion_says_what_is_advised(
    places: int, characters: int, size: int, numbers: tuple[int, int, int] | None
) -> None:
    said = proportions(places, characters, size).get("kind.proportion")
    assert numbers == (said and (said.found, said.minimum, said.maximum))
    assert said is None or (said.severity, said.zone, said.card) == ("warning", "main", None)


def test_both_proportions_are_reported_in_one_sentence() -> None:
    said = proportions(9, 20, 46)["kind.proportion"]
    assert "Place cards: 9, Characters: 20. Recommended for each: 10 to 13." in str(said.sentence)


def test_a_missing_place_card_is_reported_instead_of_its_proportion() -> None:
    said = proportions(0, 12, 48)
    assert said["kind.none"].zone == "main"
    assert "kind.proportion" not in said


def test_nothing_is_said_of_proportions_while_a_kind_is_missing() -> None:
    said = found("Main\n45 Onda {Tecnica}\n1 Casa\nCosmo\n1 Scintilla {Cosmo}")
    assert said.keys() == {"kind.unchecked", "copies.too_many"}


@pytest.mark.parametrize(
    ("lines", "missing"),
    [
        ("", True),
        ("Cosmo\n1 Scintilla {Cosmo}", False),
        ("Cosmo\n1 Scintilla", False),
        ("Cosmo\n1 Scintilla {Fato}", True),
        ("Main\n1 Scintilla {Cosmo}", False),
        ("Main\n1 Scintilla", True),
    ],
)
def test_without_cosmo_nothing_can_be_played(lines: str, missing: bool) -> None:
    violations = SEIYA.validate(parse_decklist(lines, SEIYA))
    none = [v for v in violations if (v.code, v.zone) == ("kind.none", "cosmo")]
    assert [v.severity for v in none] == ["warning"] * missing


THOOM = FORMATS.get("thoom")


def found_in_thoom(*lines: str) -> tuple[Violation, ...]:
    return THOOM.validate(parse_decklist("\n".join(lines), THOOM))


def told(*lines: str) -> list[tuple[str, str | None]]:
    return [(v.code, v.card) for v in found_in_thoom(*lines) if v.code.startswith("genus.")]


@pytest.mark.parametrize(
    ("thoom", "unknown", "code"),
    [
        (10, 0, None),
        (10, 30, None),
        (9, 0, "kind.too_few"),
        (9, 1, "kind.unchecked"),
        (9, 30, "kind.unchecked"),
        (0, 10, "kind.unchecked"),
        (0, 9, "kind.too_few"),
        (11, 0, "kind.too_many"),
        (11, 5, "kind.too_many"),
    ],
)
def test_exactly_ten_thoom_known_or_possible(thoom: int, unknown: int, code: str | None) -> None:
    lines = [f"{thoom} Sigillo {{Thoom, Luce}}"] * bool(thoom) + [f"{unknown} X"] * bool(unknown)
    numbered = [v for v in found_in_thoom(*lines) if v.code.startswith("kind.")]
    assert [v.code for v in numbered] == ([code] if code else [])
    assert [(v.zone, v.found, v.minimum, v.maximum) for v in numbered] == [
        ("main", thoom, 10, 10)
    ] * len(numbered)


def test_thoom_outside_the_deck_do_not_count() -> None:
    faults = found_in_thoom("SB: 10 Sigillo {Thoom, Luce}")
    assert {"kind.too_few", "zone.unknown"} <= {fault.code for fault in faults}
    assert not told("10 Sigillo {Thoom, Luce}", "SB: 1 Sigillo Rotto {Thoom, Acqua}")


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("Luce", "Light", True),
        ("oscurita'", "Darkness", True),
        ("OSCURITÀ", "darkness", True),
        ("Foresta", "FOREST", True),
        ("Terra", "Earth", True),
        ("Acqua", "water", True),
        ("Fuoco", "Fire", True),
        ("Vento", "VENTO", True),
        ("Vento", "Luce", False),
        ("Vento", "Wind", False),
        ("Luce", "Fuoco", False),
    ],
)
def test_italian_and_english_words_are_one_genus(one: str, other: str, equal: bool) -> None:
    mixed = told(f"5 Sigillo {{Thoom, {one}}}", f"5 Sigillo {{Thoom, {other}}}")
    assert mixed == ([] if equal else [("genus.mixed", None)])
    lone = told(f"10 Sigillo {{Thoom, {one}}}", f"1 Belva {{Mostro, {other}}}")
    assert lone == ([] if equal else [("genus.other", "Belva")])


def test_mixed_genera_name_them_and_the_line() -> None:
    (mixed,) = (
        fault
        for fault in found_in_thoom("4 A {Thoom, Luce}", "3 B {Thoom, Vento}", "3 C {Thoom, Water}")
        if fault.code == "genus.mixed"
    )
    assert (mixed.zone, mixed.card, mixed.line, mixed.severity) == ("main", None, 2, "error")
    assert (mixed.found, mixed.maximum) == (3, 1)
    assert "Light, Vento, Water" in str(mixed.sentence)


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        (["9 S {Thoom, Luce}", "1 T {Thoom}", "1 B {Mostro, Acqua}"], ["unchecked T", "other B"]),
        (["10 S {Thoom}", "1 B {Mostro, Acqua}"], ["unchecked S"]),
        (["9 S {Thoom, Luce}", "1 T {Thoom, Terra}", "1 B {Aiuto, Acqua}"], ["mixed None"]),
        (["1 B {Mostro, Acqua}"], []),
        (["10 S {Thoom, Luce}", "1 B {, Acqua}", "1 C {Mostro}"], []),
        (["10 S {Thoom, Luce}", "1 B {Oggetto, Acqua}"], []),
        (["10 S {Thoom, Luce}", "1 B {Carta Aiuto, Acqua}"], ["other B"]),
        (["5 S {Thoom}", "5 S {Thoom} (ORO)"], ["unchecked S"]),
    ],
)
def test_other_genera_and_none(lines: list[str], faults: list[str]) -> None:
    assert [f"{code[len('genus.') :]} {card}" for code, card in told(*lines)] == faults


def test_there_is_no_limit_of_copies() -> None:
    assert not [v for v in found_in_thoom("999 Belva {Mostro}") if v.code.startswith("copies")]


YUGIOH = FORMATS.get("yugioh-2009")


def found_in_yugioh(text: str, deck_format: DeckFormat = YUGIOH) -> list[Violation]:
    return list(deck_format.validate(parse_decklist(text, deck_format)))


def codes(text: str, zone: str | None) -> list[str]:
    return [violation.code for violation in found_in_yugioh(text) if violation.zone == zone]


@pytest.mark.parametrize(
    ("size", "code"), [(0, None), (1, True), (14, True), (15, None), (16, True), (30, True)]
)
def test_a_side_deck_has_fifteen_cards_or_none(size: int, code: bool | None) -> None:
    text = f"Side\n{size} Orso {{Mostro}}" if size else ""
    assert codes(text, "side") == (["zone.wrong_size"] if code else [])


@pytest.mark.parametrize("size", [0, 1, 15, 16, 999])
def test_a_fusion_deck_may_be_of_any_size(size: int) -> None:
    text = f"Fusion\n{size} Titano {{Mostro Fusione}}" if size else ""
    assert codes(text, "fusion") == []


@pytest.mark.parametrize(("size", "code"), [(39, ["zone.too_few"]), (40, []), (999, [])])
def test_a_main_deck_has_forty_cards_or_more(size: int, code: list[str]) -> None:
    assert codes(f"Main\n{size} Orso {{Mostro}}", "main") == code


@pytest.mark.parametrize(
    ("kind", "zones"),
    [
        ("Mostro", {"main", "side"}),
        ("monsters", {"main", "side"}),
        ("Magie", {"main", "side"}),
        ("Carta Trappola", {"main", "side"}),
        ("Mostro Rituale", {"main", "side"}),
        ("Mostro-Fusione", {"fusion", "side"}),
        ("Carte Mostri Fusione", {"fusion", "side"}),
        ("Fusion Monsters", {"fusion", "side"}),
        ("Segna-Mostri", set()),
        ("Segna Mostro", set()),
        ("Token", set()),
    ],
)
def test_each_kind_has_its_zones(kind: str, zones: set[str]) -> None:
    wrong = {"kind.wrong_zone", "kind.not_a_deck_card"}
    for zone in YUGIOH.zone_keys:
        said = set(codes(f"{zone}\n1 Orso {{{kind}}}", zone)) & wrong
        assert bool(said) is (zone not in zones)
        assert (said == {"kind.not_a_deck_card"}) is (zones == set())


def test_without_sections_fusion_monsters_go_home() -> None:
    deck = parse_decklist(
        "2 Orso {Mostro}\n1 Titano {Mostri Fusione}\nSB: 1 Serpe {Trappola}", YUGIOH
    )
    assert deck.counts() == {"main": 2, "fusion": 1, "side": 1}


def test_an_organiser_can_bring_a_list() -> None:
    rows = [
        {"list": which, "card": card, "expansion": "", "aliases": ""}
        for which, card in (("banned", "Orso"), ("limited", "Serpe"), ("semi_limited", "Falco"))
    ]
    of = replace(YUGIOH, lists=read_card_lists(rows, dated=date(2009, 9, 1)))
    text = "Main\n1 Orso {Mostro}\n2 Serpe {Mostro}\n3 Falco {Mostro}\n4 Lupo {Mostro}"
    said = {(v.card, v.code, v.maximum) for v in found_in_yugioh(text, of) if v.card}
    assert said == {
        ("Orso", "card.banned", 0),
        ("Serpe", "card.limited", 1),
        ("Falco", "card.limited", 2),
        ("Lupo", "copies.too_many", 3),
    }
