"""Inverses of acts, as their declarations name them.

An inverse reverts what the act changed and nothing else, and refuses if that is not possible any
more. It runs in a transaction with the event locked. All raise RuleError ``not_undoable`` if the
log lacks what they need.
"""

from collections.abc import Callable, Collection
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.module_loading import import_string

from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.names import name_key
from rules.wording import gettext_noop as _
from tournaments.core.acts import Inverse, act_of
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import outcome_of
from tournaments.core.permissions import Actor
from tournaments.core.twins import marks_in, tell_apart
from tournaments.events.services.events import change_event
from tournaments.matches.services import add_outcome
from tournaments.models import Entry, Event, LogLine, Match, Report, Round
from tournaments.players.services.seeds import set_seed
from tournaments.players.services.waiting_list import fill_places
from tournaments.rounds.services import check_no_reported_results, find_round, take_back_round
from tournaments.stages.services import reopen_stage, take_back_stage


def undo_entries(event: Event, line: LogLine, by: Actor) -> None:
    """Delete all players that one act entered; before the start only.

    Raises RuleError ``has_handed_in`` if one has a decklist, a deck check or a penalty.
    """
    next_state("event", event.state, "add_player")
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
            names=tuple(entry.display_name for entry in tell_apart(busy, marks_in(event))),
        )
    event.entries.filter(pk__in=[entry.pk for entry in entries]).delete()
    fill_places(event, by=by)


def undo_change(event: Event, line: LogLine, by: Actor) -> None:
    """Restore a player's name, surname, club, seed and fixed table.

    Raises RuleError ``not_undoable``, ``event_started`` for a seed; BadInput ``seed_taken``.
    """
    (entry,) = _all_of(event, [line.after.get("number", 0)])
    now, before = line.after, line.before
    left = {"name": entry.name, "club": entry.club, "seed": entry.seed}
    left |= {"fixed_table": entry.fixed_table, "surname": entry.surname or None}
    if any(left[key] != now.get(key) for key in left):
        raise changed()
    entry.name, entry.club = before["name"], before["club"]
    entry.name_key = name_key(entry.name)
    entry.surname = before.get("surname", "")
    entry.fixed_table = before.get("fixed_table")
    entry.save()
    if before["seed"] != entry.seed:
        next_state("event", event.state, "add_player")
        set_seed(entry, before["seed"])


def undo_check_in(event: Event, line: LogLine, by: Actor) -> None:
    """Restore a player's former status; raises RuleError ``not_undoable``."""
    (entry,) = _all_of(event, [line.after.get("number", 0)])
    if entry.status != line.after["status"] or "status" not in line.before:
        raise changed()
    entry.status = line.before["status"]
    entry.save(update_fields=["status"])


def changed() -> RuleError:
    """Return the error for a line without enough data, or rows that changed since."""
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


def undo_result(event: Event, line: LogLine, by: Actor) -> None:
    """Reopen a match. Raises RuleError ``players_reported`` if players had reported before."""
    match = _match_of(event, line)
    if line.before.get("state") != Match.State.OPEN:
        raise RuleError(
            "players_reported",
            _("Players had reported before. Nothing was changed: correct the result instead."),
        )
    match.decision, match.state = None, Match.State.OPEN
    match.save(update_fields=["decision", "state"])


def undo_correction(event: Event, line: LogLine, by: Actor) -> None:
    """Restore the result before a correction, as a new report."""
    match = _match_of(event, line)
    former = match.reports.filter(version__lt=match.version).last()
    if former is None:
        raise changed()
    kind = Report.Kind.DECISION
    match.decision = add_outcome(match, kind, outcome_of(former), by=by, note=former.note)
    match.save(update_fields=["version", "decision"])


def undo_publication(event: Event, line: LogLine, by: Actor) -> None:
    """Make a round a draft again. Raises RuleError if results exist, or ``clock_started``."""
    next_state("event", event.state, "play")
    item = find_round(event, int(line.subject))
    check_no_reported_results(item)
    clock = getattr(item, "clock", None)
    if clock is not None and clock.state != "ready":
        raise RuleError(
            "clock_started",
            _("The clock of the round has been started. Nothing was changed: set it back first."),
        )
    item.state, item.published_at = Round.State.DRAFT, None
    item.save(update_fields=["state", "published_at"])


def undo_draft(event: Event, line: LogLine, by: Actor) -> None:
    take_back_round(event=event, ordinal=int(line.subject), by=by)


def undo_closing(event: Event, line: LogLine, by: Actor) -> None:
    """Reopen a stage, if no round of the next one exists."""
    next_state("event", event.state, "play")
    facts = load_facts(event)
    if facts.open_stage is not None:
        take_back_stage(event=event, expected_stage=facts.open_stage.stage.number, by=by)
        return
    reopen_stage(event, facts.stages[-1].stage)


def undo_settings(event: Event, line: LogLine, by: Actor) -> None:
    """Restore settings to the values in the log line."""
    changes = {key: _setting(key, value) for key, value in line.before.items()}
    reason = line.reason or "undo"
    change_event(event=event, changes=changes, reason=reason, by=by)


def undo_second_leg(event: Event, line: LogLine, by: Actor) -> None:
    """Remove the second leg of a stage, if none of its rounds exists."""
    stage = event.stages.get(key=line.subject)
    next_state("stage", stage.state, "second_leg")
    stage.legs = line.before["legs"]
    stage.save(update_fields=["legs"])


def undo_minutes(event: Event, line: LogLine, by: Actor) -> None:
    """Remove minutes that were added to the clock of a round."""
    next_state("event", event.state, "play")
    clock = find_round(event, int(line.subject)).clock
    clock.minutes -= line.after["minutes"]
    clock.version += 1
    clock.save(update_fields=["minutes", "version"])


def inverse_of(key: str) -> Callable[[Event, LogLine, Actor], None]:
    """Return the function that undoes an act. Raises KeyError, ValueError if it has none."""
    undo = act_of(key).undo
    if not isinstance(undo, Inverse):
        raise ValueError(f"{key} has no inverse")
    inverse: Callable[[Event, LogLine, Actor], None] = import_string(undo.path)
    return inverse


def _match_of(event: Event, line: LogLine) -> Match:
    """Return the match of a log line about a result, if it has not changed since."""
    ordinal = line.subject.partition("/")[0]
    found = Match.objects.select_related("round", "decision").filter(
        round__event=event, round__ordinal=int(ordinal), number=line.after.get("match", 0)
    )
    match = found.first()
    if match is None or match.version != line.after["version"]:
        raise changed()
    next_state("event", event.state, "play")
    return match


def _setting(key: str, value: Any) -> Any:
    """Convert a logged setting to its column value. Raises RuleError for a relation."""
    field = Event._meta.get_field(key)
    if not isinstance(field, models.Field) or field.is_relation:
        raise changed()
    if not isinstance(value, str):
        return value
    try:
        return field.to_python(value)
    except ValidationError as error:
        raise changed() from error
