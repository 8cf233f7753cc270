"""Labels of games, formats and zones in the active language; what a game's pages look like."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from django.utils.translation import gettext as _

from config.wording import translate
from decks.stored_formats import custom_game_format, is_custom_game_format
from rules.deckbuilding import zones
from rules.deckbuilding.data.files import unchecked_rule_messages
from rules.deckbuilding.data.rules import rule_messages
from rules.deckbuilding.formats import FORMATS, DeckFormat, FormatEmblem
from rules.deckbuilding.house import base_key
from rules.wording import Sentence

HOUSE = FormatEmblem()
"""That of copies of formats, and of games that a site adds."""
LOOKS: Mapping[str, FormatEmblem] = MappingProxyType(
    {
        "doomtrooper": FormatEmblem(palette="red", emblem="gear"),
        "creatures-of-exo": FormatEmblem(palette="violet", emblem="paw"),
        "yugioh": FormatEmblem(palette="amber", emblem="star"),
        "saint-seiya": FormatEmblem(palette="blue", emblem="stars"),
        "thoom": FormatEmblem(palette="teal", emblem="bolt"),
    }
)


def format_label(deck_format: DeckFormat) -> str:
    """Return a format's game and name in the active language, separated by "·"."""
    return f"{translate(deck_format.game_label)} · {translate(deck_format.label)}"


def zone_label(key: str, shape: DeckFormat | None = None) -> str:
    """Return a zone's label in the active language; its key if it is unknown.

    shape: a format, which may have labels of its own.
    """
    own = (zone.label for zone in (shape.zones if shape else ()) if zone.key == key)
    label = next(own, None) or zones.zone_label(key)
    return translate(label) if isinstance(label, Sentence) else label


def unchecked_rules(shape: DeckFormat) -> tuple[str, ...]:
    """Return the deck rules that a format doesn't check, as messages.

    Those of shipped rules are translated, an organiser's are as typed.
    """
    known = unchecked_rule_messages()
    return tuple(_(word) if word in known else word for word in shape.not_checked)


def legal_verdict(shape: DeckFormat) -> str:
    """Return the message for a decklist without errors.

    It claims only what the format checks.
    """
    if not shape.checked:
        return _("Collected, not checked")
    if shape.not_checked:
        left_out = ", ".join(unchecked_rules(shape))
        sizes, unchecked = _("Sizes and copies are correct"), _("Not checked")
        return f"{sizes}. {unchecked}: {left_out}."
    return _("The decklist is legal.")


def submission_verdict(shape: DeckFormat, said: str) -> str:
    """Return the message ``said``, followed by the verdict of a list without errors."""
    return f"{said} {legal_verdict(shape)}"


def short_verdict(shape: DeckFormat) -> str:
    """Return the verdict of a list without errors in a few words, for badges."""
    if not shape.checked:
        return _("Collected, not checked")
    return _("Sizes and copies are correct") if shape.not_checked else _("legal")


def game_labels() -> dict[str, Sentence]:
    """Return the names of all shipped games by slug."""
    return {known.game: known.game_label for known in FORMATS}


def game_label(slug: str) -> str:
    """Return the name of a shipped game in the active language."""
    return translate(game_labels()[slug])


def format_rules(deck_format: DeckFormat) -> Iterable[Sentence]:
    """Return a format's deck rules as messages; a custom game's match rules too."""
    return (
        rule_messages(deck_format)
        if is_custom_game_format(deck_format.key)
        else deck_format.describe()
    )


def find_format_emblem(format_key: str) -> FormatEmblem:
    """Return the colours and emblem for a deck format's pages, ``HOUSE`` by default.

    One query for an organiser's format.
    """
    if is_custom_game_format(format_key):
        return custom_game_format(format_key).look or HOUSE
    if base_key(format_key) != format_key:
        return HOUSE
    return LOOKS.get(FORMATS.get(format_key).game, HOUSE)
