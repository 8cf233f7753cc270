"""What is still possible in a series: who is certainly among the first, and who can't be.

Bounds are safe, not sharp: a person is held against what every other one could still reach alone,
as if all of them could win the same event. So "certain" and "out of reach" are never wrong, but
some are found late. They hold while no finished event is corrected and no adjustment is added.

Source: series, A6.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from rules.results import PlayerId
from rules.series.points import EventResult, SeriesPoints, limit_key, marked
from rules.series.table import SeriesHistory, counted_points, is_short


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
    reaches = {person: reach(history, person, to_come) for person in history.players}
    strangers = len(to_come) > 0 and newcomers
    stranger = _reach(history.rule, (), Fraction(0), to_come, {}) if strangers else None
    return {
        person: _outlook(own, [*_others(reaches, person)], stranger, places)
        for person, own in reaches.items()
    }


def reach(history: SeriesHistory, person: PlayerId, to_come: Sequence[EventToCome]) -> Reach:
    """Return between which points a person ends.

    The least is what counts today: another result never lowers it.
    """
    limits = {
        event.key: limit_key(history.rule, event.venue, event.month) for event in history.events
    }
    found = _reach(history.rule, history.results[person], history.adjusted(person), to_come, limits)
    return Reach(
        counted_points(history, person), found.most, not is_short(history, person), found.rankable
    )


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
    adjusted: Fraction,
    to_come: Sequence[EventToCome],
    limits: Mapping[str, str],
) -> Reach:
    rankable = len(results) + len(to_come) >= rule.least_events
    best = [(event, most_points(rule, event)) for event in to_come]
    if any(points is None for _event, points in best):
        return Reach(adjusted, None, False, rankable)
    more = [EventResult(event.key, 1, points) for event, points in best if points is not None]
    keys = {event.key: limit_key(rule, event.venue, event.month) for event in to_come}
    counted = marked(rule, [*results, *more], {**limits, **keys})
    most = sum((one.points for one in counted if one.counts), adjusted)
    return Reach(adjusted, most, False, rankable)


def _others(reaches: Mapping[PlayerId, Reach], person: PlayerId) -> Iterator[Reach]:
    return (one for key, one in reaches.items() if key != person)


def _outlook(own: Reach, others: Sequence[Reach], stranger: Reach | None, places: int) -> Outlook:
    if sum(_is_ahead(one, own) for one in others) >= places:
        return Outlook.OUT_OF_REACH
    may_come = stranger is not None and _may_catch(stranger, own)
    if not may_come and sum(_may_catch(one, own) for one in others) < places:
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
