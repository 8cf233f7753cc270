"""Slugs of restored formats and formulas as archives and the log name them."""

from decks.models import HouseFormat
from decks.rulebook import is_house
from tournaments.models import SavedFormula

SAVED = "custom_"


def archived_slugs(house: str, formula: str) -> dict[str, str]:
    """Return the slugs that a restored format and formula had at their origin, by their slug here.

    Those shipped with the program or made here are left out. One query for a house format, and one
    for a saved formula.
    """
    found: dict[str, str] = {}
    if is_house(house):
        rows = HouseFormat.objects.filter(slug=house).exclude(archived_as="")
        found |= dict(rows.values_list("slug", "archived_as"))
    if formula.startswith(SAVED):
        saved = SavedFormula.objects.filter(slug=formula).exclude(archived_as="")
        found |= dict(saved.values_list("slug", "archived_as"))
    return found
