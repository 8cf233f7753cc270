"""Tables of a round as rows, and conflicts between two entries of one table."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from config.wording import translate
from decks.decklists.mapping import sentence_from_json
from rules.matches.settling import MatchRules, Outcome, presets
from rules.plans.plan import StagePlan
from rules.stages import kind_of
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.labels import final_label, group_in_round, group_of_match, round_label
from tournaments.core.mapping import match_rules_in, plan_of
from tournaments.core.permissions import Actor
from tournaments.core.rows import AnyMatch, AnyRound
from tournaments.models import Event, Match, Report
from tournaments.results.selectors.match import ended_by_whom, report_of, reporter_name, with_names

Names = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One table of the round. ``presets`` are the results of one click as (key, label).

    ``bracket`` labels its bracket in double elimination, or its match in a last round.
    """

    match: AnyMatch
    table: int | None
    group: str
    bracket: str
    a: str
    b: str
    result: str
    winner: str
    said: str
    report: Report | None
    changed: int
    by_points: bool
    presets: tuple[tuple[str, str], ...]
    reason: str

    @property
    def is_final(self) -> bool:
        """Say whether the result counts."""
        return self.match.state == Match.State.FINAL

    @property
    def is_worded(self) -> bool:
        """Say whether the result is a sentence, which needs a line of its own on a phone."""
        return any(sign.isalpha() for sign in self.result)

    @property
    def is_disputed(self) -> bool:
        """Say whether the reports of the two players differ."""
        return self.match.state == Match.State.DISPUTED


def latest_reports(item: AnyRound | None) -> dict[int, Report]:
    """Return the latest report of each match of a round by primary key; one query."""
    if item is None:
        return {}
    found = Report.objects.filter(match__round=item.pk).order_by("pk")
    return {report.match_id: report for report in found.select_related("by", "by_entry")}


def table_rows(
    facts: EventFacts, stage: StageFacts, item: AnyRound, reports: dict[int, Report]
) -> tuple[TableRow, ...]:
    """Return the tables of a round in order, byes and forfeits last; no query."""
    names = {entry.pk: str(entry) for entry in facts.entries.values()}
    groups = {group.pk: group.name for group in stage.groups}
    rows = [
        _row(
            facts.event,
            stage.plan,
            match,
            (names.get(match.a_id, ""), names.get(match.b_id or 0, "")),
            group_in_round(stage, item, match, groups[match.group_id]),
            reports.get(match.pk),
            named=len(item.level_sets) > 1,
        )
        for match in stage.matches_of(item)
    ]
    return tuple(sorted(rows, key=lambda row: (row.table is None, row.table or row.match.number)))


def _row(
    event: Event,
    plan: StagePlan,
    match: AnyMatch,
    names: Names,
    group: str,
    report: Report | None,
    *,
    named: bool = False,
) -> TableRow:
    """Return a row; ``named`` adds the group, for extra matches of several sets."""
    a, b = names
    rules = match_rules_in(plan, match, event)
    claimed = report if match.state in (Match.State.REPORTED, Match.State.DISPUTED) else None
    decision = match.decision
    return TableRow(
        match=match,
        table=match.table,
        group=group,
        bracket=group if named or kind_of(plan).two_brackets else final_label(plan, match.number),
        a=a,
        b=b,
        result=(ended_by_whom(decision, a, b) or with_names(decision, a, b)) if decision else "",
        winner=decision.winner if decision else "",
        said=(ended_by_whom(claimed, a, b) or with_names(claimed, a, b)) if claimed else "",
        report=report,
        changed=report.pk if report else 0,
        by_points=rules.by_promotion,
        presets=() if decision else preset_buttons(rules, a, b),
        reason=translate(sentence_from_json(match.reason)) if match.reason else "",
    )


def preset_buttons(rules: MatchRules, a: str, b: str) -> tuple[tuple[str, str], ...]:
    """Return the results of one click; single games are labelled by their winner."""
    if rules.best_of == 1:
        named = {"1-0": a, "0-1": b, "0-0-1": _("A draw")}
        return tuple((p.key, named.get(p.key, p.key)) for p in presets(rules))
    keys = [preset.key for preset in presets(rules)]
    wins = [key for key in keys if _lead(key) > 0]
    level = [key for key in keys if _lead(key) == 0]
    losses = [key for key in keys if _lead(key) < 0]
    return tuple((key, key.replace("-", "–")) for key in (*wins, *level, *reversed(losses)))


def _lead(key: str) -> int:
    """Return the first player's lead in games in a preset."""
    a, b, *_drawn = map(int, key.split("-"))
    return a - b


def anything_told(reports: dict[int, Report]) -> bool:
    return any(report.kind != Report.Kind.AUTOMATIC for report in reports.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A result stored meanwhile and the one submitted; ``own`` if by the same person."""

    match: AnyMatch
    table: int
    stored: str
    stored_by: str
    stored_at: datetime | None
    typed: str
    own: bool

    @property
    def sentence(self) -> str:
        """Return the explanation that asks to choose one."""
        words = (
            _("You have entered a result of table %(table)s already. Nothing was stored: choose.")
            if self.own
            else _("Table %(table)s has another result by now. Nothing was stored: choose one.")
        )
        return words % {"table": self.table}


def conflict_of(match: Match, wanted: Outcome, by: Actor) -> Conflict:
    """Return the stored and the submitted result of a match; one query."""
    a, b = str(match.a), str(match.b)
    last = match.reports.select_related("by", "by_entry").order_by("-version").first()
    return Conflict(
        match=match,
        table=match.table or match.number,
        stored=with_names(last, a, b) if last else "",
        stored_by=reporter_name(last) if last else "",
        stored_at=last.at if last else None,
        typed=with_names(report_of(wanted), a, b),
        own=last is not None and last.by_id is not None and last.by == by.user,
    )


def row_of(match: Match) -> TableRow:
    """Return the row of one match, loaded with its relations; one query.

    Loads the facts of the event too if several sets play extra matches in the round.
    """
    event = match.round.event
    stage = match.group.stage
    plan = plan_of(event).stages[stage.number - 1]
    report = match.reports.select_related("by", "by_entry").order_by("-version").first()
    names = (str(match.a), str(match.b or ""))
    if len(match.round.level_sets) > 1:
        facts = load_facts(event).stages[stage.number - 1]
        group = group_in_round(facts, match.round, match, match.group.name)
        return _row(event, plan, match, names, group, report, named=True)
    group = group_of_match(plan, match.group.name, match.number)
    return _row(event, plan, match, names, group, report)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPage:
    """A round's pairings by group, for review."""

    round: AnyRound
    label: str
    stage_label: str
    groups: tuple[tuple[str, tuple[TableRow, ...]], ...]
    is_last: bool
    has_results: bool


def drafted_round(facts: EventFacts, ordinal: int) -> RoundPage | None:
    """Return a round of the event, drafts included; one query."""
    found = [(s, r) for s in facts.stages for r in s.rounds if r.ordinal == ordinal]
    if not found:
        return None
    stage, item = found[0]
    reports = latest_reports(item)
    by_group: dict[str, list[TableRow]] = {}
    for row in table_rows(facts, stage, item, reports):
        by_group.setdefault(row.group, []).append(row)
    return RoundPage(
        round=item,
        label=round_label(stage, item),
        stage_label=translate(stage.plan.label),
        groups=tuple((group, tuple(rows)) for group, rows in by_group.items()),
        is_last=ordinal == facts.last_ordinal and stage is facts.open_stage,
        has_results=anything_told(reports),
    )
