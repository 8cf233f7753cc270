"""Decks as JSON."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.catalogue import LARGEST_WHOLE
from rules.deckbuilding.deck import DeckEntry
from rules.deckbuilding.deck_json import deck_from_json, deck_to_json
from rules.deckbuilding.formats import FORMATS
from rules.errors import BadInput

EXO = FORMATS.get("creatures-of-exo")


def test_zones_go_in_and_out() -> None:
    zones = {
        "leader": [{"name": "Re", "count": 1, "kind": "Leader"}],
        "main": [{"name": "Brace", "count": 2, "kind": "Tattica", "expansion": "SET"}],
        "evolution": [],
        "side": [{"name": "Lupo", "count": 1, "version": "A", "genus": "Luce", "language": "it"}],
    }
    deck = deck_from_json(zones, EXO, "it")
    assert deck.language == "it"
    assert deck_to_json(deck) == zones


def test_tags_behind_a_name_are_parsed() -> None:
    deck = deck_from_json({"main": [{"name": " Brace  (DT 12) {Tattica}", "kind": None}]}, EXO)
    assert deck.zones["main"] == (
        DeckEntry(name="Brace", expansion="DT", number="12", kind="Tattica"),
    )


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "Brace", "count": 0},
        {"name": "Brace", "count": 1000},
        {"name": "Brace", "count": "2"},
        {"name": "Brace", "count": 1.5},
        {"name": "Brace", "count": True},
        {"name": "Brace", "count": None},
        {"name": ""},
        {"name": "12"},
        {"name": None},
        {"name": "Brace:"},
        {"name": "Brace", "expansion": "40"},
        {"name": "Brace", "number": "A25-141-of-too-many-signs"},
        {},
    ],
)
def test_a_bad_count_or_name_is_named(entry: dict[str, object]) -> None:
    deck = deck_from_json({"main": [{"name": "Lupo"}, entry]}, EXO)
    assert deck.zones["main"] == (DeckEntry(name="Lupo"),)
    (problem,) = deck.problems
    assert (problem.code, problem.zone, problem.line) == ("line.unreadable", "main", None)
    assert "entry 2" in str(problem.sentence)


def test_a_key_that_is_no_zone_is_named_and_its_cards_kept() -> None:
    deck = deck_from_json({"Mazzo": [{"name": "Brace", "count": 3}]}, EXO)
    assert deck.counts()["Mazzo"] == 3
    assert [(problem.code, problem.zone) for problem in deck.problems] == [
        ("zone.unknown", "Mazzo")
    ]
    violations = EXO.validate(deck)
    assert "copies.too_many" in {violation.code for violation in violations}


@pytest.mark.parametrize(
    ("zones", "language", "field"),
    [
        ([], None, "zones"),
        ("x", None, "zones"),
        ({"main": {}}, None, "zones.main"),
        ({"main": [1]}, None, "zones.main[0]"),
        ({"main": [{"name": "A", "kind": 4}]}, None, "zones.main[0].kind"),
        ({"main": [{"name": "A", "number": -4}]}, None, "zones.main[0].number"),
        ({"main": [{"name": "A", "number": 4.0}]}, None, "zones.main[0].number"),
        ({"main": [{"name": "A", "number": True}]}, None, "zones.main[0].number"),
        ({"main": [{"name": "A", "number": [4]}]}, None, "zones.main[0].number"),
        ({"main": []}, 3, "language"),
    ],
)
def test_a_wrong_type_names_its_field(zones: object, language: object, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        deck_from_json(zones, EXO, language)
    assert refused.value.code == "wrong_type"
    assert refused.value.sentence.values["field"] == field


@pytest.mark.parametrize("number", [0, 7, 331, LARGEST_WHOLE])
def test_a_whole_number_of_a_card_is_its_text(number: int) -> None:
    (entry,) = deck_from_json({"main": [{"name": "Brace", "number": number}]}, EXO).zones["main"]
    assert (entry.number, type(entry.number)) == (str(number), str)


def test_a_whole_number_of_too_many_digits_is_refused() -> None:
    with pytest.raises(BadInput) as refused:
        deck_from_json({"main": [{"name": "Brace", "number": LARGEST_WHOLE + 1}]}, EXO)
    assert refused.value.code == "wrong_type"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_rubbish_is_refused_or_read(zones: object) -> None:
    with suppress(BadInput):
        assert EXO.validate(deck_from_json(zones, EXO))
