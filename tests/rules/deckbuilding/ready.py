"""The ready-made games whose lists the tests read, and the cards of their zones."""

from rules.deckbuilding.data.files import ready_made
from rules.deckbuilding.data.formats import format_of
from rules.deckbuilding.deck import Deck

READY = {
    one.key: format_of(one.rules, key="k", game="g", game_name="G", name="N")
    for one in ready_made()
}
MAGIC, COMMANDER, POKEMON = (
    READY[key] for key in ("magic-constructed", "magic-commander", "pokemon-standard")
)


def zones(deck: Deck) -> dict[str, dict[str, int]]:
    """Return the cards of each zone that has some."""
    found: dict[str, dict[str, int]] = {}
    for zone, entry in deck:
        found.setdefault(zone, {})[entry.name] = entry.count
    return found
