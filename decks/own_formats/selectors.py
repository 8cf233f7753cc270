"""Games of one's own that are used on this site."""

from typing import Any

from django.db.models import Count, QuerySet

from decks.models import HouseFormat
from decks.stored_formats import OWN, game_key
from rules.deckbuilding.formats import Look

MOST_GAMES = 200


def own_games(formats: QuerySet[Any]) -> list[tuple[str, str, Look]]:
    """Return slug, name and look of the games of one's own that these formats are of. One query.

    The look is that of the newest format of the game.
    """
    found = HouseFormat.objects.filter(base=OWN, slug__in=formats).order_by("game", "pk")
    rows = found.values_list("game", "rules__look")[:MOST_GAMES]
    looks = {game_key(name): (name, Look(**(look or {}))) for name, look in rows}
    return [(slug, *named) for slug, named in looks.items()]


def games_used() -> list[str]:
    """Return the names of games that organisers have formats of, most formats first. One query."""
    found = HouseFormat.objects.made_here().filter(base=OWN).order_by()
    counted = found.values("game").annotate(formats=Count("pk")).order_by("-formats", "game")
    return [row["game"] for row in counted[:MOST_GAMES]]
