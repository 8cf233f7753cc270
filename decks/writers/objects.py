"""JSON lists in the shape that the API accepts."""

import json

from decks.writers.base import WRITERS
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.deck_json import deck_to_json
from rules.deckbuilding.formats import DeckFormat
from rules.wording import Sentence


def _write(deck: Deck, deck_format: DeckFormat) -> bytes:
    whole = {
        "format": deck_format.key,
        "language": deck.language,
        "zones": deck_to_json(deck),
    }
    return (json.dumps(whole, ensure_ascii=False, indent=2) + "\n").encode()


JSON = WRITERS.define(
    key="json",
    ending=".json",
    content_type="application/json",
    label=Sentence("JSON"),
    write=_write,
)
