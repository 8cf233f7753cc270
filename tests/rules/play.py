"""Plays whole events purely: the steps that the services take, without a database."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rules.advancement.outcome import (
    FinalRankingRules,
    StageOutcome,
    final_ranking,
    seat_players,
    stage_outcome,
)
from rules.plans import FormulaPlan, StagePlan, start_places
from rules.results import (
    Marks,
    MatchEnding,
    Places,
    PlayerId,
    Points,
    Result,
    Winner,
    outcome_by_places,
    outcome_by_winner,
    two_player_result,
)
from rules.stages.base import STAGE_KINDS, Pairing, StageState
from rules.standings.table import DEFAULT_CRITERIA

Judge = Callable[[Pairing], Result]


def opening(plan: StagePlan, seats: dict[str, tuple[PlayerId | None, ...]]) -> StageState:
    """Return a stage before its first round."""
    return StageState(plan=plan, seats=seats, legs=plan.legs)


def one_group(players: Sequence[PlayerId], plan: StagePlan) -> StageState:
    """Return a stage of one group with these seats."""
    return opening(plan, {plan.groups[0].name: tuple(players)})


def table_result(
    seats: tuple[PlayerId, ...],
    places: Places | None = None,
    marks: Marks = (),
    ended_by: MatchEnding = MatchEnding.PLAYED,
    round: int = 0,
) -> Result:
    """Return the result of a table; not played yet without places, unless it ended as void."""
    is_open = places is None and ended_by is not MatchEnding.VOID
    outcome = outcome_by_places(places, marks, ended_by, seats=len(seats))
    return Result(seats=seats, round=round, outcome=None if is_open else outcome)


def judged(
    result: Result,
    winner: Winner,
    ended_by: MatchEnding = MatchEnding.PLAYED,
    score: tuple[int, int] | None = None,
    games: tuple[int, int, int] | None = None,
) -> Result:
    """Return a match of two, or a bye, with another outcome; ``games`` are totals."""
    outcome = outcome_by_winner(
        winner, ended_by, seats=len(result.seats), score=score, games_won=games
    )
    return replace(result, outcome=outcome)


def open_result(pairing: Pairing, number: int) -> Result:
    """Return what is known of a match when its round is made."""
    return Result(seats=pairing.seats, round=number, outcome=pairing.outcome)


def add_round(state: StageState, judge: Judge | None = None) -> StageState:
    """Return the stage with its next round; ``judge`` gives the results of what is to play."""
    number = len(state.rounds) + 1
    played = tuple(
        (
            pairing,
            replace(judge(pairing), round=number)
            if judge and pairing.outcome is None
            else open_result(pairing, number),
        )
        for pairing in STAGE_KINDS.get(state.plan.kind).next_round(state)
    )
    return replace(state, rounds=(*state.rounds, played))


def play_out(state: StageState, judge: Judge) -> StageState:
    """Return the stage with all its rounds played."""
    while STAGE_KINDS.get(state.plan.kind).next_round(state):
        state = add_round(state, judge)
    return state


def lower_wins(pairing: Pairing) -> Result:
    """Let the lower number win 2-0: who is seeded better wins."""
    assert len(pairing.seats) == 2
    a_wins = int(pairing.seats[0]) < int(pairing.seats[-1])
    score = (2, 0) if a_wins else (0, 2)
    winner = Winner.A if a_wins else Winner.B
    return two_player_result(*pairing.seats, winner=winner, score=score)


@dataclass
class PlayedEvent:
    """An event in play: its plan, the stages begun, and all draws of lots."""

    plan: FormulaPlan
    order: Sequence[PlayerId]
    criteria: tuple[str, ...] = DEFAULT_CRITERIA
    points: Points = field(default_factory=Points)
    states: list[StageState] = field(default_factory=list)
    lots: list[tuple[PlayerId, ...]] = field(default_factory=list)
    places: dict[str, PlayerId] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Seat the first stage."""
        self.places.update(zip(start_places(len(self.order)), self.order, strict=True))
        self._open()

    @property
    def index(self) -> int:
        """Return the index of the open stage."""
        return len(self.states) - 1

    @property
    def state(self) -> StageState:
        """Return the open stage."""
        return self.states[-1]

    @state.setter
    def state(self, state: StageState) -> None:
        self.states[-1] = state

    def outcome_of(self, index: int) -> StageOutcome:
        """Return what a stage has decided."""
        return stage_outcome(
            self.states[index],
            criteria=self.criteria,
            points=self.points,
            lots=self.lots,
            used=self.plan.used_places(index),
        )

    @property
    def outcome(self) -> StageOutcome:
        """Return what the open stage has decided."""
        return self.outcome_of(self.index)

    @property
    def is_last(self) -> bool:
        """Say whether the open stage is the last."""
        return len(self.states) == len(self.plan.stages)

    def advance(self) -> None:
        """Close the open stage and seat the next."""
        self.places.update(self.outcome.places)
        self._open()

    def draw_lots(self) -> None:
        """Draw lots where they are needed, in the order of the players' start."""
        while needed := self.outcome.lots_needed:
            self.lots.append(tuple(sorted(needed[0], key=list(self.order).index)))

    def ranking(self) -> tuple[tuple[PlayerId, ...], ...]:
        """Return the final ranking as far as it is known."""
        return final_ranking(
            self.plan,
            [(state, self.outcome_of(index)) for index, state in enumerate(self.states)],
            FinalRankingRules(criteria=self.criteria, points=self.points, lots=self.lots),
        )

    def play(self, judge: Judge) -> None:
        """Play the event to its end."""
        while True:
            self.state = play_out(self.state, judge)
            self.draw_lots()
            if self.is_last:
                return
            self.advance()

    def _open(self) -> None:
        plan = self.plan.stages[len(self.states)]
        origins = (
            {
                player: group
                for group, players in self.state.seats.items()
                for player in players
                if player is not None
            }
            if self.states
            else {}
        )
        withdrawn = self.state.withdrawn if self.states else frozenset()
        state = opening(plan, seat_players(plan, self.places, origins))
        self.states.append(replace(state, withdrawn=withdrawn))
