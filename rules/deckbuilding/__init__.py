"""Deck construction: formats, their checks, and decks as text, tables and JSON.

``text`` parses a written list (``lines`` one line, ``settling`` what lines mean together, ``zones``
words of sections and kinds), ``rows`` a table, ``deck_json`` JSON; ``render`` writes a deck as
text. All produce a ``Deck`` (``deck``). A ``DeckFormat`` (``formats``) validates it with the
``Check`` objects of ``checks``; ``data`` makes formats of rules as data, those that come with the
program among them, ``house`` derives formats from these. ``card_lists`` holds banned and limited
cards, ``catalogue`` what is known of a game's cards. ``exchange`` and ``moves`` check exchanges
with the side, ``deck`` compares two versions of a list, ``statistics`` counts what was played.

Importing the package registers the formats of all games.
"""

from rules.deckbuilding.data import files as files
