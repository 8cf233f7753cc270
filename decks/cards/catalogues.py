"""The card catalogue in effect: the organiser's own, else the site's; cached in memory.

Each process caches the most recently used catalogues. Every access reads the stored version
number (one small query), which each load increments, so the cache is never stale.
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
from decks.models import Card, Catalogue
from rules.deckbuilding.catalogue import Catalogue as Cards

MOST_CACHED = 8
SHORTEST = 2  # letters typed before names are offered

_Version = tuple[int, datetime]
_kept: OrderedDict[int, tuple[_Version, CardIndex]] = OrderedDict()
_lock = Lock()


def catalogue_of(game: str, *, owner_id: int | None = None) -> CardIndex | None:
    """Return the cards of a game: the owner's own, else the site's; None if there are none.

    One query; another one when the catalogue is not in memory.
    """
    owners = Q(owner__isnull=True)
    if owner_id is not None:
        owners |= Q(owner=owner_id)
    found = Catalogue.objects.filter(owners, game=game, version__gt=0)
    return _cached_index(found.order_by(F("owner").asc(nulls_last=True)).first())


def catalogue_by_id(pk: int, *, game: str) -> CardIndex | None:
    """Return the cards of one catalogue of a game; None if it does not exist.

    One query; another one when the catalogue is not in memory.
    """
    return _cached_index(Catalogue.objects.filter(pk=pk, game=game, version__gt=0).first())


def resolver(cards: Cards | None) -> Callable[[str], str | None]:
    """Return a function from a card's id (the column ``id`` of the file) to its name.

    One query, at the first id.
    """

    def resolve(number: str) -> str | None:
        if not isinstance(cards, CardIndex):
            return None
        if cards.ids is None:
            rows = Card.objects.filter(catalogue=cards.pk, attributes__has_key=ID).order_by("-pk")
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
    return {
        "data-complete": f"{reverse('decks:complete', args=[cards.game])}?catalogue={cards.pk}",
        "data-complete-label": gettext("Card names"),
        "data-complete-found": gettext("Suggestions: %(count)s. Choose with the arrow keys."),
        "data-complete-from": str(SHORTEST),
    }


def _cached_index(catalogue: Catalogue | None) -> CardIndex | None:
    if catalogue is None:
        return None
    # A rolled-back load may have used the same version number: the time tells them apart.
    version = (catalogue.version, catalogue.loaded_at)
    with _lock:
        held = _kept.get(catalogue.pk)
        if held is None or held[0] != version:
            held = (version, _index_from_database(catalogue))
            _kept[catalogue.pk] = held
        _kept.move_to_end(catalogue.pk)
        while len(_kept) > MOST_CACHED:
            _kept.popitem(last=False)
    return held[1]


def _index_from_database(catalogue: Catalogue) -> CardIndex:
    rows = Card.objects.filter(catalogue=catalogue).order_by("key", "expansion", "number", "pk")
    return CardIndex(
        catalogue.pk,
        catalogue.game,
        rows.values_list(
            *("key", "key_en", "name", "name_en", "kind", "genus", "expansion", "max_copies"),
            *("other_names", "legal_in"),
        ).iterator(chunk_size=2000),
        catalogue.loaded_at,
    )
