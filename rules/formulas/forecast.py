"""How an event would go: its stages, its tables, and when it ends, for a number of players."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from rules.errors import BadInput
from rules.events.timetable import Break, Slot, timetable
from rules.formulas.adviser import (
    LONG,
    SHORTEST,
    STEP,
    TURN_ROUND,
    PlannedStage,
    legs_options,
    matches_by_round,
    round_minutes,
    sorted_advice,
)
from rules.formulas.base import DefaultGames, Formula, Options
from rules.formulas.swiss_cut import recommended_rounds
from rules.formulas.tables_cut import default_table_rounds
from rules.plans import FormulaPlan, StagePlan
from rules.stages.base import has_multiplayer_tables, stage_kind
from rules.tables.rounds import table_sizes

REMEDIES = 3
"""Ways that are offered at most where an event would end too late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTimes:
    """The times of an event: start, minutes of a round, breaks, and the latest end.

    ``between`` are the minutes between rounds; ``until`` is the latest end, None without one.
    """

    start: datetime
    zone: ZoneInfo
    minutes: int
    breaks: tuple[Break, ...] = ()
    between: int = TURN_ROUND
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The expected course of an event.

    ``tables`` is the most needed at once. ``resting`` players have a bye in the first round;
    ``paused`` are the minutes of breaks. ``long``: it lasts more than ``LONG`` minutes; ``late``:
    it ends after the latest end allowed.
    """

    players: int
    stages: tuple[PlannedStage, ...]
    tables: int
    resting: int
    rounds: int
    paused: int
    ends: datetime
    long: bool
    late: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Another setup of an event that would end in time, with its forecast.

    ``options`` are those that change; ``minutes`` of a round is None if unchanged.
    """

    formula: Formula
    options: Options
    forecast: Forecast
    minutes: int | None = None


def round_lengths(plan: FormulaPlan, minutes: int) -> tuple[int, ...]:
    """Return the length of each round of a plan, in minutes.

    ``minutes`` is that of the event's rounds; a stage without time limit takes longer.
    """
    return tuple(
        round_minutes(stage, minutes)
        for stage in plan.stages
        for _matches in matches_by_round(stage)
    )


def plan_slots(plan: FormulaPlan, times: EventTimes) -> tuple[Slot, ...]:
    """Return the planned rounds and breaks of an event with their times."""
    lengths = round_lengths(plan, times.minutes)
    return timetable(times.start, lengths, times.breaks, zone=times.zone, between=times.between)


def end_time(slots: Sequence[Slot], between: int = TURN_ROUND) -> datetime:
    """Return when an event ends: ``between`` minutes after the last slot."""
    return slots[-1].ends + timedelta(minutes=between)


def forecast(
    formula: Formula,
    options: Options,
    players: int,
    times: EventTimes,
    games: DefaultGames | None = None,
) -> Forecast:
    """Return the expected course of an event; raises BadInput for impossible settings."""
    plan = formula.plan(players, options, games)
    sizes = [matches_by_round(stage) for stage in plan.stages]
    slots = plan_slots(plan, times)
    ends = end_time(slots, times.between)
    taken = sum(len(group.seats) for group in plan.stages[0].groups)
    tables = max(max(stage, default=0) for stage in sizes)
    return Forecast(
        players=players,
        stages=tuple(
            PlannedStage(stage=stage, rounds=len(by_round))
            for stage, by_round in zip(plan.stages, sizes, strict=True)
        ),
        tables=tables,
        resting=_resting(plan.stages[0], taken, sizes[0]),
        rounds=sum(map(len, sizes)),
        paused=sum(int((one.ends - one.begins).seconds / 60) for one in slots if not one.round),
        ends=ends,
        long=ends - times.start > timedelta(minutes=LONG),
        late=times.until is not None and ends > times.until,
    )


def _resting(first: StagePlan, players: int, sizes: Sequence[int]) -> int:
    """Return how many players have a bye in the first round of a stage with so many matches."""
    if has_multiplayer_tables(first):
        return players - sum(table_sizes(players, stage_kind(first).sizes_of(first)))
    return max(0, players - 2 * sizes[0]) if sizes else 0


def next_time_of_day(start: datetime, minute: int, zone: ZoneInfo) -> datetime:
    """Return the first moment after the start at a minute of the day (0 is midnight)."""
    local = start.astimezone(zone)
    clock = local.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0)
    return clock if clock > local else clock + timedelta(days=1)


def find_alternatives(
    formula: Formula,
    options: Options,
    players: int,
    times: EventTimes,
    games: DefaultGames | None = None,
    *,
    instead: Iterable[Formula] = (),
) -> tuple[Alternative, ...]:
    """Return other setups of an event that end in time: at most one of each sort.

    In this order: shorter rounds, fewer legs, other options of the formula, and each formula in
    ``instead``; at most ``REMEDIES``.
    """
    tried = (
        _with_shorter_rounds(formula, options, players, times, games),
        _first_change_in_time(
            formula, _fewer_legs(formula, options), options, players, times, games
        ),
        _first_change_in_time(
            formula,
            _ways_worth_playing(formula, players, times, games),
            options,
            players,
            times,
            games,
        ),
        *(
            _first_change_in_time(
                other, _ways_worth_playing(other, players, times, games), {}, players, times, games
            )
            for other in instead
            if other.key != formula.key
        ),
    )
    return tuple(islice((found for found in tried if found is not None), REMEDIES))


def _with_shorter_rounds(
    formula: Formula,
    options: Options,
    players: int,
    times: EventTimes,
    games: DefaultGames | None,
) -> Alternative | None:
    """Return the event with the longest shorter rounds that end in time."""
    longest = (times.minutes - 1) // STEP * STEP
    for minutes in range(longest, SHORTEST - 1, -STEP):
        shorter = replace(times, minutes=minutes)
        found = _alternative_in_time(formula, options, {}, players, shorter, games)
        if found is not None:
            return replace(found, minutes=minutes)
    return None


def _fewer_legs(formula: Formula, options: Options) -> Iterator[Options]:
    most = max(_legs(formula, options))
    yield from (legs_options(formula, legs) for legs in range(most - 1, 0, -1))


def _legs(formula: Formula, options: Options) -> list[int]:
    """Return the legs of each stage that has them, [1] for a formula without."""
    legs = formula.checked(options).get("legs", 1)
    return [int(leg) for leg in legs] if isinstance(legs, list) else [int(legs)]


def _ways_worth_playing(
    formula: Formula, players: int, times: EventTimes, games: DefaultGames | None
) -> Iterator[Options]:
    advices = sorted_advice(formula, players, minutes=times.minutes, games=games)
    yield from (advice.options for advice in advices if advice.is_good)


def _first_change_in_time(
    formula: Formula,
    changes: Iterable[Options],
    options: Options,
    players: int,
    times: EventTimes,
    games: DefaultGames | None,
) -> Alternative | None:
    tried = (
        _alternative_in_time(formula, options, change, players, times, games) for change in changes
    )
    return next((found for found in tried if found is not None), None)


def _alternative_in_time(
    formula: Formula,
    options: Options,
    change: Options,
    players: int,
    times: EventTimes,
    games: DefaultGames | None,
) -> Alternative | None:
    try:
        found = forecast(formula, {**options, **change}, players, times, games)
    except BadInput:
        return None
    return None if found.late else Alternative(formula=formula, options=change, forecast=found)


def find_alternative_options(
    formula: Formula,
    options: Options,
    players: int,
    times: EventTimes,
    games: DefaultGames | None = None,
    *,
    instead: Iterable[Formula] = (),
) -> Alternative | None:
    """Return one other setup that ends in time, None if there is none.

    It has another number of rounds, or two legs; if the formula does not fit the players, it is the
    first of the formulas in ``instead`` that does.
    """
    for other, change in _other_formulas(formula, options, players, games, instead):
        kept = options if other is formula else {}
        found = _alternative_in_time(other, kept, change, players, times, games)
        if found is not None:
            return found
    return None


def _other_formulas(
    formula: Formula,
    options: Options,
    players: int,
    games: DefaultGames | None,
    instead: Iterable[Formula],
) -> list[tuple[Formula, Options]]:
    try:
        first = formula.plan(players, options, games).stages[0]
    except BadInput:
        return [(other, {}) for other in instead if other is not formula]
    keys = {option.key for option in formula.options}
    if "rounds" in keys and stage_kind(first).pairs_by_points and first.rounds:
        usual = default_table_rounds(players) if formula.of_tables else recommended_rounds(players)
        return [(formula, {"rounds": usual if usual != first.rounds else first.rounds + 1})]
    twice = legs_options(formula, 2)
    return [(formula, twice)] if twice and min(_legs(formula, options)) == 1 else []
