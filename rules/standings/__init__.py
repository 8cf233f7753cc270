"""Standings of a group: ``table.rank`` applies criteria in order, ``ordering`` keeps the splits.

``rank_json`` reads and writes the JSON of ``rank``.
"""
