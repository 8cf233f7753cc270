"""The format of rules as data."""

from rules.deckbuilding.data.formats import format_from_rules as own_format

__all__ = ["own_format"]
