"""The state of a stage, from which rounds are paired, and matches settled without play.

Settings of kinds of stages are data, from which JSON, checks and forms are derived.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from rules.errors import RuleError
from rules.plans import MOST_LEGS, StagePlan
from rules.results import (
    MatchEnding,
    Outcome,
    PlayerId,
    Points,
    Result,
    SeatMark,
    outcome_by_places,
    void_outcome,
)
from rules.tables.field import SmallTableRule
from rules.tables.results import POINT_PRESETS, TablePoints
from rules.tables.rounds import USUAL_SIZES
from rules.wording import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Players who are to meet in a round, in seat order, or one player with a bye.

    ``number`` counts through the stage from 1; in a knock-out it is the match's number in the
    bracket. ``draws``: the match may be drawn. ``outcome`` is set if it is settled without play;
    ``reason`` explains a pairing that does not follow from the schedule. ``missed``: a round in
    which the only player was absent, as a late entry or having left meanwhile. ``by_hand``: paired
    by staff.
    """

    group: str
    number: int
    seats: tuple[PlayerId, ...]
    best_of: int = 1
    draws: bool = True
    leg: int = 1
    outcome: Outcome | None = None
    reason: Sentence | None = None
    missed: bool = False
    by_hand: bool = False


Pairs = frozenset[frozenset[PlayerId]]
Played = tuple[tuple[Pairing, Result], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TiebreakerRound:
    """A round of tiebreaker matches between tied players (``level``).

    It only affects their order. ``after`` is the number of random draws in the event before it.
    """

    level: tuple[PlayerId, ...]
    played: Played
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StageState:
    """A stage in play: its seats, its rounds, and the players who left.

    ``seats`` maps group names to players in seat order, None for a vacant place. ``legs``: how
    often all meet in groups, 2 once a second leg is decided. ``withdrawn`` are players withdrawn or
    disqualified; all matches of ``struck`` players are void. Stages paired by points need the
    ``points`` of results (``table_points`` at multiplayer tables) and a random ``seed``; the pairs
    ``apart`` are avoided in the next round if possible. ``rounds_apart`` holds, for each round
    made, the pairs that were avoided then. ``tiebreaker_rounds`` are separate from ``rounds``.
    """

    plan: StagePlan
    seats: Mapping[str, tuple[PlayerId | None, ...]]
    legs: int = 1
    rounds: tuple[Played, ...] = ()
    withdrawn: frozenset[PlayerId] = frozenset()
    struck: frozenset[PlayerId] = frozenset()
    points: Points = field(default_factory=Points)
    table_points: TablePoints = POINT_PRESETS["win5"]
    seed: str = ""
    apart: Pairs = frozenset()
    rounds_apart: tuple[Pairs, ...] = ()
    tiebreaker_rounds: tuple[TiebreakerRound, ...] = ()

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Return all seated players, group by group, in seat order."""
        return tuple(player for group in self.plan.groups for player in self.seated(group.name))

    def seated(self, group: str) -> tuple[PlayerId, ...]:
        """Return the players of one group in seat order, without vacant places."""
        return tuple(player for player in self.seats.get(group, ()) if player is not None)

    @property
    def is_played(self) -> bool:
        """Return whether all matches of the rounds made have a result."""
        return all(result.is_played for made in self.rounds for _pairing, result in made)

    def results_of(self, group: str) -> tuple[Result, ...]:
        """Return the results of one group, in the order of rounds."""
        return tuple(
            result for played in self.rounds for pairing, result in played if pairing.group == group
        )


def forfeit_outcome(seats: Sequence[PlayerId], withdrawn: Collection[PlayerId]) -> Outcome | None:
    """Return the outcome of a match by forfeit, None while two or more have not withdrawn.

    The remaining player wins; if nobody is left, nobody does. At a multiplayer table those who have
    left are marked as conceded.
    """
    left = [player for player in seats if player not in withdrawn]
    if len(left) > 1:
        return None
    places = tuple(1 if player in left else 2 for player in seats)
    gone = tuple(
        (seat, SeatMark.CONCEDED) for seat, place in enumerate(places, start=1) if place == 2
    )
    return outcome_by_places(
        places,
        gone if len(seats) > 2 else (),
        MatchEnding.CONCESSION if left else MatchEnding.DOUBLE_LOSS,
        seats=len(seats),
    )


def outcome_by_rule(seats: Sequence[PlayerId], state: StageState) -> Outcome | None:
    """Return the outcome of an unplayed match that is settled without play, else None.

    It is void with a struck player, a forfeit if withdrawn players leave fewer than two.
    """
    struck = not state.struck.isdisjoint(seats)
    return void_outcome(len(seats)) if struck else forfeit_outcome(seats, state.withdrawn)


def require_results(state: StageState) -> None:
    """Raise RuleError ``results_missing`` unless all matches of the rounds made are played."""
    if not state.is_played:
        raise RuleError(
            "results_missing",
            "Enter the missing results first.",
        )


def scheduled_pairing(
    state: StageState,
    group: str,
    number: int,
    a: PlayerId,
    b: PlayerId,
    *,
    draws: bool = True,
    leg: int = 1,
) -> Pairing:
    """Return the scheduled pairing of two players, settled by rule if one of them has left.

    ``number`` is the match's in the stage; ``draws``: it may end in a draw.
    """
    return Pairing(
        group=group,
        number=number,
        seats=(a, b),
        best_of=state.plan.best_of[0],
        draws=draws,
        leg=leg,
        outcome=outcome_by_rule((a, b), state),
    )


def strike_player(state: StageState, player: PlayerId) -> StageState:
    """Return the stage with this player struck: all their matches become void."""
    rounds = tuple(_all_without(played, player) for played in state.rounds)
    extra = tuple(
        replace(item, played=_all_without(item.played, player)) for item in state.tiebreaker_rounds
    )
    return replace(state, rounds=rounds, tiebreaker_rounds=extra, struck=state.struck | {player})


def _all_without(played: Played, player: PlayerId) -> Played:
    return tuple((pairing, _voided_if_of(result, player)) for pairing, result in played)


def _voided_if_of(result: Result, player: PlayerId) -> Result:
    if player not in result.seats:
        return result
    return replace(result, outcome=void_outcome(len(result.seats)))


Value = int | bool | str | tuple[int, ...]
MOST = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting that a kind of stage has; ``usual`` is its default.

    It is a flag if the default is a bool, else a number from ``least`` to ``most``. Stages of
    multiplayer tables also have a list of sizes, and a text: who sits at the small tables.
    """

    key: str
    label: Sentence
    usual: Value
    least: int = 0
    most: int = MOST

    @property
    def is_flag(self) -> bool:
        """Return whether the value is a flag."""
        return isinstance(self.usual, bool)


class ConfiguredStage(Protocol):
    """A stage of a plan or of a custom formula, as far as kinds of stages read its settings.

    Shared settings are attributes, those of one kind only are in ``own``.
    """

    @property
    def own(self) -> tuple[tuple[str, Value], ...]:
        """Return the settings specific to this kind of stage."""

    @property
    def survivors(self) -> int:
        """Return the number of players that a bracket leaves."""

    @property
    def third_place(self) -> bool:
        """Return whether there is a match for third place."""


LEGS = Setting(key="legs", label=Sentence("Matches per pair"), usual=1, least=1, most=MOST_LEGS)
WITHOUT_LAST = Setting(
    key="without_last", label=Sentence("Matches against last place don’t count"), usual=False
)
ROUNDS = Setting(key="rounds", label=Sentence("Number of rounds"), usual=0)
"""0 means derived from the number of players."""
THIRD_PLACE = Setting(key="third_place", label=Sentence("Match for third place"), usual=False)
SURVIVORS = Setting(key="survivors", label=Sentence("Players left at the end"), usual=1)
APART = Setting(
    key="apart",
    label=Sentence("Players from the same group meet again as late as possible"),
    usual=False,
)
SIZES = Setting(
    key="sizes", label=Sentence("Players per table, preferred size first"), usual=USUAL_SIZES
)
SMALL = Setting(
    key="small", label=Sentence("Who sits at the small tables"), usual=str(SmallTableRule.LOW)
)
SEEDED = Setting(key="seeded", label=Sentence("First round paired by seed"), usual=False)
"""Set at the start of an event some of whose players have a seed position."""
SECOND_FINAL = Setting(
    key="second_final",
    label=Sentence("The winner of the lower bracket must win the grand final twice"),
    usual=True,
)
SHARED: Mapping[str, Setting] = {
    setting.key: setting
    for setting in (LEGS, WITHOUT_LAST, ROUNDS, THIRD_PLACE, SURVIVORS, APART, SECOND_FINAL)
}
"""Settings that are fields of ``StagePlan``; those of a single kind are in its ``own``."""
