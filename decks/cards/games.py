"""The games that may have a card catalogue: those with rules here, whoever wrote them."""

from config.wording import translate
from decks.labels import games
from decks.models import HouseFormat
from decks.stored_formats import OWN, game_key
from rules.deckbuilding.data.files import ready_made
from rules.errors import BadInput
from rules.names import name_key


def shipped_games() -> dict[str, str]:
    """Return the names of the games whose rules come with the program, by slug. No query."""
    ready = (one.game for one in ready_made() if one.game and one.lists != HouseFormat.Lists.OFF)
    return {
        **{slug: translate(label) for slug, label in games().items()},
        **{game_key(name): name for name in ready if game_key(name) not in games()},
    }


def card_games() -> dict[str, str]:
    """Return the names of all games by slug: shipped ones, then those of organisers. One query."""
    own = HouseFormat.objects.made_here().filter(base=OWN).exclude(lists=HouseFormat.Lists.OFF)
    found = shipped_games()
    for name in sorted(set(own.order_by().values_list("game", flat=True)), key=name_key):
        found.setdefault(game_key(name), name)
    return found


def slug_of_game(text: str) -> str:
    """Return the slug of a game given by its slug or its name; at most one query."""
    if text in shipped_games() or text in card_games():
        return text
    return game_key(text)


def card_game(slug: str) -> str:
    """Return the name of a game; a query for those of organisers.

    Raises BadInput ``unknown_game``.
    """
    known = shipped_games()
    if slug not in known:
        known = card_games()
    if slug not in known:
        raise BadInput(
            "unknown_game",
            "There is no game “%(game)s”. There are: %(games)s.",
            game=slug,
            games=tuple(known),
        )
    return known[slug]
