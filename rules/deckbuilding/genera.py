"""The genera of Thoom: Italian and English words are one genus.

Source: Thoom rules, “Carte mostro”, Genere.
"""

from rules.names import name_key
from rules.wording import Sentence
from rules.wording import gettext_noop as _

_LABELS: dict[str, Sentence] = {
    "light": Sentence(_("Light")),
    "darkness": Sentence(_("Darkness")),
    "forest": Sentence(_("Forest")),
    "earth": Sentence(_("Earth")),
    "water": Sentence(_("Water")),
    "fire": Sentence(_("Fire")),
}

_ITALIAN = {
    "luce": "light",
    "oscurita": "darkness",
    "foresta": "forest",
    "terra": "earth",
    "acqua": "water",
    "fuoco": "fire",
}

GENERA: tuple[Sentence, ...] = tuple(_LABELS.values())


def genus_key(text: str) -> str:
    """Return what Luce and Light share; a word that is in no list is a genus of its own."""
    folded = name_key(text)
    return _ITALIAN.get(folded, folded)


def genus_label(text: str) -> Sentence | str:
    """Return a genus as a sentence names it; unknown ones as they were written."""
    return _LABELS.get(genus_key(text), text)
