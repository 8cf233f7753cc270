"""The state of a stage, from which rounds are paired, and matches settled without play."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.errors import RuleError
from rules.matches.tables.claims import TableOutcome
from rules.plans.plan import StagePlan
from rules.results import EndedBy, PlayerId, Points, Result, Winner, of_two, pair_of
from rules.tables.results import POINT_PRESETS, TablePoints
from rules.wording import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two players who are to meet, or one with a bye (``b`` None, ``settled`` A).

    ``number`` counts through the stage from 1; in a knock-out it is the match's number in the
    bracket. ``settled`` with ``ended_by`` is an outcome that holds without play; ``reason``
    explains a pairing that does not follow from the schedule. ``missed`` stands for a round in
    which ``a`` was absent: a late entry, or a player who left and came back. ``by_hand``: paired
    by staff, against or beside the rules.
    """

    group: str
    number: int
    a: PlayerId
    b: PlayerId | None
    best_of: int = 1
    draws: bool = True
    leg: int = 1
    settled: Winner | None = None
    ended_by: EndedBy | None = None
    reason: Sentence | None = None
    missed: bool = False
    by_hand: bool = False

    @property
    def seats(self) -> tuple[PlayerId, ...]:
        """Return the players in the order of their seats; one without an opponent."""
        return (self.a,) if self.b is None else (self.a, self.b)

    @property
    def is_settled(self) -> bool:
        """Return whether an outcome holds without play."""
        return self.settled is not None

    def with_players(self, players: tuple[PlayerId, ...]) -> "Pairing":
        """Return the same match with these players on its seats."""
        a, b = pair_of(players, None)
        return replace(self, a=a, b=b)

    def made_by_hand(self) -> "Pairing":
        """Return the same match as made by people."""
        return replace(self, by_hand=True)


class TablePairing(Pairing):
    """Three or more players who are to meet, in the order of their seats.

    ``outcome`` holds without play: all but one have left. What only pairings of two have raises
    ValueError.
    """

    __slots__ = ("_seats", "outcome")
    _seats: tuple[PlayerId, ...]
    outcome: TableOutcome | None
    a = of_two("a")
    b = of_two("b")

    def __init__(
        self,
        *,
        group: str,
        number: int,
        seats: tuple[PlayerId, ...],
        best_of: int = 1,
        draws: bool = True,
        outcome: TableOutcome | None = None,
        reason: Sentence | None = None,
        by_hand: bool = False,
    ) -> None:
        own = {"group": group, "number": number, "_seats": seats, "best_of": best_of}
        own |= {"draws": draws, "leg": 1, "settled": None, "ended_by": None, "missed": False}
        own |= {"outcome": outcome, "reason": reason, "by_hand": by_hand}
        for name, value in own.items():
            object.__setattr__(self, name, value)  # the class is frozen

    @property
    def seats(self) -> tuple[PlayerId, ...]:
        """Return the players in the order of their seats."""
        return self._seats

    @property
    def is_settled(self) -> bool:
        """Return whether an outcome holds without play."""
        return self.outcome is not None

    def with_players(self, players: tuple[PlayerId, ...]) -> "TablePairing":
        """Return the same table with these players on its seats."""
        return self._with(seats=players)

    def made_by_hand(self) -> "TablePairing":
        """Return the same table as made by people."""
        return self._with(by_hand=True)

    def _with(
        self, *, seats: tuple[PlayerId, ...] | None = None, by_hand: bool | None = None
    ) -> "TablePairing":
        return TablePairing(
            group=self.group,
            number=self.number,
            seats=self.seats if seats is None else seats,
            best_of=self.best_of,
            draws=self.draws,
            outcome=self.outcome,
            reason=self.reason,
            by_hand=self.by_hand if by_hand is None else by_hand,
        )

    def _key(self) -> tuple[object, ...]:
        return self.group, self.number, self.seats, self.draws, self.outcome, self.by_hand

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TablePairing) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"TablePairing{self._key()}"


Pairs = frozenset[frozenset[PlayerId]]
Played = tuple[tuple[Pairing, Result], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraRound:
    """A round of extra matches of ``level`` players; it only affects their order.

    ``after`` is the number of lots drawn in the event before it was made.
    """

    level: tuple[PlayerId, ...]
    played: Played
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StageState:
    """The state of a stage: seats, legs decided so far, rounds made, players withdrawn.

    ``seats`` maps groups to players in seat order, None for a vacant place. ``withdrawn`` are
    players withdrawn or disqualified; all matches of ``struck`` players are void. Stages paired
    by points need the ``points`` of results (``table_points`` at tables) and a random ``seed``;
    the pairs ``apart`` are avoided if possible. ``rounds_apart`` are those of each round made.
    ``extra`` are rounds of extra matches, separate from ``rounds``.
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
    extra: tuple[ExtraRound, ...] = ()

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


def forfeit(
    a: PlayerId, b: PlayerId, withdrawn: frozenset[PlayerId]
) -> tuple[Winner, EndedBy] | None:
    """Return the outcome of a match with a withdrawn player, None if both are present."""
    match a in withdrawn, b in withdrawn:
        case True, True:
            return Winner.NONE, EndedBy.DOUBLE_LOSS
        case True, False:
            return Winner.B, EndedBy.CONCESSION
        case False, True:
            return Winner.A, EndedBy.CONCESSION
    return None


def settled_by_rule(a: PlayerId, b: PlayerId, state: StageState) -> tuple[Winner, EndedBy] | None:
    """Return the outcome of an unplayed match: void with a struck player, else a forfeit."""
    if {a, b} & state.struck:
        return Winner.VOID, EndedBy.VOID
    return forfeit(a, b, state.withdrawn)


def require_results(state: StageState) -> None:
    """Raise RuleError ``results_missing`` unless all matches of the rounds made are played."""
    if not state.is_played:
        raise RuleError(
            "results_missing",
            "The next round depends on results that are missing. Enter them first.",
        )


def scheduled(
    state: StageState,
    group: str,
    number: int,
    a: PlayerId,
    b: PlayerId,
    *,
    draws: bool = True,
    leg: int = 1,
) -> Pairing:
    """Return the pairing of two players of a group, settled by rule if one of them has left."""
    settled = settled_by_rule(a, b, state)
    return Pairing(
        group=group,
        number=number,
        a=a,
        b=b,
        best_of=state.plan.best_of[0],
        draws=draws,
        leg=leg,
        settled=settled[0] if settled else None,
        ended_by=settled[1] if settled else None,
    )


def with_struck(state: StageState, player: PlayerId) -> StageState:
    """Return the stage with this player struck: all their matches are void."""
    rounds = tuple(_all_without(played, player) for played in state.rounds)
    extra = tuple(replace(item, played=_all_without(item.played, player)) for item in state.extra)
    return replace(state, rounds=rounds, extra=extra, struck=state.struck | {player})


def _all_without(played: Played, player: PlayerId) -> Played:
    return tuple((pairing, _voided_if_of(result, player)) for pairing, result in played)


def _voided_if_of(result: Result, player: PlayerId) -> Result:
    if player not in (result.a, result.b):
        return result
    return replace(result, winner=Winner.VOID, ended_by=EndedBy.VOID, score=None, games=None)
