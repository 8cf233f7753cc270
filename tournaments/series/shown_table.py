"""The table of a series as pages show it: a cell an event, results, reasons, what is possible."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from config.wording import translate
from rules.names import name_key
from rules.plans import StagePlan
from rules.results import PlayerId
from rules.scenarios import Verdict
from rules.series.outlook import (
    largest_event_stages,
    max_event_points,
    max_points_and_wins,
    series_verdicts,
)
from rules.series.points import Adjustment, EventResult
from rules.series.table import SERIES_CRITERIA, series_criterion
from rules.standings.table import Standing
from tournaments.core.draw_origins import map_readable_rows
from tournaments.core.formulas import formula_by_slug, is_saved_formula
from tournaments.core.labels import shared_ranks
from tournaments.core.mapping import event_points, event_table_points, stored_plan
from tournaments.models import Event
from tournaments.series.people import Person
from tournaments.series.selectors import SeriesFacts, SeriesTable
from tournaments.standings.selectors.proofs import format_value, rank_reasons

TOPS = (4, 8, 16, 32)
"""Among how many readers may ask who ends."""
WHOLE, LATEST = 9, 8
"""Up to so many events are shown whole; of more the latest."""


EventHead = tuple[Event, bool]
"""The event of a column, and whether it is an old one, which is hidden at first."""


@dataclass(frozen=True, slots=True)
class PersonResult:
    """A person's result in an event, with their player number there."""

    event: Event
    number: int
    place: int
    points: Fraction
    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """A person's row in the standings of a series, as a page displays it.

    ``cells`` are by event, None without a result; ``values`` are (tiebreaker, value) texts; ``why``
    explains the rank. ``verdict``: whether they finish among the first, None if no event is to
    come. ``short``: too few events to be ranked.
    """

    person: Person
    rank: int
    shared: bool
    points: Fraction
    cells: tuple[PersonResult | None, ...]
    values: tuple[tuple[str, str], ...]
    adjustments: tuple[Adjustment, ...]
    why: str
    verdict: Verdict | None
    short: bool
    mark: str = field(default="", init=False)

    @property
    def results(self) -> list[PersonResult]:
        """Return the results in the order of the events."""
        return [cell for cell in self.cells if cell is not None]

    @property
    def number(self) -> int:
        """Return the person's key, by which ``pages.long_lists`` finds their row."""
        return self.person.key

    @property
    def name_key(self) -> str:
        """Return the name without case and accents."""
        return name_key(self.person.name)

    @property
    def players(self) -> tuple["PersonRow", ...]:
        """Return the row itself, as that of one player."""
        return (self,)


def event_headers(table: SeriesTable) -> tuple[EventHead, ...]:
    """Return (event, whether hidden at first) for each column of finished events."""
    old = len(table.events) - LATEST if len(table.events) > WHOLE else 0
    return tuple((event, at < old) for at, event in enumerate(table.events))


def person_rows(facts: SeriesFacts, table: SeriesTable, first: int) -> list[PersonRow]:
    """Return all rows of a series' standings in the active language; no query.

    ``first`` is the number of places that the verdicts are about, as 8 for the top 8.
    """
    standings, verdicts = table.standings, _verdicts(facts, table, first)
    reasons = rank_reasons(standings, table.names, named=series_criterion)
    shared = shared_ranks(standings)
    labels = [(one.key, translate(one.label)) for one in SERIES_CRITERIA]
    given: dict[PlayerId, list[Adjustment]] = {}
    for each in table.rule.adjustments:
        given.setdefault(each.person, []).append(each)
    return [
        PersonRow(
            person=table.person(row.player),
            rank=row.rank,
            shared=row.rank in shared,
            points=table.points(row),
            cells=tuple(_cells(table, row)),
            values=tuple(
                (label, format_value(row.values[key])) for key, label in labels if key in row.values
            ),
            adjustments=tuple(given.get(row.player, ())),
            why=reasons.get(row.player, ""),
            verdict=verdicts.get(row.player),
            short=table.is_short(row.player),
        )
        for row in standings.rows
    ]


def _cells(table: SeriesTable, row: Standing) -> Iterator[PersonResult | None]:
    numbers = {one.event_id: one.number for one in table.person(row.player).entries}
    results: Mapping[str, EventResult] = {one.event: one for one in table.results(row.player)}
    for event in table.events:
        one = results.get(event.slug)
        if one is None:
            yield None
        else:
            yield PersonResult(event, numbers[event.pk], one.place, one.points, one.counts)


def verdict_places(facts: SeriesFacts, people: int, first: int) -> list[int]:
    """Return the numbers of places that verdicts can be asked about, as 8 for the top 8.

    ``first``, the chosen one, is among them; ``people`` is the number of ranked people. [] if no
    event is to come.
    """
    known = [places for places in TOPS if places < people] if _events_left(facts) else []
    return sorted({first, *known}) if known else []


def _events_left(facts: SeriesFacts) -> Sequence[Event]:
    return (*facts.running, *facts.to_come, *facts.unseen)


def _verdicts(facts: SeriesFacts, table: SeriesTable, first: int) -> dict[PlayerId, Verdict]:
    """Return who ends among the ``first``; {} if no event is to come."""
    to_come = _events_left(facts)
    if not to_come or not 0 < first < len(table.standings.rows):
        return {}
    rule = table.rule
    known = dict(map_readable_rows(to_come, _most_of)) if rule.match_points or rule.wins else {}
    nothing = (None, None)
    most = {
        one.slug: max_event_points(rule, one.slug, *known.get(one.pk, nothing)) for one in to_come
    }
    return series_verdicts(table.history, most, first)


def _most_of(event: Event) -> tuple[int, tuple[Fraction | None, int | None]]:
    """Return the key of an event to come, and the most match points and wins of a player in it."""
    stages = planned_stages(event)
    if stages is None:
        return event.pk, (None, None)
    return event.pk, max_points_and_wins(stages, event_points(event), event_table_points(event))


def planned_stages(event: Event) -> Sequence[StagePlan] | None:
    """Return the stages of an event, before its start those for the most players.

    None if the number of rounds is unknown.
    """
    if event.plan is not None:
        return stored_plan(event).stages
    if is_saved_formula(event.formula):
        return None
    return largest_event_stages(formula_by_slug(event.formula), event.options)
