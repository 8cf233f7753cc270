"""Template tags of pages of lists: kinds and genera of cards in words, the violations of a list in
order, and no more of a list than its format checks."""

from collections.abc import Iterable
from functools import cache

from django import template
from django.utils.safestring import SafeString

from config.ui import badge
from config.wording import translate
from decks.decklists.selectors import ViolationRow, is_unknown_card, sort_by_severity
from decks.labels import legal_verdict, short_verdict
from decks.stored_formats import base_format
from rules.deckbuilding.checks.genus import genus_label
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.zones import fold_kind
from rules.wording import Sentence

register = template.Library()


@register.filter
def kind_name(written: str) -> str:
    """Template filter: the label of a kind of card in the active language.

    Unknown kinds stay as written.
    """
    label = _labels().get(fold_kind(written))
    return translate(label) if label else written


@register.filter
def genus_name(written: str) -> str:
    """Template filter: the label of a genus (element) in the active language.

    Unknown ones stay as written.
    """
    label = genus_label(written)
    return translate(label) if isinstance(label, Sentence) else written


@cache
def _labels() -> dict[str, Sentence]:
    """Return the label of each word for a kind on which all games agree."""
    found: dict[str, Sentence] = {}
    doubtful = set()
    for kind in (kind for known in FORMATS for kind in known.kinds):
        for word in map(fold_kind, kind.words):
            if found.setdefault(word, kind.label) != kind.label:
                doubtful.add(word)
    return {word: label for word, label in found.items() if word not in doubtful}


@register.simple_tag
def legal_badge(format_key: str, icon: str = "check") -> SafeString:
    """Template tag: the badge of a decklist without errors."""
    return badge(short_verdict(base_format(format_key)), "good", icon=icon)


@register.simple_tag
def list_verdict(format_key: str) -> str:
    """Template tag: the message for a decklist without errors in this format."""
    return legal_verdict(base_format(format_key))


SIGNS = {"error": "circle-x", "warning": "triangle-alert"}


@register.filter("sign")
def severity_icon(severity: str) -> str:
    """Template filter: the name of a severity's icon."""
    return SIGNS.get(severity, "info")


@register.filter("errors_first")
def violations_by_severity(violations: Iterable[ViolationRow]) -> list[ViolationRow]:
    """Template filter: violations, errors first, without those of ``unknown_cards``."""
    return sort_by_severity(row for row in violations if not is_unknown_card(row))


@register.filter
def unknown_cards(violations: Iterable[ViolationRow]) -> list[ViolationRow]:
    """Template filter: the violations that say only that a card is in no catalogue."""
    return [row for row in violations if is_unknown_card(row)]
