"""Standings of a group: ``table.rank`` applies criteria in order and keeps the splits.

``rank_document`` reads and writes the JSON of ``rank``.
"""
