"""Rounds of tables of three to five players for programs: nothing is stored.

``rules.tables`` computes them, ``rules.standings.table_round_json`` reads and writes the document.
"""
