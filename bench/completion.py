"""Card names out of 30,000: completion, suggestions, and a list with misspelt names.

Against a linear scan for the input, a comparison with all names, and the list spelt right.
"""

from collections.abc import Iterator

from rapidfuzz import fuzz, process

from bench.timing import Ratio, compare
from decks.cards.index import NEAR, CardIndex, CardRow
from decks.checking import check_decklist_text
from decks.decklists.samples import sample_cards
from decks.rulebook import DeckRules
from rules.deckbuilding.formats import FORMATS
from rules.names import name_key

CARDS = 30_000
OFFERED = 8
SUGGESTED = 3
LINES, MISSPELT = 75, 20


def measure() -> Iterator[Ratio]:
    """Yield the ratios of completions, of suggestions for a misspelt name, and of a list."""
    index = CardIndex(1, "thoom", rows())
    keys = [key for row in rows() for key in row[:2]]
    for what, typed in (
        ("first letters", "lupo di"),
        ("inside", "vetro 77"),
        ("slip", "lupo di vitro"),
    ):
        index.complete(typed, OFFERED)
        yield compare(  # in milliseconds: at most 5
            f"complete, {what}, {CARDS:,} cards / scan for the letters",
            lambda typed=typed: index.complete(typed, OFFERED),
            lambda typed=typed: scanned(keys, typed),
        )
    slip = name_key("lupo di vitro 77")
    yield compare(
        f"suggest for a misspelt name, {CARDS:,} cards / compare all",
        lambda: index.nearest(slip, SUGGESTED),
        lambda: process.extract(slip, keys, scorer=fuzz.ratio, score_cutoff=NEAR, limit=SUGGESTED),
        goal=0.3,
    )
    names = [row[2] for row in rows()][:: CARDS // LINES][:LINES]
    right = "\n".join(names)
    wrong = "\n".join(
        name.replace("i", "x", 1) if at < MISSPELT else name for at, name in enumerate(names)
    )
    known = DeckRules(format=FORMATS.get("thoom"), catalogue=index)
    yield compare(  # in milliseconds: at most 30
        f"check {LINES} lines, {MISSPELT} misspelt / the same spelt right",
        lambda: check_decklist_text(known, text=wrong),
        lambda: check_decklist_text(known, text=right),
    )


def rows() -> Iterator[CardRow]:
    """Yield invented cards with numbered names."""
    known = [card for game in ("thoom", "yugioh") for card in sample_cards(game)]
    for at in range(CARDS):
        card = known[at % len(known)]
        name, name_en = f"{card.name} {at}", f"{card.name_en} {at}"
        yield name_key(name), name_key(name_en), name, name_en, card.kind, "", "", None, "", ""


def scanned(keys: list[str], typed: str) -> list[str]:
    """Return the names that contain the input."""
    return [key for key in keys if typed in key][:OFFERED]
