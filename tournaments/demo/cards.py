"""The demo's card catalogues: invented cards of every game."""

from decks.cards.samples import sample_catalogue
from decks.cards.services import load_cards
from decks.formats.rulebook import games
from decks.models import Catalogue


def demo_cards() -> None:
    """Load the invented cards of each game of which the site knows no card yet."""
    for game in games():
        known = Catalogue.objects.filter(game=game, owner__isnull=True, version__gt=0).exists()
        cards = sample_catalogue(game)
        if cards and not known:
            load_cards(game=game, cards=cards)
