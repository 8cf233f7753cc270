"""Rounds of tables of three to five players for programs: nothing is stored.

``rules.tables`` computes them, ``rules.standings.rank_document`` reads and writes the document.
"""
