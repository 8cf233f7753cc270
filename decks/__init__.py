"""Deck lists: what a format asks, and what was handed in."""
