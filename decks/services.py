"""Lists handed in: each submission is a row of its own, legal or not."""

from hashlib import sha256

from decks.checking import check_text
from decks.mapping import deck_to_row, violation_to_row
from decks.models import Decklist
from decks.rulebook import DeckRules
from rules.deckbuilding.render import canonical, render


def store_decklist(*, rules: DeckRules, text: str, name: str = "") -> Decklist:
    """Store a written list with what is wrong with it.

    An illegal list is stored too. Raises BadInput for a text over 64 KiB, or one with characters
    that can't be kept. One query.
    """
    found = check_text(rules, text=text)
    sheet = render(canonical(found.deck), found.format)
    return Decklist.objects.create(
        format=found.format.key,
        name=name[:100],
        raw=text,
        text=sheet,
        deck=deck_to_row(found.deck),
        counts=found.deck.counts(),
        violations=[violation_to_row(violation) for violation in found.violations],
        legal=found.legal,
        fingerprint=sha256(sheet.encode()).hexdigest(),
    )
