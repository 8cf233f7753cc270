"""Sheets of tie-breaks and draws."""

from collections.abc import Iterator
from fractions import Fraction

from django.utils.translation import gettext as _

from config.wording import translate
from rules.ties.extra_matches import criterion_named
from tournaments.core.draw_origins import DrawOrigin, draw_origins
from tournaments.core.event_state import StageFacts
from tournaments.core.labels import group_label
from tournaments.exports.cells import NUMBER, TIME, WHOLE, Column, Table, Value
from tournaments.exports.loading import Source
from tournaments.models import Draw
from tournaments.standings.selectors.tie_trace import TableTrace, stage_traces


def ties_table(source: Source) -> Table:
    """Return each set of players level on the first criterion, with all criteria."""
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
        Column(key="step", label=_("Step"), kind=WHOLE),
        Column(key="separates", label=_("Separates")),
        Column(key="more", label=_("All figures")),
    )
    rows = [row for stage in source.begun for row in _of_stage(source, stage)]
    return Table(key="ties", title=_("Tie-breaks"), columns=columns, rows=rows)


def _of_stage(source: Source, stage: StageFacts) -> Iterator[tuple[Value, ...]]:
    label, number = translate(stage.plan.label), 0
    for table in stage_traces(stage):
        group = _group(stage, table)
        found = {row.player: row for row in table.standings.rows}
        for tied in table.sets:
            number += 1
            for at, step in enumerate(tied.steps, start=1):
                for player in step.level:
                    figures = [Fraction(value) for value in step.values.get(player, ())]
                    yield (
                        label,
                        group,
                        number,
                        translate(criterion_named(step.criterion).label),
                        found[player].rank,
                        int(player),
                        source.name(player),
                        figures[0] if figures else None,
                        _("yes") if found[player].placed_by == step.criterion else "",
                        at,
                        _("yes") if step.separates else _("no"),
                        " / ".join(map(str, figures)) if len(figures) > 1 else "",
                    )


def _group(stage: StageFacts, table: TableTrace) -> str:
    """Return the label of a set: its group, its stage for a single group, or a compared rank."""
    if not table.group:
        return _("rank %(rank)s") % {"rank": table.rank}
    return table.group if len(stage.groups) > 1 else group_label(stage.plan, table.group)


def draws_table(source: Source) -> Table:
    """Return the draws made, with seeds for checking."""
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
        Column(key="origin", label=_("Where it comes from")),
        Column(key="count", label=_("Draws of the same so far"), kind=WHOLE),
    )
    drawn = [draw for draw in source.facts.draws if draw.state == Draw.State.DRAWN]
    origins = draw_origins(source.event, drawn)
    rows = [_draw(source, draw, origins[draw.number]) for draw in drawn]
    return Table(key="draws", title=_("Draws"), columns=columns, rows=rows)


def _draw(source: Source, draw: Draw, origin: DrawOrigin) -> tuple[Value, ...]:
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
        origin.words,
        origin.count,
    )
