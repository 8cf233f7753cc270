"""The rules that check a list: the format, its card lists as of a date, the card catalogue.

Formats, card lists and catalogues are shipped with the program, loaded for the site, or belong to
an organiser, for whose events only they apply. A copy of a format uses the card lists of its base
until lists of its own are loaded. Formats are named by slug, or by ``slug@version`` as
``decks.stored_formats`` says.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import BooleanField, ExpressionWrapper, Max, Q
from django.http import Http404

from decks.cards.catalogues import find_catalogue
from decks.models import CardListVersion, HouseFormat
from decks.stored_formats import (
    build_format,
    is_custom_game_format,
    is_organiser_format,
    load_format_and_row,
)
from rules.deckbuilding.card_lists import NO_LISTS, read_card_lists
from rules.deckbuilding.catalogue import CardCatalogue
from rules.deckbuilding.data.formats import apply_card_lists, find_shipped_lists
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.house import base_key
from rules.errors import BadInput


@dataclass(frozen=True, kw_only=True)
class DeckRules:
    """A format with its card lists in effect, and its card catalogue, if any.

    ``card_lists`` is the row of loaded lists, None for those shipped with the program. ``house`` is
    the row of an organiser's format, else None.
    """

    format: DeckFormat
    catalogue: CardCatalogue | None = None
    card_lists: CardListVersion | None = None
    house: HouseFormat | None = None

    @property
    def lists_dated(self) -> date | None:
        """Return the date of the card lists in effect; None if the format has none."""
        return self.format.lists.dated


def current_rules(slug: str, *, owner_id: int | None = None) -> DeckRules:
    """Return a format's rules in effect today, with the card catalogue.

    owner_id: for the events of this organiser, else for the site's. Raises BadInput
    ``unknown_format``. Two queries, one more for a house format, and one for a catalogue that is
    not cached in memory.
    """
    rules = rules_without_cards(slug, owner_id=owner_id)
    if rules.house is not None and owner_id is None:
        owner_id = rules.house.owner_id
    return replace(rules, catalogue=find_catalogue(rules.format.game, owner_id=owner_id))


def rules_without_cards(slug: str, *, owner_id: int | None = None) -> DeckRules:
    """Return a format's rules in effect today, without a card catalogue.

    owner_id: for the events of this organiser, else for the site's. Raises BadInput
    ``unknown_format``. One query, one more for a house format.
    """
    shape, house = load_format_and_row(slug)
    if house is not None and owner_id is None:
        owner_id = house.owner_id
    return rules_with_lists(shape, newest_card_lists(slug, owner_id=owner_id), house=house)


def formats_with_list_dates() -> list[tuple[DeckFormat, date | None]]:
    """Return (format, date of its card lists in effect) for all formats; two queries.

    Organisers' formats follow those shipped with the program.
    """
    found = CardListVersion.objects.loaded().order_by().values_list("format", "owner_id")
    dates = {(slug, owner): dated for slug, owner, dated in found.annotate(Max("dated"))}
    rows = HouseFormat.objects.made_here()
    return [
        *((known, _newest_date(known, (dates.get((known.key, None)),))) for known in FORMATS),
        *((build_format(house, house.slug), _house_date(house, dates)) for house in rows),
    ]


def _house_date(house: HouseFormat, dates: dict[tuple[str, int | None], date]) -> date | None:
    owner = house.owner_id
    own = [dates[house.slug, by] for by in (None, owner) if (house.slug, by) in dates]
    if own or is_custom_game_format(house.slug):
        return max(own, default=None)
    base = FORMATS.get(house.base)
    brought = (dates.get((base.key, None)), dates.get((base.key, owner)))
    return _newest_date(base, brought)


def _newest_date(shape: DeckFormat, brought: Iterable[date | None]) -> date | None:
    return max(filter(None, (shape.lists.dated, *brought)), default=None)


def pinned_rules(slug: str, version: CardListVersion | None, dated: date | None) -> DeckRules:
    """Return a format with the card lists fixed when an event started; no catalogue.

    slug: may be ``slug@version``. version: the stored lists; else the shipped lists of the date
    ``dated``, if any. One query for an organiser's format, none for the others.
    """
    shape, house = load_format_and_row(slug)
    if version is not None:
        lists = read_card_lists(version.rows, dated=version.dated)
    else:
        lists = find_shipped_lists(shape, dated) or NO_LISTS
    return DeckRules(format=apply_card_lists(shape, lists), card_lists=version, house=house)


def newest_card_lists(slug: str, *, owner_id: int | None = None) -> CardListVersion | None:
    """Return the newest card lists loaded for a format by the site or owner; one query.

    A house format's own lists take precedence over those of its base. None if there are none.
    """
    wanted = Q(format=base_key(slug), owner__isnull=True)
    if owner_id is not None:
        wanted |= Q(format=base_key(slug), owner=owner_id)
    if not is_organiser_format(slug):
        return CardListVersion.objects.loaded().filter(wanted).order_by("-dated", "-pk").first()
    own = ExpressionWrapper(Q(format=slug), output_field=BooleanField())
    versions = CardListVersion.objects.loaded().filter(wanted | Q(format=slug)).alias(own=own)
    return versions.order_by("-own", "-dated", "-pk").first()


def rules_with_lists(
    shape: DeckFormat, version: CardListVersion | None, *, house: HouseFormat | None = None
) -> DeckRules:
    """Return rules of a format with loaded card lists, unless shipped ones are newer.

    version: the loaded lists, if any. A house format's own lists apply whatever their date.
    """
    shipped = shape.lists.dated
    own = version is not None and is_organiser_format(version.format)
    if version is None or (not own and shipped is not None and shipped > version.dated):
        return DeckRules(format=shape, house=house)
    lists = read_card_lists(version.rows, dated=version.dated)
    return DeckRules(format=apply_card_lists(shape, lists), card_lists=version, house=house)


def get_rules_or_404(slug: str) -> DeckRules:
    """Return a format's rules in effect today; raise Http404 if it is unknown."""
    try:
        return current_rules(slug)
    except BadInput:
        raise Http404 from None
