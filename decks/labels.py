"""Labels of games, formats and zones in the active language."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from config.wording import translate
from decks.stored_formats import is_own
from rules.deckbuilding import zones
from rules.deckbuilding.data.files import unchecked_words
from rules.deckbuilding.data.rules import rule_sentences
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.wording import Sentence


def format_label(deck_format: DeckFormat) -> str:
    """Return a format's game and category in the active language."""
    return f"{translate(deck_format.game_label)} · {translate(deck_format.label)}"


def zone_label(key: str, shape: DeckFormat | None = None) -> str:
    """Return a zone's label in the active language, of a format that has one of its own.

    An unknown zone's key is returned unchanged.
    """
    own = (zone.label for zone in (shape.zones if shape else ()) if zone.key == key)
    label = next(own, None) or zones.zone_label(key)
    return translate(label) if isinstance(label, Sentence) else label


def not_checked_words(shape: DeckFormat) -> tuple[str, ...]:
    """Return what a format's rules leave out; what ready-made rules say in the active language."""
    known = unchecked_words()
    return tuple(_(word) if word in known else word for word in shape.not_checked)


def verdict(shape: DeckFormat) -> str:
    """Return what is said of a list without errors: no more than what was checked."""
    if not shape.checked:
        return _("Collected, not checked")
    if shape.not_checked:
        left_out = ", ".join(not_checked_words(shape))
        sizes, unchecked = _("Sizes and copies right"), _("Not checked")
        return f"{sizes}. {unchecked}: {left_out}."
    return _("The decklist is legal.")


def submission_verdict(shape: DeckFormat, said: str) -> str:
    """Return what was ``said`` of a list without errors, and the verdict."""
    return f"{said} {verdict(shape)}"


def legal_word(shape: DeckFormat) -> str:
    """Return the verdict of :func:`verdict` in a word or two, for badges."""
    if not shape.checked:
        return _("Collected, not checked")
    return _("Sizes and copies right") if shape.not_checked else _("legal")


def games() -> dict[str, Sentence]:
    """Return the labels of all games by slug."""
    return {known.game: known.game_label for known in FORMATS}


def game_label(slug: str) -> str:
    """Return the name of a game that came along, in the active language."""
    return translate(games()[slug])


def rule_words(deck_format: DeckFormat) -> Iterable[Sentence]:
    """Return a format's rules of lists, of a game of one's own those of matches too."""
    return rule_sentences(deck_format) if is_own(deck_format.key) else deck_format.describe()
