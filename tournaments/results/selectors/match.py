"""One match for the desk with all its reports, and results as text."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from rules.matches.match_rules import Outcome
from rules.results import EndedBy, Winner
from tournaments.core.labels import OF_WHOM, ending_label, is_agreed_draw, tie_break_label
from tournaments.core.mapping import games_of, outcome_of, score_of
from tournaments.core.rows import AnyReport
from tournaments.core.twins import marks_in, tell_apart
from tournaments.models import Entry, Event, Match, Report, Round, TimeExtension
from tournaments.results.result_phrases import game_winners


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """A report: who, when, the result as text; ``counts`` for the one that decides.

    ``games`` names the winner of each game in order, if reported one by one.
    """

    report: Report
    who: str
    at: datetime
    words: str
    games: str
    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage:
    """A match with its reports, oldest first; ``claims`` are the conflicting ones of a dispute."""

    match: Match
    table: str
    a: Entry
    b: Entry | None
    reports: tuple[ReportRow, ...]
    claims: tuple[ReportRow, ...]
    result: str

    @property
    def players(self) -> tuple[Entry, ...]:
        """Return the players, one of a bye."""
        return (self.a,) if self.b is None else (self.a, self.b)

    @property
    def is_bye(self) -> bool:
        """Return whether the match has no opponent."""
        return self.b is None


def shown_at(table: int | None, a: int, b: int) -> str:
    """Return a table and the numbers of its players as a page names them when it sends a result."""
    return f"{table or 0}:{a}-{b}"


def find_match(event: Event, match_id: int) -> Match | None:
    """Return a match of the event with its related rows, None if there is none; two queries."""
    loaded = Match.objects.select_related("round", "group__stage", "a", "b", "decision")
    match = with_extra(loaded).filter(pk=match_id, round__event=event).first()
    if match is not None:
        match.round.event = event
        tell_apart(filter(None, (match.a, match.b)), marks_in(event))
    return match


def names_of(match: Match) -> tuple[str, str]:
    """Return the names of the two players as they are shown, "" for none."""
    return match.a.display_name, match.b.display_name if match.b else ""


def with_extra(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Annotate matches so that ``extra_minutes`` needs no query of its own."""
    given = TimeExtension.objects.filter(match=OuterRef("pk")).order_by().values("match")
    total = given.annotate(total=Sum("minutes")).values("total")
    return matches.annotate(minutes_given=Coalesce(Subquery(total), 0))


def match_at(event: Event, ordinal: int, table: int) -> Match | None:
    """Return the match at a table of a published round, None if there is none; two queries."""
    loaded = Match.objects.select_related("round", "group__stage", "a", "b", "decision")
    found = loaded.filter(
        round__event=event,
        round__ordinal=ordinal,
        round__state=Round.State.PUBLISHED,
        table=table,
    ).first()
    if found is not None:
        tell_apart(filter(None, (found.a, found.b)), marks_in(event))
    return found


def missed_before(match: Match) -> str:
    """Return the sides "a" and "b" whose player did not come to the round before; one query."""
    numbers = {match.a_id: "a", match.b_id: "b"}
    before = Match.objects.filter(
        round__event=match.round.event,
        round__ordinal=match.round.ordinal - 1,
        decision__ended_by__in=(EndedBy.NO_SHOW, EndedBy.DOUBLE_LOSS),
    )
    losers = {Winner.A: ("b",), Winner.B: ("a",)}
    absent = [
        found[0] if side == "a" else found[1]
        for found in before.values_list("a_id", "b_id", "decision__winner")
        for side in losers.get(Winner(found[2]), ("a", "b"))
    ]
    return "".join(sorted(numbers[key] for key in absent if key in numbers and key))


def match_page(match: Match) -> MatchPage:
    """Return the page of a loaded match; one query."""
    reports = list(match.reports.select_related("by", "by_entry").order_by("version"))
    rows = tuple(
        ReportRow(
            report=report,
            who=reporter_name(report),
            at=report.at,
            words=with_names(report, *names_of(match)),
            games=game_winners(outcome_of(report), *names_of(match)),
            counts=report.pk == match.decision_id,
        )
        for report in reports
    )
    return MatchPage(
        match=match,
        table=str(match.table or match.number),
        a=match.a,
        b=match.b,
        reports=rows,
        claims=_claims(match, rows),
        result=in_words(match.decision) if match.decision else "",
    )


def _claims(match: Match, rows: tuple[ReportRow, ...]) -> tuple[ReportRow, ...]:
    """Return the last report of each player of an undecided match; equal ones only once."""
    if match.state not in (Match.State.REPORTED, Match.State.DISPUTED):
        return ()
    last = {(row.report.by_id, row.report.by_entry_id): row for row in rows}
    return tuple({_claim_key(row.report): row for row in last.values()}.values())


def _claim_key(report: Report) -> tuple[object, ...]:
    return report.winner, score_of(report), games_of(report), report.ended_by


def report_of(outcome: Outcome) -> Report:
    """Return an outcome as an unsaved report, to be formatted by the functions below."""
    score, games = outcome.score or (None, None), outcome.games_won or (None, None, None)
    return Report(
        winner=outcome.winner,
        score_a=score[0],
        score_b=score[1],
        games_a=games[0],
        games_b=games[1],
        games_drawn=games[2],
        ended_by=outcome.ended_by,
        tie_break=outcome.tie_break or "",
    )


def decision_of(match: Match) -> Report:
    """Return the deciding report of a match just decided, as stored; two queries.

    Raises ValueError if the match has no decision.
    """
    match.refresh_from_db(fields=["decision"])
    if match.decision is None:
        raise ValueError(f"{match} has not been decided.")
    return match.decision


def reporter_name(report: Report) -> str:
    """Return the name of who made a report, whose people must be loaded."""
    if report.kind == Report.Kind.AUTOMATIC:
        return _("by rule")
    return report.who or str(report.by_entry or "?")


def in_words(report: AnyReport) -> str:
    """Return a result from a's side, for example "40–22", "2–1" or "no-show, 0–1"."""
    return _joined(report, _figures(report), _ending(report))


def with_names(report: AnyReport, a: str, b: str) -> str:
    """Return a result with the winner's name, the winner's figures first.

    A player who did not come, conceded or was disqualified is named too.
    """
    if report.ended_by == EndedBy.BYE:
        return _("%(name)s has a bye") % {"name": a}
    pair = {Winner.A: (a, b), Winner.B: (b, a)}.get(Winner(report.winner))
    if pair is None:
        said, figures = _outcome_label(report.winner), in_words(report)
        return f"{said}: {figures}" if figures else said
    winner, loser = pair
    ending = OF_WHOM.get(EndedBy(report.ended_by))
    figures = _joined(
        report,
        _figures(report, turned=report.winner == Winner.B),
        str(ending) % {"loser": loser} if ending else _ending(report),
    )
    if not figures:
        return _("%(name)s wins") % {"name": winner}
    return _("%(name)s wins: %(result)s") % {"name": winner, "result": figures}


def ended_by_whom(report: AnyReport, a: str, b: str) -> str:
    """Return a short result from a's side, naming who did not come, conceded or left."""
    ending = OF_WHOM.get(EndedBy(report.ended_by))
    losers = {Winner.A: b, Winner.B: a}
    if ending is None or Winner(report.winner) not in losers:
        return in_words(report)
    words = str(ending) % {"loser": losers[Winner(report.winner)]}
    return _joined(report, _figures(report), words)


def _joined(report: AnyReport, figures: str, ending: str) -> str:
    tie_break = tie_break_label(report.tie_break) if report.tie_break else ""
    return ", ".join(part for part in (figures, ending, tie_break) if part)


def _ending(report: AnyReport) -> str:
    if report.ended_by in (EndedBy.PLAYED, EndedBy.BYE):
        return ""
    if report.winner == Winner.DRAW and is_agreed_draw(games_of(report)):
        return _("agreed draw")
    return ending_label(report.ended_by)


def score_with_names(report: AnyReport, a: str, b: str) -> str:
    """Return for example "Anna 40–22 Bruno", or who won if there is no score."""
    figures = _figures(report)
    if figures and not report.tie_break and _leader_won(report):
        return f"{a} {figures} {b}"
    return f"{a} – {b}: {with_names(report, a, b)}"


def _leader_won(report: AnyReport) -> bool:
    score = score_of(report) or (games_of(report) or (0, 0, 0))[:2]
    leader = Winner.DRAW if score[0] == score[1] else Winner.A if score[0] > score[1] else Winner.B
    return leader == report.winner


def _figures(report: AnyReport, *, turned: bool = False) -> str:
    """Return games or score from a's side, from b's if ``turned``; empty if there are none."""
    games, score = games_of(report), score_of(report)
    figures: tuple[int, ...] = score or ()
    if games is not None:
        figures = games if games[2] else games[:2]
    if turned:
        figures = (*figures[1::-1], *figures[2:])
    return "–".join(str(number) for number in figures)


def _outcome_label(winner: str) -> str:
    return {
        Winner.DRAW: _("A draw"),
        Winner.NONE: _("Both lose"),
        Winner.VOID: _("Counts for nothing"),
    }.get(Winner(winner), "")
