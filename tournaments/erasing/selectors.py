"""The personal data of an account or a player, for download.

Others at a match are given by number. Of acts as staff only time and action are included, as
their content is about other people.
"""

from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import Q
from knox.models import AuthToken

from accounts.models import User
from rules.results import two_seats
from tournaments.core.names import listed_name
from tournaments.models import DeckSubmission, Entry, LogLine, Match, Report, SeriesStaff
from tournaments.models.play import matches_with_players
from tournaments.players.selectors.answers import answered_questions, player_contact

Row = dict[str, Any]


def user_data_json(user: User) -> Row:
    """Return all data of an account as JSON.

    Six queries, and twelve for each event played.
    """
    addresses = EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
    tokens = AuthToken.objects.filter(user=user).order_by("created")
    roles = user.staff_roles.select_related("event")
    played = Entry.objects.filter(user=user).select_related("event").order_by("pk")
    acts = LogLine.objects.filter(by=user).order_by("pk")
    return {
        "account": {
            "email": user.email,
            "name": user.name,
            "joined": _moment_as_text(user.date_joined),
            "last_login": _moment_as_text(user.last_login),
            "page_across_events": user.person_key,
            "addresses": list(addresses),
            "tokens": [{"begins": t.token_key, "made": _moment_as_text(t.created)} for t in tokens],
        },
        "roles": [
            {"event": role.event.slug, "role": role.role, "given": _moment_as_text(role.given_at)}
            for role in roles
        ],
        "series": [
            {"series": slug, "role": role, "given": _moment_as_text(at)}
            for slug, role, at in SeriesStaff.objects.filter(user=user).values_list(
                "series__slug", "role", "given_at"
            )
        ],
        "events": [entry_data_json(entry) for entry in played],
        "acts": [
            {"event": slug, "line": number, "at": _moment_as_text(at), "action": action}
            for slug, number, at, action in acts.values_list(
                "event__slug", "number", "at", "action"
            )
        ],
    }


def entry_data_json(entry: Entry) -> Row:
    """Return all data of a player in an event as JSON; eleven queries."""
    event, contact = entry.event, player_contact(entry)
    return {
        "event": {"slug": event.slug, "name": event.name},
        "player": {
            "number": entry.number,
            "name": entry.name,
            "surname": listed_name(entry).surname,
            "club": entry.club,
            "seed": entry.seed,
            "status": entry.status,
            "left": entry.left or None,
            "fixed_table": entry.fixed_table,
            "byes": entry.byes,
            "registered": _moment_as_text(entry.registered_at),
            "asked_to_come_back": _moment_as_text(entry.return_asked_at),
        },
        "answers": [
            {"question": q["text"], "answer": q["answer"]} for q in answered_questions(event, entry)
        ],
        "contact": contact.columns() | {"later_since": _moment_as_text(contact.later_since)},
        "links": [
            {"made": _moment_as_text(link.created_at), "revoked": _moment_as_text(link.revoked_at)}
            for link in entry.links.all()
        ],
        "decklists": [_decklist_row(row) for row in entry.submissions.select_related("decklist")],
        "begun_list": _draft_text(entry),
        "matches": _match_rows(entry),
        "reports": [_report_row(row) for row in _own_reports(entry)],
        "penalties": [
            {"level": given.level, "infraction": given.infraction, "at": _moment_as_text(given.at)}
            for given in entry.penalties.all()
        ],
        "calls": [
            {"reason": call.reason, "at": _moment_as_text(call.at)} for call in entry.calls.all()
        ],
        "log": [_log_row(line, entry) for line in _own_lines(entry)],
    }


def _decklist_row(row: DeckSubmission) -> Row:
    decklist = row.decklist
    return {
        "handed_in": _moment_as_text(row.submitted_at),
        "counts": row.pk == row.entry.submission_id,
        "name": decklist.name,
        "typed": decklist.raw,
        "file": decklist.upload_name,
        "cards": decklist.text,
        "legal": decklist.legal,
    }


def _draft_text(entry: Entry) -> str:
    draft = getattr(entry, "deck_draft", None)
    return draft.text if draft is not None else ""


def _match_rows(entry: Entry) -> list[Row]:
    """Return the matches of published rounds, players by number; one query."""
    own = Match.objects.filter(match_seats__entry=entry, round__state="published")
    found = matches_with_players("round", "decision", pk__in=own.values("pk"))
    return [_match_row(match) for match in sorted(found, key=lambda each: each.round.ordinal)]


def _match_row(match: Match) -> Row:
    """Return a match; ``a`` and ``b`` are null at multiplayer tables, as in the API."""
    seats = [player.number for player in match.players]
    a, b = two_seats(seats, None) if len(seats) < 3 else (None, None)
    counts = ("winner", "score_a", "score_b", "games_a", "games_b", "places", "marks")
    return {
        "round": match.round.ordinal,
        "table": match.table,
        "seats": seats,
        "a": a,
        "b": b,
    } | {name: getattr(match.decision, name, None) for name in counts}


def _own_reports(entry: Entry) -> list[Report]:
    own = Q(by_entry=entry)
    if entry.user_id is not None:
        told = Q(by=entry.user_id, kind__in=("report", "confirmation", "denial"))
        own |= told & Q(match__in=entry.match_seats.values("match"))
    return list(Report.objects.filter(own).select_related("match__round").order_by("pk"))


def _report_row(row: Report) -> Row:
    return {
        "round": row.match.round.ordinal,
        "kind": row.kind,
        "winner": row.winner,
        "score": [row.score_a, row.score_b],
        "games": row.games,
        "places": row.places,
        "marks": row.marks,
        "ended_by": row.ended_by,
        "note": row.note,
        "at": _moment_as_text(row.at),
    }


def _own_lines(entry: Entry) -> list[LogLine]:
    """Return log lines of acts by the player and about their entry; one query."""
    lines = entry.event.log.filter(at__gte=entry.registered_at)
    own = Q(by_entry=entry)
    for path in ("before__number", "after__number"):
        own |= Q(action__startswith="entry.", **{path: entry.number})
    return list(lines.filter(own).order_by("number"))


def _log_row(line: LogLine, entry: Entry) -> Row:
    """Return a log line; its values only if it is about the player."""
    known = {"line": line.number, "at": _moment_as_text(line.at), "action": line.action}
    numbers = {values.get("number") for values in (line.before, line.after)}
    if not line.action.startswith("entry.") or entry.number not in numbers:
        return known
    return known | {"before": line.before, "after": line.after}


def _moment_as_text(value: Any) -> str | None:
    return value.isoformat() if value is not None else None
