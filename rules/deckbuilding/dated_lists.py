"""Formats with card lists of another date."""

from dataclasses import replace
from datetime import date

from rules.deckbuilding.card_lists import (
    BANNED,
    EXCLUDED_TOGETHER,
    LIMITED,
    SEMI_LIMITED,
    CardLists,
)
from rules.deckbuilding.checks import excluded_together, listed
from rules.deckbuilding.formats import DeckFormat

_ENFORCED = (
    (listed(), (BANNED, LIMITED, SEMI_LIMITED)),
    (excluded_together(), (EXCLUDED_TOGETHER,)),
)


def with_lists(shape: DeckFormat, lists: CardLists) -> DeckFormat:
    """Return the format with these lists, adding the checks if it had no lists."""
    missing = tuple(
        check
        for check, names in _ENFORCED
        if any(lists.cards.get(which) for which in names) and not set(check.codes) <= shape.codes()
    )
    return replace(shape, lists=lists, checks=(*shape.checks, *missing))


def shipped_on(shape: DeckFormat, dated: date | None) -> CardLists | None:
    """Return the shipped lists of a date, None if there are none."""
    return next((lists for lists in shape.shipped if lists.dated == dated), None)
