"""What is kept of deck lists."""

from decks.models.decklist import Decklist as Decklist
