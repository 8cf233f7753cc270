"""Sheet of all results, in the order of play."""

from datetime import datetime

from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import Winner
from tournaments.core.event_state import StageFacts
from tournaments.core.labels import ending_label, group_of_match, round_of_match, tie_break_label
from tournaments.core.rows import AnyReport, MatchRow, RoundRow
from tournaments.exports.cells import TIME, WHOLE, Column, Table, Value
from tournaments.exports.loading import Source
from tournaments.extra_matches.selectors import across_groups
from tournaments.models import Match, Report


def results_table(source: Source) -> Table:
    """Return all matches with result and reporters."""
    columns = (
        Column(key="stage", label=_("Stage")),
        Column(key="group", label=_("Group")),
        Column(key="round", label=_("Round"), kind=WHOLE),
        Column(key="round_name", label=_("Name of the round")),
        Column(key="table", label=_("Table"), kind=WHOLE),
        Column(key="a", label=_("Number 1"), kind=WHOLE),
        Column(key="name_a", label=_("Player 1")),
        Column(key="b", label=_("Number 2"), kind=WHOLE),
        Column(key="name_b", label=_("Player 2")),
        Column(key="winner", label=_("Winner")),
        Column(key="score_a", label=_("Score 1"), kind=WHOLE),
        Column(key="score_b", label=_("Score 2"), kind=WHOLE),
        Column(key="games_a", label=_("Games 1"), kind=WHOLE),
        Column(key="games_b", label=_("Games 2"), kind=WHOLE),
        Column(key="games_drawn", label=_("Drawn games"), kind=WHOLE),
        Column(key="ended_by", label=_("How it ended")),
        Column(key="state", label=_("State")),
        Column(key="reported_by", label=_("Reported by")),
        Column(key="confirmed_by", label=_("Confirmed by")),
        Column(key="at", label=_("Entered at"), kind=TIME),
    )
    rows = [
        _row(source, stage, match, item, groups)
        for stage in source.begun
        for groups in [{group.pk: group.name for group in stage.groups}]
        for by_round in [{item.pk: item for item in stage.rounds}]
        for match in stage.matches
        for item in [by_round[match.round_id]]
    ]
    return Table(key="results", title=_("Results"), columns=columns, rows=rows)


def _row(
    source: Source, stage: StageFacts, match: MatchRow, item: RoundRow, groups: dict[int, str]
) -> tuple[Value, ...]:
    a, b = source.by_key.get(match.a_id), source.by_key.get(match.b_id or 0)
    reported_by, confirmed_by, at = _told(source, match)
    across = item.is_extra and across_groups(stage, item, match)
    return (
        translate(stage.plan.label),
        "" if across else _group(stage, match, groups[match.group_id]),
        item.ordinal,
        round_of_match(stage, item, match),
        match.table,
        a.number if a else None,
        a.name if a else "",
        b.number if b else None,
        b.name if b else "",
        *_result(match.decision, a.name if a else "", b.name if b else ""),
        # “Final” is the name of a stage as well, and another word in Italian.
        _("counts") if match.state == Match.State.FINAL else str(match.get_state_display()),
        reported_by,
        confirmed_by,
        at,
    )


def _group(stage: StageFacts, match: MatchRow, name: str) -> str:
    """Return the group of a match, or its bracket if there are two; empty for a single group."""
    if stage.kind.two_brackets:
        return group_of_match(stage.plan, name, match.number)
    return name if len(stage.groups) > 1 else ""


def _result(decision: AnyReport | None, a: str, b: str) -> tuple[Value, ...]:
    """Return winner, scores, games and kind of end; blank without a result."""
    if decision is None:
        return ("", None, None, None, None, None, "")
    words = {
        Winner.A: a,
        Winner.B: b,
        Winner.DRAW: _("draw"),
        Winner.NONE: _("nobody"),
        Winner.VOID: _("void"),
    }
    ended = ending_label(decision.ended_by)
    if decision.tie_break:
        ended = f"{ended}, {tie_break_label(decision.tie_break)}"
    return (
        words[Winner(decision.winner)],
        decision.score_a,
        decision.score_b,
        decision.games_a,
        decision.games_b,
        decision.games_drawn,
        ended,
    )


def _told(source: Source, match: MatchRow) -> tuple[str, str, datetime | None]:
    """Return who first reported the result, who confirmed or decided it, and when."""
    decision = match.decision
    if decision is None:
        return "", "", None
    told = source.reports.get(match.pk, ())
    players = [report for report in told if report.kind == Report.Kind.REPORT]
    counts = next(report for report in told if report.pk == decision.pk)
    reported_by = _who(source, players[0]) if players else ""
    return reported_by, _who(source, counts), counts.at


def _who(source: Source, report: Report) -> str:
    """Return the author of a report; names of accounts for staff only."""
    if report.kind == Report.Kind.AUTOMATIC:
        return _("by rule")
    if report.by_entry is not None:
        return report.by_entry.name
    if report.kind == Report.Kind.DECISION and not source.staff:
        return _("the staff")
    if report.by_id in source.by_user:
        return source.by_user[report.by_id]
    return report.who or "?" if source.staff else "?"
