"""What is still possible in a series: who is certainly among the first, and who can't be.

Bounds are safe, not sharp: a person is held against what every other one could still reach alone,
as if all of them could win the same event. So what is said is never wrong, but sometimes late. It
holds while no finished event is corrected, no adjustment and no event is added, and events to come
keep their plan.

Source: series, A6.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from rules.formulas.base import Formula, Options
from rules.formulas.swiss_cut import ROUNDS
from rules.plans import StagePlan
from rules.results import PlayerId, Points
from rules.scenarios.verdicts import Verdict
from rules.series.points import (
    EventResult,
    SeriesPoints,
    limit_keys,
    mark_counted_results,
    sum_counted_points,
)
from rules.series.table import SeriesHistory
from rules.stages.base import has_multiplayer_tables, stage_kind, state_with_all_seats
from rules.tables.results import TablePoints

LARGE = 512
"""A number of players to which no top cut is too large."""
ToCome = Mapping[str, Fraction | None]
"""The most points that one player can get from each event to come, None if unlimited."""


class SeriesPointsRange(NamedTuple):
    """The least and the most points that a person can end a series with.

    ``most`` is None if unlimited. ``ranked``: has enough results to be ranked already;
    ``rankable``: may have enough at the end.
    """

    least: Fraction
    most: Fraction | None
    ranked: bool
    rankable: bool


def series_verdicts(
    history: SeriesHistory, to_come: ToCome, places: int, *, newcomers: bool = True
) -> dict[PlayerId, Verdict]:
    """Return for each person whether they will end a series among the first ``places``.

    ``to_come`` maps each event to come to the most points that one player can get from it (None:
    unlimited). ``newcomers``: people who played no event yet may still come, any number of them.
    """
    limits = limit_keys(history.rule, history.events)
    found = {one: _reach(history, one, to_come, limits) for one in history.players}
    stranger = _reach(history, None, to_come, limits) if newcomers and to_come else None
    return {
        person: _verdict(own, [*found.values()], stranger, places) for person, own in found.items()
    }


def _reach(
    history: SeriesHistory, person: PlayerId | None, to_come: ToCome, limits: Mapping[str, str]
) -> SeriesPointsRange:
    """Return between which points a person ends; None: somebody who has not played yet.

    The least is what counts today: another result never lowers it. ``limits`` are those of finished
    events: venue and month of one to come may change.
    """
    rule = history.rule
    results: Sequence[EventResult] = () if person is None else history.results[person]
    adjusted = Fraction(0) if person is None else history.adjusted(person)
    more = [EventResult(key, 1, points) for key, points in to_come.items() if points is not None]
    counted = mark_counted_results(rule, [*results, *more], limits)
    return SeriesPointsRange(
        sum_counted_points(results, adjusted),
        None if None in to_come.values() else sum_counted_points(counted, adjusted),
        len(results) >= rule.least_events,
        len(results) + len(to_come) >= rule.least_events,
    )


def _verdict(
    own: SeriesPointsRange,
    all_: Sequence[SeriesPointsRange],
    stranger: SeriesPointsRange | None,
    places: int,
) -> Verdict:
    """Return one's verdict among all, of whom one is ``own``: never ahead, always catching up."""
    if sum(_is_ahead(one, own) for one in all_) >= places:
        return Verdict.OUT
    may_come = stranger is not None and _may_catch(stranger, own)
    if not may_come and sum(_may_catch(one, own) for one in all_) <= places:
        return Verdict.THROUGH
    return Verdict.OPEN


def _is_ahead(one: SeriesPointsRange, own: SeriesPointsRange) -> bool:
    """Return whether somebody certainly ends before ``own``."""
    if not one.ranked:
        return False
    return not own.rankable or (own.most is not None and one.least > own.most)


def _may_catch(one: SeriesPointsRange, own: SeriesPointsRange) -> bool:
    """Return whether somebody may end before ``own``, or level with it."""
    if not own.ranked:
        return True
    return one.rankable and (one.most is None or one.most >= own.least)


# --- The most of an event to come ----------------------------------------------------------
def max_event_points(
    rule: SeriesPoints, event: str, match_points: Fraction | None, wins: int | None
) -> Fraction | None:
    """Return the most points of a series that one player can get from an event to come.

    ``event`` is its key; ``match_points`` and ``wins`` are the most that one player can make in it,
    None if unknown: the result is None (unlimited) if it depends on one of these.
    """
    first = max((table.by_place[0] for table in rule.tables if table.by_place), default=Fraction(0))
    most = first + rule.taking_part
    for each, number in ((rule.match_points, match_points), (rule.wins, wins)):
        if each and number is None:
            return None
        most += each * (number or 0)
    return most * rule.factors.get(event, Fraction(1))


def largest_event_stages(formula: Formula, options: Options) -> tuple[StagePlan, ...] | None:
    """Return the stages of a formula for a very large event.

    None unless the options set the number of rounds, as they would grow with the players.
    """
    if not formula.checked(options).get(ROUNDS.key):
        return None
    return formula.plan(LARGE, options).stages


def max_points_and_wins(
    stages: Iterable[StagePlan], points: Points, at_tables: TablePoints
) -> tuple[Fraction, int]:
    """Return (most match points, most wins) that one player can make in these stages.

    ``points`` are those of two-player matches, ``at_tables`` those of multiplayer tables. Match
    points are those of stages with standings if there are some; a bracket before them counts too,
    as the event may end with it.
    """
    most, wins, ranks = Fraction(0), 0, False
    of_two = Fraction(max(points.win, points.draw, points.loss), points.parts)
    places = at_tables.by_place or (at_tables.first, at_tables.drawn, at_tables.other)
    of_tables = max(of_two, Fraction(max(*places, at_tables.bye)))
    for stage in stages:
        kind = stage_kind(stage)
        legs = max(stage.legs, 1 if stage.one_leg_only or not kind.all_meet else 2)
        rounds = kind.total_rounds(replace(state_with_all_seats(stage), legs=legs))
        wins += rounds
        if not kind.needs_winners or not ranks:
            most += rounds * (of_tables if has_multiplayer_tables(stage) else of_two)
        ranks |= not kind.needs_winners
    return most, wins
