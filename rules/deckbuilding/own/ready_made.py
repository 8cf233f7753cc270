"""Rules of other games that come with the program, to begin a format of one's own with.

One file a game in ``ready/``, named by its key: game, name, source, date, rules and ``lists``. What
a rule book asks and these rules cannot tell stands in their ``not_checked``.
"""

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from rules.deckbuilding.own.json import rules_from_json
from rules.deckbuilding.own.rules import FormatRules
from rules.errors import BadInput

FOLDER = Path(__file__).parent / "ready"


@dataclass(frozen=True, kw_only=True)
class ReadyMade:
    """The rules of a game: what people call it, where its rules stand, and as of when.

    ``game`` is empty where the organiser names the game; ``lists`` says whether there are lists and
    whether rules count them (off, collected, counted).
    """

    key: str
    game: str
    name: str
    source: str
    dated: date
    rules: FormatRules
    lists: str = "counted"


@cache
def ready_made() -> tuple[ReadyMade, ...]:
    """Return all rules that come with the program, in the order of their files."""
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.json")))


@cache
def unchecked_words() -> frozenset[str]:
    """Return what these rules leave out: words that are translated, unlike an organiser's own."""
    return frozenset(word for one in ready_made() for word in one.rules.not_checked)


def _read(path: Path) -> ReadyMade:
    """Return the rules in a file; what is raised over them names it."""
    try:
        one = json.loads(path.read_text(encoding="utf-8"))
        dated, rules = date.fromisoformat(one.pop("date")), rules_from_json(one.pop("rules"))
        return ReadyMade(**one, key=path.stem, dated=dated, rules=rules)
    except (KeyError, TypeError, ValueError, BadInput) as wrong:
        wrong.add_note(f"in {path.name}")
        raise
