"""By which rules a list is checked: the format, its card lists as of a day, the card catalogue.

Formats come with the program or from an organiser; so do card lists and catalogues. What an
organiser has brought holds for this organiser's events only. A house format follows the lists of
the format it was made from, until lists of its own are loaded.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import BooleanField, ExpressionWrapper, Max, Q

from config.wording import translate
from decks.cards.catalogues import catalogue_of
from decks.models import CardListVersion, HouseFormat
from rules.deckbuilding.card_lists.lists import NO_LISTS, read_lists
from rules.deckbuilding.catalogue import Catalogue
from rules.deckbuilding.dated_lists import shipped_on, with_lists
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.house.formats import base_of, house_format
from rules.deckbuilding.house.json import changes_from_json
from rules.errors import BadInput
from rules.wording import Sentence
from rules.wording import gettext_noop as _


@dataclass(frozen=True, kw_only=True)
class DeckRules:
    """A format with the lists that hold, and the catalogue if there is one.

    ``card_lists`` is None where the lists are those that came with the program. ``house`` is
    the row of a format that an organiser has made.
    """

    format: DeckFormat
    catalogue: Catalogue | None = None
    card_lists: CardListVersion | None = None
    house: HouseFormat | None = None

    @property
    def lists_dated(self) -> date | None:
        """Return the date of the lists that hold; None where the format has none."""
        return self.format.lists.dated


def is_house(slug: str) -> bool:
    """Say whether a slug is one that only a house format can have."""
    return base_of(slug) != slug


def base_format(slug: str) -> DeckFormat:
    """Return the format itself, or the one that a house format was made from; no query.

    Game, zones, and how a match is played are the same in both. Raises BadInput
    ``unknown_format``.
    """
    return FORMATS.get(base_of(slug))


def deck_format(slug: str) -> DeckFormat:
    """Return a format as it was made, before newer lists; raises BadInput ``unknown_format``.

    One query for a house format, none for the others.
    """
    return format_and_row(slug)[0]


def house_row(slug: str) -> HouseFormat | None:
    """Return the row of a house format; None for other slugs. At most one query."""
    return HouseFormat.objects.filter(slug=slug).first() if is_house(slug) else None


def shape_of(house: HouseFormat) -> DeckFormat:
    """Return the format that a row describes. No query."""
    base = FORMATS.get(house.base)
    changes = changes_from_json(house.changes, base)
    return house_format(base, changes, key=house.slug, name=house.name)


def format_and_row(slug: str) -> tuple[DeckFormat, HouseFormat | None]:
    """Return a format as :func:`deck_format`, and its row where it is a house format."""
    house = house_row(slug)
    return (FORMATS.get(slug) if house is None else shape_of(house)), house


def rules_of(slug: str, *, owner_id: int | None = None) -> DeckRules:
    """Return the rules that hold today: those of the site, or for the events of an owner.

    Two queries, one more for a house format, and one for a catalogue that is not in memory.
    Raises BadInput ``unknown_format``.
    """
    rules = rules_without_cards(slug, owner_id=owner_id)
    if rules.house is not None and owner_id is None:
        owner_id = rules.house.owner_id
    return replace(rules, catalogue=catalogue_of(rules.format.game, owner_id=owner_id))


def rules_without_cards(slug: str, *, owner_id: int | None = None) -> DeckRules:
    """Return the rules that hold today without a card catalogue, to tell them in words.

    One query, one more for a house format. Raises BadInput ``unknown_format``.
    """
    shape, house = format_and_row(slug)
    if house is not None and owner_id is None:
        owner_id = house.owner_id
    return with_version(shape, newest_version(slug, owner_id=owner_id), house=house)


def dated_formats() -> list[tuple[DeckFormat, date | None]]:
    """Return every format with the date of the lists that hold; two queries.

    House formats come after those that came with the program.
    """
    found = CardListVersion.objects.loaded().order_by().values_list("format", "owner_id")
    dates = {(slug, owner): dated for slug, owner, dated in found.annotate(Max("dated"))}
    rows = HouseFormat.objects.made_here()
    return [
        *((known, _newest(known, (dates.get((known.key, None)),))) for known in FORMATS),
        *((shape_of(house), _house_date(house, dates)) for house in rows),
    ]


def _house_date(house: HouseFormat, dates: dict[tuple[str, int | None], date]) -> date | None:
    base, owner = FORMATS.get(house.base), house.owner_id
    own = [dates[house.slug, by] for by in (None, owner) if (house.slug, by) in dates]
    brought = (dates.get((base.key, None)), dates.get((base.key, owner)))
    return max(own) if own else _newest(base, brought)


def _newest(shape: DeckFormat, brought: Iterable[date | None]) -> date | None:
    return max(filter(None, (shape.lists.dated, *brought)), default=None)


def pinned_rules(slug: str, version: CardListVersion | None, dated: date | None) -> DeckRules:
    """Return a format with exactly the lists with which something started.

    That is a version, or without one the lists of a date that came with the program; without
    either there are none. No catalogue is among them.

    One query for a house format, none for the others.
    """
    shape, house = format_and_row(slug)
    if version is not None:
        lists = read_lists(version.rows, dated=version.dated)
    else:
        lists = shipped_on(shape, dated) or NO_LISTS
    return DeckRules(format=with_lists(shape, lists), card_lists=version, house=house)


def newest_version(slug: str, *, owner_id: int | None = None) -> CardListVersion | None:
    """Return the newest lists brought for a format, the owner's own or the site's; one query.

    Of a house format its own lists go before those of the format it was made from.
    """
    wanted = Q(format=base_of(slug), owner__isnull=True)
    if owner_id is not None:
        wanted |= Q(format=base_of(slug), owner=owner_id)
    if not is_house(slug):
        return CardListVersion.objects.loaded().filter(wanted).order_by("-dated", "-pk").first()
    own = ExpressionWrapper(Q(format=slug), output_field=BooleanField())
    versions = CardListVersion.objects.loaded().filter(wanted | Q(format=slug)).alias(own=own)
    return versions.order_by("-own", "-dated", "-pk").first()


def with_version(
    shape: DeckFormat, version: CardListVersion | None, *, house: HouseFormat | None = None
) -> DeckRules:
    """Return a format with a version of its lists, unless those it came with are newer.

    Lists of a house format itself hold whatever their date.
    """
    shipped = shape.lists.dated
    own = version is not None and is_house(version.format)
    if version is None or (not own and shipped is not None and shipped > version.dated):
        return DeckRules(format=shape, house=house)
    lists = read_lists(version.rows, dated=version.dated)
    return DeckRules(format=with_lists(shape, lists), card_lists=version, house=house)


def games() -> dict[str, Sentence]:
    """Return the labels of all games by slug."""
    return {known.game: known.game_label for known in FORMATS}


def game_label(slug: str) -> str:
    """Return a game's name in the active language; raises BadInput ``unknown_game``."""
    label = games().get(slug)
    if label is None:
        raise BadInput(
            "unknown_game",
            _("There is no game “%(game)s”. There are: %(games)s."),
            game=slug,
            games=tuple(games()),
        )
    return translate(label)
