"""Catalogues as their publishers offer them: JSON, also as ``.gz``, or a ``.zip`` of files by set.

``reading`` streams such a file card by card and finds the schema by its content; ``scryfall``,
``ygoprodeck`` and ``pokemon`` each turn the cards of one schema into rows of a catalogue.
"""
