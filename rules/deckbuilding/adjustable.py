"""The parts of a format that a house format may adjust."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rules.deckbuilding.kinds import Kind
from rules.deckbuilding.zones import Zone
from rules.names import name_key
from rules.wording import Sentence

MOST = 999
"""Maximum of any size or limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """An adjustable number of a check, under the name that programs use.

    ``zone`` is where cards are counted, None for all zones together; ``kind`` is the key of the
    kind counted. ``may_be_none``: the limit can be removed.
    """

    key: str
    label: Sentence
    zone: str | None = None
    kind: str | None = None
    may_be_none: bool = False


@dataclass(frozen=True, kw_only=True)
class AllowedExpansions:
    """The expansions of a category: the allowed ones among the known ones, by code.

    ``known`` maps codes to full names. ``any_other``: unknown expansions are allowed too.
    """

    known: Mapping[str, tuple[str, ...]]
    codes: tuple[str, ...]
    any_other: bool = False

    def code_of(self, text: str) -> str | None:
        """Return the code of an expansion given by code or full name, None if unknown."""
        return self._codes.get(_folded_expansion(text))

    @cached_property
    def _codes(self) -> Mapping[str, str]:
        return {
            _folded_expansion(word): code
            for code, names in self.known.items()
            for word in (code, *names)
        }


@lru_cache(maxsize=1024)
def _folded_expansion(text: str) -> str:
    return " ".join(name_key(text).replace("-", " ").replace(".", "").split())


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustableNumbers:
    """The zones, kinds, limits and expansions from which a check is rebuilt."""

    zones: tuple[Zone, ...]
    kinds: tuple[Kind, ...]
    limits: Mapping[str, int | None]
    allowed: AllowedExpansions | None = None
