"""A match and its players found, with all its reports as the desk shows it, and named in words."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from rules.people.person_names import join_names
from rules.results import SEAT_WINNERS, EndedBy
from tournaments.core.mapping import games_of, is_of_table, outcome_of, score_of
from tournaments.core.names import attach_marks, marks_in
from tournaments.matches.words import (
    absent_words,
    game_winners,
    names_in_seats,
    reporter_name,
    result_text,
    seats_won,
    with_names,
)
from tournaments.models import Entry, Event, Match, MatchSeat, Report, Round, TimeExtension
from tournaments.models.match import seated_matches

PlayersByAccount = Mapping[int, int]
"""The key of the player whom an account is in an event, by the key of the account."""


def players_by_account(players: Collection[int], reports: Iterable[Report]) -> PlayersByAccount:
    """Return who of these players made reports by an account; a query if there are such reports.

    A report by a personal link names its player, one by an account does not.
    """
    accounts = {report.by_id for report in reports if report.by_id is not None}
    found = Entry.objects.filter(pk__in=players, user_id__in=accounts)
    return dict(found.values_list("user_id", "pk")) if accounts else {}


def reports_by_player(
    players: Collection[int], reports: Iterable[Report], accounts: PlayersByAccount
) -> Iterator[tuple[int, Report]]:
    """Yield each report by one of these players with the player's key, in the order of reports."""
    for report in reports:
        player = report.by_entry_id or accounts.get(report.by_id or 0)
        if player is not None and player in players:
            yield player, report


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """A report: who, when, the result as text; ``counts`` for the one that decides.

    ``games`` names the winner of each game in order, if reported one by one. ``sat_there``: who
    played the match then, "" if they still do.
    """

    report: Report
    who: str
    at: datetime
    words: str
    games: str
    counts: bool
    sat_there: str


def match_as_shown(table: int | None, *players: int) -> str:
    """Return "TABLE:A-B", or more numbers: table and players that a page sends with a result.

    The service compares it with the match as it is, so that a result for a table that was seated
    anew is refused (``matches.services.check_shown``).
    """
    seats = (*players, 0)[: max(2, len(players))]
    return f"{table or 0}:{'-'.join(map(str, seats))}"


def find_match(event: Event, match_id: int) -> Match | None:
    """Return a match of the event with its related rows, None if there is none; two queries."""
    seats = MatchSeat.objects.filter(match__pk=match_id, match__round__event=event).select_related(
        *("match__round", "match__group__stage", "match__decision", "entry")
    )
    given = TimeExtension.objects.filter(match=OuterRef("match")).order_by().values("match")
    total = Coalesce(Subquery(given.annotate(total=Sum("minutes")).values("total")), 0)
    for match in seated_matches(seats.annotate(minutes_given=total).order_by("number")):
        match.minutes_given = match.seated[0].minutes_given  # type: ignore[attr-defined]
        match.round.event = event
        attach_marks(match.players, marks_in(event))
        return match
    return None


def names_of(match: Match) -> tuple[str, ...]:
    """Return the names of the players as they are shown, "" in place of an opponent of two."""
    return names_in_seats([player.display_name for player in match.players])


def absent_at(match: Match) -> str:
    """Return the table and who is absent there, as the desk says it when it was stored."""
    names = [player.display_name for player in match.players if player.number in match.absent]
    return f"{table_in_words(match)}: {absent_words(names)}"


def missed_before(match: Match) -> str:
    """Return the sides ("a", "b", "ab") absent in the round before, "" for none; one query."""
    if match.size > 2:
        return ""
    before = MatchSeat.objects.filter(
        match__round__event=match.round.event,
        match__round__ordinal=match.round.ordinal - 1,
        match__decision__ended_by__in=(EndedBy.NO_SHOW, EndedBy.DOUBLE_LOSS),
        entry__in=match.seats,
    )
    won = {seat.entry_id: _has_won(seat) for seat in before.select_related("match__decision")}
    both = zip(match.seats, SEAT_WINNERS, strict=False)
    return "".join(side for player, side in both if won.get(player) is False)


def _has_won(seat: MatchSeat) -> bool:
    decision = seat.match.decision
    size = len(decision.places or ()) if decision and is_of_table(decision) else 2
    return seats_won(decision, size)[seat.number - 1]


def match_page(match: Match) -> dict[str, Any]:
    """Return the page of a loaded match; one query.

    Its reports, oldest first; ``claims`` are the conflicting ones of a dispute.
    """
    reports = list(match.reports.select_related("by", "by_entry").order_by("version"))
    names, now = [_names_at_report(match, report) for report in reports], names_of(match)
    rows = tuple(
        ReportRow(
            report=report,
            who=reporter_name(report),
            at=report.at,
            words=with_names(report, *then),
            games="" if is_of_table(report) else game_winners(outcome_of(report, 2), *then),
            counts=report.pk == match.decision_id,
            sat_there="" if then == now else "–".join(then),
        )
        for report, then in zip(reports, names, strict=True)
    )
    return {
        "match": match,
        "table": str(match.plays_at or match.number),
        "players": match.players,
        "is_bye": len(match.players) == 1,
        "names": join_names(player.display_name for player in match.players),
        "reports": rows,
        "claims": _claims(match, rows),
        "result": result_text(match.decision) if match.decision else "",
    }


def _names_at_report(match: Match, report: Report) -> tuple[str, ...]:
    """Return the names of who sat there when a report was made; a query if these are others now."""
    then = next((each for each in match.earlier if report.version <= each["until"]), None)
    if then is None:
        return names_of(match)
    entries = {e.number: e for e in match.round.event.entries.filter(number__in=then["seats"])}
    attach_marks(entries.values(), marks_in(match.round.event))
    return names_in_seats([entries[number].display_name for number in then["seats"]])


def _claims(match: Match, rows: tuple[ReportRow, ...]) -> tuple[ReportRow, ...]:
    """Return the last report of each player of an undecided match; equal ones only once."""
    if match.state not in (Match.State.REPORTED, Match.State.DISPUTED):
        return ()
    told = (row for row in rows if row.report.kind == Report.Kind.REPORT)
    own = (row for row in told if row.report.version > match.version_before)
    last = {(row.report.by_id, row.report.by_entry_id): row for row in own}
    return tuple({_claim_key(row.report): row for row in last.values()}.values())


def _claim_key(report: Report) -> tuple[object, ...]:
    return report.winner, score_of(report), games_of(report), report.ended_by, str(report.places)


def table_in_words(match: Match) -> str:
    """Return "Table 3", with its round once others sit there: "Round 1 · Table 3".

    Of a match that is played beside a later round the table of then, and its own round. One query.
    """
    table = _("Table %(table)s") % {"table": match.plays_at or match.number}
    later = match.round.event.rounds.filter(
        state=Round.State.PUBLISHED, ordinal__gt=match.round.ordinal
    )
    if match.plays_at == match.table and not later.exists():
        return table
    return " · ".join((_("Round %(number)s") % {"number": match.round.ordinal}, table))
