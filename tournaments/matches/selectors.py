"""A match and its players found, with all its reports as the desk shows it, and named in words."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from rules.people.person_names import join_names
from rules.results import SEAT_WINNERS, MatchEnding
from tournaments.core.mapping import (
    is_multiplayer_report,
    outcome_from_report,
    report_games,
    report_score,
)
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.matches.words import (
    absent_label,
    game_winners_text,
    reporter_name,
    result_text,
    result_with_names,
    seat_names,
    seats_won,
)
from tournaments.models import Entry, Event, Match, MatchSeat, Report, Round, TimeExtension
from tournaments.models.play import seated_matches

PlayersByAccount = Mapping[int, int]
"""The key of the player whom an account is in an event, by the key of the account."""


def players_by_account(players: Collection[int], reports: Iterable[Report]) -> PlayersByAccount:
    """Return {user key: entry key} for players who reported by account.

    Reports made by a personal link name the player themselves. ``players``: keys of entries. One
    query if a report was made by an account, else none.
    """
    accounts = {report.by_id for report in reports if report.by_id is not None}
    found = Entry.objects.filter(pk__in=players, user_id__in=accounts)
    return dict(found.values_list("user_id", "pk")) if accounts else {}


def reports_by_player(
    players: Collection[int], reports: Iterable[Report], accounts: PlayersByAccount
) -> Iterator[tuple[int, Report]]:
    """Yield (entry key, report) for each report made by one of the players.

    ``players``: keys of entries; ``accounts``: from `players_by_account`. Reports keep their order.
    """
    for report in reports:
        player = report.by_entry_id or accounts.get(report.by_id or 0)
        if player is not None and player in players:
            yield player, report


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow:
    """A report in a match's history, with its author, time and text.

    ``counts``: it is the final result. ``games``: text, the winner of each game, if reported one by
    one. ``sat_there``: names of the players then, "" if they are the present ones.
    """

    report: Report
    who: str
    at: datetime
    words: str
    games: str
    counts: bool
    sat_there: str


def match_stamp(table: int | None, *players: int) -> str:
    """Return "TABLE:A-B…", a stamp of the table and players that a page shows for a match.

    ``players``: numbers. Forms send it with a result, which ``matches.services`` refuses if the
    match has another table or other players by then.
    """
    seats = (*players, 0)[: max(2, len(players))]
    return f"{table or 0}:{'-'.join(map(str, seats))}"


def find_match(event: Event, match_id: int) -> Match | None:
    """Return a match of the event with its related rows, or None; two queries."""
    seats = MatchSeat.objects.filter(match__pk=match_id, match__round__event=event).select_related(
        *("match__round", "match__group__stage", "match__decision", "entry")
    )
    given = TimeExtension.objects.filter(match=OuterRef("match")).order_by().values("match")
    total = Coalesce(Subquery(given.annotate(total=Sum("minutes")).values("total")), 0)
    for match in seated_matches(seats.annotate(minutes_given=total).order_by("number")):
        match.minutes_given = match.seated[0].minutes_given  # type: ignore[attr-defined]
        match.round.event = event
        attach_name_marks(match.players, load_name_marks(event))
        return match
    return None


def player_names(match: Match) -> tuple[str, ...]:
    """Return the names of a match's players by seat; a bye has "" as second name."""
    return seat_names([player.display_name for player in match.players])


def absence_message(match: Match) -> str:
    """Return a message with a match's table and the names of its absent players."""
    names = [player.display_name for player in match.players if player.number in match.absent]
    return f"{describe_table(match)}: {absent_label(names)}"


def sides_absent_last_round(match: Match) -> str:
    """Return which sides of a match were absent in the round before: "", "a", "b", "ab".

    Always "" for a multiplayer table. One query.
    """
    if match.size > 2:
        return ""
    before = MatchSeat.objects.filter(
        match__round__event=match.round.event,
        match__round__ordinal=match.round.ordinal - 1,
        match__decision__ended_by__in=(MatchEnding.NO_SHOW, MatchEnding.DOUBLE_LOSS),
        entry__in=match.seats,
    )
    won = {seat.entry_id: _has_won(seat) for seat in before.select_related("match__decision")}
    both = zip(match.seats, SEAT_WINNERS, strict=False)
    return "".join(side for player, side in both if won.get(player) is False)


def _has_won(seat: MatchSeat) -> bool:
    decision = seat.match.decision
    size = len(decision.places or ()) if decision and is_multiplayer_report(decision) else 2
    return seats_won(decision, size)[seat.number - 1]


def staff_match_context(match: Match) -> dict[str, Any]:
    """Return the template context of a match's page for staff; one query.

    ``match`` is loaded with its players. Keys: ``reports``: rows, oldest first; ``claims``: rows of
    the different results that players last reported, while none is final; ``result``: text, ""
    without one.
    """
    reports = list(match.reports.select_related("by", "by_entry").order_by("version"))
    names, now = [_names_at_report(match, report) for report in reports], player_names(match)
    rows = tuple(
        ReportRow(
            report=report,
            who=reporter_name(report),
            at=report.at,
            words=result_with_names(report, *then),
            games=""
            if is_multiplayer_report(report)
            else game_winners_text(outcome_from_report(report, 2), *then),
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
        return player_names(match)
    entries = {e.number: e for e in match.round.event.entries.filter(number__in=then["seats"])}
    attach_name_marks(entries.values(), load_name_marks(match.round.event))
    return seat_names([entries[number].display_name for number in then["seats"]])


def _claims(match: Match, rows: tuple[ReportRow, ...]) -> tuple[ReportRow, ...]:
    """Return the last report of each player of an undecided match; equal ones only once."""
    if match.state not in (Match.State.REPORTED, Match.State.DISPUTED):
        return ()
    told = (row for row in rows if row.report.kind == Report.Kind.REPORT)
    own = (row for row in told if row.report.version > match.version_before)
    last = {(row.report.by_id, row.report.by_entry_id): row for row in own}
    return tuple({_claim_key(row.report): row for row in last.values()}.values())


def _claim_key(report: Report) -> tuple[object, ...]:
    return (
        report.winner,
        report_score(report),
        report_games(report),
        report.ended_by,
        str(report.places),
    )


def describe_table(match: Match) -> str:
    """Return "Table 3", or "Round 1 · Table 3" once a later round is published; one query.

    The round is also named for a match that is played beside a later round.
    """
    table = _("Table %(table)s") % {"table": match.plays_at or match.number}
    later = match.round.event.rounds.filter(
        state=Round.State.PUBLISHED, ordinal__gt=match.round.ordinal
    )
    if match.plays_at == match.table and not later.exists():
        return table
    return " · ".join((_("Round %(number)s") % {"number": match.round.ordinal}, table))
