"""What each deck format must promise, whoever registered it."""

from pathlib import Path

import pytest

from rules.deckbuilding.deck import INFORMATION, WARNINGS
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.render import canonical, render
from rules.deckbuilding.text import parse

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
    return deck_format.codes() - never


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_sample_is_what_its_name_says(path: Path) -> None:
    deck_format = FORMATS.get(path.parent.name)
    verdict, code = path.stem.split("-")[:2]
    violations = deck_format.validate(parse(path.read_text(encoding="utf-8"), deck_format))
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
    deck = parse(path.read_text(encoding="utf-8"), deck_format)
    again = parse(render(deck, deck_format), deck_format)
    assert (again.zones, again.language) == (deck.zones, deck.language)
    assert render(again, deck_format) == render(deck, deck_format)
    assert parse(render(canonical(deck), deck_format), deck_format).zones == canonical(deck).zones


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
    violations = deck_format.validate(parse("", deck_format))
    assert {violation.code for violation in violations} >= {"zone.too_few"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_violations_have_sentences_and_known_severities(path: Path) -> None:
    deck_format = FORMATS.get(path.parent.name)
    for violation in deck_format.validate(parse(path.read_text("utf-8"), deck_format)):
        assert str(violation.sentence).endswith((".", "?"))
        mild = violation.code in WARNINGS | INFORMATION
        assert (violation.severity == "error") is not mild
