"""Each check of rules as data, with lists of a few cards."""

from typing import Any

import pytest

from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.data.files import ready_made
from rules.deckbuilding.data.formats import format_of
from rules.deckbuilding.data.json import rules_from_json
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.text import parse
from rules.names import name_key


def ready(key: str) -> DeckFormat:
    (one,) = (one for one in ready_made() if one.key == key)
    return format_of(one.rules, key=key, game="g", game_name=one.game, name=one.name)


def own(**parts: Any) -> DeckFormat:
    document = {"zones": [{"key": "main"}, {"key": "side"}], **parts}
    return format_of(rules_from_json(document), key="k", game="g", game_name="G", name="N")


def codes(made: DeckFormat, text: str, catalogue: Any = None) -> list[str]:
    return [one.code for one in made.validate(parse(text, made), catalogue)]


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
    deck = parse(EXPORTED, made)
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
    assert parse(EXPORTED, usual).zones["main"][0].name == "Charmander MEW 4"


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
