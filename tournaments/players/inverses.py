"""Inverses of acts of ``players``."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.names import name_key
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, LogLine, Match
from tournaments.players.services.entries import promote_waiting_players
from tournaments.players.services.seeds import set_seed
from tournaments.undo.services import not_undoable_error


def undo_entries(event: Event, line: LogLine, by: Actor) -> None:
    """Undo the entry of players before the start by deleting them.

    The log ``line`` names them. Raises RuleError ``has_handed_in`` if one has a decklist, a deck
    check or a penalty.
    """
    next_state("event", event.state, "add_player")
    numbers = line.after.get("numbers", [line.after.get("number", 0)])
    entries = _all_of(event, numbers)
    busy = [entry for entry in entries if _has_dependent_rows(entry)]
    if busy:
        raise RuleError(
            "has_handed_in",
            "These players have decklists, checks or penalties. Remove them one by one: %(names)s.",
            names=tuple(
                entry.display_name for entry in attach_name_marks(busy, load_name_marks(event))
            ),
        )
    event.entries.filter(pk__in=[entry.pk for entry in entries]).delete()
    promote_waiting_players(event, by=by)


def late_entry_undo_obstacle(event: Event, line: LogLine) -> str:
    """Return why a late entry can't be undone any more, or "" if it can.

    It can't once the player's match was reported, or once a new player has a decklist, deck check
    or penalty (players from the waiting list or who had dropped keep theirs). At most five queries.
    """
    entry = event.entries.filter(number=line.after.get("number", 0)).first()
    keeps = entry is None or "status" in line.before or not _has_dependent_rows(entry)
    return "" if keeps and not _was_reported(event, line) else _("Drop the player instead.")


def _was_reported(event: Event, line: LogLine) -> bool:
    """Return whether the match that a late player joined has a report since."""
    if "match" not in line.after:
        return False
    found = Match.objects.filter(round__event=event, round__ordinal=line.after["round"])
    match = found.filter(number=line.after["match"]).first()
    return match is not None and match.version > match.version_before


def undo_player_change(event: Event, line: LogLine, by: Actor) -> None:
    """Restore a player's name, surname, club, seed, byes and fixed table.

    Raises RuleError ``not_undoable`` if one of them has changed since, ``event_started`` for seed
    and byes; BadInput ``seed_taken``.
    """
    (entry,) = _all_of(event, [line.after.get("number", 0)])
    now, before = line.after, line.before
    left = {"name": entry.name, "club": entry.club, "seed": entry.seed}
    left |= {"fixed_table": entry.fixed_table, "surname": entry.surname or None}
    left |= {"byes": entry.byes or None}
    if any(left[key] != now.get(key) for key in left):
        raise not_undoable_error()
    entry.name, entry.club = before["name"], before["club"]
    entry.name_key = name_key(entry.name)
    entry.surname = before.get("surname", "")
    entry.fixed_table = before.get("fixed_table")
    if before.get("byes", 0) != entry.byes:
        next_state("event", event.state, "add_player")
        entry.byes = before.get("byes", 0)
    entry.save()
    if before["seed"] != entry.seed:
        next_state("event", event.state, "add_player")
        set_seed(entry, before["seed"])


def undo_check_in(event: Event, line: LogLine, by: Actor) -> None:
    """Restore a player's status from before a check-in or its undo.

    Raises RuleError ``not_undoable`` if it changed again.
    """
    (entry,) = _all_of(event, [line.after.get("number", 0)])
    if entry.status != line.after["status"] or "status" not in line.before:
        raise not_undoable_error()
    entry.status = line.before["status"]
    entry.save(update_fields=["status"])


def _all_of(event: Event, numbers: Collection[int]) -> list[Entry]:
    entries = list(event.entries.filter(number__in=numbers))
    if not entries or len(entries) != len(set(numbers)):
        raise not_undoable_error()
    return entries


def _has_dependent_rows(entry: Entry) -> bool:
    dependent = (entry.submissions, entry.deck_checks, entry.penalties)
    return any(rows.exists() for rows in dependent)
