"""Formats of organisers for programs: listed, made, changed, deleted.

``api`` is ``formats/`` of the API with what accounts may do; ``decks.own_formats`` stores them.
``services`` deletes one that no event has.
"""
