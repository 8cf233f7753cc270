"""Lists of ready-made games, legal and illegal by their published rules, and each check."""

from typing import Any

import pytest

from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.own.formats import own_format
from rules.deckbuilding.own.json import rules_from_json
from rules.deckbuilding.own.ready_made import ready_made
from rules.deckbuilding.render import render
from rules.deckbuilding.text import parse
from rules.names import name_key


def ready(key: str) -> DeckFormat:
    (one,) = (one for one in ready_made() if one.key == key)
    return own_format(one.rules, key=key, game="g", game_name=one.game, name=one.name)


def own(**parts: Any) -> DeckFormat:
    document = {"zones": [{"key": "main"}, {"key": "side"}], **parts}
    return own_format(rules_from_json(document), key="k", game="g", game_name="G", name="N")


def codes(made: DeckFormat, text: str, catalogue: Any = None) -> list[str]:
    return [one.code for one in made.validate(parse(text, made), catalogue)]


def cards(number: int, copies: int = 4, prefix: str = "Card") -> str:
    """Return lines of ``number`` cards, so many copies of each."""
    full, rest = divmod(number, copies)
    lines = [f"{copies} {prefix} {chr(65 + at // 26)}{chr(65 + at % 26)}" for at in range(full)]
    return "\n".join(lines + ([f"{rest} {prefix} Rest"] if rest else []))


LEGAL = {
    "magic-constructed": f"{cards(36)}\n24 Island\n\nSideboard\n{cards(15, 3, 'Spare')}",
    "magic-commander": f"Commander\n1 Atraxa\n\nMain deck\n{cards(66, 1)}\n33 Forest",
    "magic-limited": f"{cards(23, 5)}\n17 Swamp",
    "pokemon-standard": f"{cards(45)}\n15 Basic Fire Energy",
    "yugioh-advanced": f"{cards(40, 3)}\n\nExtra deck\n{cards(15, 3, 'Big')}\n\nSide deck\n"
    f"{cards(15, 3, 'Spare')}",
    "lorcana": cards(60),
    "star-wars-unlimited": f"Leader\n1 Luke\n\nBase\n1 Echo Base\n\nMain deck\n{cards(50, 3)}",
    "one-piece": f"Leader\n1 Luffy\n\nMain deck\n{cards(46)}\n2 Zoro (OP01 25)\n"
    "2 Zorro (OP01 25)\n\nDON!! deck\n10 DON!!",
    "chess": "",
}
ILLEGAL = [
    ("magic-constructed", f"{cards(35)}\n24 Island", ["zone.too_few"]),
    ("magic-constructed", f"5 Lupo\n{cards(32)}\n24 Island", ["copies.too_many"]),
    ("magic-constructed", f"{cards(60)}\n\nSideboard\n{cards(16, 4, 'Spare')}", ["zone.too_many"]),
    (
        "magic-constructed",
        f"3 Lupo\n{cards(57)}\n\nSideboard\n2 Lupo",
        ["copies.too_many"],
    ),
    (
        "magic-commander",
        f"Commander\n1 Atraxa\n\nMain deck\n2 Lupo\n{cards(64, 1)}\n33 Forest",
        ["copies.too_many"],
    ),
    (
        "magic-commander",
        f"Commander\n2 Atraxa\n\nMain deck\n{cards(66, 1)}\n33 Forest",
        ["zone.too_many", "copies.too_many"],
    ),
    ("pokemon-standard", f"{cards(46)}\n15 Basic Fire Energy", ["zone.too_many"]),
    ("pokemon-standard", f"5 Lupo\n{cards(40)}\n15 Fire Energy", ["copies.too_many"]),
    ("yugioh-advanced", f"4 Lupo\n{cards(39, 3)}", ["copies.too_many"]),
    ("yugioh-advanced", cards(61, 3), ["zone.too_many"]),
    ("magic-limited", cards(39, 5), ["zone.too_few"]),
    ("lorcana", cards(59), ["zone.too_few"]),
    ("lorcana", f"5 Elsa [Snow Queen]\n{cards(55)}", ["copies.too_many"]),
    (
        "star-wars-unlimited",
        f"Leader\n1 Luke\n\nBase\n1 Hoth\n\nMain deck\n4 Wing\n{cards(46, 3)}",
        ["copies.too_many"],
    ),
    ("one-piece", f"Leader\n1 Luffy\n\nMain deck\n{cards(51)}", ["zone.too_many"]),
    ("one-piece", f"Main deck\n5 Zoro (OP01 25)\n{cards(45)}", ["zone.too_few", "copies.too_many"]),
    ("star-wars-unlimited", f"Leader\n1 Luke\n\nMain deck\n{cards(50, 3)}", ["zone.too_few"]),
]


def test_every_game_whose_lists_are_counted_has_legal_and_illegal_ones_and_a_source() -> None:
    counted = {one.key for one in ready_made() if one.lists == "counted"}
    assert counted == {*LEGAL} - {"chess"} == {key for key, _text, _codes in ILLEGAL}
    assert all(one.source for one in ready_made() if one.game)


@pytest.mark.parametrize("key", LEGAL)
def test_a_legal_list_of_each_ready_made_game(key: str) -> None:
    assert codes(ready(key), LEGAL[key]) == []


@pytest.mark.parametrize(("key", "text", "expected"), ILLEGAL)
def test_illegal_lists(key: str, text: str, expected: list[str]) -> None:
    assert sorted(codes(ready(key), text)) == sorted(expected)


def test_a_version_makes_another_card_where_versions_count() -> None:
    made = ready("lorcana")
    two = f"4 Elsa [Snow Queen]\n4 Elsa [Spirit of Winter]\n{cards(52)}"
    assert codes(made, two) == []
    assert codes(made, f"5 Elsa [Snow Queen]\n{cards(55)}") == ["copies.too_many"]


def test_a_number_is_one_card_whatever_its_name() -> None:
    made = ready("one-piece")
    text = f"Leader\n1 Luffy\n\nMain deck\n{cards(45)}\n3 Zoro (OP01 25)\n2 Zorro (OP01 25)"
    assert codes(made, text) == ["copies.too_many"]


def test_a_list_is_written_with_the_names_of_its_zones() -> None:
    made = ready("magic-commander")
    deck = parse(LEGAL["magic-commander"], made)
    assert parse(render(deck, made), made).zones == deck.zones
    assert [deck.size(zone) for zone in made.zone_keys] == [1, 99]


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
    assert "Commander: 1 to 2 cards." in words
    assert "Main deck, Commander together: exactly 100 cards." in words
    assert "Any number of: Plains" in words
    assert "“Nazgûl”: at most 9 copies." in words


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"min": 2}, "Beast in Main: at least 2."),
        ({"min": 2, "max": 2}, "Beast in Main: exactly 2."),
        ({"max": 2}, "Beast in Main: at most 2."),
        ({"min": 1, "max": 2}, "Beast in Main: 1 to 2."),
    ],
)
def test_limits_of_a_kind_in_words(limits: dict[str, int], words: str) -> None:
    kind = {"key": "beast", "name": "Beast", "zones": ["main"], **limits}
    zones = [{"key": "main", "name": "Main"}]
    assert words in map(str, own(zones=zones, kinds=[kind]).describe())


@pytest.mark.parametrize(
    ("limits", "words"),
    [({"min": 5}, "at least 5 cards."), ({"min": 5, "max": 9}, "5 to 9 cards.")],
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
