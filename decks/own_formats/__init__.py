"""Formats of games of one's own: rules as data in place of a format that came with the program.

``services`` stores them with their versions; what the rules may say is defined in
``rules.deckbuilding.data``, and how they become a format in ``decks.stored_formats``.
"""
