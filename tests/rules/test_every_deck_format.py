"""What each deck format must promise, whoever registered it."""

from dataclasses import replace
from pathlib import Path

import pytest

from rules.deckbuilding.deck import INFORMATION, WARNINGS
from rules.deckbuilding.formats import FORMATS, MOST, DeckFormat
from rules.deckbuilding.house import (
    SEPARATOR,
    HouseChanges,
    allowed_expansions,
    base_key,
    changeable_limits,
    changes_from_json,
    changes_to_json,
    countable_kinds,
    counted_zone,
    house_format,
    house_key,
)
from rules.deckbuilding.known_headings import SECTION_WORDS
from rules.deckbuilding.render import render_deck, sort_deck
from rules.deckbuilding.text import parse_decklist

GOLDEN = Path(__file__).parents[1] / "golden" / "decks"
READING_CODES = {"line.unreadable", "zone.unknown"}
FILES = sorted(GOLDEN.glob("*/*.txt"))
FORMAT_LIST = list(FORMATS)


def named(deck_format: DeckFormat) -> str:
    return deck_format.key


def stems(deck_format: DeckFormat) -> list[str]:
    return [path.stem for path in FILES if path.parent.name == deck_format.key]


def possible_codes(deck_format: DeckFormat) -> frozenset[str]:
    """Return the codes that a list can have as the format is shipped."""
    never = set() if deck_format.lists.cards else {"card.banned", "card.limited"}
    if all(kind.zones != () for kind in deck_format.kinds):
        never.add("kind.not_a_deck_card")
    if deck_format.limits().get("copies") is None:
        never.add("copies.too_many")
    return deck_format.codes() - never


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_sample_is_what_its_name_says(path: Path) -> None:
    deck_format = FORMATS.get(path.parent.name)
    verdict, code = path.stem.split("-")[:2]
    violations = deck_format.validate(parse_decklist(path.read_text(encoding="utf-8"), deck_format))
    codes = {violation.code for violation in violations}
    legal = not any(violation.severity == "error" for violation in violations)
    if verdict == "legal":
        assert codes == set()
    else:
        assert codes == {code} | (codes & {"zone.unknown"})
        assert legal is (verdict == "notes")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_sample_reads_back_as_the_same_deck(path: Path) -> None:
    deck_format = FORMATS.get(path.parent.name)
    deck = parse_decklist(path.read_text(encoding="utf-8"), deck_format)
    again = parse_decklist(render_deck(deck, deck_format), deck_format)
    assert (again.zones, again.language) == (deck.zones, deck.language)
    assert render_deck(again, deck_format) == render_deck(deck, deck_format)
    assert (
        parse_decklist(render_deck(sort_deck(deck), deck_format), deck_format).zones
        == sort_deck(deck).zones
    )


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=named)
def test_a_format_has_a_legal_sample(deck_format: DeckFormat) -> None:
    assert any(stem.startswith("legal-") for stem in stems(deck_format))


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=named)
def test_each_code_of_a_format_has_a_sample(deck_format: DeckFormat) -> None:
    shown = {stem.split("-")[1] for stem in stems(deck_format) if not stem.startswith("legal-")}
    assert shown >= possible_codes(deck_format) | READING_CODES


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=named)
def test_a_format_says_its_rules_and_how_it_is_played(deck_format: DeckFormat) -> None:
    assert len(deck_format.describe()) >= len(deck_format.zones)
    assert all(str(sentence) for sentence in deck_format.describe())
    assert all(str(sentence) for sentence in (*deck_format.decisions, *deck_format.deck_check))
    assert str(deck_format.match.first)
    assert deck_format.main in deck_format.zone_keys
    assert deck_format.side is None or deck_format.side in deck_format.zone_keys


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=named)
def test_an_empty_list_is_illegal(deck_format: DeckFormat) -> None:
    violations = deck_format.validate(parse_decklist("", deck_format))
    assert {violation.code for violation in violations} >= {"zone.too_few"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_violations_have_sentences_and_known_severities(path: Path) -> None:
    deck_format = FORMATS.get(path.parent.name)
    for violation in deck_format.validate(parse_decklist(path.read_text("utf-8"), deck_format)):
        assert str(violation.sentence).endswith((".", "?"))
        mild = violation.code in WARNINGS | INFORMATION
        assert (violation.severity == "error") is not mild


def copied(deck_format: DeckFormat, changes: object = None) -> DeckFormat:
    key = house_key(deck_format.key, "club-night")
    read = changes_from_json(changes, deck_format)
    return house_format(deck_format, read, key=key, name="Club night")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_unchanged_copy_finds_the_same(path: Path) -> None:
    deck_format = FORMATS.get(path.parent.name)
    copy = copied(deck_format)
    text = path.read_text("utf-8")
    expected = deck_format.validate(parse_decklist(text, deck_format))
    found = copy.validate(parse_decklist(text, copy))
    assert [str(v.sentence).replace("Club night", "") for v in found] == [
        str(v.sentence).replace(str(deck_format.label), "") for v in expected
    ]
    assert [(v.code, v.zone, v.card, v.found, v.minimum, v.maximum, v.line) for v in found] == [
        (v.code, v.zone, v.card, v.found, v.minimum, v.maximum, v.line) for v in expected
    ]


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=named)
def test_an_unchanged_copy_has_the_same_rules(deck_format: DeckFormat) -> None:
    copy = copied(deck_format)
    assert SEPARATOR not in deck_format.key
    assert base_key(copy.key) == deck_format.key
    assert base_key(deck_format.key) == deck_format.key
    assert copy.describe() == deck_format.describe()
    assert (copy.limits(), copy.codes()) == (deck_format.limits(), deck_format.codes())
    assert (copy.zones, copy.kinds) == (deck_format.zones, deck_format.kinds)


def everything_as_it_is(deck_format: DeckFormat) -> dict[str, object]:
    """Return all that a form shows of a format that nobody has changed."""
    allowed = allowed_expansions(deck_format)
    changeable = changeable_limits(deck_format)
    shown: dict[str, object] = {
        "zones": {
            zone.key: {"minimum": zone.minimum, "maximum": zone.maximum, "or_none": zone.or_none}
            for zone in deck_format.zones
        },
        "limits": {limit.key: deck_format.limits()[limit.key] for limit in changeable},
        "minimums": {kind.key: 0 for kind in countable_kinds(deck_format, deck_format.kinds)},
        "kinds": [],
    }
    if allowed is not None:
        codes, any_other = list(allowed.codes), allowed.any_other
        shown["expansions"] = {"codes": codes, "any_other": any_other}
    return shown


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=named)
def test_numbers_as_they_are_change_nothing(deck_format: DeckFormat) -> None:
    read = changes_from_json(everything_as_it_is(deck_format), deck_format)
    assert read == HouseChanges()
    assert changes_to_json(read) == {}


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=named)
def test_every_size_can_be_changed_and_is_said(deck_format: DeckFormat) -> None:
    for zone in deck_format.zones:
        copy = copied(deck_format, {"zones": {zone.key: {"minimum": 11, "maximum": 13}}})
        (changed,) = (other for other in copy.zones if other.key == zone.key)
        assert (changed.minimum, changed.maximum) == (11, 13)
        end = ", or none." if zone.or_none else "."
        assert f"{zone.label}: 11 to 13{end}" in map(str, copy.describe())
        sizes = {}
        for size in (10, 11, 13, 14):
            deck = parse_decklist(f"{SECTION_WORDS[zone.key][0]}\n{size} Brace\n", copy)
            assert deck.size(zone.key) == size
            sizes[size] = any(
                v.zone == zone.key and v.code.startswith("zone.") for v in copy.validate(deck)
            )
        assert sizes == {10: True, 11: False, 13: False, 14: True}


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=named)
def test_every_limit_can_be_changed_and_is_said(deck_format: DeckFormat) -> None:
    for limit in changeable_limits(deck_format):
        wanted = [4, None] if limit.may_be_none else [4]
        for value in wanted:
            copy = copied(deck_format, {"limits": {limit.key: value}})
            assert copy.limits() == deck_format.limits() | {limit.key: value}
            assert str(limit.label)
            if value is not None:
                assert any("4" in str(sentence) for sentence in copy.describe())


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=named)
def test_further_kinds_and_minimums(deck_format: DeckFormat) -> None:
    zone = deck_format.zones[-1].key
    kinds = [{"name": "Artefatto", "zones": [zone]}]
    copy = copied(deck_format, {"kinds": kinds, "minimums": {"artefatto": 3}})
    (kind,) = (kind for kind in copy.kinds if kind.key == "artefatto")
    assert counted_zone(deck_format, kind) == zone
    deck = parse_decklist("- Brace {Artefatto}\n", copy)
    assert deck.size(zone) == 1
    codes = {v.code for v in copy.validate(deck) if v.zone == zone and v.minimum == 3}
    assert codes == {"kind.too_few"}
    for other in deck_format.zone_keys[:-1]:
        moved = parse_decklist(f"{SECTION_WORDS[other][0]}\nBrace {{Artefatto}}\n", copy)
        assert ("kind.wrong_zone", other) in {(v.code, v.zone) for v in copy.validate(moved)}


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=named)
def test_no_number_is_above_the_most(deck_format: DeckFormat) -> None:
    numbers = [number for zone in deck_format.zones for number in (zone.minimum, zone.maximum)]
    numbers.extend(deck_format.limits().values())
    assert all(number is None or 0 <= number <= MOST for number in numbers)


@pytest.mark.parametrize("deck_format", FORMAT_LIST, ids=lambda one: one.key)
def test_where_nothing_is_checked_every_list_is_taken(deck_format: DeckFormat) -> None:
    unchecked = replace(deck_format, checked=False)
    deck = parse_decklist("99 Lupo\n\n: ?", unchecked)
    assert deck_format.validate(deck) != ()
    assert unchecked.validate(deck) == ()
    assert unchecked.describe() == unchecked.notes
