"""Yu-Gi-Oh!: sizes, fusion monsters, tokens, and the lists that an organiser brings."""

from dataclasses import replace
from datetime import date

import pytest

from rules.deckbuilding.card_lists.lists import read_lists
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.text import parse

YUGIOH = FORMATS.get("yugioh-2009")


def found(text: str, deck_format: DeckFormat = YUGIOH) -> list[Violation]:
    return list(deck_format.validate(parse(text, deck_format)))


def codes(text: str, zone: str | None) -> list[str]:
    return [violation.code for violation in found(text) if violation.zone == zone]


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
    deck = parse("2 Orso {Mostro}\n1 Titano {Mostri Fusione}\nSB: 1 Serpe {Trappola}", YUGIOH)
    assert deck.counts() == {"main": 2, "fusion": 1, "side": 1}


def test_an_organiser_can_bring_a_list() -> None:
    rows = [
        {"list": which, "card": card, "expansion": "", "aliases": ""}
        for which, card in (("banned", "Orso"), ("limited", "Serpe"), ("semi_limited", "Falco"))
    ]
    of = replace(YUGIOH, lists=read_lists(rows, dated=date(2009, 9, 1)))
    text = "Main\n1 Orso {Mostro}\n2 Serpe {Mostro}\n3 Falco {Mostro}\n4 Lupo {Mostro}"
    said = {(v.card, v.code, v.maximum) for v in found(text, of) if v.card}
    assert said == {
        ("Orso", "card.banned", 0),
        ("Serpe", "card.limited", 1),
        ("Falco", "card.limited", 2),
        ("Lupo", "copies.too_many", 3),
    }
