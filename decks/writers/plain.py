"""Plain text lists."""

from decks.writers.base import WRITERS
from rules.deckbuilding.render import render
from rules.wording import Sentence

TEXT = WRITERS.define(
    key="text",
    ending=".txt",
    content_type="text/plain; charset=utf-8",
    label=Sentence("Text"),
    write=lambda deck, deck_format: render(deck, deck_format).encode(),
)
