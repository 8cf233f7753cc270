"""The desk: the round in progress, what blocks the next step, and the one next step."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from config.wording import translate
from rules.ties.decisions import Classes
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.rows import AnyRound
from tournaments.desk.selectors.rows import TableRow, anything_told, latest_reports, table_rows
from tournaments.models import Event, Round

NAMED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A reason why the next step is blocked; each item is (words, URL or "")."""

    kind: str
    heading: str
    items: tuple[tuple[str, str], ...] = ()


def blocks_of(
    facts: EventFacts, stage: StageFacts | None, rows: tuple[TableRow, ...]
) -> tuple[Block, ...]:
    """Return what blocks the open stage; ``rows`` are the tables of the round shown."""
    if stage is None:
        return ()
    draft = _draft(stage)
    found = (
        draft,
        _disputed(facts.event.slug, rows),
        None if draft else _missing(rows),
        _undecided(facts, stage),
    )
    return tuple(block for block in found if block is not None)


def _draft(stage: StageFacts) -> Block | None:
    last = stage.last_round
    if last is None or last.state != Round.State.DRAFT:
        return None
    heading = _("Round %(number)s is a draft: nobody sees it yet.") % {"number": last.ordinal}
    return Block(kind="draft", heading=heading)


def _disputed(slug: str, rows: tuple[TableRow, ...]) -> Block | None:
    items = tuple(
        (_named(row), reverse("tournaments:match", args=[slug, row.match.pk]))
        for row in rows
        if row.is_disputed
    )
    heading = _("Two different reports")
    return Block(kind="disputed", heading=heading, items=items) if items else None


def _missing(rows: tuple[TableRow, ...]) -> Block | None:
    missing = [row for row in rows if not row.is_final and not row.is_disputed]
    if not missing:
        return None
    more = len(missing) - NAMED
    items = [(_named(row), f"#row-{row.match.pk}") for row in missing[:NAMED]]
    items += [(_("and %(count)s more") % {"count": more}, "")] if more > 0 else []
    return Block(kind="missing", heading=_("Results missing"), items=tuple(items))


def _undecided(facts: EventFacts, stage: StageFacts) -> Block | None:
    items = tuple(
        (" = ".join(str(facts.entries[number]) for number in tied), "")
        for tied in _to_decide(stage)
    )
    heading = _("Lots or an extra match must decide")
    return Block(kind="lots", heading=heading, items=items) if items else None


def _to_decide(stage: StageFacts) -> Classes:
    """Return the sets of level players without extra matches in progress."""
    open_rounds = {match.round_id for match in stage.missing}
    playing = [
        set(level)
        for item in stage.extra_rounds
        if item.pk in open_rounds
        for level in item.level_sets
    ]
    return tuple(tied for tied in stage.outcome.lots_needed if set(tied) not in playing)


def _named(row: TableRow) -> str:
    place = row.table or row.match.number
    return _("Table %(table)s: %(a)s – %(b)s") % {"table": place, "a": row.a, "b": row.b}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """The reader's rights at the desk."""

    run: bool
    rule: bool
    manage: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The main button: a link, or a form if ``post``; disabled if ``why_not`` is set."""

    label: str
    url: str
    post: bool = False
    expected_round: int = 0
    why_not: str = ""


def next_step(facts: EventFacts, stage: StageFacts | None, rights: Rights) -> Step | None:
    """Return the next step of the open stage, or of the event without one."""
    event, slug = facts.event, facts.event.slug
    if event.state != Event.State.RUNNING:
        return None
    if stage is None:
        return Step(
            label=_("Finish the event"),
            url=reverse("tournaments:desk-finish", args=[slug]),
            post=True,
            why_not="" if rights.manage else _("Only the organiser can finish the event."),
        )
    if not rights.run:
        return None
    last = stage.last_round
    if last is not None and last.state == Round.State.DRAFT:
        return Step(
            label=_("Look over round %(number)s") % {"number": last.ordinal},
            url=reverse("tournaments:desk-round", args=[slug, last.ordinal]),
        )
    waiting = ""
    if stage.missing:
        waiting = _("Results still missing: %(count)s.") % {"count": len(stage.missing)}
    if not stage.rounds_done:
        number = facts.last_ordinal + 1
        return Step(
            label=_("Prepare round %(number)s") % {"number": number},
            url=reverse("tournaments:desk-draft", args=[slug]),
            post=True,
            expected_round=number,
            why_not=waiting,
        )
    if stage.outcome.lots_needed:
        return Step(
            label=_("Decide between level players"),
            url=reverse("tournaments:lots", args=[slug]),
            why_not=waiting,
        )
    is_last = stage.stage.number == len(facts.stages)
    return Step(
        label=_("Close the last stage") if is_last else _("See who goes on"),
        url=reverse("tournaments:advance", args=[slug]),
        why_not=waiting,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondLeg:
    """Rounds and matches of a second leg, while it can still be chosen."""

    stage: int
    rounds: int
    minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The content of the desk; ``former`` are published rounds before the one shown."""

    stage: StageFacts | None
    stage_label: str
    round: AnyRound | None
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
        """Say whether the round's results are promotion points."""
        return any(row.by_points for row in self.rows)

    @property
    def tables(self) -> int:
        """Return the number of tables; byes and forfeits have none."""
        return sum(row.table is not None for row in self.rows)

    @property
    def done(self) -> int:
        """Return the number of tables with a final result."""
        return sum(row.is_final for row in self.rows if row.table is not None)


def desk_of(facts: EventFacts, rights: Rights) -> Desk:
    """Return the desk of an event; one query besides those of the facts."""
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


def _round_shown(stage: StageFacts | None) -> AnyRound | None:
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
    """Return the tables with a report after a given one, and those with extra time."""
    return tuple(
        row
        for row in desk.rows
        if row.changed > since or (row.match.extra_minutes and not row.is_final)
    )
