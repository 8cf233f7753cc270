"""The demo's card catalogues: invented cards of every game."""

from decks.games import games
from decks.models import Catalogue
from decks.sample_cards import sample_catalogue
from decks.services_catalogues import load_cards


def demo_cards() -> None:
    """Load the invented cards of each game of which the site knows no card yet."""
    for game in games():
        known = Catalogue.objects.filter(game=game, owner__isnull=True, version__gt=0).exists()
        cards = sample_catalogue(game)
        if cards and not known:
            load_cards(game=game, cards=cards)
