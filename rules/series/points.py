"""Points of a series: what a finished event is worth to its players, and which results count.

Source: series, A2; contracts, *Added: series*.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise

from rules.json_reader import (
    JsonObjectReader,
    Reader,
    WholeNumber,
    WrongValue,
    fraction,
    list_of,
    mapping_of,
    nullable,
    one_of,
    read_document,
    text,
    unique_list,
)
from rules.numbers import scale_fractions, sum_fractions
from rules.results import PlayerId

BETTER, SHARE = TIES = ("better", "share")
"""Players who share a place: each gets the points of the best of their places, or the mean."""
VENUE, MONTH = PER = ("venue", "month")
MOST_EVENTS, MOST_PLACES, MOST_POINTS = 200, 512, 100_000
PARTS = (1, 2, 3, 4)
"""Denominators of typed points."""
LONGEST_REASON = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalRow:
    """A person's row in the final standings of a series' event.

    ``played`` is the number of matches without byes. ``barred``: disqualified or no-show.
    ``meetings`` are the match points from matches against others, by person.
    """

    person: PlayerId
    place: int
    match_points: Fraction = Fraction(0)
    wins: int = 0
    played: int = 1
    barred: bool = False
    meetings: Mapping[PlayerId, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedEvent:
    """A finished event of a series, with its final standings.

    ``month`` is such as "2026-11".
    """

    key: str
    rows: Sequence[FinalRow]
    venue: str = ""
    month: str = ""

    @property
    def players(self) -> int:
        """Return how many people played a match."""
        return sum(row.played > 0 and not row.barred for row in self.rows)


@dataclass(frozen=True, slots=True)
class PlacePoints:
    """The points of a series by place, first place first.

    They apply to events of at least ``least`` players.
    """

    least: int
    by_place: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A bonus (or, negative, a penalty) in a series' points for a person, with its reason."""

    person: PlayerId
    points: Fraction
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPoints:
    """The rules for the points of a series.

    An event gives (points by place + ``taking_part`` + match points x ``match_points`` + wins x
    ``wins``) x its factor, and nothing below ``min_players``. ``tables`` are the points by place,
    in rising order of ``least``; the first applies to all sizes. ``ties``: players who share a
    place get the "better" points or "share" them. Of each person the ``best`` results count (None:
    all) and beside them those of the events in ``always_counts``; of one venue or month (``per``)
    at most ``at_most`` of the best. A person with fewer than ``least_events`` results ranks behind
    all others.
    """

    tables: tuple[PlacePoints, ...] = (PlacePoints(0, ()),)
    ties: str = BETTER
    taking_part: Fraction = Fraction(0)
    match_points: Fraction = Fraction(0)
    wins: Fraction = Fraction(0)
    best: int | None = None
    always_counts: frozenset[str] = frozenset()
    least_events: int = 0
    min_players: int = 0
    per: str | None = None
    at_most: int = 0
    factors: Mapping[str, Fraction] = field(default_factory=dict)
    adjustments: tuple[Adjustment, ...] = ()


@dataclass(frozen=True, slots=True)
class EventResult:
    """A person's result in an event of a series, and whether it counts.

    ``event`` is the event's key, ``points`` are those of the series.
    """

    event: str
    place: int
    points: Fraction
    counts: bool = True


# --- From and to JSON ----------------------------------------------------------------------
_POINTS = fraction(MOST_POINTS, PARTS)


def read_series_points(value: object) -> SeriesPoints:
    """Return the rules for points in a JSON document.

    Raises BadInput ``invalid_points`` with ``path`` and ``problem``.
    """
    return read_document("invalid_points", _rule, value, at="points")


def _rule(value: object) -> SeriesPoints:
    given = JsonObjectReader(
        value,
        (
            *("by_place", "by_players", "ties", "taking_part", "match_points", "wins", "best"),
            *("always_counts", "least_events", "min_players", "at_most", "factor"),
            "adjustments",
        ),
    )
    at_most = given.optional("at_most", _limit, None)
    rule = SeriesPoints(
        tables=_tables(given),
        ties=given.optional("ties", one_of(TIES), BETTER),
        taking_part=given.optional("taking_part", _POINTS, Fraction(0)),
        match_points=given.optional("match_points", _POINTS, Fraction(0)),
        wins=given.optional("wins", _POINTS, Fraction(0)),
        best=given.optional("best", nullable(WholeNumber(1, MOST_EVENTS)), None),
        always_counts=frozenset(given.optional("always_counts", _SLUGS, ())),
        least_events=given.optional("least_events", WholeNumber(0, MOST_EVENTS), 0),
        min_players=given.optional("min_players", WholeNumber(0, MOST_PLACES), 0),
        per=at_most and at_most[0],
        at_most=at_most[1] if at_most else 0,
        factors=given.optional("factor", mapping_of(_factor), {}),
        adjustments=given.optional("adjustments", list_of(_adjustment, MOST_PLACES), ()),
    )
    if not (rule.taking_part or rule.match_points or rule.wins or _gives_places(rule)):
        raise WrongValue("Enter points by place, for taking part, for match points or for wins.")
    return rule


def _gives_places(rule: SeriesPoints) -> bool:
    return any(points for table in rule.tables for points in table.by_place)


_SLUGS: Reader[tuple[str, ...]] = unique_list(list_of(text(80, 1), MOST_EVENTS))
_BY_PLACE = list_of(_POINTS, MOST_PLACES)


def _by_place(value: object) -> tuple[Fraction, ...]:
    """Read points by place, which must not rise from one place to the next."""
    points = _BY_PLACE(value)
    for at, (before, after) in enumerate(pairwise(points), start=1):
        if after > before:
            raise WrongValue("Enter at most %(most)s.", most=str(before), at=f"[{at}]")
    return points


def _tables(given: JsonObjectReader) -> tuple[PlacePoints, ...]:
    first = PlacePoints(0, given.optional("by_place", _by_place, ()))
    more = given.optional("by_players", _TABLES_BY_SIZE, ())
    return (first, *sorted(more, key=lambda table: table.least))


def _table(value: object) -> PlacePoints:
    given = JsonObjectReader(value, ("from", "by_place"))
    return PlacePoints(
        given.read("from", WholeNumber(1, MOST_PLACES)), given.read("by_place", _by_place)
    )


_TABLES_BY_SIZE = unique_list(list_of(_table, 20), lambda table: table.least, at="from")


def _limit(value: object) -> tuple[str, int]:
    given = JsonObjectReader(value, ("per", "count"))
    return given.read("per", one_of(PER)), given.read("count", WholeNumber(1, MOST_EVENTS))


def _factor(value: object) -> Fraction:
    found = fraction(100, PARTS)(value)
    if not found:
        raise WrongValue("Enter a number from 0 to %(most)s, such as 1/2.", most=100)
    return found


def _adjustment(value: object) -> Adjustment:
    given = JsonObjectReader(value, ("person", "points", "reason"))
    return Adjustment(
        given.read("person", WholeNumber(1)),
        given.read("points", _signed),
        given.read("reason", text(LONGEST_REASON, 1, printable=True)),
    )


def _signed(value: object) -> Fraction:
    """Read points with a sign: -2, "-1/2", 3."""
    if type(value) is int and value < 0:
        return -_POINTS(-value)
    if isinstance(value, str) and value.startswith("-"):
        return -_POINTS(value[1:])
    return _POINTS(value)


# --- What events are worth -----------------------------------------------------------------
def points_by_place(rule: SeriesPoints, players: int) -> tuple[Fraction, ...]:
    """Return the points of a series by place in an event of so many players."""
    return [table for table in rule.tables if table.least <= players][-1].by_place


def event_points(rule: SeriesPoints, event: FinishedEvent) -> dict[PlayerId, Fraction]:
    """Return the points of a series that an event gives, by person.

    Players who were disqualified, did not show up or played no match are left out; empty if the
    event has too few players.
    """
    players = event.players
    if players < rule.min_players:
        return {}
    by_place = points_by_place(rule, players)
    shared = Counter(row.place for row in event.rows) if rule.ties == SHARE else Counter[int]()
    of_matches = cache(lambda points, wins: points * rule.match_points + wins * rule.wins)
    found = {
        row.person: of_matches(row.match_points, row.wins)
        + _place_points(by_place, row.place, shared[row.place] or 1)
        + rule.taking_part
        for row in event.rows
        if row.played and not row.barred
    }
    factor = rule.factors.get(event.key)
    return found if factor is None else {one: factor * worth for one, worth in found.items()}


NOTHING = Fraction(0)


def _place_points(by_place: Sequence[Fraction], place: int, shared: int) -> Fraction:
    """Return the mean of ``shared`` places from ``place`` on; places beyond the table give 0."""
    found = by_place[place - 1 : place - 1 + shared]
    if len(found) < 2 and shared == 1:
        return found[0] if found else NOTHING
    return sum_fractions(found) / shared


def results_by_person(
    rule: SeriesPoints, events: Sequence[FinishedEvent]
) -> dict[PlayerId, list[EventResult]]:
    """Return each person's results in the order of the events, marked whether they count."""
    found: dict[PlayerId, list[EventResult]] = {}
    for event in events:
        points = event_points(rule, event)
        places = {row.person: row.place for row in event.rows}
        for person, worth in points.items():
            found.setdefault(person, []).append(EventResult(event.key, places[person], worth))
    limits = limit_keys(rule, events)
    return {
        person: [*mark_counted_results(rule, results, limits)] for person, results in found.items()
    }


def limit_keys(rule: SeriesPoints, events: Iterable[FinishedEvent]) -> dict[str, str]:
    """Return the venue or month to which the limit of counted results applies, by event.

    "" if the rules have no such limit, or the event has none.
    """
    return {
        event.key: {VENUE: event.venue, MONTH: event.month}.get(rule.per or "", "")
        for event in events
    }


def sum_counted_points(results: Iterable[EventResult], adjusted: Fraction) -> Fraction:
    """Return the points of the results that count, plus bonuses and penalties (``adjusted``)."""
    return sum_fractions([adjusted, *(one.points for one in results if one.counts)])


def mark_counted_results(
    rule: SeriesPoints, results: Sequence[EventResult], limits: Mapping[str, str]
) -> Iterator[EventResult]:
    """Yield one person's results, marked whether they count; of equal ones the earlier does.

    ``limits`` are those of ``limit_keys``. The best are taken one after the other as long as their
    venue or month has room: no other choice is worth more.
    """
    chosen = _chosen(rule, results, limits)
    for at, one in enumerate(results):
        yield EventResult(one.event, one.place, one.points, at in chosen)


def _chosen(
    rule: SeriesPoints, results: Sequence[EventResult], limits: Mapping[str, str]
) -> Collection[int]:
    always = {at for at, one in enumerate(results) if one.event in rule.always_counts}
    others = [at for at in range(len(results)) if at not in always]
    taken, used = set(always), Counter[str]()
    room = len(results) if rule.best is None else rule.best
    worth, _parts = scale_fractions(one.points for one in results)
    for at in sorted(others, key=lambda at: (-worth[at], at)):
        key = limits.get(results[at].event, "")
        if room and not (key and used[key] >= rule.at_most):
            taken.add(at)
            used[key] += 1
            room -= 1
    return taken
