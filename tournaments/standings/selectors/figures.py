"""Each player's figures over the tables of an event, and the order in which the players stand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from django.utils.translation import gettext as _

from config.wording import translate
from rules.criteria.base import Criterion
from rules.criteria.of_tables import criterion_of
from rules.results import PlayerId
from rules.scenarios.final_places import FinalPlaces
from rules.standings.table import Record, Standing
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import shared_ranks
from tournaments.core.rows import EntryRow
from tournaments.models import Stage
from tournaments.standings.selectors.ranking import ranking_page, records

ADDED_UP = ("points", "wins", "score_for", "score_difference")
"""Criteria whose values of several stages can be added."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A player's figures: the record, values by criterion, and the rank in the only table."""

    record: Record
    values: dict[str, Fraction] = field(default_factory=dict)
    rank: FinalPlaces | None = None


def tables_begun(facts: EventFacts) -> list[StageFacts]:
    """Return the stages that have begun and whose players criteria rank."""
    begun = (stage for stage in facts.stages if stage.stage.state != Stage.State.PENDING)
    return [
        stage
        for stage in begun
        if stage.kind.has_table and stage.kind.own_order(stage.state) is None
    ]


def seated_in(stage: StageFacts) -> list[PlayerId]:
    """Return the players of a stage, none before it has begun."""
    return [one for seats in stage.state.seats.values() for one in seats if one is not None]


def figures_of(facts: EventFacts) -> tuple[Mapping[PlayerId, Figures], list[Criterion]]:
    """Return the figures of each player, and the criteria that have a column.

    They are those of the only stage with a table, else the sums of all such stages; where none has
    a table, the record over the event.
    """
    criteria = [one for one in map(criterion_of, facts.event.criteria) if one.column is not None]
    stages = tables_begun(facts)
    if not stages:
        return {number: Figures(made) for number, made in records(facts).items()}, []
    if len(stages) == 1:
        return {
            row.player: Figures(
                Record(row.won, row.drawn, row.lost),
                dict(row.values),
                FinalPlaces(row.rank, row.rank, row.rank in shared),
            )
            for standings in stages[0].outcome.standings.values()
            for shared in (shared_ranks(standings),)
            for row in standings.rows
        }, criteria
    shown = [one for one in criteria if one.key in ADDED_UP]
    return {
        player: Figures(
            Record(
                *(
                    sum(each)
                    for each in zip(*((row.won, row.drawn, row.lost) for row in own), strict=True)
                )
            ),
            {one.key: sum((row.values[one.key] for row in own), Fraction(0)) for one in shown},
        )
        for player, own in _rows_of_tables(facts).items()
    }, shown


def counted_words(facts: EventFacts, columns: str) -> str:
    """Return a sentence: of which stages ``figures_of`` counts; "" where that is the event."""
    stages = tables_begun(facts)
    if len(facts.stages) == 1 or not stages:
        return ""
    if len(stages) > 1:
        return _("%(columns)s: added up over all stages with a table.") % {"columns": columns}
    values = {"columns": columns, "stage": translate(stages[0].plan.label)}
    return _("%(columns)s: of the stage “%(stage)s”.") % values


def _rows_of_tables(facts: EventFacts) -> dict[PlayerId, list[Standing]]:
    found: dict[PlayerId, list[Standing]] = {}
    for stage in tables_begun(facts):
        for standings in stage.outcome.standings.values():
            for row in standings.rows:
                found.setdefault(row.player, []).append(row)
    return found


def players_in_order(
    facts: EventFacts, found: Mapping[PlayerId, Figures]
) -> list[tuple[FinalPlaces | None, EntryRow]]:
    """Return players and ranks; those whose place is open fill what is left, by their figures.

    While one table is all there is its ranks of now stand, also of players whose final place is
    certain already.
    """
    table = tables_begun(facts)
    alone = not facts.ranking and len(table) == 1 and len(table[0].plan.groups) == 1
    placed = [row for row in ranking_page(facts).rows if not (alone and row.entry.number in found)]
    ranked = {row.entry.number for row in placed}
    seated = {player for stage in facts.stages for player in seated_in(stage)}
    waiting = [
        entry
        for number, entry in facts.entries.items()
        if number not in ranked and (number in seated or not seated)
    ]

    def order(entry: EntryRow) -> tuple[object, ...]:
        own = found.get(entry.number)
        if own is None or not seated:
            return (0, entry.number)
        return (
            own.rank.first if own.rank else 0,
            -own.values.get("points", 0),
            -own.record.won,
            entry.number,
        )

    open_ = [
        (found[one.number].rank if alone and one.number in found else None, one)
        for one in sorted(waiting, key=order, reverse=True)
    ]
    rows: list[tuple[FinalPlaces | None, EntryRow]] = []
    for row in placed:
        while open_ and len(rows) + 1 < row.rank:
            rows.append(open_.pop())
        rows.append((row.places, facts.entries[row.entry.number]))
    return [*rows, *reversed(open_)]
