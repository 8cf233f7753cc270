"""The card catalogue in effect: the organiser's own, else the site's; cached in memory.

Each process caches the most recently used catalogues, each version of one by itself. Every access
reads the stored version number (one small query), which each load increments, so the cache is never
stale.
"""

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from threading import Lock

from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext

from decks.cards.files import ID
from decks.cards.index import CardIndex
from decks.models import Card, Catalogue, CatalogueVersion
from rules.deckbuilding.catalogue import Catalogue as Cards

MOST_CACHED = 8
SHORTEST = 2  # letters typed before names are offered

_Version = tuple[int, int]
_kept: OrderedDict[_Version, tuple[datetime | None, CardIndex]] = OrderedDict()
_lock = Lock()


def catalogue_of(game: str, *, owner_id: int | None = None) -> CardIndex | None:
    """Return the cards of a game: the owner's own, else the site's; None if there are none.

    One query; another one when the catalogue is not in memory.
    """
    owners = Q(owner__isnull=True)
    if owner_id is not None:
        owners |= Q(owner=owner_id)
    found = Catalogue.objects.loaded().filter(owners, game=game)
    return _present_index(found.order_by(F("owner").asc(nulls_last=True)).first())


def catalogue_by_id(pk: int, *, game: str, version: int | None = None) -> CardIndex | None:
    """Return the cards of one catalogue of a game; None if it does not exist.

    They are those of today, unless events began with the ``version`` asked for. One query, one more
    for a version, another one when the catalogue is not in memory.
    """
    if version is not None:
        kept = CatalogueVersion.objects.filter(catalogue=pk, catalogue__game=game, version=version)
        if (found := kept.select_related("catalogue").first()) is not None:
            return cards_of_version(found)
    return _present_index(Catalogue.objects.loaded().filter(pk=pk, game=game).first())


def cards_of_version(version: CatalogueVersion) -> CardIndex | None:
    """Return the cards of a version that events began with; None if there was no catalogue.

    One query when they are not in memory.
    """
    if version.catalogue is None:
        return None
    return _cached_index(version.catalogue, version.version, version.loaded_at)


def resolver(cards: Cards | None) -> Callable[[str], str | None]:
    """Return a function from a card's id (the column ``id`` of the file) to its name.

    One query, at the first id.
    """

    def resolve(number: str) -> str | None:
        if not isinstance(cards, CardIndex):
            return None
        if cards.ids is None:
            stored = Card.objects.at(cards.version).filter(catalogue=cards.pk)
            rows = stored.filter(attributes__has_key=ID).order_by("-pk")
            known = rows.values_list(f"attributes__{ID}", "name")
            cards.ids = {
                one.lstrip("0"): name for ids, name in known.iterator() for one in str(ids).split()
            }
        return cards.ids.get(number.lstrip("0"))

    return resolve


def complete_attributes(cards: Cards | None) -> dict[str, str]:
    """Return the attributes that let ``decks/complete.js`` complete card names in a text area.

    Empty without a catalogue.
    """
    if not isinstance(cards, CardIndex):
        return {}
    address = reverse("decks:complete", args=[cards.game])
    return {
        "data-complete": f"{address}?catalogue={cards.pk}&version={cards.version}",
        "data-complete-label": gettext("Card names"),
        "data-complete-found": gettext("Suggestions: %(count)s. Choose with the arrow keys."),
        "data-complete-from": str(SHORTEST),
    }


def _present_index(catalogue: Catalogue | None) -> CardIndex | None:
    if catalogue is None:
        return None
    return _cached_index(catalogue, catalogue.version, catalogue.loaded_at)


def _cached_index(catalogue: Catalogue, version: int, loaded_at: datetime | None) -> CardIndex:
    # A rolled-back load may have used the same version number: the time tells them apart.
    key = (catalogue.pk, version)
    with _lock:
        held = _kept.get(key)
        if held is None or held[0] != loaded_at:
            held = (loaded_at, _index_from_database(catalogue, version, loaded_at))
            _kept[key] = held
        _kept.move_to_end(key)
        while len(_kept) > MOST_CACHED:
            _kept.popitem(last=False)
    return held[1]


def _index_from_database(
    catalogue: Catalogue, version: int, loaded_at: datetime | None
) -> CardIndex:
    cards = Card.objects.at(version).filter(catalogue=catalogue)
    return CardIndex(
        catalogue.pk,
        catalogue.game,
        cards.order_by("key", "expansion", "number", "pk")
        .values_list(
            *("key", "key_en", "name", "name_en", "kind", "genus", "expansion", "max_copies"),
            *("other_names", "legal_in"),
        )
        .iterator(chunk_size=2000),
        loaded_at,
        version=version,
    )
