"""How an event would go: its stages, its tables, and when it ends, for a number of players."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from rules.errors import BadInput
from rules.events.timetable import Break, timetable
from rules.formulas.adviser import TURN_ROUND, UNTIMED, matches_by_round, twice_options
from rules.formulas.base import DefaultGames, Formula, Options, OptionValue
from rules.formulas.swiss_cut import recommended_rounds
from rules.plans.plan import FormulaPlan, StagePlan
from rules.stages.kind import kind_of

LONG = 10 * 60
"""Minutes after which two days are worth a thought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTimes:
    """An event's beginning, the length of its rounds, and its breaks."""

    start: datetime
    zone: ZoneInfo
    minutes: int
    breaks: tuple[Break, ...] = ()
    between: int = TURN_ROUND


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStage:
    """A stage of a forecast: its plan, its number of rounds, and of players."""

    stage: StagePlan
    rounds: int
    seats: int

    @property
    def bracket(self) -> bool:
        """Return whether the stage is an elimination bracket."""
        return kind_of(self.stage).has_bracket

    @property
    def by_points(self) -> bool:
        """Return whether the stage pairs players of similar points, as Swiss rounds do."""
        return kind_of(self.stage).pairs_by_points


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The way of an event; ``resting`` have a bye in its first round, ``paused`` are minutes."""

    players: int
    stages: tuple[PlannedStage, ...]
    tables: int
    resting: int
    rounds: int
    paused: int
    ends: datetime
    long: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Another way to run the event: a formula, its options, and their forecast."""

    formula: Formula
    options: dict[str, OptionValue]
    forecast: Forecast


def lengths_of(plan: FormulaPlan, minutes: int) -> tuple[int, ...]:
    """Return the minutes of each round; a match without time limit counts as ``UNTIMED``."""
    return tuple(
        minutes if stage.timed else max(minutes, UNTIMED)
        for stage in plan.stages
        for _matches in matches_by_round(stage)
    )


def forecast(
    formula: Formula,
    options: Options,
    players: int,
    times: EventTimes,
    games: DefaultGames | None = None,
) -> Forecast:
    """Return the forecast. Raises BadInput where the formula cannot take the players."""
    plan = formula.plan(players, options, games)
    sizes = [matches_by_round(stage) for stage in plan.stages]
    slots = timetable(
        times.start,
        lengths_of(plan, times.minutes),
        times.breaks,
        zone=times.zone,
        between=times.between,
    )
    ends = slots[-1].ends + timedelta(minutes=times.between)
    taken = sum(len(group.seats) for group in plan.stages[0].groups)
    tables = max(max(stage, default=0) for stage in sizes)
    return Forecast(
        players=players,
        stages=tuple(
            PlannedStage(
                stage=stage,
                rounds=len(by_round),
                seats=sum(len(group.seats) for group in stage.groups),
            )
            for stage, by_round in zip(plan.stages, sizes, strict=True)
        ),
        tables=tables,
        resting=max(0, taken - 2 * sizes[0][0]) if sizes[0] else 0,
        rounds=sum(map(len, sizes)),
        paused=sum(int((one.ends - one.begins).seconds / 60) for one in slots if not one.round),
        ends=ends,
        long=ends - times.start > timedelta(minutes=LONG),
    )


def alternative(
    formula: Formula,
    options: Options,
    players: int,
    times: EventTimes,
    games: DefaultGames | None = None,
    *,
    instead: Iterable[Formula] = (),
) -> Alternative | None:
    """Return one alternative: another number of rounds, two legs, or another formula.

    ``instead`` are the formulas tried in turn if this one does not fit the players.
    """
    for other, changed in _others(formula, options, players, games, instead):
        try:
            return Alternative(
                formula=other,
                options=changed,
                forecast=forecast(
                    other,
                    {**options, **changed} if other is formula else changed,
                    players,
                    times,
                    games,
                ),
            )
        except BadInput:
            continue
    return None


def _others(
    formula: Formula,
    options: Options,
    players: int,
    games: DefaultGames | None,
    instead: Iterable[Formula],
) -> list[tuple[Formula, dict[str, OptionValue]]]:
    try:
        first = formula.plan(players, options, games).stages[0]
    except BadInput:
        return [(other, {}) for other in instead if other is not formula]
    keys = {option.key for option in formula.options}
    if "rounds" in keys and kind_of(first).pairs_by_points and first.rounds:
        usual = recommended_rounds(players)
        return [(formula, {"rounds": usual if usual != first.rounds else first.rounds + 1})]
    twice = twice_options(formula)
    same = all(formula.checked(options).get(key) == value for key, value in twice.items())
    return [] if not twice or same else [(formula, twice)]
