"""House formats, and what a plan holds of a game's standings."""

from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.formats import FORMATS, DeckFormat, GameStandings
from rules.deckbuilding.house import (
    HouseChanges,
    base_key,
    changes_from_json,
    changes_to_json,
    house_format,
    house_key,
)
from rules.deckbuilding.text import parse_decklist
from rules.errors import BadInput

EXO = FORMATS.get("creatures-of-exo")
ORIGINAL = FORMATS.get("doomtrooper-original")
FREE = FORMATS.get("doomtrooper-free")


def house(base: DeckFormat, changes: object) -> DeckFormat:
    read = changes_from_json(changes, base)
    return house_format(base, read, key=house_key(base.key, "casa"), name="Casa")


def codes(shape: DeckFormat, text: str) -> set[str]:
    return {v.code for v in shape.validate(parse_decklist(text, shape)) if v.severity == "error"}


def test_a_key_tells_its_base() -> None:
    assert house_key("doomtrooper-open", "club_2026") == "doomtrooper-open_club-2026"
    assert base_key("doomtrooper-open_club-2026") == "doomtrooper-open"


def test_a_short_league_of_twenty_cards() -> None:
    shape = house(
        EXO,
        {
            "zones": {"main": {"minimum": 20, "maximum": 20}, "leader": {"minimum": 0}},
            "limits": {"copies": None},
            "minimums": {"creature": 5},
        },
    )
    assert codes(shape, "Main\n20 Brace {Creatura}") == set()
    assert codes(shape, "Main\n4 Brace {Creatura}\n16 Lupo {Tattica}") == {"kind.too_few"}
    assert codes(shape, "Main\n21 Brace {Creatura}") == {"zone.too_many"}
    words = [str(sentence) for sentence in shape.describe()]
    assert "Main deck: exactly 20." in words
    assert "Leader: 0 to 1." in words
    assert "Copies of each card: no limit." in words
    assert "Main deck, Creature: at least 5." in words
    assert shape.decisions == ()
    assert house(EXO, {"minimums": {"creature": 5}}).decisions == EXO.decisions


def test_unchecked_kinds_are_said_once() -> None:
    shape = house(EXO, {"minimums": {"creature": 5, "tactic": 5}})
    found = shape.validate(parse_decklist("Leader\nAlfa\nMain\n30 Brace", shape))
    assert [v.code for v in found].count("kind.unchecked") == 1


def test_another_category_of_expansions() -> None:
    shape = house(FREE, {"expansions": {"codes": ["WAR", "DT"], "any_other": False}})
    found = {
        (v.code, v.card)
        for v in shape.validate(parse_decklist("A (DT)\nB (HER)\nC (CASA)\nD (WAR)", shape))
    }
    expansions = {pair for pair in found if pair[0].startswith("card.exp")}
    assert expansions == {("card.expansion_not_allowed", "B"), ("card.expansion_unknown", "C")}
    assert "Expansions allowed: DT, WAR" in [str(sentence) for sentence in shape.describe()]


def test_other_expansions_are_allowed_only_where_it_is_said() -> None:
    said = changes_from_json({"expansions": {"codes": ["DT"], "any_other": False}}, FREE)
    for changes in ({"codes": ["DT"]}, {"codes": ["DT"], "any_other": None}):
        assert changes_from_json({"expansions": changes}, FREE) == said


def test_no_warriors_and_any_reserve() -> None:
    reserve = {"minimum": 10, "maximum": 15, "or_none": True}
    shape = house(
        ORIGINAL, {"zones": {"reserve": reserve}, "limits": {"warrior_minimum": 0, "copies": 60}}
    )
    assert codes(shape, "Deck\n60 Brace (DT) {Speciale}") == set()
    (size,) = (
        v
        for v in shape.validate(parse_decklist("Deck\n60 Brace\nReserve\n9 Lupo", shape))
        if v.zone == "reserve"
    )
    assert size.code == "zone.wrong_size"
    assert "Reserve: 9 (minimum 10 or none). Add 1" in str(size.sentence)
    words = " ".join(map(str, shape.describe()))
    assert "Reserve: 10 to 15, or none." in words
    assert "warriors" not in words


@pytest.mark.parametrize(
    ("size", "said", "allowed", "refused"),
    [
        ({"minimum": 0, "maximum": None}, "no limit", (0, 90), ()),
        ({"minimum": 10, "maximum": None}, "at least 10", (10, 90), (0, 9)),
        ({"minimum": 0, "maximum": 5}, "0 to 5", (0, 5), (6,)),
        (
            {"minimum": 10, "maximum": None, "or_none": True},
            "at least 10, or none",
            (0, 10, 90),
            (9,),
        ),
        (
            {"minimum": 12, "maximum": 12, "or_none": True},
            "12 or none",
            (0, 12),
            (9, 13),
        ),
    ],
)
def test_a_zone_of_another_size(
    size: dict[str, int | None], said: str, allowed: tuple[int, ...], refused: tuple[int, ...]
) -> None:
    shape = house(ORIGINAL, {"zones": {"reserve": {"or_none": False} | size}})
    assert f"Reserve: {said}." in [str(sentence) for sentence in shape.describe()]
    for number in (*allowed, *refused):
        reserve = f"Reserve\n{number} Lupo" if number else ""
        found = shape.validate(parse_decklist(f"Deck\n60 Brace\n{reserve}", shape))
        wrong = [v for v in found if v.zone == "reserve" and v.code.startswith("zone.")]
        assert bool(wrong) is (number in refused), number


def test_changes_come_back_as_they_are_stored() -> None:
    changes = {
        "zones": {"reserve": {"minimum": 10, "maximum": None, "or_none": True}},
        "limits": {"copies": 4},
        "minimums": {"artefatto": 1},
        "kinds": [{"name": "Artefatto", "zones": ["deck"]}],
        "expansions": {"codes": ["DT"], "any_other": True},
    }
    assert changes_to_json(changes_from_json(changes, FREE)) == changes
    assert changes_to_json(HouseChanges()) == {}


@pytest.mark.parametrize(
    ("base", "changes", "field"),
    [
        (EXO, [], "$"),
        (EXO, {"colour": 1}, "colour"),
        (EXO, {"zones": []}, "zones"),
        (EXO, {"zones": {"fusion": {}}}, "zones.fusion"),
        (EXO, {"zones": {"main": 3}}, "zones.main"),
        (EXO, {"zones": {"main": {"minimum": -1}}}, "zones.main.minimum"),
        (EXO, {"zones": {"main": {"minimum": True}}}, "zones.main.minimum"),
        (EXO, {"zones": {"main": {"minimum": 1000}}}, "zones.main.minimum"),
        (EXO, {"zones": {"main": {"minimum": 31}}}, "zones.main.maximum"),
        (EXO, {"zones": {"main": {"minimum": 0, "maximum": 0}}}, "zones.main.maximum"),
        (EXO, {"zones": {"side": {"or_none": 1}}}, "zones.side.or_none"),
        (EXO, {"limits": {"lives": 3}}, "limits.lives"),
        (EXO, {"limits": {"copies": 0}}, "limits.copies"),
        (EXO, {"limits": {"copies": "2"}}, "limits.copies"),
        (ORIGINAL, {"limits": {"warrior_minimum": None}}, "limits.warrior_minimum"),
        (EXO, {"minimums": {"token": 1}}, "minimums.token"),
        (EXO, {"minimums": {"creature": 20, "tactic": 11}}, "minimums.tactic"),
        (ORIGINAL, {"minimums": {"warrior": 3}}, "minimums.warrior"),
        (
            ORIGINAL,
            {"zones": {"deck": {"minimum": 1, "maximum": 4}}},
            "limits.warrior_minimum",
        ),
        (EXO, {"kinds": {}}, "kinds"),
        (EXO, {"kinds": [{"name": "Creature", "zones": ["main"]}]}, "kinds[0].name"),
        (EXO, {"kinds": [{"name": "a,b", "zones": ["main"]}]}, "kinds[0].name"),
        (EXO, {"kinds": [{"name": "", "zones": ["main"]}]}, "kinds[0].name"),
        (EXO, {"kinds": [{"name": "Artefatto", "zones": []}]}, "kinds[0].zones"),
        (EXO, {"kinds": [{"name": "Artefatto", "zones": [{}]}]}, "kinds[0].zones"),
        (EXO, {"kinds": [{"name": f"Kind {n}", "zones": ["main"]} for n in range(21)]}, "kinds"),
        (EXO, {"expansions": {"codes": ["DT"]}}, "expansions"),
        (ORIGINAL, {"expansions": {"codes": []}}, "expansions.codes"),
        (ORIGINAL, {"expansions": {"codes": ["DT", {}]}}, "expansions.codes"),
        (ORIGINAL, {"expansions": {"codes": ["ZZZ"]}}, "expansions.codes"),
    ],
)
def test_nonsense_is_refused_by_its_field(base: DeckFormat, changes: object, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        changes_from_json(changes, base)
    assert refused.value.code == "bad_format"
    assert refused.value.sentence.values["field"] == field
    assert str(refused.value.sentence)


NUMBER = st.integers(0, 999)
SIZE = st.fixed_dictionaries(
    {"minimum": NUMBER, "maximum": st.none() | NUMBER, "or_none": st.booleans()}
)
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "zones": st.dictionaries(st.sampled_from(ORIGINAL.zone_keys), SIZE),
        "limits": st.dictionaries(
            st.sampled_from(["copies", "warrior_minimum"]), st.none() | NUMBER
        ),
        "kinds": st.lists(
            st.fixed_dictionaries(
                {
                    "name": st.text(max_size=6),
                    "zones": st.lists(st.sampled_from(ORIGINAL.zone_keys)),
                }
            ),
            max_size=2,
        ),
        "expansions": st.fixed_dictionaries(
            {"codes": st.lists(st.sampled_from(["DT", "HER", "UNF"])), "any_other": st.booleans()}
        ),
    },
)


@given(given_changes=CHANGES)
def test_changes_survive_json(given_changes: dict[str, Any]) -> None:
    try:
        changes = changes_from_json(given_changes, ORIGINAL)
    except BadInput:
        return
    assert changes_from_json(changes_to_json(changes), ORIGINAL) == changes
    shape = house_format(ORIGINAL, changes, key="doomtrooper-original_x", name="x")
    assert all(str(v.sentence) for v in shape.validate(parse_decklist("Brace\nLupo {x}", shape)))
    assert all(map(str, shape.describe()))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["zones", "limits", "kinds", "main", "minimum", "name", "codes", "x"]),
            inner,
            max_size=3,
        )
    ),
)


@given(value=JSON)
def test_no_json_is_too_strange(value: object) -> None:
    with suppress(BadInput):
        assert isinstance(changes_from_json(value, EXO), HouseChanges)


def test_the_usual_is_not_held() -> None:
    assert GameStandings().shares(3, 1) == {}


def test_what_differs_is_held() -> None:
    assert GameStandings().shares(0, 0) == {"draw": "1/3"}
    assert GameStandings().shares(2, 1) == {"draw": "1/3"}
    odd = GameStandings(
        floor=Fraction(1, 4),
        draw_share=Fraction(1, 2),
        bye_games=2,
        byes_left_out=True,
        dropped_cap=Fraction(3, 4),
    )
    games = {"bye_games": "2", "forfeit_games": "2"}
    assert odd.shares(2, 1) == {"floor": "1/4", "byes": "0", "dropped": "3/4"} | games
