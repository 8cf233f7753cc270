"""The rules of games that come with the program."""

from rules.deckbuilding.data.files import ready_made

__all__ = ["ready_made"]
