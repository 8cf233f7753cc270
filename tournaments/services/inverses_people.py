"""What takes back acts on players; see ``inverses``."""

from collections.abc import Collection

from rules.errors import RuleError
from rules.events.lifecycle import after
from rules.names import name_key
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, LogLine
from tournaments.players.services.entries import fill_places
from tournaments.players.services.seeds import set_seed


def take_back_entries(event: Event, line: LogLine, by: Actor) -> None:
    """Take players off the list who were entered by one act; all of them, before the start.

    Raises RuleError ``has_handed_in`` where a list, a check or a penalty hangs on one.
    """
    after("event", event.state, "add_player")
    numbers = line.after.get("numbers", [line.after.get("number", 0)])
    entries = _all_of(event, numbers)
    busy = [entry for entry in entries if _is_busy(entry)]
    if busy:
        raise RuleError(
            "has_handed_in",
            _(
                "These players have handed in a list or have been checked since: %(names)s. "
                "Nothing was changed: remove them one by one."
            ),
            names=tuple(entry.name for entry in busy),
        )
    event.entries.filter(pk__in=[entry.pk for entry in entries]).delete()
    fill_places(event, by=by)


def take_back_change(event: Event, line: LogLine, by: Actor) -> None:
    """Give a player's name, club, seed and fixed table back as they were."""
    (entry,) = _all_of(event, [line.after.get("number", 0)])
    now, before = line.after, line.before
    left = {"name": entry.name, "club": entry.club, "seed": entry.seed}
    if any(left[key] != now.get(key) for key in left) or entry.fixed_table != now.get(
        "fixed_table"
    ):
        raise changed()
    entry.name, entry.club = before["name"], before["club"]
    entry.name_key = name_key(entry.name)
    entry.fixed_table = before.get("fixed_table")
    entry.save()
    if before["seed"] != entry.seed:
        after("event", event.state, "add_player")
        set_seed(entry, before["seed"])


def take_back_check_in(event: Event, line: LogLine, by: Actor) -> None:
    """Give a player the status back that they had."""
    (entry,) = _all_of(event, [line.after.get("number", 0)])
    if entry.status != line.after["status"] or "status" not in line.before:
        raise changed()
    entry.status = line.before["status"]
    entry.save(update_fields=["status"])


def changed() -> RuleError:
    """Return the refusal where a line does not tell enough, or what it left has changed."""
    return RuleError(
        "not_undoable",
        _("The log no longer holds enough to take this back. Nothing was changed."),
    )


def _all_of(event: Event, numbers: Collection[int]) -> list[Entry]:
    entries = list(event.entries.filter(number__in=numbers))
    if not entries or len(entries) != len(set(numbers)):
        raise changed()
    return entries


def _is_busy(entry: Entry) -> bool:
    told = (entry.submissions, entry.deck_checks, entry.penalties)
    return any(rows.exists() for rows in told)
