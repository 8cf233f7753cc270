"""Rules as data: what is read and written again, and what is refused with its path."""

from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.data.files import ready_made
from rules.deckbuilding.data.formats import format_of
from rules.deckbuilding.data.json import PARTS, SHIPPED, rules_from_json, rules_to_json
from rules.deckbuilding.data.rules import FormatRules
from rules.errors import BadInput

EXAMPLE: dict[str, Any] = {
    "zones": [
        {"key": "main", "name": "Main deck", "min": 60, "max": None, "or_none": False},
        {"key": "side", "name": "Sideboard", "min": 0, "max": 15, "or_none": False},
    ],
    "copies": {
        "max": 4, "by": "name", "over": "all", "unlimited": ["Plains"], "own": {"Nazgûl": 9},
    },
    "kinds": [
        {"key": "creature", "name": "Creature", "zones": ["main", "side"], "min": 0, "max": None}
    ],
    "sums": [{"zones": ["main", "side"], "min": 60, "max": 100}],
    "excluded_together": [["A", "B"]],
    "card_lists": {"banned": ["Ban"], "limited": [], "semi_limited": []},
    "legal_in": None,
    "not_checked": ["colours"],
    "match": {
        "best_of": 3, "final_best_of": 3, "score": "games", "target": None, "draws": True,
        "minutes": 50,
    },
    "standings": {
        "points": {"win": 3, "draw": "1/2", "loss": 0},
        "criteria": ["points", "opponents_match_win", "lots"],
        "floor": "1/3",
        "draw_share": "1/3",
        "bye_games": 2,
        "byes_left_out": True,
        "dropped_cap": "3/4",
    },
    "look": {"palette": "indigo", "emblem": "crown"},
    "notation": {
        "set_behind": True, "headings": ["Trainer"], "faces": True,
        "same_cards": [["Boss", "Boss (*)", "Capo"]],
    },
}  # fmt: skip


def test_rules_are_written_as_they_were_read() -> None:
    assert rules_to_json(rules_from_json(EXAMPLE)) == EXAMPLE


def test_only_zones_are_needed() -> None:
    rules = rules_from_json({"zones": [{"key": "deck"}]})
    assert rules_from_json(rules_to_json(rules)) == rules
    assert rules.zones[0].words == ("deck",)


def changed(path: str, value: object) -> dict[str, Any]:
    document = deepcopy(EXAMPLE)
    *way, last = path.split(".")
    place: Any = document
    for step in way:
        place = place[int(step)] if step.isdecimal() else place[step]
    if isinstance(place, list):
        place[int(last)] = value
    else:
        place[last] = value
    return document


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (("zones", []), "zones"),
        (("zones", None), "zones"),
        (("colour", 1), "colour"),
        (("zones.0.colour", 1), "zones[0].colour"),
        (("zones.0.max", 59), "zones[0].max"),
        (("zones.1.max", 0), "zones[1].max"),
        (("zones.1.key", "main"), "zones[1].key"),
        (("zones.1.key", "no key"), "zones[1].key"),
        (("zones.1.name", "main deck"), "zones[1].name"),
        (("zones.0.min", -1), "zones[0].min"),
        (("zones.0.or_none", "no"), "zones[0].or_none"),
        (("copies.max", 0), "copies.max"),
        (("look.palette", "pink"), "look.palette"),
        (("look.emblem", 7), "look.emblem"),
        (("look.ink", "red"), "look.ink"),
        (("notation.set_behind", "yes"), "notation.set_behind"),
        (("notation.headings", [""]), "notation.headings[0]"),
        (("notation.faces", 1), "notation.faces"),
        (("notation.same_cards", [["Boss"]]), "notation.same_cards[0]"),
        (("notation.same_cards", [["Boss (*)", "Boss"]]), "notation.same_cards[0]"),
        (("copies.by", "colour"), "copies.by"),
        (("copies.over", "none"), "copies.over"),
        (("copies", "four"), "copies"),
        (("copies.own", ["Nazgûl"]), "copies.own"),
        (("copies.own", {"Nazgûl": 0}), "copies.own.Nazgûl"),
        (("copies.unlimited", "Plains"), "copies.unlimited"),
        (("kinds.0.zones", []), "kinds[0].zones"),
        (("kinds.0.zones", ["deck"]), "kinds[0].zones[0]"),
        (("kinds.0.max", -1), "kinds[0].max"),
        (("kinds", [EXAMPLE["kinds"][0]] * 2), "kinds[1].name"),
        (("zones", [{"key": f"zone{at}"} for at in range(99)]), "zones"),
        (("sums.0.zones", ["main"]), "sums[0].zones"),
        (("sums.0.zones", ["main", "main"]), "sums[0].zones"),
        (("sums.0", {"zones": ["main", "side"], "max": 59}), "sums[0].max"),
        (("excluded_together.0", ["A"]), "excluded_together[0]"),
        (("excluded_together.0", ["A", "a"]), "excluded_together[0]"),
        (("card_lists.limited", ["ban"]), "card_lists.limited[0]"),
        (("card_lists.forbidden", []), "card_lists.forbidden"),
        (("legal_in", ""), "legal_in"),
        (("not_checked", [""]), "not_checked[0]"),
        (("match.best_of", 2), "match.best_of"),
        (("match", {"best_of": 3, "score": "none"}), "match.best_of"),
        (("match.score", "goals"), "match.score"),
        (("match.target", 40), "match.target"),
        (("match.minutes", 0), "match.minutes"),
        (("standings.points.win", "1/3"), "standings.points.win"),
        (("standings.points.win", "1/0"), "standings.points.win"),
        (("standings.points.draw", 4), "standings.points"),
        (("standings.criteria", ["luck"]), "standings.criteria[0]"),
        (("standings.criteria", ["points", "points"]), "standings.criteria"),
        (("standings.floor", 2), "standings.floor"),
        (("standings.draw_share", 0.5), "standings.draw_share"),
        (("standings.bye_games", 10), "standings.bye_games"),
        (("standings.byes_left_out", 1), "standings.byes_left_out"),
        (("standings.dropped_cap", "5/4"), "standings.dropped_cap"),
        (("standings.dropped_cap", 0.75), "standings.dropped_cap"),
        (("standings.points.win", "1/8"), "standings.points.win"),
    ],
)
def test_what_is_wrong_is_refused(change: tuple[str, object], path: str) -> None:
    with pytest.raises(BadInput) as refused:
        rules_from_json(changed(*change))
    assert refused.value.code == "invalid_rules"
    assert refused.value.sentence.values["path"] == path


@pytest.mark.parametrize("key", SHIPPED)
def test_what_shipped_rules_alone_say_is_refused(key: str) -> None:
    with pytest.raises(BadInput) as refused:
        rules_from_json(EXAMPLE | {key: []})
    assert refused.value.sentence.values["path"] == key


def shipped(**parts: object) -> FormatRules:
    zones = [{"key": "main", "min": 3}]
    kinds = [{"name": "Stone", "words": ["Stone", "Stones"]}]
    return rules_from_json({"zones": zones, "kinds": kinds, **parts}, shipped=True)


@pytest.mark.parametrize(
    ("check", "path"),
    [
        ({"check": "luck"}, "checks[0].check"),
        ({}, "checks[0].check"),
        ({"check": "copies", "most": 3}, "checks[0].most"),
        ({"check": "none_missing", "kind": "leader"}, "checks[0].kind"),
        ({"check": "kinds_in_zones", "ordinary": ["side"]}, "checks[0].ordinary[0]"),
    ],
)
def test_a_check_that_is_not_there_is_refused(check: object, path: str) -> None:
    with pytest.raises(BadInput) as refused:
        shipped(checks=[check])
    assert refused.value.sentence.values["path"] == path


def test_named_checks_take_the_place_of_those_of_a_game_of_ones_own() -> None:
    rules = shipped(checks=[{"check": "copies", "at_most": 2}])
    made = format_of(rules, key="k", game="g", game_name="G", name="N")
    assert [check.limits for check in made.checks] == [{"copies": 2}]
    assert rules.kinds[0].kind.words == ("Stone", "Stones")


def test_sums_that_no_zones_have_room_for_are_refused() -> None:
    zones = [{"key": "a", "max": 10}, {"key": "b", "max": 10}]
    with pytest.raises(BadInput) as refused:
        rules_from_json({"zones": zones, "sums": [{"zones": ["a", "b"], "min": 21}]})
    assert refused.value.sentence.values["path"] == "sums[0].min"


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["key", "name", "zones", "min", "max"]), inner)
    ),
    max_leaves=8,
)


@given(st.one_of(ANY_JSON, st.dictionaries(st.sampled_from(PARTS), ANY_JSON)))
def test_whatever_comes_is_read_or_refused(value: object) -> None:
    with suppress(BadInput):
        rules = rules_from_json(value)
        assert rules_from_json(rules_to_json(rules)) == rules


@pytest.mark.parametrize("ready", ready_made(), ids=lambda one: one.key)
def test_ready_made_rules_describe_themselves(ready: Any) -> None:
    made = format_of(ready.rules, key=ready.key, game="g", game_name=ready.game, name=ready.name)
    assert rules_from_json(rules_to_json(ready.rules)) == ready.rules
    assert all(str(sentence) for sentence in made.describe())
    assert ready.source or not ready.game
    assert made.not_checked == ready.rules.not_checked
