"""The rules of games that come with the program."""

from rules.deckbuilding.data.files import shipped_rules

__all__ = ["shipped_rules"]
