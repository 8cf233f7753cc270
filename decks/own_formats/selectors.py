"""Games of one's own that are used on this site."""

from typing import Any

from django.db.models import Count, QuerySet

from decks.models import HouseFormat
from decks.stored_formats import OWN, game_key

MOST_GAMES = 200


def own_games(formats: QuerySet[Any]) -> list[tuple[str, str]]:
    """Return slug and name of the games of one's own that these formats are of. One query."""
    found = HouseFormat.objects.filter(base=OWN, slug__in=formats).order_by("game")
    names = found.values_list("game", flat=True).distinct()[:MOST_GAMES]
    return list({game_key(name): name for name in names}.items())


def games_used() -> list[str]:
    """Return the names of games that organisers have formats of, most formats first. One query."""
    found = HouseFormat.objects.made_here().filter(base=OWN).order_by()
    counted = found.values("game").annotate(formats=Count("pk")).order_by("-formats", "game")
    return [row["game"] for row in counted[:MOST_GAMES]]
