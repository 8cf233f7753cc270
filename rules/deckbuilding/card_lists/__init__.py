"""Banned and limited cards: ``lists`` in use and what changed between them, ``rows`` of a file."""
