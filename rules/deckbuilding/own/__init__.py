"""Formats of one's own: the rules of any game as data.

``rules`` holds the data, ``json`` reads and writes it, ``checks`` are the checks that only such
rules have, and ``formats`` makes a ``DeckFormat`` of the data.
"""
