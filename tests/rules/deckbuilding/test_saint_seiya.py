"""Saint Seiya: copies by version, Cosmo, and the advice on Places and Characters."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.card_lists.lists import read_lists
from rules.deckbuilding.catalogue import CardFacts, Catalogue
from rules.deckbuilding.dated_lists import with_lists
from rules.deckbuilding.deck import Deck, Entry, Violation
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse

SEIYA = FORMATS.get("saint-seiya")
COUNT = st.integers(0, 5)


def found(text: str, catalogue: Catalogue | None = None) -> dict[str, Violation]:
    violations = SEIYA.validate(parse(text, SEIYA, catalogue), catalogue)
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
    twice = tuple(Entry(name="Scudo Astrale", count=2, version="A") for _at in range(2))
    deck = Deck(zones={"main": twice})
    (violation,) = (v for v in SEIYA.validate(deck) if v.code == "copies.too_many")
    assert (violation.found, violation.maximum, violation.line) == (4, 3, None)


def test_too_many_copies_name_their_line_and_what_to_do() -> None:
    violation = found("Main\n2 Scudo Astrale [A]\n2 Scudo Astrale [A] (ORO)")["copies.too_many"]
    assert (violation.zone, violation.card, violation.line) == (None, "Scudo Astrale", 3)
    assert str(violation.sentence).startswith("“Scudo Astrale [A]”, copies of one version: 4;")


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
    violations = SEIYA.validate(parse(text, SEIYA), catalogue)
    limits = [(v.card, v.maximum) for v in violations if v.code == "copies.too_many"]
    assert limits == [("Onda", 1), ("Scudo Astrale", 3)]


def test_a_listed_card_is_reported_once() -> None:
    rows = [{"list": "limited", "card": name} for name in ("Onda", "Scudo Astrale")]
    shape = with_lists(SEIYA, read_lists(rows, dated=date(2026, 1, 1)))
    text = "Main\n4 Onda\n2 Scudo Astrale [A]\n4 Scudo Astrale [B]\n4 Fiamma"
    told = [(v.card, v.code) for v in shape.validate(parse(text, shape)) if v.card]
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
    assert "Place cards: 9, Characters: 20; advised of each: 10 to 13." in str(said.sentence)


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
    violations = SEIYA.validate(parse(lines, SEIYA))
    none = [v for v in violations if (v.code, v.zone) == ("kind.none", "cosmo")]
    assert [v.severity for v in none] == ["warning"] * missing
