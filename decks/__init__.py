"""Deck lists: formats, the cards they know, and the lists that players submit.

``stored_formats`` finds a format by its key: shipped in ``rules.deckbuilding``, or an organiser's.
``rulebook`` answers which rules check a list: its format, the card lists of this as of a date, and
the card catalogue. ``checking`` applies them to text or JSON; ``readers`` and ``writers`` do so for
files. ``decklists`` stores checked lists. Nothing here knows events: ``tournaments`` decides who
hands in a list until when, and who reads it.

Imports point one way: ``files``, ``stored_formats`` and ``labels``, then ``cards``, ``rulebook``,
``checking``, ``readers``, ``decklists``; beside them ``card_lists``, then ``formats``,
``house_formats`` and ``own_formats``.
"""
