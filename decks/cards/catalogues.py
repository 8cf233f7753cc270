"""The card catalogue in effect: the organiser's own, else the site's; cached in memory.

Each process caches the most recently used catalogues, each version of one by itself. Every access
reads the stored version number (one small query), which each load increments, so the cache is never
stale.

``catalogue_changes`` compares a file of cards with a stored catalogue. ``card_game_names`` names
the games that may have one: those with rules here, whoever wrote them.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from threading import Lock

from django.db.models import F, Q
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from config.wording import translate
from decks.cards.files import ID, CardData
from decks.cards.index import CardIndex
from decks.labels import game_labels
from decks.models import Card, Catalogue, CatalogueVersion, HouseFormat
from decks.stored_formats import OWN, game_slug
from rules.deckbuilding.catalogue import CardCatalogue as Cards
from rules.deckbuilding.data.files import shipped_rules
from rules.errors import BadInput
from rules.names import name_key

MOST_CACHED = 8
SHORTEST = 2  # letters typed before names are offered

_Version = tuple[int, int]
_kept: OrderedDict[_Version, tuple[datetime | None, CardIndex]] = OrderedDict()
_lock = Lock()


def find_catalogue(game: str, *, owner_id: int | None = None) -> CardIndex | None:
    """Return a game's card catalogue: the owner's own, else the site's, else None.

    One query, another one if the catalogue is not cached in memory.
    """
    owners = Q(owner__isnull=True)
    if owner_id is not None:
        owners |= Q(owner=owner_id)
    found = Catalogue.objects.loaded().filter(owners, game=game)
    return _present_index(found.order_by(F("owner").asc(nulls_last=True)).first())


def catalogue_by_id(pk: int, *, game: str, version: int | None = None) -> CardIndex | None:
    """Return a game's card catalogue by its primary key; None if it doesn't exist.

    Its present cards, or those of ``version`` if events began with it. One query, one more for a
    version, another one if the catalogue is not cached in memory.
    """
    if version is not None:
        kept = CatalogueVersion.objects.filter(catalogue=pk, catalogue__game=game, version=version)
        if (found := kept.select_related("catalogue").first()) is not None:
            return catalogue_in_version(found)
    return _present_index(Catalogue.objects.loaded().filter(pk=pk, game=game).first())


def catalogue_in_version(version: CatalogueVersion) -> CardIndex | None:
    """Return the cards of a stored catalogue version; None if it has no catalogue.

    One query if it is not cached in memory.
    """
    if version.catalogue is None:
        return None
    return _cached_index(version.catalogue, version.version, version.loaded_at)


def card_id_resolver(cards: Cards | None) -> Callable[[str], str | None]:
    """Return a function that returns the name of a card by its id, None if unknown.

    The id is that of the column ``id`` in the catalogue's file. The function makes one query, at
    the first id; without a catalogue it knows none.
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


def completion_attributes(cards: Cards | None) -> dict[str, str]:
    """Return the HTML attributes of a field that completes card names.

    ``decks/complete.js`` reads them. Empty without a catalogue.
    """
    if not isinstance(cards, CardIndex):
        return {}
    address = reverse("decks:complete", args=[cards.game])
    return {
        "data-complete": f"{address}?catalogue={cards.pk}&version={cards.version}",
        "data-complete-label": gettext("Cards"),
        "data-complete-found": gettext("Suggestions: %(count)s"),
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


FIELDS = tuple(field.name for field in fields(CardData))


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueChanges:
    """What a load changes in a catalogue: new, changed (before, after) and removed cards.

    ``gone`` are the removed cards, ``equal`` the number of unchanged ones.
    """

    new: tuple[CardData, ...]
    changed: tuple[tuple[CardData, CardData], ...]
    gone: tuple[CardData, ...]
    equal: int

    @property
    def any(self) -> bool:
        """Return whether anything changes."""
        return bool(self.new or self.changed or self.gone)


def catalogue_changes(
    catalogue: Catalogue | None, cards: Iterable[CardData], *, remove_missing: bool = False
) -> CatalogueChanges:
    """Compare cards with those stored in a catalogue; return the changes. One query.

    catalogue: None if it doesn't exist yet. remove_missing: whether stored cards that are not in
    ``cards`` are to be removed.
    """
    held = {card.printing: card for card in stored_cards(catalogue)}
    new: list[CardData] = []
    changed: list[tuple[CardData, CardData]] = []
    equal = 0
    for card in cards:
        former = held.pop(card.printing, None)
        if former is None:
            new.append(card)
        elif former != card:
            changed.append((former, card))
        else:
            equal += 1
    return CatalogueChanges(
        new=tuple(new),
        changed=tuple(changed),
        gone=tuple(held.values()) if remove_missing else (),
        equal=equal,
    )


def stored_cards(catalogue: Catalogue | None) -> Iterable[CardData]:
    """Yield the present cards of a catalogue; one query."""
    if catalogue is not None:
        for row in Card.objects.present().filter(catalogue=catalogue).order_by().values(*FIELDS):
            yield CardData(**row)


def build_card(catalogue: Catalogue, card: CardData) -> Card:
    """Build an unsaved Card of a catalogue's present version from a card's data."""
    columns = {name: getattr(card, name) for name in FIELDS}
    return Card(catalogue=catalogue, since=catalogue.version, **columns)


def change_summary(changes: CatalogueChanges) -> str:
    """Return the numbers of new, changed, unchanged and removed cards as a message."""
    numbers = {
        "new": format_number(len(changes.new)),
        "changed": format_number(len(changes.changed)),
        "equal": format_number(changes.equal),
        "gone": format_number(len(changes.gone)),
    }
    words = _("Added: %(new)s, changed: %(changed)s, unchanged: %(equal)s, removed: %(gone)s")
    return words % numbers


def format_number(number: int) -> str:
    """Return a number with the thousands separator of the active language."""
    return str(number_format(number, force_grouping=True))


def shipped_games() -> dict[str, str]:
    """Return the names of the games with decklists that come with the program, by slug."""
    ready = (one.game for one in shipped_rules() if one.game and one.lists != HouseFormat.Lists.OFF)
    return {
        **{slug: translate(label) for slug, label in game_labels().items()},
        **{game_slug(name): name for name in ready if game_slug(name) not in game_labels()},
    }


def card_game_names() -> dict[str, str]:
    """Return the names of all games with decklists by slug, shipped first; one query."""
    own = HouseFormat.objects.made_here().filter(base=OWN).exclude(lists=HouseFormat.Lists.OFF)
    found = shipped_games()
    for name in sorted(set(own.order_by().values_list("game", flat=True)), key=name_key):
        found.setdefault(game_slug(name), name)
    return found


def find_game_slug(text: str) -> str:
    """Return the slug of a game given by its slug or name, stored or not.

    At most one query.
    """
    if text in shipped_games() or text in card_game_names():
        return text
    return game_slug(text)


def card_game_name(slug: str) -> str:
    """Return the name of a game; raise BadInput ``unknown_game``.

    One query unless its rules come with the program.
    """
    known = shipped_games()
    if slug not in known:
        known = card_game_names()
    if slug not in known:
        raise BadInput(
            "unknown_game",
            "Use one of: %(known)s.",
            game=slug,
            known=tuple(known),
        )
    return known[slug]
