"""Template filters that translate a card's kind and genus."""

from functools import cache

from django import template

from config.wording import translate
from rules.deckbuilding.checks.genus import genus_label
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.zones import folded_kind
from rules.wording import Sentence

register = template.Library()


@register.filter
def kind_words(written: str) -> str:
    """Return a known kind in the active language, any other unchanged."""
    label = _labels().get(folded_kind(written))
    return translate(label) if label else written


@register.filter
def genus_words(written: str) -> str:
    """Return a known genus in the active language, any other unchanged."""
    label = genus_label(written)
    return translate(label) if isinstance(label, Sentence) else written


@cache
def _labels() -> dict[str, Sentence]:
    """Return the label of each word for a kind on which all games agree."""
    found: dict[str, Sentence] = {}
    doubtful = set()
    for kind in (kind for known in FORMATS for kind in known.kinds):
        for word in map(folded_kind, kind.words):
            if found.setdefault(word, kind.label) != kind.label:
                doubtful.add(word)
    return {word: label for word, label in found.items() if word not in doubtful}
