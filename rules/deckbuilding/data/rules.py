"""The rules of a format as data.

Source: contracts, Formats of one's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.deckbuilding.catalogue import Notation
from rules.deckbuilding.formats import Check, Exchange, GameStandings, Look, Play
from rules.deckbuilding.zones import Kind, Zone
from rules.wording import Sentence

NO_CARD_LISTS: Mapping[str, tuple[str, ...]] = {}


class CountedBy(StrEnum):
    """By what two copies count as the same card: name, number, or name and version."""

    NAME = "name"
    NUMBER = "number"
    NAME_AND_VERSION = "name_and_version"


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyRule:
    """How many copies of a card a list may have, None for any number.

    ``each``: in each zone by itself, not over all together. ``unlimited`` cards have no maximum,
    those in ``own`` one of their own; both by name.
    """

    most: int | None = None
    by: CountedBy = CountedBy.NAME
    each: bool = False
    unlimited: tuple[str, ...] = ()
    own: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedKind:
    """A kind of cards, and how many of it the zones that it may be in hold together."""

    kind: Kind
    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """How many cards some zones hold together."""

    zones: tuple[str, ...]
    least: int = 0
    most: int | None = None


@dataclass(frozen=True, kw_only=True)
class FormatRules:
    """All rules of a format; only zones are needed.

    ``card_lists`` are names by list (banned, limited, semi_limited). ``legal_in`` names the column
    of the catalogue that says which cards may be played. ``not_checked`` says in words what these
    rules leave out.

    The others are of shipped formats alone: the checks that data names, in place of those that
    follow from the parts above; the zone exchanged between games, and how; sentences of
    ``DeckFormat``.
    """

    zones: tuple[Zone, ...]
    copies: CopyRule = CopyRule()
    kinds: tuple[CountedKind, ...] = ()
    sums: tuple[Sum, ...] = ()
    excluded_together: tuple[tuple[str, str], ...] = ()
    card_lists: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: NO_CARD_LISTS)
    legal_in: str | None = None
    not_checked: tuple[str, ...] = ()
    match: Play = field(default_factory=Play)
    standings: GameStandings = field(default_factory=GameStandings)
    look: Look = field(default_factory=Look)
    notation: Notation = field(default_factory=Notation)
    checks: tuple[Check, ...] = ()
    side: str | None = None
    exchange: Exchange = field(default_factory=Exchange)
    notes: tuple[Sentence, ...] = ()
    decisions: tuple[Sentence, ...] = ()
    deck_check: tuple[Sentence, ...] = ()
