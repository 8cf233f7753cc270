"""Copies of each card over all zones of a list."""

from dataclasses import dataclass, field

from rules.deckbuilding.card_lists.lists import CardLists
from rules.deckbuilding.catalogue import Catalogue
from rules.deckbuilding.deck import Deck


@dataclass(slots=True)
class Copies:
    """All copies of one card of a list, with the catalogue's limit if there is one."""

    name: str
    total: int = 0
    own_limit: int | None = None
    lines: list[tuple[int, int]] = field(default_factory=list)

    def line_over(self, maximum: int) -> int | None:
        """Return the line at which the copies exceed the maximum; None without line numbers."""
        total = 0
        for line, count in self.lines:
            total += count
            if total > maximum:
                return line
        return None


def copies_of(deck: Deck, lists: CardLists, catalogue: Catalogue | None) -> dict[str, Copies]:
    """Return the copies by card over all zones, unknown zones included."""
    found: dict[str, Copies] = {}
    for _zone, entry in deck:
        key = lists.key(entry.name)
        card = found.get(key)
        if card is None:
            card = found[key] = Copies(entry.name)
        card.total += entry.count
        facts = catalogue.get(entry.key) if catalogue is not None else None
        if facts is not None and facts.max_copies is not None:
            card.own_limit = facts.max_copies
        if entry.line is not None:
            card.lines.append((entry.line, entry.count))
    return found
