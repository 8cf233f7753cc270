"""Cards as the table that ``read_cards`` reads: how a preview sends on what it has read."""

import csv
from collections.abc import Iterable
from io import StringIO

from decks.cards.files import LONGEST, CardData
from decks.files.limits import MEBIBYTE, Limits

HELD = Limits(size=32 * MEBIBYTE, unpacked=60 * MEBIBYTE, rows=50_000)
"""What the second request of a load may bring."""


def as_table(cards: Iterable[CardData]) -> bytes:
    """Return a CSV file of the cards, their attributes as further columns."""
    listed = list(cards)
    attributes = list(dict.fromkeys(name for card in listed for name in card.attributes))
    columns = (*LONGEST, "max_copies", "other_names", "legal_in")
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow([*columns, *attributes])
    for card in listed:
        row = [getattr(card, name) for name in columns]
        writer.writerow([*row, *(card.attributes.get(name, "") for name in attributes)])
    return written.getvalue().encode()
