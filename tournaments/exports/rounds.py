"""Sheets of the points after each round, with a chart."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate

from django.utils.translation import gettext as _

from rules.results import PlayerId, Result
from rules.stages.kind import is_of_tables
from rules.tables.results import UNITS
from tournaments.core.event_state import StageFacts
from tournaments.core.labels import round_label
from tournaments.core.rows import RoundRow
from tournaments.exports.cells import NUMBER, WHOLE, Chart, Column, Table, Value
from tournaments.exports.loading import Source, sheet_name

MOST_LINES = 8
"""Lines that a chart holds at most, so that each can be followed."""


def points_tables(source: Source) -> Iterator[Table]:
    """Yield the points after each round for each stage with a table and two rounds begun."""
    for stage in source.begun:
        begun = [
            item
            for item, played in zip(stage.regular_rounds, stage.state.rounds, strict=True)
            if any(result.counts for _pairing, result in played)
        ]
        if stage.kind.has_table and len(begun) > 1:
            yield _points(source, stage, begun)


def _points(source: Source, stage: StageFacts, begun: Sequence[RoundRow]) -> Table:
    rounds = [
        Column(key=f"round.{item.ordinal}", label=round_label(stage, item), kind=NUMBER)
        for item in begun
    ]
    columns = (
        Column(key="group", label=_("Group")),
        Column(key="rank", label=_("Rank"), kind=WHOLE),
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        *rounds,
    )
    gained = points_by_round(stage)
    rows: list[tuple[Value, ...]] = []
    charts: list[Chart] = []
    many = len(stage.groups) > 1
    for group, standings in stage.outcome.standings.items():
        first = len(rows)
        for row in standings.rows:
            number = int(row.player)
            points = accumulate(gained[row.player][: len(begun)])
            rows.append((group if many else "", row.rank, number, source.name(number), *points))
        shown = range(first, min(len(rows), first + MOST_LINES))
        title = _("Points by round")
        title = f"{title} – {group}" if many else title
        charts.append(Chart(title=title, columns=tuple(each.key for each in rounds), rows=shown))
    return Table(
        key=f"points.{stage.stage.number}",
        title=sheet_name(_("Points"), stage, ""),
        columns=columns,
        rows=rows,
        beside="name",
        charts=charts,
    )


def points_by_round(stage: StageFacts) -> dict[PlayerId, list[Fraction]]:
    """Return the points that each seated player gained in each regular round."""
    played = stage.state.rounds
    gained = {player: [Fraction(0)] * len(played) for player in stage.state.players}
    for at, matches in enumerate(played):
        for _pairing, result in matches:
            for player, points in zip(result.seats, _points_of(stage, result), strict=False):
                gained[player][at] += points
    return gained


def _points_of(stage: StageFacts, result: Result) -> list[Fraction]:
    """Return the points of each seat of a match, of two or at a table."""
    if is_of_tables(stage.plan):
        return [Fraction(each, UNITS) for each in stage.state.table_points.of(result)]
    worth = stage.state.points
    return [Fraction(each, worth.parts) for each in worth.of(result)]
