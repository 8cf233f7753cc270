"""Banned and limited cards: ``lists`` in use, ``rows`` of a file, ``changes`` between versions."""
