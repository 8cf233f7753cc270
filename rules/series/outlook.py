"""What is still possible in a series: who is certainly among the first, and who can't be.

Bounds are safe, not sharp: a person is held against what every other one could still reach alone,
as if all of them could win the same event. So "certain" and "out of reach" are never wrong, but
some are found late. They hold while no finished event is corrected and no adjustment is added.

Source: series, A6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from rules.results import PlayerId
from rules.series.points import (
    EventResult,
    SeriesPoints,
    limit_keys,
    mark_counted_results,
    sum_counted,
)
from rules.series.table import SeriesHistory


class Outlook(StrEnum):
    """Whether a person will be among the first."""

    CERTAIN = "certain"
    POSSIBLE = "possible"
    OUT_OF_REACH = "out_of_reach"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventToCome:
    """An event that is not over yet.

    ``match_points`` and ``wins`` are the most that one player can make in it, None if unknown.
    ``venue`` and ``month`` are "" if unknown, as limits then can't be relied on.
    """

    key: str
    match_points: Fraction | None = None
    wins: int | None = None
    venue: str = ""
    month: str = ""


@dataclass(frozen=True, slots=True)
class Reach:
    """The least and the most points that a person can end with; ``most`` None if unlimited.

    ``ranked``: not short now, which can't change. ``rankable``: not short at the end at best.
    """

    least: Fraction
    most: Fraction | None
    ranked: bool
    rankable: bool


def outlooks(
    history: SeriesHistory, to_come: Sequence[EventToCome], places: int, *, newcomers: bool = True
) -> dict[PlayerId, Outlook]:
    """Return for each person whether they end among the first ``places``.

    ``newcomers``: people who played no event yet may still come, any number of them.
    """
    found = possible_final_points(history, to_come)
    stranger = _reach(history.rule, (), to_come, {}, Fraction(0)) if newcomers and to_come else None
    return {
        person: _outlook(own, [*found.values()], stranger, places) for person, own in found.items()
    }


def possible_final_points(
    history: SeriesHistory, to_come: Sequence[EventToCome]
) -> dict[PlayerId, Reach]:
    """Return between which points each person ends.

    The least is what counts today: another result never lowers it.
    """
    limits = limit_keys(history.rule, history.events)
    return {
        person: _reach(history.rule, results, to_come, limits, history.adjusted(person))
        for person, results in history.results.items()
    }


def most_points(rule: SeriesPoints, event: EventToCome) -> Fraction | None:
    """Return the most points that one player can get from an event to come, None if unlimited."""
    first = max((table.by_place[0] for table in rule.tables if table.by_place), default=Fraction(0))
    most = first + rule.taking_part
    for each, number in ((rule.match_points, event.match_points), (rule.wins, event.wins)):
        if each and number is None:
            return None
        most += each * (number or 0)
    return most * rule.factors.get(event.key, Fraction(1))


def _reach(
    rule: SeriesPoints,
    results: Sequence[EventResult],
    to_come: Sequence[EventToCome],
    limits: Mapping[str, str],
    adjusted: Fraction,
) -> Reach:
    """Return the reach of somebody with these results; ``limits`` are those of their events."""
    best = {event.key: most_points(rule, event) for event in to_come}
    more = [EventResult(key, 1, points) for key, points in best.items() if points is not None]
    counted = mark_counted_results(rule, [*results, *more], {**limits, **limit_keys(rule, to_come)})
    return Reach(
        sum_counted(results, adjusted),
        None if None in best.values() else sum_counted(counted, adjusted),
        len(results) >= rule.least_events,
        len(results) + len(to_come) >= rule.least_events,
    )


def _outlook(own: Reach, all_: Sequence[Reach], stranger: Reach | None, places: int) -> Outlook:
    """Return one's outlook among all, of whom one is ``own``: never ahead, always catching up."""
    if sum(_is_ahead(one, own) for one in all_) >= places:
        return Outlook.OUT_OF_REACH
    may_come = stranger is not None and _may_catch(stranger, own)
    if not may_come and sum(_may_catch(one, own) for one in all_) <= places:
        return Outlook.CERTAIN
    return Outlook.POSSIBLE


def _is_ahead(one: Reach, own: Reach) -> bool:
    """Return whether somebody certainly ends before ``own``."""
    if not one.ranked:
        return False
    return not own.rankable or (own.most is not None and one.least > own.most)


def _may_catch(one: Reach, own: Reach) -> bool:
    """Return whether somebody may end before ``own``, or level with it."""
    if not own.ranked:
        return True
    return one.rankable and (one.most is None or one.most >= own.least)
