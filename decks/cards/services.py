"""Store and delete card catalogues, and keep the versions that events begin with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Max, Sum
from django.db.models.functions import Length

from accounts.ceilings import check_account_limit, check_storage_limit, register_byte_counter
from accounts.models import User
from config import transaction
from decks.cards.catalogues import (
    FIELDS,
    CatalogueChanges,
    build_card,
    card_game_name,
    catalogue_changes,
)
from decks.cards.files import CardData
from decks.models import Card, Catalogue, CatalogueVersion
from decks.models.card import PRESENT, CardQuerySet
from rules.errors import RuleError

BATCH = 500  # rows per query; Django splits further for SQLite


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedCards:
    """A catalogue after a load, and the changes that the load made."""

    catalogue: Catalogue
    changes: CatalogueChanges


@transaction.atomic
def load_cards(
    *,
    game: str,
    cards: Sequence[CardData],
    owner: User | None = None,
    remove_missing: bool = False,
    expected_version: int | None = None,
) -> LoadedCards:
    """Store cards in the site's catalogue of a game, or in an organiser's own (``owner``).

    Cards are added and updated; with ``remove_missing``, others are removed. If nothing changes,
    the version stays. Cards of versions that events began with are kept. Raises BadInput
    ``unknown_game``, ``too_many_catalogues``, ``too_much_stored``; RuleError ``stale`` if the
    catalogue is not at ``expected_version`` (0: it did not exist; None: any).
    """
    card_game_name(game)
    catalogue, created = Catalogue.objects.get_or_create(game=game, owner=owner)
    if created:
        check_account_limit(owner, "catalogues", lambda own: own.catalogues.count(), adding=0)
    catalogue = Catalogue.objects.select_for_update().get(pk=catalogue.pk)
    if expected_version is not None and catalogue.version != expected_version:
        raise RuleError(
            "stale",
        )
    changes = catalogue_changes(catalogue, cards, remove_missing=remove_missing)
    if changes.any:
        catalogue.version, catalogue.dropped = catalogue.version + 1, False
        _apply_changes(catalogue, changes)
        catalogue.save()
        check_storage_limit(owner)
    return LoadedCards(catalogue=catalogue, changes=changes)


@transaction.atomic
def delete_own_cards(*, game: str, owner: User) -> bool:
    """Delete an organiser's own catalogue of a game; return whether there was one.

    The organiser's events that have not started fall back to the site's cards; those that began
    with the catalogue keep its cards.
    """
    found = Catalogue.objects.loaded().select_for_update().filter(game=game, owner=owner).first()
    if found is None:
        return False
    if not found.versions.exists():
        found.delete()
        return True
    found.version, found.dropped = found.version + 1, True
    _take_out(Card.objects.filter(catalogue=found), found.version, _newest_kept(found))
    found.save()
    return True


def pin_catalogue_version(catalogue_id: int | None) -> CatalogueVersion:
    """Record that a starting event uses a catalogue's present version; return it.

    The version's cards are kept from now on. catalogue_id: None for no catalogue. Must run inside
    the transaction of the start. Raises RuleError ``stale`` if the catalogue was deleted meanwhile.
    Two queries, more for the first event.
    """
    if catalogue_id is None:
        return CatalogueVersion.objects.get_or_create(catalogue=None)[0]
    found = Catalogue.objects.loaded().select_for_update().filter(pk=catalogue_id).first()
    if found is None:
        raise RuleError(
            "stale",
        )
    return CatalogueVersion.objects.get_or_create(
        catalogue=found, version=found.version, defaults={"loaded_at": found.loaded_at}
    )[0]


def delete_former_cards() -> int:
    """Delete replaced and removed cards that no event's version needs; return the number.

    Two queries, and some for each catalogue that has such cards.
    """
    former = Card.objects.exclude(until=PRESENT).order_by()
    return sum(map(_forget_of, former.values_list("catalogue", flat=True).distinct()))


@transaction.atomic
def _forget_of(catalogue_id: int) -> int:
    catalogue = Catalogue.objects.select_for_update().get(pk=catalogue_id)
    catalogue.versions.filter(events=None).delete()
    kept = tuple(catalogue.versions.values_list("version", flat=True))
    former = catalogue.cards.exclude(until=PRESENT).order_by()
    deleted = 0
    for since, until in former.values_list("since", "until").distinct():
        if not any(since <= version < until for version in kept):
            deleted += former.filter(since=since, until=until).delete()[0]
    if catalogue.dropped and not kept:
        catalogue.delete()
    return deleted


@register_byte_counter
def count_catalogue_characters(owner: User) -> int:
    """Return the number of characters in the cards of a user's catalogues; one query."""
    own = Card.objects.filter(catalogue__owner=owner).order_by()
    texts = (
        *("name", "name_en", "kind", "genus", "expansion", "number", "key", "key_en"),
        *("other_names", "legal_in"),
    )
    sums = own.aggregate(**{text: Sum(Length(text), default=0) for text in texts})
    return sum(sums.values())


def _apply_changes(catalogue: Catalogue, changes: CatalogueChanges) -> None:
    """Store the changes that make the catalogue's present version."""
    printing = ("key", "expansion", "number")
    kept = _newest_kept(catalogue)
    gone = {card.printing for card in changes.gone}
    changed = {former.printing for former, _new in changes.changed} if kept else set()
    if gone or changed:
        stored = Card.objects.present().filter(catalogue=catalogue).order_by()
        rows = [(pk, tuple(which)) for pk, *which in stored.values_list("pk", *printing)]
        for cards in _batches([pk for pk, which in rows if which in changed]):
            _keep_former(cards, catalogue.version, kept)
        for cards in _batches([pk for pk, which in rows if which in gone]):
            _take_out(cards, catalogue.version, kept)
    Card.objects.bulk_create(
        [
            build_card(catalogue, card)
            for card in (*changes.new, *(new for _old, new in changes.changed))
        ],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["catalogue", *printing, "until"],
        update_fields=[*(name for name in FIELDS if name not in printing), "since"],
    )


def _newest_kept(catalogue: Catalogue) -> int:
    """Return the newest version that an event began with, 0 without one; one query."""
    return catalogue.versions.aggregate(newest=Max("version"))["newest"] or 0


def _batches(keys: Sequence[int]) -> Iterator[CardQuerySet]:
    """Yield the cards with these keys, so many at a time."""
    for at in range(0, len(keys), BATCH):
        yield Card.objects.filter(pk__in=keys[at : at + BATCH])


def _take_out(cards: CardQuerySet, version: int, kept: int) -> None:
    """Take cards of today out of the versions from this one on, ``kept`` being the newest kept."""
    _keep_former(cards, version, kept)
    cards.present().delete()


def _keep_former(cards: CardQuerySet, version: int, kept: int) -> None:
    cards.present().filter(since__lte=kept).update(until=version)
