"""The desk: the round in progress, what blocks the next step, and the one next step."""

from dataclasses import dataclass

from config.wording import translate
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.models import Event, Round
from tournaments.selectors.desk_blocks import Block, blocks_of
from tournaments.selectors.desk_rows import TableRow, anything_told, latest_reports, table_rows
from tournaments.selectors.desk_steps import Rights, Step, next_step


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondLeg:
    """What a second leg would cost, while it can still be decided."""

    stage: int
    rounds: int
    minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Everything on the desk's page; ``former`` are the published rounds before the one shown."""

    stage: StageFacts | None
    stage_label: str
    round: Round | None
    round_label: str
    rows: tuple[TableRow, ...]
    since: int
    blocks: tuple[Block, ...]
    step: Step | None
    second_leg: SecondLeg | None
    former: tuple[int, ...]
    last_ordinal: int
    can_undo_round: bool
    can_undo_stage: bool

    @property
    def by_points(self) -> bool:
        """Say whether results of the round are promotion points."""
        return any(row.by_points for row in self.rows)

    @property
    def tables(self) -> int:
        """Return how many tables the round has; byes and forfeits have none."""
        return sum(row.table is not None for row in self.rows)

    @property
    def done(self) -> int:
        """Return how many of the tables have a final result."""
        return sum(row.is_final for row in self.rows if row.table is not None)


def desk_of(facts: EventFacts, rights: Rights) -> Desk:
    """Return the desk of an event; one query beside those of the facts."""
    stage = facts.open_stage
    shown = stage or (facts.stages[-1] if facts.stages else None)
    item = _round_shown(shown)
    reports = latest_reports(item)
    rows = table_rows(facts, shown, item, reports) if shown and item else ()
    return Desk(
        stage=shown,
        stage_label=translate(shown.plan.label) if shown else "",
        round=item,
        round_label=round_label(shown, item) if shown and item else "",
        rows=rows,
        since=max((report.pk for report in reports.values()), default=0),
        blocks=blocks_of(facts, stage, rows),
        step=next_step(facts, stage, rights),
        second_leg=_second_leg(facts.event, stage) if stage and rights.run else None,
        former=tuple(
            other.ordinal
            for other in facts.rounds
            if other.state == Round.State.PUBLISHED and other != item
        ),
        last_ordinal=facts.last_ordinal,
        can_undo_round=bool(stage and stage.rounds and rights.run) and not anything_told(reports),
        can_undo_stage=bool(
            stage and not stage.rounds and stage.stage.number > 1 and rights.manage
        ),
    )


def _round_shown(stage: StageFacts | None) -> Round | None:
    """Return the latest published round of a stage."""
    published = [r for r in stage.rounds if r.state == Round.State.PUBLISHED] if stage else []
    return published[-1] if published else None


def _second_leg(event: Event, stage: StageFacts) -> SecondLeg | None:
    possible = stage.kind.all_meet and not stage.plan.one_leg_only
    decided = stage.stage.legs != 1 or stage.extra_rounds or any(stage.lots)
    if not possible or decided or not stage.rounds:
        return None
    rounds = stage.total_rounds
    return SecondLeg(stage=stage.stage.number, rounds=rounds, minutes=rounds * event.minutes)


def changed_since(desk: Desk, since: int) -> tuple[TableRow, ...]:
    """Return the tables of which something was said after a report, and those with extra time."""
    return tuple(
        row
        for row in desk.rows
        if row.changed > since or (row.match.extra_minutes and not row.is_final)
    )
