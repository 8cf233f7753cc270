"""What is said of a player: through, out or open, now and after each result of a next match."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.results import PlayerId


class Verdict(StrEnum):
    """Whether a player goes on: surely, surely not, or neither yet."""

    THROUGH = "through"
    OUT = "out"
    OPEN = "open"


class On(StrEnum):
    """What something open depends on: results of others, or scores and whatever comes behind."""

    RESULTS = "results"
    SCORES = "scores"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """A player's verdict, and what it would be after each result of their next match.

    ``opponent`` and ``after`` (by "win", "draw", "loss") are empty without a match to come.
    ``depends`` says of what is open what it depends on, by the same keys, and by "now" for the
    verdict. ``exact`` is False where there are too many ways to end to look at each: who is
    through or out then is so for certain, but something open may be decided already.
    """

    player: PlayerId
    verdict: Verdict
    opponent: PlayerId | None = None
    after: Mapping[str, Verdict] = field(default_factory=dict)
    depends: Mapping[str, frozenset[On]] = field(default_factory=dict)
    exact: bool = True

    @property
    def is_known(self) -> bool:
        """Say whether anything can be said: all of it, or some of it for certain."""
        return self.exact or any(
            verdict is not Verdict.OPEN for verdict in (self.verdict, *self.after.values())
        )
