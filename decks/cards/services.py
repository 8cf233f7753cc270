"""Store and delete card catalogues."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum
from django.db.models.functions import Length

from accounts.ceilings import check_ceiling, check_stored, counts_bytes
from accounts.models import User
from config import transaction
from decks.cards.changes import FIELDS, Changes, card_of, changes_to
from decks.cards.files import CardData
from decks.cards.games import card_game
from decks.models import Card, Catalogue
from rules.errors import RuleError

BATCH = 500  # rows per query; Django splits further for SQLite


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A catalogue and the changes made by a load."""

    catalogue: Catalogue
    changes: Changes


@transaction.atomic
def load_cards(
    *,
    game: str,
    cards: Sequence[CardData],
    owner: User | None = None,
    whole: bool = False,
    expected_version: int | None = None,
) -> Loaded:
    """Store the cards in the site's catalogue of a game, or in an organiser's own.

    Cards are added and updated; with ``whole``, cards missing from the file are removed. If
    nothing changes, nothing is written and the version stays.

    Raises BadInput ``unknown_game``, ``too_many_catalogues``, ``too_much_stored``; RuleError
    ``stale`` if the catalogue is no longer at ``expected_version`` (0: it did not exist).
    """
    card_game(game)
    catalogue, created = Catalogue.objects.get_or_create(game=game, owner=owner)
    if created:
        check_ceiling(owner, "catalogues", lambda own: own.catalogues.count(), adding=0)
    catalogue = Catalogue.objects.select_for_update().get(pk=catalogue.pk)
    if expected_version is not None and catalogue.version != expected_version:
        raise RuleError(
            "stale",
            "The catalogue has changed meanwhile. Nothing was stored: look at the file again.",
        )
    changes = changes_to(catalogue, cards, whole=whole)
    if changes.any:
        _apply_changes(catalogue, changes)
        catalogue.version += 1
        catalogue.save()
        check_stored(owner)
    return Loaded(catalogue=catalogue, changes=changes)


@transaction.atomic
def drop_cards(*, game: str, owner: User) -> bool:
    """Delete an organiser's own catalogue of a game; return whether there was one.

    Events that used it fall back to the site's cards.
    """
    found = Catalogue.objects.select_for_update().filter(game=game, owner=owner)
    return found.delete()[0] > 0


@counts_bytes
def bytes_of_cards(owner: User) -> int:
    """Return the number of characters in the cards of an organiser's catalogues; one query."""
    own = Card.objects.filter(catalogue__owner=owner).order_by()
    texts = (
        *("name", "name_en", "kind", "genus", "expansion", "number", "key", "key_en"),
        *("other_names", "legal_in"),
    )
    sums = own.aggregate(**{text: Sum(Length(text), default=0) for text in texts})
    return sum(sums.values())


def _apply_changes(catalogue: Catalogue, changes: Changes) -> None:
    printing = ("key", "expansion", "number")
    Card.objects.bulk_create(
        [
            card_of(catalogue, card)
            for card in (*changes.new, *(new for _old, new in changes.changed))
        ],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["catalogue", *printing],
        update_fields=[name for name in FIELDS if name not in printing],
    )
    gone = {card.printing for card in changes.gone}
    if gone:
        stored = Card.objects.filter(catalogue=catalogue).order_by()
        keys = [pk for pk, *which in stored.values_list("pk", *printing) if tuple(which) in gone]
        for at in range(0, len(keys), BATCH):
            Card.objects.filter(pk__in=keys[at : at + BATCH]).delete()
