"""Thoom: ten of one genus, and the genus of the other cards."""

import pytest

from rules.deckbuilding.deck import Violation
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse

THOOM = FORMATS.get("thoom")


def found(*lines: str) -> tuple[Violation, ...]:
    return THOOM.validate(parse("\n".join(lines), THOOM))


def told(*lines: str) -> list[tuple[str, str | None]]:
    return [(v.code, v.card) for v in found(*lines) if v.code.startswith("genus.")]


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
    numbered = [v for v in found(*lines) if v.code.startswith("kind.")]
    assert [v.code for v in numbered] == ([code] if code else [])
    assert [(v.zone, v.found, v.minimum, v.maximum) for v in numbered] == [
        ("main", thoom, 10, 10)
    ] * len(numbered)


def test_thoom_outside_the_deck_do_not_count() -> None:
    faults = found("SB: 10 Sigillo {Thoom, Luce}")
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
        for fault in found("4 A {Thoom, Luce}", "3 B {Thoom, Vento}", "3 C {Thoom, Water}")
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
    assert not [v for v in found("999 Belva {Mostro}") if v.code.startswith("copies")]
