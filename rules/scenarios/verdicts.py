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


class Measure(StrEnum):
    """What of a score is measured: in one match, or in one against another.

    What somebody makes; by how much more than the opponent; how much more somebody makes in
    their match than another in theirs; by how much their margin is better than another's.
    """

    MADE = "made"
    MARGIN = "margin"
    LEAD = "lead"
    MARGIN_LEAD = "margin_lead"


Bound = tuple[int | None, int | None]
"""At least and at most; with neither it holds for whatever score says how the match ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """What of a score suffices to go on, and with what of it somebody is out.

    ``of`` and ``than`` say whose scores are measured. Each bound holds by itself, whatever all
    other results and scores will be, as long as the player's own match ends as its score says;
    between the two it is open.
    """

    measure: Measure
    of: PlayerId
    than: PlayerId | None = None
    through: Bound | None = None
    out: Bound | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """A player's verdict, and what it would be after each result of their next match.

    ``opponent`` and ``after`` (by "win", "draw", "loss") are empty without a match to come.
    ``depends`` says of what is open what it depends on, by the same keys, and by "now" for the
    verdict; ``margins``, by these as well, what scores suffice where they decide in a last match
    or in that of a rival. ``exact`` is False where there are too many ways to end to look at
    each: who is through or out then is so for certain, but something open may be decided already.
    """

    player: PlayerId
    verdict: Verdict
    opponent: PlayerId | None = None
    after: Mapping[str, Verdict] = field(default_factory=dict)
    depends: Mapping[str, frozenset[On]] = field(default_factory=dict)
    margins: Mapping[str, tuple[Margin, ...]] = field(default_factory=dict)
    exact: bool = True

    @property
    def is_known(self) -> bool:
        """Say whether anything can be said: all of it, or some of it for certain."""
        return self.exact or any(
            verdict is not Verdict.OPEN for verdict in (self.verdict, *self.after.values())
        )
