"""Kinds of decks as HTML: their names and letters in their colour."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.decklists.selectors.played import DeckKind

register = template.Library()


@register.simple_tag
def kind_name(kind: object) -> SafeString:
    """Return the name of a kind of deck in its colour; "" for none."""
    if not isinstance(kind, DeckKind):
        return SafeString("")
    return format_html('<b class="kind {}"><bdi>{}</bdi></b>', kind.tone, kind.name)


@register.simple_tag
def kind_sign(kind: DeckKind) -> SafeString:
    """Return the letters of a kind of deck on its colour, hidden from screen readers."""
    return format_html('<span class="sign {}" aria-hidden="true">{}</span>', kind.tone, kind.sign)
