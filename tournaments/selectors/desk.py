"""The desk: the round in progress, what blocks the next step, and the one next step."""

from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.translation import gettext as _

from config.wording import translate
from rules.formulas.plan import ROUND_ROBIN
from rules.matches import MatchRules, presets
from tournaments.mapping import match_rules_in
from tournaments.models import Entry, Event, Match, Report, Round
from tournaments.selectors.facts import EventFacts, StageFacts
from tournaments.selectors.lots import group_label
from tournaments.selectors.match import in_words, with_names

NAMED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """What the reader may do at the desk."""

    run: bool
    rule: bool
    manage: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One table of the round. ``presets`` are the results of one click, (key, words)."""

    match: Match
    table: int | None
    group: str
    a: str
    b: str
    result: str
    said: str
    report: Report | None
    changed: int
    by_points: bool
    presets: tuple[tuple[str, str], ...]

    @property
    def is_final(self) -> bool:
        """Say whether the result counts."""
        return self.match.state == Match.State.FINAL

    @property
    def is_disputed(self) -> bool:
        """Say whether two players reported differently."""
        return self.match.state == Match.State.DISPUTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Something that the next step waits for; each item is (words, address or "")."""

    kind: str
    heading: str
    items: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The one main button: a link, or with ``fields`` a POST; ``why_not`` greys it out."""

    label: str
    url: str
    post: bool = False
    fields: dict[str, object] = field(default_factory=dict)
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondLeg:
    """What a second leg would cost, while it can still be decided."""

    stage: int
    rounds: int
    minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Everything on the desk's page."""

    stage: StageFacts | None
    stage_label: str
    round: Round | None
    round_label: str
    rows: tuple[TableRow, ...]
    since: int
    blocks: tuple[Block, ...]
    step: Step | None
    second_leg: SecondLeg | None
    can_undo_round: bool
    can_undo_stage: bool

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
        blocks=_blocks(facts, stage, rows),
        step=_step(facts, stage, rights),
        second_leg=_second_leg(facts.event, stage) if stage and rights.run else None,
        can_undo_round=bool(stage and stage.rounds and rights.run) and not _anything_told(reports),
        can_undo_stage=bool(
            stage and not stage.rounds and stage.stage.number > 1 and rights.manage
        ),
    )


def round_label(stage: StageFacts, item: Round) -> str:
    """Return what a round is called: "Round 2", "Semi-finals"."""
    return translate(stage.kind.describe_round(stage.state, item.number))


def latest_reports(item: Round | None) -> dict[int, Report]:
    """Return the latest report of every match of a round by the match's key; one query."""
    if item is None:
        return {}
    found = Report.objects.filter(match__round=item).order_by("pk")
    return {report.match_id: report for report in found.select_related("by", "by_entry")}


def table_rows(
    facts: EventFacts, stage: StageFacts, item: Round, reports: dict[int, Report]
) -> tuple[TableRow, ...]:
    """Return the tables of a round in their order, byes and forfeits last; no query."""
    entries = {entry.pk: entry for entry in facts.entries.values()}
    groups = {group.pk: group_label(stage.plan, group.name) for group in stage.groups}
    rows = [
        _row(facts.event, stage, match, entries, groups[match.group_id], reports.get(match.pk))
        for match in stage.matches_of(item)
    ]
    return tuple(sorted(rows, key=lambda row: (row.table is None, row.table or row.match.number)))


def _row(
    event: Event,
    stage: StageFacts,
    match: Match,
    entries: dict[int, Entry],
    group: str,
    report: Report | None,
) -> TableRow:
    a = str(entries[match.a_id]) if match.a_id else ""
    b = str(entries[match.b_id]) if match.b_id else ""
    rules = match_rules_in(stage.plan, match, event)
    claimed = report if report is not None and match.state != Match.State.FINAL else None
    decision = match.decision
    return TableRow(
        match=match,
        table=match.table,
        group=group,
        a=a,
        b=b,
        result=(in_words(decision) or with_names(decision, a, b)) if decision else "",
        said=with_names(claimed, a, b) if claimed else "",
        report=report,
        changed=report.pk if report else 0,
        by_points=rules.by_promotion,
        presets=preset_buttons(rules, a, b),
    )


def preset_buttons(rules: MatchRules, a: str, b: str) -> tuple[tuple[str, str], ...]:
    """Return the results of one click; one game alone is named by its winner."""
    if rules.best_of == 1:
        named = {"1-0": a, "0-1": b, "0-0-1": _("Draw")}
        return tuple((p.key, named.get(p.key, p.key)) for p in presets(rules))
    return tuple((preset.key, preset.key.replace("-", "–")) for preset in presets(rules))


def _round_shown(stage: StageFacts | None) -> Round | None:
    """Return the latest published round of a stage."""
    published = [r for r in stage.rounds if r.state == Round.State.PUBLISHED] if stage else []
    return published[-1] if published else None


def _anything_told(reports: dict[int, Report]) -> bool:
    return any(report.kind != Report.Kind.AUTOMATIC for report in reports.values())


def _blocks(
    facts: EventFacts, stage: StageFacts | None, rows: tuple[TableRow, ...]
) -> tuple[Block, ...]:
    if stage is None:
        return ()
    slug = facts.event.slug
    blocks = []
    last = stage.last_round
    if last is not None and last.state == Round.State.DRAFT:
        blocks.append(
            Block(
                kind="draft",
                heading=_("Round %(number)s is a draft: nobody sees it yet.")
                % {"number": last.ordinal},
            )
        )
    disputed = [row for row in rows if row.is_disputed]
    if disputed:
        blocks.append(
            Block(
                kind="disputed",
                heading=_("Two different reports"),
                items=tuple(
                    (_named(row), reverse("tournaments:match", args=[slug, row.match.pk]))
                    for row in disputed
                ),
            )
        )
    missing = [row for row in rows if not row.is_final and not row.is_disputed]
    if missing and not (last is not None and last.state == Round.State.DRAFT):
        more = len(missing) - NAMED
        items = [(_named(row), f"#row-{row.match.pk}") for row in missing[:NAMED]]
        items += [(_("and %(count)s more") % {"count": more}, "")] if more > 0 else []
        blocks.append(Block(kind="missing", heading=_("Results missing"), items=tuple(items)))
    if stage.outcome.lots_needed:
        blocks.append(
            Block(
                kind="lots",
                heading=_("Lots must decide"),
                items=tuple(
                    (" = ".join(str(facts.entries[number]) for number in tied), "")
                    for tied in stage.outcome.lots_needed
                ),
            )
        )
    return tuple(blocks)


def _named(row: TableRow) -> str:
    place = row.table or row.match.number
    return _("Table %(table)s: %(a)s – %(b)s") % {"table": place, "a": row.a, "b": row.b}


def _step(facts: EventFacts, stage: StageFacts | None, rights: Rights) -> Step | None:
    event, slug = facts.event, facts.event.slug
    if event.state == Event.State.FINISHED:
        return None
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
            fields={"expected_round": number},
            why_not=waiting,
        )
    if stage.outcome.lots_needed:
        return Step(label=_("Draw lots"), url=reverse("tournaments:lots", args=[slug]))
    is_last = stage.stage.number == len(facts.stages)
    return Step(
        label=_("Close the last stage") if is_last else _("See who goes on"),
        url=reverse("tournaments:advance", args=[slug]),
        why_not=waiting,
    )


def _second_leg(event: Event, stage: StageFacts) -> SecondLeg | None:
    possible = stage.plan.kind == ROUND_ROBIN and not stage.plan.one_leg_only
    if not possible or stage.stage.legs != 1 or not stage.rounds:
        return None
    rounds = stage.total_rounds
    return SecondLeg(stage=stage.stage.number, rounds=rounds, minutes=rounds * event.minutes)
