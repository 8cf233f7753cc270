"""Sheet of all results, in the order of play."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import Effect, EndedBy, Winner
from tournaments.core.event_state import StageFacts
from tournaments.core.extra_matches import across_groups
from tournaments.core.labels import (
    ending_label,
    group_of_match,
    round_of_match,
    tie_break_label,
    without_opponent,
)
from tournaments.core.mapping import outcome_of
from tournaments.core.rows import DecisionRow, MatchRow, RoundRow
from tournaments.exports.loading import ReportRow, Source, on_two_sides
from tournaments.exports.sheets import TIME, WHOLE, Column, Table, Value
from tournaments.matches.words import agreed_draw
from tournaments.models import Match, Report


def results_table(source: Source, *, reporters: bool = True) -> Table:
    """Return all matches with result, and who reported them unless nobody is to be named."""
    columns = [
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
    ]
    words = _Words()
    rows = [row for stage in source.begun for row in _of_stage(source, stage, words)]
    if reporters:
        columns += [
            Column(key="reported_by", label=_("Reported by"), printed=False),
            Column(key="confirmed_by", label=_("Confirmed by"), printed=False),
            Column(key="at", label=_("Entered at"), kind=TIME, printed=False),
        ]
        matches = (match for stage in source.begun for match in stage.matches)
        rows = [
            (*row, *_who_reported(source, match, words))
            for row, match in zip(rows, matches, strict=True)
        ]
    return Table(key="results", title=_("Results"), columns=columns, rows=rows)


class _Words:
    """The words of the sheet in the reader's language; each is translated once, not once a row."""

    def __init__(self) -> None:
        # “Final” is the name of a stage as well, and another word in Italian.
        self.states = {each.value: str(each.label) for each in Match.State}
        self.states[Match.State.FINAL.value] = _("counts")
        self.winners = {
            Winner.DRAW.value: _("draw"),
            Winner.NONE.value: _("nobody"),
            Winner.VOID.value: _("void"),
        }
        self.endings = {each.value: ending_label(each) for each in EndedBy}
        self.by_rule, self.staff = _("by rule"), _("the staff")


def _of_stage(source: Source, stage: StageFacts, words: _Words) -> Iterator[tuple[Value, ...]]:
    """Yield the matches of a stage."""
    label = translate(stage.plan.label)
    groups = {group.pk: group.name for group in stage.groups}
    rounds = {item.pk: item for item in stage.rounds}
    round_name = _round_names(stage)
    for match in stage.matches:
        item = rounds[match.round_id]
        seated = [source.facts.by_key[key] for key in match.seats]
        name_a, name_b = on_two_sides([entry.name for entry in seated])
        numbers = [entry.number for entry in seated] if len(seated) < 3 else []
        a, b = (*numbers, None, None)[:2]
        across = item.is_extra and across_groups(stage, item, match)
        yield (
            label,
            "" if across else _group(stage, match, groups[match.group_id]),
            item.ordinal,
            round_name(item, match),
            match.table,
            a,
            name_a,
            b,
            name_b,
            *_result(match, [entry.name for entry in seated], words),
            words.states[match.state],
        )


def _round_names(stage: StageFacts) -> Callable[[RoundRow, MatchRow], str]:
    """Return the label of a match's round; found once for all where the matches share it."""
    shared = not (stage.kind.two_brackets or stage.plan.third_place)
    known: dict[int, str] = {}

    def of(item: RoundRow, match: MatchRow) -> str:
        if item.is_extra or not shared:
            return round_of_match(stage, item, match)
        if item.pk not in known:
            known[item.pk] = round_of_match(stage, item, match)
        return known[item.pk]

    return of


def _group(stage: StageFacts, match: MatchRow, name: str) -> str:
    """Return the group of a match, or its bracket if there are two; empty for a single group."""
    if stage.kind.two_brackets:
        return group_of_match(stage.plan, name, match.number)
    return name if len(stage.groups) > 1 else ""


def _result(match: MatchRow, names: Sequence[str], words: _Words) -> tuple[Value, ...]:
    """Return winner, scores, games and kind of end; blank without a result."""
    decision = match.decision
    if decision is None:
        return ("", None, None, None, None, None, "")
    alone = match.size == 1
    ended = without_opponent(decision) if alone else agreed_draw(decision)
    ended = ended or words.endings[decision.ended_by]
    if decision.tie_break:
        ended = f"{ended}, {tie_break_label(decision.tie_break)}"
    return (
        _winner(match.size, decision, names, words),
        decision.score_a,
        decision.score_b,
        decision.games_a,
        decision.games_b,
        decision.games_drawn,
        ended,
    )


def _winner(size: int, decision: DecisionRow, names: Sequence[str], words: _Words) -> str:
    """Return who won, or that it was a draw, nobody, or void."""
    outcome = outcome_of(decision, size)
    if not outcome.counts:
        return words.winners[Winner.VOID]
    if outcome.effect is Effect.HALF_BYE:
        return words.winners[Winner.DRAW]
    first = [name for name, place in zip(names, outcome.places, strict=True) if place == 1]
    return first[0] if len(first) == 1 else words.winners[Winner.DRAW if first else Winner.NONE]


def _who_reported(
    source: Source, match: MatchRow, words: _Words
) -> tuple[str, str, datetime | None]:
    """Return the names of the first reporter and of the decider, and the moment."""
    decision = match.decision
    if decision is None:
        return "", "", None
    reports = source.reports.get(match.pk, ())
    players = [report for report in reports if report.kind == Report.Kind.REPORT]
    counts = next(report for report in reports if report.pk == decision.pk)
    reported_by = _author_of(source, players[0], words) if players else ""
    return reported_by, _author_of(source, counts, words), counts.at


def _author_of(source: Source, report: ReportRow, words: _Words) -> str:
    """Return the author of a report; names of accounts for staff only."""
    if report.kind == Report.Kind.AUTOMATIC:
        return words.by_rule
    if report.by_entry_id is not None:
        return source.facts.by_key[report.by_entry_id].name
    if report.kind == Report.Kind.CONFIRMATION and report.by_id is None and not report.who:
        return words.by_rule
    if report.kind == Report.Kind.DECISION and not source.staff:
        return words.staff
    if report.by_id in source.by_user:
        return source.by_user[report.by_id]
    return report.who or "?" if source.staff else "?"
