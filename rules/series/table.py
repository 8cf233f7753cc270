"""The table of a series: people ranked by their points, with the reason for each rank.

The criteria split level people one after the other, as in events (``rules.standings.table``).

Source: series, A3; contracts, *Added: series*.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.criteria.base import (
    Criterion,
    Figures,
    Level,
    SeatFractions,
    TiebreakerColumn,
    TiebreakerSplit,
    numeric_criterion,
    split_by_figures,
)
from rules.criteria.points import LOTS
from rules.history.group_history import OutcomeCounts
from rules.json_reader import list_of, one_of, read_document, unique_list
from rules.numbers import scale_fractions, sum_fractions
from rules.registry import Registry
from rules.results import PlayerId
from rules.series.points import (
    EventResult,
    FinishedEvent,
    SeriesPoints,
    results_by_person,
    sum_counted_points,
)
from rules.standings.table import Standings, rank_by_criteria
from rules.ties.draws import drawn_order
from rules.wording import Sentence, untranslated_text

SERIES_CRITERIA = Registry("criterion", Criterion)
SERIES_ORDER = ("points", "best_result", "next_best", "event_wins", "head_to_head", "lots")


@dataclass(frozen=True, slots=True)
class SeriesHistory:
    """The events and results of a series, from which tiebreakers compute their values.

    ``players`` are its people, ``results`` theirs in the order of the events; ``seed`` is that of
    the random draw, "" for none. ``columns`` caches values by tiebreaker.
    """

    rule: SeriesPoints
    events: Sequence[FinishedEvent]
    players: tuple[PlayerId, ...]
    results: Mapping[PlayerId, Sequence[EventResult]]
    seed: str
    columns: dict[str, TiebreakerColumn]

    @property
    def played(self) -> list[int]:
        """Return the number of each person's results."""
        return [len(self.results[person]) for person in self.players]

    @property
    def outcomes(self) -> OutcomeCounts:
        """Return how many events each person won; none is drawn or lost."""
        won = [sum(one.place == 1 for one in self.results[person]) for person in self.players]
        none = [0] * len(won)
        return OutcomeCounts(won, none, none)

    def adjusted(self, person: PlayerId) -> Fraction:
        """Return the sum of a person's bonuses and penalties."""
        return sum_fractions(one.points for one in self.rule.adjustments if one.person == person)


def series_history(
    rule: SeriesPoints, events: Sequence[FinishedEvent], *, seed: str = ""
) -> SeriesHistory:
    """Return the history of a series; its people in the order of their numbers.

    ``events`` are the finished ones in the order in which they were played.
    """
    results = results_by_person(rule, events)
    return SeriesHistory(rule, events, tuple(sorted(results, key=int)), results, seed, {})


def rank_series(history: SeriesHistory, criteria: Sequence[str] = SERIES_ORDER) -> Standings:
    """Return the standings of a series; tied people share a rank.

    People with too few results rank behind all others. Raises BadInput ``unknown_criterion``.
    """
    first = (ENOUGH_EVENTS,) if history.rule.least_events else ()
    return rank_by_criteria(history, [*first, *map(SERIES_CRITERIA.get, criteria)])


def has_too_few_events(history: SeriesHistory, person: PlayerId) -> bool:
    """Return whether a person has too few results to be ranked among the others."""
    return len(history.results[person]) < history.rule.least_events


def counted_points(history: SeriesHistory, person: PlayerId) -> Fraction:
    """Return a person's points in a series: results that count, bonuses and penalties."""
    return sum_counted_points(history.results[person], history.adjusted(person))


def series_criterion(key: str) -> Criterion:
    """Return a tiebreaker of a series by key.

    Includes the one that ranks people with too few results last. Raises BadInput
    ``unknown_criterion``.
    """
    return ENOUGH_EVENTS if key == ENOUGH_EVENTS.key else SERIES_CRITERIA.get(key)


def read_tiebreaker_keys(value: object) -> tuple[str, ...]:
    """Return the tiebreaker keys of a series in a JSON list, each once.

    Raises BadInput ``invalid_order`` with ``path`` and ``problem``.
    """
    keys = unique_list(list_of(one_of(SERIES_CRITERIA.keys()), least=1))
    return read_document("invalid_order", keys, value, at="order")


# --- Criteria ------------------------------------------------------------------------------
def _enough_events(history: SeriesHistory, level: Level) -> TiebreakerSplit:
    short = [person for person in level if has_too_few_events(history, person)]
    enough = [person for person in level if not has_too_few_events(history, person)]
    figures = {person: (len(history.results[person]),) for person in level}
    return TiebreakerSplit(tuple(tuple(each) for each in (enough, short) if each), figures)


def _scaled(numbers: Sequence[Fraction]) -> SeatFractions:
    return SeatFractions(*scale_fractions(numbers))


def _points(history: SeriesHistory) -> SeatFractions:
    return _scaled([counted_points(history, person) for person in history.players])


def _uncapped(history: SeriesHistory) -> SeatFractions:
    return _scaled(
        [
            sum_fractions(
                [history.adjusted(person), *(one.points for one in history.results[person])]
            )
            for person in history.players
        ]
    )


def _best(history: SeriesHistory) -> SeatFractions:
    return _scaled(
        [max(one.points for one in history.results[person]) for person in history.players]
    )


def _next_best(history: SeriesHistory, level: Level) -> TiebreakerSplit:
    """Compare the best results, then the second best, and so on; a missing one counts as 0."""
    most = max(len(history.results[person]) for person in level)
    figures = {
        person: (
            *sorted((one.points for one in history.results[person]), reverse=True),
            *[Fraction(0)] * (most - len(history.results[person])),
        )
        for person in level
    }
    return split_by_figures(level, figures)


def _last_place(history: SeriesHistory) -> list[int]:
    """Return places in the last event; who has no result in it comes after all who have."""
    last = history.events[-1] if history.events else None
    places = {
        person: one.place
        for person, results in history.results.items()
        for one in results[-1:]
        if last is not None and one.event == last.key
    }
    behind = max(places.values(), default=0) + 1
    return [places.get(person, behind) for person in history.players]


def _head_to_head(history: SeriesHistory, level: Level) -> TiebreakerSplit:
    """Compare match points from the matches between exactly these people, over all events.

    If some of them have not met, the order of the others would depend on who had the chance: they
    stay level.
    """
    among = set(level)
    points: dict[tuple[PlayerId, PlayerId], Fraction] = {}
    for event in history.events:
        for row in event.rows:
            if row.person in among:
                for other in among & row.meetings.keys():
                    pair = row.person, other
                    points[pair] = points.get(pair, Fraction(0)) + row.meetings[other]
    totals = dict.fromkeys(level, Fraction(0))
    for (own, _other), made in points.items():
        totals[own] += made
    figures = {person: (total,) for person, total in totals.items()}
    if any((a, b) not in points for a in among for b in among if a != b):
        return TiebreakerSplit((tuple(level),), figures)
    return split_by_figures(level, figures)


def _lots(history: SeriesHistory, level: Level) -> TiebreakerSplit:
    """Order people by the digests of seed and number (``rules.ties.draws``)."""
    if not history.seed:
        return TiebreakerSplit((tuple(level),))
    drawn = drawn_order(history.seed, [int(person) for person in level])
    figures: Figures = {person: (at,) for at, person in enumerate(drawn, start=1)}
    return split_by_figures(level, figures, lowest_first=True)


ENOUGH_EVENTS = Criterion(
    key="enough_events",
    label=Sentence("Events"),
    short=Sentence("Events"),
    explains=Sentence("Players with too few events rank behind all others."),
    split=_enough_events,
)
"""Applied before all others if the rule has a least number; it can't be chosen."""
numeric_criterion(
    catalogue=SERIES_CRITERIA,
    key="points",
    label=Sentence("Points"),
    short=Sentence("Pts"),
    explains=Sentence("Points from the results that count, plus bonuses, minus penalties."),
    values=_points,
)
numeric_criterion(
    catalogue=SERIES_CRITERIA,
    key="points_uncapped",
    label=Sentence("Points from all events"),
    short=Sentence("All"),
    explains=Sentence("Points from all results, including those that don’t count."),
    values=_uncapped,
)
numeric_criterion(
    catalogue=SERIES_CRITERIA,
    key="best_result",
    label=Sentence("Best result"),
    short=Sentence("Best"),
    explains=Sentence("Most points in one event."),
    values=_best,
)
numeric_criterion(
    catalogue=SERIES_CRITERIA,
    key="event_wins",
    label=Sentence("Events won"),
    short=Sentence("Wins"),
    explains=Sentence("Number of events won."),
    values=lambda history: history.outcomes.won,
)
SERIES_CRITERIA.define(
    key="next_best",
    label=Sentence("Next best results"),
    short=Sentence("Next"),
    explains=Sentence("The best result, then the second best, and so on."),
    split=_next_best,
)
numeric_criterion(
    catalogue=SERIES_CRITERIA,
    key="last_event",
    label=Sentence("Place in the last event"),
    short=Sentence("Last"),
    explains=Sentence("Better place in the last event; absent players come last."),
    values=_last_place,
    lowest_first=True,
)
SERIES_CRITERIA.define(
    key="head_to_head",
    label=Sentence("Head-to-head"),
    short=untranslated_text("H2H"),
    explains=Sentence("Match points between the tied players in all events, if all have met."),
    split=_head_to_head,
    inside=True,
)
SERIES_CRITERIA.add(replace(LOTS, split=_lots))
