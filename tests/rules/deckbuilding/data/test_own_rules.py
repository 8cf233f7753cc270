"""Rules as data: read, refused with a path, checked with lists of a few cards, told in words."""

from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.data.files import shipped_rules
from rules.deckbuilding.data.formats import format_from_rules
from rules.deckbuilding.data.json import PARTS, SHIPPED, rules_from_json, rules_to_json
from rules.deckbuilding.data.rules import FormatRules, rule_messages
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.text import parse_decklist
from rules.errors import BadInput
from rules.names import name_key

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
    made = format_from_rules(rules, key="k", game="g", game_name="G", name="N")
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


@pytest.mark.parametrize("ready", shipped_rules(), ids=lambda one: one.key)
def test_ready_made_rules_describe_themselves(ready: Any) -> None:
    made = format_from_rules(
        ready.rules, key=ready.key, game="g", game_name=ready.game, name=ready.name
    )
    assert rules_from_json(rules_to_json(ready.rules)) == ready.rules
    assert all(str(sentence) for sentence in made.describe())
    assert ready.source or not ready.game
    assert made.not_checked == ready.rules.not_checked


def ready(key: str) -> DeckFormat:
    (one,) = (one for one in shipped_rules() if one.key == key)
    return format_from_rules(one.rules, key=key, game="g", game_name=one.game, name=one.name)


def own(**parts: Any) -> DeckFormat:
    document = {"zones": [{"key": "main"}, {"key": "side"}], **parts}
    return format_from_rules(rules_from_json(document), key="k", game="g", game_name="G", name="N")


def codes(made: DeckFormat, text: str, catalogue: Any = None) -> list[str]:
    return [one.code for one in made.validate(parse_decklist(text, made), catalogue)]


def test_a_version_makes_another_card_where_versions_count() -> None:
    made = own(copies={"max": 4, "by": "name_and_version"})
    assert codes(made, "4 Elsa [Snow Queen]\n4 Elsa [Spirit of Winter]") == []
    assert codes(made, "5 Elsa [Snow Queen]") == ["copies.too_many"]


@pytest.mark.parametrize(
    "text",
    [
        "3 Zoro (OP01 25)\n2 Zorro (OP01 25)",
        "3 Zoro (OP01 25)\n2 Zoro (OP01-025)",
        "3 Zoro OP01-025\n2xOP01-025",
        "4 Zoro (OP01-025)\n1 Zoro (op01-025_p1)",
        "3 Cloud (1-187S)\n2 Strife (1-187S)",
    ],
)
def test_a_number_is_one_card_however_it_is_written(text: str) -> None:
    assert codes(own(copies={"max": 4, "by": "number"}), text) == ["copies.too_many"]


def test_other_numbers_are_other_cards_and_no_number_counts_by_name() -> None:
    made = own(copies={"max": 4, "by": "number"})
    text = "4 Luffy (OP01-024)\n4 Luffy (ST01-012)\n4 Luffy (P-001)\n4 Luffy"
    assert codes(made, text) == []
    assert codes(made, "5 Luffy") == ["copies.too_many"]


EXPORTED = """Pokémon: 2
4 Charmander MEW 4
2 Pidgey CRZ GG44 PH

##Trainer Cards - 1
1 Boss's Orders (PAL 172)
Total Cards: 7"""


def test_set_and_number_behind_a_name_and_headings_of_no_zone() -> None:
    words = ["Pokémon", "Trainer Cards", "Total Cards"]
    made = own(copies={"max": 3}, notation={"set_behind": True, "headings": words})
    deck = parse_decklist(EXPORTED, made)
    cards = [(one.name, one.expansion, one.number) for one in deck.zones["main"]]
    assert cards == [
        ("Charmander", "MEW", "4"),
        ("Pidgey", "CRZ", "GG44"),
        ("Boss's Orders", "PAL", "172"),
    ]
    assert codes(made, EXPORTED) == ["copies.too_many"]
    assert codes(made, f"{EXPORTED}\n1 Charmander PAF 7")[-1] == "copies.too_many"
    usual = own(copies={"max": 4})
    assert codes(usual, EXPORTED.replace("Pokémon", "Tasche")) == ["line.unclear"]
    assert parse_decklist(EXPORTED, usual).zones["main"][0].name == "Charmander MEW 4"


def test_cards_in_each_zone_count_by_themselves() -> None:
    made = own(copies={"max": 2, "over": "each"})
    assert codes(made, "2 Lupo\n\nSide\n2 Lupo") == []
    assert codes(made, "3 Lupo\n\nSide\n2 Lupo") == ["copies.too_many"]


def test_cards_without_limit_and_with_their_own() -> None:
    made = own(copies={"max": 1, "unlimited": ["Isola"], "own": {"Nazgûl": 9}})
    assert codes(made, "20 Isola\n9 Nazgul\n1 Lupo") == []
    assert codes(made, "10 Nazgul\n2 Lupo") == ["copies.too_many"] * 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 Lupo {Beast}", []),
        ("1 Lupo {Beast}\n1 Orso", ["kind.unchecked"]),
        ("1 Lupo {Beast}", ["kind.too_few"]),
        ("4 Lupo {Beast}", ["kind.too_many"]),
        ("2 Lupo {Beast}\n\nSide\n1 Orso {Beast}", ["kind.wrong_zone"]),
    ],
)
def test_so_many_cards_of_a_kind(text: str, expected: list[str]) -> None:
    kind = {"key": "beast", "name": "Beast", "zones": ["main"], "min": 2, "max": 3}
    assert codes(own(kinds=[kind]), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 Lupo\n\nSide\n2 Orso", []),
        ("3 Lupo", ["zone.too_few"]),
        ("3 Lupo\n\nSide\n3 Orso", ["zone.too_many"]),
    ],
)
def test_zones_together(text: str, expected: list[str]) -> None:
    sums = [{"zones": ["main", "side"], "min": 5, "max": 5}]
    assert codes(own(sums=sums), text) == expected


def test_lists_and_pairs_of_the_rules() -> None:
    made = own(
        card_lists={"banned": ["Lupo"], "limited": ["Orso"], "semi_limited": ["Volpe"]},
        excluded_together=[["Gatto", "Topo"]],
    )
    assert codes(made, "1 Orso\n2 Volpe\n9 Gatto") == []
    text = "1 Lupo\n2 Orso\n3 Volpe\n1 Gatto\n1 Topo"
    expected = ["card.banned", "card.limited", "card.limited", "cards.excluded_together"]
    assert sorted(codes(made, text)) == expected


class Known(dict[str, CardFacts]):
    """A catalogue of a few cards."""

    def nearest(self, key: str, limit: int) -> tuple[str, ...]:
        return ()


def test_what_the_catalogue_says_is_legal() -> None:
    known = Known(
        lupo=CardFacts(name="Lupo", keys=("lupo",), legal_in={"pauper": 2}),
        orso=CardFacts(name="Orso", keys=("orso",), legal_in={}),
        volpe=CardFacts(name="Volpe", keys=("volpe",)),
    )
    made = own(legal_in="Pauper", copies={"max": 4})
    assert codes(made, "1 Lupo\n1 Orso", known) == ["card.banned"]
    assert codes(made, "1 Lupo\n1 Volpe", known) == ["legality.unchecked"]
    assert codes(made, "1 Orso") == ["legality.unchecked"]
    assert codes(made, "3 Lupo", known) == ["copies.too_many"]
    assert codes(own(copies={"max": 4}), "3 Lupo", known) == []


def test_every_rule_is_told_in_words() -> None:
    words = " ".join(map(str, ready("magic-commander").describe()))
    assert "Commander: 1 to 2." in words
    assert "Main deck, Commander together: exactly 100." in words
    assert "no limit." in words
    assert "“Nazgûl”: at most 9." in words


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"min": 2}, "Main, Beast: at least 2."),
        ({"min": 2, "max": 2}, "Main, Beast: exactly 2."),
        ({"max": 2}, "Main, Beast: 0 to 2."),
        ({"min": 1, "max": 2}, "Main, Beast: 1 to 2."),
    ],
)
def test_limits_of_a_kind_in_words(limits: dict[str, int], words: str) -> None:
    kind = {"key": "beast", "name": "Beast", "zones": ["main"], **limits}
    zones = [{"key": "main", "name": "Main"}]
    assert words in map(str, own(zones=zones, kinds=[kind]).describe())


@pytest.mark.parametrize(
    ("limits", "words"),
    [({"min": 5}, "at least 5."), ({"min": 5, "max": 9}, "5 to 9.")],
)
def test_sums_in_words(limits: dict[str, int], words: str) -> None:
    sums = [{"zones": ["main", "side"], **limits}]
    told = [str(one) for one in own(sums=sums).describe()]
    assert any(one.endswith(f"together: {words}") for one in told)


def test_a_catalogue_s_own_limit_of_a_card_goes_first() -> None:
    made = own(copies={"max": 4, "own": {"Lupo": 3}})
    one = CardFacts(name="Lupo", max_copies=1)
    assert codes(made, "2 Lupo", Known({name_key("Lupo"): one})) == ["copies.too_many"]


def test_copies_over_what_a_list_allows_are_said_once() -> None:
    made = own(copies={"max": 4}, card_lists={"limited": ["Orso"]})
    assert codes(made, "5 Orso") == ["card.limited"]


def words(**parts: object) -> list[str]:
    """Return what is said behind the rules for lists."""
    rules = rules_from_json({"zones": [{"key": "deck"}], **parts})
    shape = format_from_rules(rules, key="k", game="g", game_name="G", name="N")
    said = [str(one) for one in rule_messages(shape)]
    lists = [str(one) for one in shape.describe()]
    assert said[: len(lists)] == lists
    return said[len(lists) :]


@pytest.mark.parametrize(
    ("match", "said"),
    [
        ({"best_of": 3, "final_best_of": 5}, "Best of (final): 5"),
        ({"best_of": 1, "final_best_of": 3}, "Best of (final): 3"),
        ({"best_of": 3, "final_best_of": 3}, "Best of: 3"),
        ({"best_of": 1, "score": "points", "target": 40}, "Points needed to win: 40"),
        ({"best_of": 1, "score": "points"}, "Result format: Points, such as 40–22"),
        ({"best_of": 1, "minutes": 50}, "Minutes per round: 50"),
        ({"best_of": 1, "draws": True}, "Matches can be drawn"),
        ({"best_of": 1, "draws": False}, "No drawn matches"),
    ],
)
def test_how_matches_are_played(match: Mapping[str, object], said: str) -> None:
    assert said in words(match=match)


def test_a_single_game_without_points_says_nothing_of_its_length() -> None:
    said = words(match={"best_of": 1, "final_best_of": 1, "score": "none", "minutes": None})
    assert not [one for one in said if "Best of" in one or "Minutes" in one or "to win" in one]


CAP, BYE = (
    "dropped players: 3/4",
    "Game wins awarded for a bye: 2",
)
LEFT_OUT, SHARES = "don’t count towards win percentages", "Opponents’ minimum percentage: 1/3"


@pytest.mark.parametrize(
    ("criteria", "said"),
    [
        (["points", "opponents_match_win", "lots"], {CAP, LEFT_OUT, SHARES}),
        (["points", "game_win", "lots"], {BYE, SHARES}),
        (["points", "lots"], set()),
    ],
)
def test_what_is_said_of_shares_goes_with_the_criteria(criteria: list[str], said: set[str]) -> None:
    standings = {
        "points": {"win": 3, "draw": "1/2", "loss": 0},
        "criteria": criteria,
        "floor": "1/3",
        "bye_games": 2,
        "byes_left_out": True,
        "dropped_cap": "3/4",
    }
    found = words(standings=standings)
    assert "Points: win 3, draw ½, loss 0." in found
    every = {CAP, BYE, LEFT_OUT, SHARES}
    assert {one for one in every if any(one in each for each in found)} == said


def test_without_standings_none_are_told() -> None:
    rules = rules_from_json({"zones": [{"key": "deck"}]})
    shape = format_from_rules(rules, key="k", game="g", game_name="G", name="N")
    said = [str(one) for one in rule_messages(replace(shape, standings=None))]
    assert said
    assert not [one for one in said if "Points: win" in one]
