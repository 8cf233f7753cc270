"""Level players between whom lots may decide."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.criteria import CRITERIA
from rules.results import PlayerId
from rules.standings import Standings
from rules.ties import Classes
from tournaments.models import Draw, Entry
from tournaments.selectors.facts import EventFacts, StageFacts
from tournaments.selectors.labels import group_label


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelOn:
    """A criterion and the value that all of a tied set share."""

    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TiedSet:
    """Players whom nothing separates; ``decides`` where a later stage depends on it."""

    players: tuple[Entry, ...]
    group: str
    level_on: tuple[LevelOn, ...]
    decides: bool

    @property
    def numbers(self) -> str:
        """Return the players' numbers as forms send them."""
        return ",".join(str(entry.number) for entry in self.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class LotsPage:
    """The tied sets of a stage, its draws so far, and the fingerprint of the next one."""

    stage: StageFacts | None
    ready: bool
    sets: tuple[TiedSet, ...]
    drawn: tuple[tuple[Draw, tuple[Entry, ...]], ...]
    announced: Draw | None


def lots_page(facts: EventFacts) -> LotsPage:
    """Return what there is to draw in the stage in progress, or the last one; no query."""
    stage = facts.open_stage or (facts.stages[-1] if facts.stages else None)
    announced = next((d for d in facts.draws if d.state == Draw.State.ANNOUNCED), None)
    if stage is None:
        return LotsPage(stage=None, ready=False, sets=(), drawn=(), announced=announced)
    ready = bool(stage.rounds) and stage.rounds_done and not stage.missing
    drawn = tuple(
        (draw, tuple(facts.entries[number] for number in draw.order))
        for draw in facts.draws
        if draw.kind == Draw.Kind.LOTS and draw.stage_id == stage.stage.pk
    )
    return LotsPage(
        stage=stage,
        ready=ready,
        sets=tuple(_described(facts, stage, tied) for tied in tied_sets(stage)) if ready else (),
        drawn=drawn,
        announced=announced,
    )


def _described(facts: EventFacts, stage: StageFacts, tied: tuple[PlayerId, ...]) -> TiedSet:
    needed = {frozenset(group) for group in stage.outcome.lots_needed}
    group, table = _table_of(stage, frozenset(tied))
    row = next(row for row in table.rows if row.player == tied[0])
    return TiedSet(
        players=tuple(facts.entries[number] for number in tied),
        group=group_label(stage.plan, group) if group else _("Across the groups"),
        level_on=tuple(
            LevelOn(label=translate(CRITERIA.get(key).label), value=str(value))
            for key, value in row.values.items()
        ),
        decides=frozenset(tied) in needed,
    )


def _table_of(stage: StageFacts, tied: frozenset[PlayerId]) -> tuple[str, Standings]:
    """Return the group where the set is tied, "" for a comparison of groups, and the table."""
    tables = [*stage.outcome.standings.items()]
    tables += [("", table) for table in stage.outcome.compared.values()]
    return next(
        (group, table)
        for group, table in tables
        if any(frozenset(level) == tied for level in table.tied)
    )


def tied_sets(stage: StageFacts) -> Classes:
    """Return every set of level players of a stage: first those that block it."""
    found = [tuple(group) for group in stage.outcome.lots_needed]
    tables = (*stage.outcome.standings.values(), *stage.outcome.compared.values())
    known = {frozenset(group) for group in found}
    for table in tables:
        for group in table.tied:
            if frozenset(group) not in known:
                known.add(frozenset(group))
                found.append(tuple(group))
    return tuple(found)
