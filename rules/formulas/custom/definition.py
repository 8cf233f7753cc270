"""Definitions of custom formulas: stages, groups, and the source of each player.

Source: tournament rules, Other formulas to ship (Custom). Stages are numbered from 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rules.plans.plan import OwnValue

MOST_PLAYERS = 1024
MOST_STAGES = 20
MOST_GROUPS = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPlace:
    """The n-th of the starting order of the event."""

    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRank:
    """The player on a rank of a group."""

    stage: int
    group: str
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfRank:
    """The n-th of the players on rank ``best`` in the groups of a stage."""

    stage: int
    best: int
    nth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchWinner:
    """The winner of a match, by its number in the bracket of a stage."""

    stage: int
    winner: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLoser:
    """The loser of a match, by its number in the bracket of a stage."""

    stage: int
    loser: int


StageSource = GroupRank | BestOfRank | MatchWinner | MatchLoser
Source = StartPlace | StageSource


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDefinition:
    """A group; ``entrants`` in seat order, None if starting players are dealt to it."""

    name: str
    entrants: tuple[Source, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageDefinition:
    """A stage; its settings are those of ``StagePlan``, ``own`` those of its kind alone.

    In ``best_of`` 0 means the game's default; in ``rounds`` derived from the number of players.
    """

    name: str
    kind: str
    groups: tuple[GroupDefinition, ...]
    legs: int = 1
    best_of: tuple[int, ...] = (0,)
    timed: bool = True
    third_place: bool = False
    survivors: int = 1
    apart: bool = False
    rounds: int = 0
    without_last: bool = False
    second_final: bool = True
    own: tuple[tuple[str, OwnValue], ...] = ()

    @property
    def sources(self) -> Iterator[tuple[GroupDefinition, Source]]:
        """Yield every named entrant with its group."""
        for group in self.groups:
            for source in group.entrants or ():
                yield group, source

    @property
    def spread(self) -> tuple[GroupDefinition, ...]:
        """Return the groups to which starting players are dealt."""
        return tuple(group for group in self.groups if group.entrants is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A formula for ``lowest`` to ``highest`` players."""

    name: str
    about: str
    lowest: int
    highest: int
    stages: tuple[StageDefinition, ...]

    @property
    def sources(self) -> Iterator[tuple[int, GroupDefinition, Source]]:
        """Yield every named entrant with the number of its stage and its group."""
        for number, stage in enumerate(self.stages, start=1):
            for group, source in stage.sources:
                yield number, group, source

    def taken_from(self, stage: int) -> Iterator[StageSource]:
        """Yield the places of a stage that later stages take, in seat order."""
        for _number, _group, source in self.sources:
            if not isinstance(source, StartPlace) and source.stage == stage:
                yield source
