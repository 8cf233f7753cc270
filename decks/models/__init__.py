"""Models of decklists, card catalogues, card lists and house formats."""

from decks.models.card import Card as Card
from decks.models.card import Catalogue as Catalogue
from decks.models.card import CatalogueVersion as CatalogueVersion
from decks.models.decklist import Decklist as Decklist
from decks.models.rulebook import CardListVersion as CardListVersion
from decks.models.rulebook import FormatContent as FormatContent
from decks.models.rulebook import FormatVersion as FormatVersion
from decks.models.rulebook import HouseFormat as HouseFormat
