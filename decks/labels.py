"""Labels of games, formats and zones in the active language."""

from config.wording import translate
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.zones import label_of
from rules.errors import BadInput
from rules.wording import Sentence


def format_label(deck_format: DeckFormat) -> str:
    """Return a format's game and category in the active language."""
    return f"{translate(deck_format.game_label)} · {translate(deck_format.label)}"


def zone_label(key: str) -> str:
    """Return a zone's label in the active language; an unknown zone's key unchanged."""
    label = label_of(key)
    return translate(label) if isinstance(label, Sentence) else label


def games() -> dict[str, Sentence]:
    """Return the labels of all games by slug."""
    return {known.game: known.game_label for known in FORMATS}


def game_label(slug: str) -> str:
    """Return a game's name in the active language; raises BadInput ``unknown_game``."""
    label = games().get(slug)
    if label is None:
        raise BadInput(
            "unknown_game",
            "There is no game “%(game)s”. There are: %(games)s.",
            game=slug,
            games=tuple(games()),
        )
    return translate(label)
