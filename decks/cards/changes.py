"""The difference between a file of cards and a stored catalogue."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from decks.cards.files import CardData
from decks.models import Card, Catalogue

FIELDS = tuple(field.name for field in fields(CardData))


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Cards added, changed (before and after) and removed, and the number left unchanged."""

    new: tuple[CardData, ...]
    changed: tuple[tuple[CardData, CardData], ...]
    gone: tuple[CardData, ...]
    equal: int

    @property
    def any(self) -> bool:
        """Return whether anything changes."""
        return bool(self.new or self.changed or self.gone)


def changes_to(
    catalogue: Catalogue | None, cards: Iterable[CardData], *, whole: bool = False
) -> Changes:
    """Return the changes that storing the cards makes; a catalogue of None does not exist yet.

    With ``whole``, cards missing from the file are removed. One query.
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
    return Changes(
        new=tuple(new),
        changed=tuple(changed),
        gone=tuple(held.values()) if whole else (),
        equal=equal,
    )


def stored_cards(catalogue: Catalogue | None) -> Iterable[CardData]:
    """Yield the cards of a catalogue today; one query."""
    if catalogue is not None:
        for row in Card.objects.present().filter(catalogue=catalogue).order_by().values(*FIELDS):
            yield CardData(**row)


def card_of(catalogue: Catalogue, card: CardData) -> Card:
    """Return an unsaved row for a card that comes with the catalogue's present version."""
    columns = {name: getattr(card, name) for name in FIELDS}
    return Card(catalogue=catalogue, since=catalogue.version, **columns)


def in_numbers(changes: Changes) -> str:
    """Return the counts in the active language; removals only if there are any."""
    numbers = {
        "new": grouped_number(len(changes.new)),
        "changed": grouped_number(len(changes.changed)),
        "equal": grouped_number(changes.equal),
        "gone": grouped_number(len(changes.gone)),
    }
    if changes.gone:
        return _("%(new)s new, %(changed)s changed, %(equal)s equal, %(gone)s taken out.") % numbers
    return _("%(new)s new, %(changed)s changed, %(equal)s equal.") % numbers


def grouped_number(number: int) -> str:
    """Return a number with the thousands separator of the active language."""
    return str(number_format(number, force_grouping=True))
