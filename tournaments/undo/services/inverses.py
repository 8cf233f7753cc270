"""What takes an act back, by the action of its line.

An inverse changes what the act changed and nothing else; where that is not possible any more it
refuses. It runs inside a transaction that has locked the event.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.names import name_key
from rules.wording import gettext_noop as _
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import outcome_of
from tournaments.core.permissions import Actor
from tournaments.events.services.events import change_event
from tournaments.models import Entry, Event, LogLine, Match, Report, Round
from tournaments.players.services.entries import fill_places
from tournaments.players.services.seeds import set_seed
from tournaments.results.services.matches import add_outcome
from tournaments.rounds.services import check_untold, find_round, undo_round
from tournaments.stages.services import take_back_stage, unclose


def take_back_entries(event: Event, line: LogLine, by: Actor) -> None:
    """Take players off the list who were entered by one act; all of them, before the start.

    Raises RuleError ``has_handed_in`` where a list, a check or a penalty hangs on one.
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
        next_state("event", event.state, "add_player")
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


def _take_back_result(event: Event, line: LogLine, by: Actor) -> None:
    """Open the match again, where nobody had reported before."""
    match = _match_of(event, line)
    if line.before.get("state") != Match.State.OPEN:
        raise RuleError(
            "players_reported",
            _("Players had reported before. Nothing was changed: correct the result instead."),
        )
    match.decision, match.state = None, Match.State.OPEN
    match.save(update_fields=["decision", "state"])


def _take_back_correction(event: Event, line: LogLine, by: Actor) -> None:
    """Let the report before count again, as a report of its own."""
    match = _match_of(event, line)
    former = match.reports.filter(version__lt=match.version).last()
    if former is None:
        raise changed()
    kind = Report.Kind.DECISION
    match.decision = add_outcome(match, kind, outcome_of(former), by=by, note=former.note)
    match.save(update_fields=["version", "decision"])


def _take_back_publication(event: Event, line: LogLine, by: Actor) -> None:
    """Make a round a draft again while nobody has reported and its clock stands still."""
    next_state("event", event.state, "play")
    item = find_round(event, int(line.subject))
    check_untold(item)
    clock = getattr(item, "clock", None)
    if clock is not None and clock.state != "ready":
        raise RuleError(
            "clock_started",
            _("The clock of the round has been started. Nothing was changed: set it back first."),
        )
    item.state, item.published_at = Round.State.DRAFT, None
    item.save(update_fields=["state", "published_at"])


def _take_back_draft(event: Event, line: LogLine, by: Actor) -> None:
    undo_round(event=event, ordinal=int(line.subject), by=by)


def _take_back_closing(event: Event, line: LogLine, by: Actor) -> None:
    """Open a stage again, where no round of the next has been made."""
    next_state("event", event.state, "play")
    facts = load_facts(event)
    if facts.open_stage is not None:
        take_back_stage(event=event, expected_stage=facts.open_stage.stage.number, by=by)
        return
    unclose(facts.stages[-1].stage)


def _take_back_settings(event: Event, line: LogLine, by: Actor) -> None:
    """Give settings their former values, as far as the log holds them whole."""
    changes = {key: _setting(key, value) for key, value in line.before.items()}
    reason = line.reason or "undo"
    change_event(event=event, changes=changes, reason=reason, by=by)


def _take_back_second_leg(event: Event, line: LogLine, by: Actor) -> None:
    """Let a stage have one leg again, while no round of the second is made."""
    stage = event.stages.get(key=line.subject)
    next_state("stage", stage.state, "second_leg")
    stage.legs = line.before["legs"]
    stage.save(update_fields=["legs"])


def _take_back_minutes(event: Event, line: LogLine, by: Actor) -> None:
    """Take minutes back that everybody was given on the clock of a round."""
    next_state("event", event.state, "play")
    clock = find_round(event, int(line.subject)).clock
    clock.minutes -= line.after["minutes"]
    clock.version += 1
    clock.save(update_fields=["minutes", "version"])


INVERSES: Mapping[str, Callable[[Event, LogLine, Actor], None]] = {
    "result.entered": _take_back_result,
    "result.corrected": _take_back_correction,
    "round.published": _take_back_publication,
    "round.drafted": _take_back_draft,
    "entry.added": take_back_entries,
    "entry.pasted": take_back_entries,
    "entry.registered": take_back_entries,
    "entry.changed": take_back_change,
    "entry.check_in": take_back_check_in,
    "entry.undo_check_in": take_back_check_in,
    "stage.closed": _take_back_closing,
    "stage.second_leg": _take_back_second_leg,
    "event.changed": _take_back_settings,
    "clock.add": _take_back_minutes,
}
"""What takes an act back, by the action of its line; the event is locked."""


def _match_of(event: Event, line: LogLine) -> Match:
    """Return the match of a result's line, as that line left it."""
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
    """Return a setting as the event holds it; raises RuleError where the log has only its name."""
    field = Event._meta.get_field(key)
    if not isinstance(field, models.Field) or field.is_relation:
        raise changed()
    if not isinstance(value, str):
        return value
    try:
        return field.to_python(value)
    except ValidationError as error:
        raise changed() from error
