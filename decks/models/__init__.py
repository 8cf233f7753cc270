"""What is kept of deck lists, of cards, and of the rules that organisers bring."""

from decks.models.card import Card as Card
from decks.models.card import Catalogue as Catalogue
from decks.models.decklist import Decklist as Decklist
from decks.models.rulebook import CardListVersion as CardListVersion
from decks.models.rulebook import HouseFormat as HouseFormat
