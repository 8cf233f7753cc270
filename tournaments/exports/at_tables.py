"""Sheet of the tables of three and more: a row a seat."""

from collections.abc import Iterator
from fractions import Fraction

from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import Mark, Result
from rules.stages.kind import is_of_tables
from rules.tables.results import UNITS, as_table
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.rows import MatchRow
from tournaments.exports.cells import NUMBER, WHOLE, Column, Table, Value
from tournaments.exports.loading import Source
from tournaments.matches.table_words import mark_word


def has_tables(facts: EventFacts) -> bool:
    """Return whether a stage that has begun is one of tables of three and more."""
    return any(is_of_tables(stage.plan) and bool(stage.matches) for stage in facts.stages)


def seats_table(source: Source) -> Table:
    """Return every seat of the stages of tables, with place and points; no query.

    Byes and tables of two stand there too; extra matches do not.
    """
    columns = (
        Column(key="stage", label=_("Stage")),
        Column(key="round", label=_("Round"), kind=WHOLE),
        Column(key="round_name", label=_("Name of the round")),
        Column(key="table", label=_("Table"), kind=WHOLE),
        Column(key="seat", label=_("Seat"), kind=WHOLE),
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="place", label=_("Place"), kind=WHOLE),
        Column(key="points", label=_("Points"), kind=NUMBER),
        Column(key="mark", label=_("Mark")),
    )
    rows = [
        row
        for stage in source.begun
        if is_of_tables(stage.plan)
        for row in _of_stage(source, stage)
    ]
    return Table(key="tables", title=_("Tables"), columns=columns, rows=rows)


def _of_stage(source: Source, stage: StageFacts) -> Iterator[tuple[Value, ...]]:
    label = translate(stage.plan.label)
    for item, played in zip(stage.regular_rounds, stage.state.rounds, strict=True):
        results = {result.seats: as_table(result) for _pairing, result in played}
        name = round_label(stage, item)
        for match in stage.matches_of(item):
            players = [source.by_key[key] for key in match.seats]
            result = results[tuple(player.number for player in players)]
            seats = zip(players, _seats(stage, match, result), strict=True)
            for seat, (player, (place, points, mark)) in enumerate(seats, start=1):
                yield (
                    *(label, item.ordinal, name, match.table, seat),
                    *(player.number, player.name, place, points, mark),
                )


def _seats(
    stage: StageFacts, match: MatchRow, result: Result
) -> Iterator[tuple[int | None, Fraction | None, str]]:
    """Yield place, points and mark of each seat; blank without a result."""
    marks = dict(result.outcome.marks) if result.outcome else {}
    for seat, points in enumerate(stage.state.table_points.of(result), start=1):
        if not result.is_played:
            yield None, None, ""
        elif match.size == 1:
            yield None, Fraction(points, UNITS), _("bye") if result.is_bye else ""
        else:
            place = result.places[seat - 1] if result.places else None
            mark = marks.get(seat) or (Mark.ABSENT if result.places and not place else None)
            yield place, Fraction(points, UNITS), mark_word(mark) if mark else ""
