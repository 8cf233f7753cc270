"""Sheets of stages: the standings of all groups in one table, and who beat whom beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import translate
from rules.criteria.of_tables import criterion_of
from rules.standings.table import Standings
from tournaments.core.event_state import StageFacts
from tournaments.core.kept_places import compared_in
from tournaments.core.labels import ordinal
from tournaments.exports.cells import NUMBER, SHARE, WHOLE, Column, Table, Value
from tournaments.exports.handout.groups import goes_to
from tournaments.exports.loading import Source
from tournaments.exports.standings import meetings

MOST_CROSSED = 16
"""Players of the largest group whose matches stand beside the standings."""


def stages_table(source: Source, stages: Sequence[StageFacts]) -> Table:
    """Return the standings of the groups of stages, one below the other; no query.

    The best of several groups that are compared follow as a table of their own.
    """
    criteria = [one for one in map(criterion_of, source.event.criteria) if one.column is not None]
    most = max((_cross_columns(stage) for stage in stages), default=0)
    columns = (
        Column(key="stage", label=_("Stage")),
        Column(key="group", label=_("Group")),
        Column(key="rank", label=pgettext("short", "Rank"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="club", label=_("Club")),
        Column(key="played", label=pgettext("matches played", "P"), kind=WHOLE),
        Column(key="won", label=pgettext("one letter", "W"), kind=WHOLE),
        Column(key="drawn", label=pgettext("one letter", "D"), kind=WHOLE),
        Column(key="lost", label=pgettext("one letter", "L"), kind=WHOLE),
        *(
            Column(
                key=one.key,
                label=translate(one.short),
                kind=SHARE if one.percentage else NUMBER,
            )
            for one in criteria
        ),
        Column(key="goes_to", label=_("goes to")),
        *(Column(key=f"against.{at}", label=ordinal(at)) for at in range(1, most + 1)),
    )
    keys = [one.key for one in criteria]
    rows = [row for stage in stages for row in _rows(source, stage, keys, most)]
    label = " · ".join(translate(stage.plan.label) for stage in stages)
    note = _("Cross tables of more than %(most)s players are in the archive workbook.")
    left_out = any(stage.kind.all_meet and not _cross_columns(stage) for stage in stages)
    made = Table(
        key="stage",
        title=label,
        columns=columns,
        rows=rows,
        beside="name",
        note=note % {"most": MOST_CROSSED} if left_out else "",
    )
    return without_empty(made, *(("stage",) if len(stages) < 2 else ()))


def _cross_columns(stage: StageFacts) -> int:
    """Return how many columns the matches of a group need, 0 if they do not stand there."""
    largest = max(len(group.seats) for group in stage.plan.groups)
    return largest if stage.kind.all_meet and largest <= MOST_CROSSED else 0


def _rows(
    source: Source, stage: StageFacts, keys: Sequence[str], most: int
) -> Iterator[tuple[Value, ...]]:
    goes, label = goes_to(source.facts, stage), translate(stage.plan.label)
    many = len(stage.groups) > 1

    def row_of(standings: Standings, group: str, cross: bool) -> Iterator[tuple[Value, ...]]:
        met = meetings(stage, group) if cross else {}
        order = [int(row.player) for row in standings.rows]
        for row in standings.rows:
            entry = source.facts.entries[row.player]
            cells = [
                "×" if other == row.player else " / ".join(met.get((int(row.player), other), ()))
                for other in (order if cross else ())
            ]
            yield (
                label,
                group if many else "",
                row.rank,
                entry.display_name,
                entry.club,
                row.played,
                row.won,
                row.drawn,
                row.lost,
                *(row.values.get(key) for key in keys),
                goes.get(row.player, ""),
                *(cells + [""] * most)[:most],
            )

    cross = bool(_cross_columns(stage))
    for group, standings in stage.outcome.standings.items():
        yield from row_of(standings, group, cross)
    for rank, standings in compared_in(stage).items():
        yield from row_of(standings, _("rank %(rank)s") % {"rank": rank}, cross=False)


def without_empty(table: Table, *also: str) -> Table:
    """Return a table without columns that are empty in all rows, and without those named."""
    kept = [
        at
        for at, column in enumerate(table.columns)
        if column.key not in also
        and (not table.rows or any(row[at] not in ("", None) for row in table.rows))
    ]
    return replace(
        table,
        columns=tuple(table.columns[at] for at in kept),
        rows=[tuple(row[at] for at in kept) for row in table.rows],
    )
