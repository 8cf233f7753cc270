"""Verdicts on a player: through, out or open, now and after each result of the next match."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.results import PlayerId


class Verdict(StrEnum):
    """The state of a player's advancing: certain, impossible, or undecided."""

    THROUGH = "through"
    OUT = "out"
    OPEN = "open"


class DependsOn(StrEnum):
    """A dependency of an open verdict: results of others, or scores and later criteria."""

    RESULTS = "results"
    SCORES = "scores"


class Measure(StrEnum):
    """The quantity that a margin measures, in one match or between two.

    Score made; score difference; score made minus that of another player's match; score
    difference minus that of another player's match.
    """

    MADE = "made"
    MARGIN = "margin"
    LEAD = "lead"
    MARGIN_LEAD = "margin_lead"


Bound = tuple[int | None, int | None]
"""Minimum and maximum; with neither, every score with that result suffices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """The scores that guarantee advancing, and those that guarantee being out.

    ``of`` and ``than`` are the players whose scores are measured. Each bound holds whatever all
    other results and scores are, provided that the player's own match ends as its score says;
    between the bounds the verdict is open.
    """

    measure: Measure
    of: PlayerId
    than: PlayerId | None = None
    through: Bound | None = None
    out: Bound | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decider:
    """What one result of an open match between others means for a player who has played.

    ``result`` is "win", "draw" or "loss" for the first of the ``players``. The verdict, never open,
    holds whatever the other open matches bring.
    """

    players: tuple[PlayerId, PlayerId]
    result: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """A player's verdict, and the verdict after each result of their next match.

    ``opponent`` and ``after`` (by "win", "draw", "loss") are empty without a match to come;
    at a table of three and more there is no one opponent.
    ``depends`` maps the same keys, and "now" for the verdict, to what open verdicts depend on;
    ``margins``, with the same keys, to the sufficient scores if they decide in the last match of
    the player or of a rival. ``exact`` is False if there are too many outcomes to enumerate:
    through and out are then still certain, but an open verdict may already be decided.

    ``places`` are those in the group that the player may end on among those who have not left,
    from the best to the worst; empty if not enumerated. ``deciders`` are known to a player without
    a match to come whose verdict is open.
    """

    player: PlayerId
    verdict: Verdict
    opponent: PlayerId | None = None
    after: Mapping[str, Verdict] = field(default_factory=dict)
    depends: Mapping[str, frozenset[DependsOn]] = field(default_factory=dict)
    margins: Mapping[str, tuple[Margin, ...]] = field(default_factory=dict)
    exact: bool = True
    places: range = range(0)
    deciders: tuple[Decider, ...] = ()

    @property
    def is_known(self) -> bool:
        """Return whether anything is known: everything, or some certain verdicts."""
        return self.exact or any(
            verdict is not Verdict.OPEN for verdict in (self.verdict, *self.after.values())
        )
