"""What tests of card lists share: a file with two lists, and whether a card is banned."""

from pathlib import Path

import pytest

from decks.rulebook import current_rules
from rules.deckbuilding.text import parse_decklist

SLUG = "doomtrooper-original"
ROWS = ({"list": "banned", "card": "Brace"}, {"list": "semi_limited", "card": "Lupo"})
FILE = "lista;carta;espansione\nvietate;Brace;DT\nlimitate;Lupo;\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "liste.csv"
    path.write_text(FILE, encoding="utf-8")
    return path


def banned(slug: str, card: str, owner_id: int | None = None) -> bool:
    rules = current_rules(slug, owner_id=owner_id)
    found = rules.format.validate(parse_decklist(card, rules.format))
    return "card.banned" in {violation.code for violation in found}
