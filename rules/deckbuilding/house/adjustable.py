"""What a house format may change of the format that it was made from."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.deckbuilding.kinds import Kind
from rules.deckbuilding.zones import Zone
from rules.wording import Sentence

MOST = 999
"""The largest size or limit that a format may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A number of a check that may be changed, by the name under which programs know it.

    ``zone`` is where the cards are counted, None where all zones are taken together; ``kind``
    the key of the kind that is counted. ``may_be_none``: there may be no limit at all.
    """

    key: str
    label: Sentence
    zone: str | None = None
    kind: str | None = None
    may_be_none: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """The expansions of a category: those allowed of those known, by code.

    ``known`` gives the full names. ``any_other``: expansions that nobody knows are allowed too.
    """

    known: Mapping[str, tuple[str, ...]]
    codes: tuple[str, ...]
    any_other: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Zones, kinds, limits and expansions with which a check is made again."""

    zones: tuple[Zone, ...]
    kinds: tuple[Kind, ...]
    limits: Mapping[str, int | None]
    allowed: Allowed | None = None
