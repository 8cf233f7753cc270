"""The format of rules as data."""

from rules.deckbuilding.data.formats import format_of as own_format

__all__ = ["own_format"]
