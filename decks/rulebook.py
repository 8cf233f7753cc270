"""By which rules a list is checked: the format, its card lists as of a day, the card catalogue.

Formats come with the program or from an organiser; so do card lists and catalogues. What an
organiser has brought holds for this organiser's events only.
"""

from dataclasses import dataclass, replace
from datetime import date

from decks.models import CardListVersion
from rules.deckbuilding.catalogue import Catalogue
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.lists import read_lists


@dataclass(frozen=True, kw_only=True)
class DeckRules:
    """A format with the lists that hold, and the catalogue if there is one.

    ``card_lists`` is None where the lists are those that came with the program.
    """

    format: DeckFormat
    catalogue: Catalogue | None = None
    card_lists: CardListVersion | None = None

    @property
    def lists_dated(self) -> date | None:
        """Return the date of the lists that hold; None where the format has none."""
        return self.format.lists.dated


def deck_format(slug: str) -> DeckFormat:
    """Return a format as it was made, before newer lists; raises BadInput ``unknown_format``."""
    return FORMATS.get(slug)


def rules_of(slug: str, *, owner_id: int | None = None) -> DeckRules:
    """Return the rules that hold today: those of the site, or for the events of an owner.

    One query. Raises BadInput ``unknown_format``.
    """
    shape = deck_format(slug)
    return with_version(shape, newest_version(slug, owner_id=owner_id))


def newest_version(slug: str, *, owner_id: int | None = None) -> CardListVersion | None:
    """Return the newest lists brought for a format, the owner's own or the site's; one query."""
    owners = CardListVersion.objects.filter(format=slug)
    mine = owners.filter(owner__isnull=True)
    if owner_id is not None:
        mine |= owners.filter(owner=owner_id)
    return mine.order_by("-dated", "-pk").first()


def with_version(shape: DeckFormat, version: CardListVersion | None) -> DeckRules:
    """Return a format with a version of its lists, unless those it came with are newer."""
    shipped = shape.lists.dated
    if version is None or (shipped is not None and shipped > version.dated):
        return DeckRules(format=shape)
    lists = read_lists(version.rows, dated=version.dated)
    return DeckRules(format=replace(shape, lists=lists), card_lists=version)
