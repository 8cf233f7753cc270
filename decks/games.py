"""The games that there are formats of."""

from config.wording import translate
from rules.deckbuilding.formats import FORMATS
from rules.errors import BadInput
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def games() -> dict[str, Sentence]:
    """Return the labels of all games by slug."""
    return {known.game: known.game_label for known in FORMATS}


def game_label(slug: str) -> str:
    """Return a game's name in the active language; raises BadInput ``unknown_game``."""
    label = games().get(slug)
    if label is None:
        raise BadInput(
            "unknown_game",
            _("There is no game “%(game)s”. There are: %(games)s."),
            game=slug,
            games=tuple(games()),
        )
    return translate(label)
