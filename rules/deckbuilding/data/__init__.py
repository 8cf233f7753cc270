"""Formats whose rules are data: those that come with the program, and an organiser's own.

``rules`` holds the data, ``json`` reads and writes it, ``files`` are those that come along;
``checks`` follow from the data's numbers, ``named_checks`` are those that only files of the program
name. ``formats`` makes a ``DeckFormat`` of the data.
"""
