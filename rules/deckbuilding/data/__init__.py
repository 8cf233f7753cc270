"""Formats whose rules are data: those that come with the program, and an organiser's own.

``rules`` holds the data, ``json`` reads and writes it, ``files`` are those that come along.
``formats`` makes a ``DeckFormat`` of the data, with the checks that follow from its numbers.
"""
