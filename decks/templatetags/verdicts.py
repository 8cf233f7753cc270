"""Template tags that say no more of a list than its format checks."""

from django import template
from django.utils.safestring import SafeString

from config.ui import badge
from decks.labels import legal_word, verdict
from decks.rulebook import base_format

register = template.Library()


@register.simple_tag
def legal_badge(format_key: str, icon: str = "check") -> SafeString:
    return badge(legal_word(base_format(format_key)), "good", icon=icon)


@register.simple_tag
def verdict_words(format_key: str) -> str:
    """Return the sentence of a list without errors."""
    return verdict(base_format(format_key))
