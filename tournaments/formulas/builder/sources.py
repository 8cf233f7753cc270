"""Tokens in the builder's form for where an entrant of a stage comes from.

A definition refers to groups by name, a token by number, so that renaming a group keeps
the seats. Stages, groups, ranks and matches count from 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.formulas.custom import definition

KINDS = START, RANK, BEST, WINNER, LOSER = "start", "rank", "best", "winner", "loser"
"""What a source is, as in tokens; other modules ask its properties."""
LONGEST_NUMBER = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A seed, a rank of a group, a best n-th, or the winner or loser of a match.

    ``number`` is the place at the start, the rank, or the number of the match; ``nth`` says
    which of those on one rank in all groups of the stage: 1 the best.
    """

    kind: str
    stage: int = 0
    group: int = 0
    number: int
    nth: int = 0

    @property
    def token(self) -> str:
        """Return the source as a form value."""
        return f"{self.kind}-{self.stage}-{self.group}-{self.number}-{self.nth}"

    @property
    def from_start(self) -> bool:
        """Return whether it is a place of the starting order, not of an earlier stage."""
        return self.kind == START

    @property
    def in_group(self) -> bool:
        """Return whether it is a rank of one group."""
        return self.kind == RANK

    @property
    def across_groups(self) -> bool:
        """Return whether it is one of those compared on a rank of all groups."""
        return self.kind == BEST

    @property
    def wins(self) -> bool:
        """Return whether it is the winner of a match."""
        return self.kind == WINNER

    def moved(self, stages: Mapping[int, int]) -> "Source | None":
        """Return the source after stages were renumbered; None if its stage was removed."""
        if self.from_start:
            return self
        return replace(self, stage=stages[self.stage]) if self.stage in stages else None

    def without_group(self, stage: int, gone: int) -> "Source | None":
        """Return the source after a group of a stage was removed; None if it was of that group."""
        if not self.in_group or self.stage != stage or self.group < gone:
            return self
        return None if self.group == gone else replace(self, group=self.group - 1)


def from_token(token: str) -> Source | None:
    """Return the source of a form value; None if empty or invalid."""
    kind, *numbers = token.split("-")
    well_formed = all(
        part.isascii() and part.isdigit() and len(part) <= LONGEST_NUMBER for part in numbers
    )
    if kind not in KINDS or len(numbers) != 4 or not well_formed:
        return None
    stage, group, number, nth = map(int, numbers)
    return Source(kind=kind, stage=stage, group=group, number=number, nth=nth)


def from_definition(source: definition.Source, groups: Sequence[Sequence[str]]) -> str:
    """Return the token of a definition's source; ``groups`` are the names by stage.

    Empty where the definition has no such group.
    """
    match source:
        case definition.StartPlace(start=number):
            return Source(kind=START, number=number).token
        case definition.BestOfRank(stage=stage, best=rank, nth=nth):
            return Source(kind=BEST, stage=stage, number=rank, nth=nth).token
        case definition.MatchWinner(stage=stage, winner=number):
            return Source(kind=WINNER, stage=stage, number=number).token
        case definition.MatchLoser(stage=stage, loser=number):
            return Source(kind=LOSER, stage=stage, number=number).token
        case definition.GroupRank(stage=stage, group=group, rank=rank):
            names = groups[stage - 1] if stage <= len(groups) else ()
            if group in names:
                return Source(
                    kind=RANK, stage=stage, group=names.index(group) + 1, number=rank
                ).token
    return ""


def to_json(source: Source, groups: Sequence[Sequence[str]]) -> dict[str, Any] | None:
    """Return a source as JSON of a definition, None if its stage or group was removed.

    ``groups`` are the names of the groups of each stage.
    """
    if source.from_start:
        return {"start": source.number}
    if not 0 < source.stage <= len(groups):
        return None
    if source.across_groups:
        return {"stage": source.stage, "best": source.number, "nth": source.nth}
    if not source.in_group:
        return {"stage": source.stage, source.kind: source.number}
    names = groups[source.stage - 1]
    if not 0 < source.group <= len(names):
        return None
    return {"stage": source.stage, "group": names[source.group - 1], "rank": source.number}
