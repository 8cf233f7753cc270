"""Sheets of the tie-breaks, criterion by criterion, and of the draws."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from config.wording import translate
from rules.criteria import CRITERIA
from rules.standings import Standing, Standings
from rules.ties import lots_last
from tournaments.exports.loading import Source
from tournaments.exports.tables import NUMBER, TIME, WHOLE, Column, Table, Value
from tournaments.models import Draw
from tournaments.selectors.facts import StageFacts


def ties_table(source: Source) -> Table:
    """Return each set of players level on the first criterion, and what separated them."""
    columns = (
        Column(key="stage", label=_("Stage")),
        Column(key="group", label=_("Group")),
        Column(key="set", label=_("Set"), kind=WHOLE),
        Column(key="criterion", label=_("Criterion")),
        Column(key="rank", label=_("Rank"), kind=WHOLE),
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="value", label=_("Value"), kind=NUMBER),
        Column(key="placed", label=_("Placed by it")),
    )
    rows = [row for stage in source.begun for row in _of_stage(source, stage)]
    return Table(key="ties", title=_("Tie-breaks"), columns=columns, rows=rows)


def _of_stage(source: Source, stage: StageFacts) -> Iterator[tuple[Value, ...]]:
    label, number = translate(stage.plan.label), 0
    tables = dict(stage.outcome.standings)
    for rank, standings in stage.outcome.compared.items():
        tables[_("rank %(rank)s") % {"rank": rank}] = standings
    order = lots_last(source.event.criteria)
    for group, standings in tables.items():
        for level in _level_on_first(standings, order[0]):
            number += 1
            for criterion in order:
                for row, value in _values(level, criterion):
                    yield (
                        label,
                        group,
                        number,
                        translate(CRITERIA.get(criterion).label),
                        row.rank,
                        int(row.player),
                        source.name(row.player),
                        value,
                        _("yes") if row.placed_by == criterion else "",
                    )


def _level_on_first(standings: Standings, first: str) -> list[list[Standing]]:
    """Return the rows that the first criterion leaves level, set by set."""
    sets: list[list[Standing]] = []
    for row in standings.rows:
        if row.placed_by in (None, first) and not _shares_with_last(row, sets):
            sets.append([row])
        else:
            sets[-1].append(row)
    return [level for level in sets if len(level) > 1]


def _shares_with_last(row: Standing, sets: Sequence[Sequence[Standing]]) -> bool:
    return bool(sets) and sets[-1][-1].rank == row.rank


def _values(level: Sequence[Standing], criterion: str) -> list[tuple[Standing, Value]]:
    """Return what each player of a set had under a criterion that was looked at.

    Head-to-head and lots are known only where they separated somebody.
    """
    if CRITERIA.get(criterion).value is not None:
        return [(row, row.values[criterion]) for row in level if criterion in row.values]
    proofs = [row.proof for row in level if row.proof and row.proof.criterion == criterion]
    first_of = {player: proof for proof in reversed(proofs) for player in proof.level}
    return [
        (row, first_of[row.player].values.get(row.player))
        for row in level
        if row.player in first_of
    ]


def draws_table(source: Source) -> Table:
    """Return the draws that were made, with the seed by which anybody can check them."""
    columns = (
        Column(key="number", label=_("Draw"), kind=WHOLE),
        Column(key="kind", label=_("Kind")),
        Column(key="stage", label=_("Stage")),
        Column(key="order", label=_("Order drawn")),
        Column(key="seed", label=_("Seed")),
        Column(key="fingerprint", label=_("Fingerprint")),
        Column(key="witnesses", label=_("Witnesses")),
        Column(key="note", label=_("Note")),
        Column(key="drawn_at", label=_("Drawn at"), kind=TIME),
    )
    drawn = [draw for draw in source.facts.draws if draw.state == Draw.State.DRAWN]
    rows = [_draw(source, draw) for draw in drawn]
    return Table(key="draws", title=_("Draws"), columns=columns, rows=rows)


def _draw(source: Source, draw: Draw) -> tuple[Value, ...]:
    labels = {s.stage.pk: translate(s.plan.label) for s in source.facts.stages}
    known = source.facts.entries
    order = ", ".join(known[n].name if n in known else str(n) for n in draw.order)
    return (
        draw.number,
        str(draw.get_kind_display()),
        labels.get(draw.stage_id or 0, ""),
        order,
        draw.seed,
        draw.fingerprint,
        draw.witnesses,
        draw.note,
        draw.drawn_at,
    )
