"""Template filters that order, fold and mark the violations of a list."""

from collections.abc import Iterable

from django import template

from decks.decklists.selectors import ViolationRow, gravest_first, is_unknown

register = template.Library()
SIGNS = {"error": "circle-x", "warning": "triangle-alert"}


@register.filter
def sign(severity: str) -> str:
    """Return the icon of a severity."""
    return SIGNS.get(severity, "info")


@register.filter
def errors_first(violations: Iterable[ViolationRow]) -> list[ViolationRow]:
    return gravest_first(row for row in violations if not is_unknown(row))


@register.filter
def unknown_cards(violations: Iterable[ViolationRow]) -> list[ViolationRow]:
    """Return the violations that are only that a card is in no catalogue."""
    return [row for row in violations if is_unknown(row)]
