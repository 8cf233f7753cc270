"""Create, change, open, finish and delete events; their tables, rooms and rulings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any

from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.utils import timezone

from accounts.ceilings import check_ceiling
from accounts.models import User
from config import transaction
from config.clients import count_act
from decks.models import Decklist
from decks.own_formats.services import OwnFormat, own_format_like
from rules.drafts.draft import DraftChange, DraftMatch
from rules.errors import RuleError
from rules.people.person_names import check_words, clean_name
from rules.results import PlayerId
from rules.stages.tables import moved_tables, table_ranges, tables_for
from rules.wording import gettext_noop as _
from tournaments.archive.checking import discard_brought
from tournaments.core.acts import act_of
from tournaments.core.event_state import EventFacts, disclosed, hidden_since, load_facts
from tournaments.core.formulas import begins_with_tables
from tournaments.core.permissions import (
    Actor,
    can_create_events,
    can_manage,
    can_rule,
    not_started,
    require,
)
from tournaments.core.slugs import free_slug, slug_taken_error
from tournaments.drafts.services import move_matches
from tournaments.events.acts import CHANGED, CREATED, OTHER_ROOMS, TABLES_MOVED
from tournaments.events.selectors.events import has_started
from tournaments.events.selectors.games import usual_settings
from tournaments.events.selectors.table_clashes import events_with_same_tables
from tournaments.events.services.settings import (
    AFTER_START,
    BEFORE_START,
    check_criteria,
    check_paired_elsewhere,
    check_questions,
    check_rules,
    check_values,
    sort_warnings_and_breaks,
    usual_criteria,
)
from tournaments.log.services import begin, check_allowed, fingerprint, locked, record
from tournaments.lots.services import announce_draw
from tournaments.models import (
    Entry,
    Event,
    JudgeCall,
    Match,
    Round,
    StaffRole,
    Stage,
)
from tournaments.models.touched import forget
from tournaments.players.services.entries import fill_places
from tournaments.rounds.selectors.discards import seated
from tournaments.stages.services import close_stage
from tournaments.undo.services import undoable


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMoves:
    """New fixed tables by player, and the matches of the draft with their tables then and now."""

    fixed: Mapping[PlayerId, int]
    ordinal: int
    before: tuple[DraftMatch, ...]
    after: tuple[DraftMatch, ...]

    def store(self, event: Event) -> None:
        """Store the tables; inside a transaction with the event locked."""
        for number, table in self.fixed.items():
            event.entries.filter(number=number).update(fixed_table=table)
        if self.before:
            move_matches(
                event.rounds.get(ordinal=self.ordinal), DraftChange(self.before, self.after)
            )


def table_moves(event: Event, tables: str) -> TableMoves | None:
    """Return what moves along if an event gets these tables, None if nothing does.

    No query before the first draft and without fixed tables, else those of the facts. Raises
    BadInput ``invalid_tables``; RuleError ``too_few_tables`` for the draft.
    """
    drafts = event.rounds.filter(state=Round.State.DRAFT)
    if not drafts.exists() and not event.entries.filter(fixed_table__isnull=False).exists():
        return None
    facts = load_facts(event)
    known = {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}
    fixed = moved_tables(known, table_ranges(event.tables), table_ranges(tables))
    ordinal, before = _draft(facts)
    hall = table_ranges(tables)
    assigned = tables_for([match.seats for match in before], known | fixed, hall)
    after = tuple(
        replace(match, table=table) for match, table in zip(before, assigned, strict=True)
    )
    if not fixed and before == after:
        return None
    return TableMoves(fixed=fixed, ordinal=ordinal, before=before, after=after)


def _draft(facts: EventFacts) -> tuple[int, tuple[DraftMatch, ...]]:
    """Return the ordinal of the draft and its matches with a table in their order, (0, ()) none."""
    stage = facts.open_stage
    if stage is None or stage.last_round is None or stage.last_round.state != Round.State.DRAFT:
        return 0, ()
    matches = [match for match in seated(facts, stage, stage.last_round) if match.table]
    return stage.last_round.ordinal, tuple(sorted(matches, key=lambda match: match.table or 0))


HOUR = timedelta(hours=1)
LONGEST_NAME = 120


def made_lately(user: User) -> int:
    """Return the number of events an account made in the last hour, deleted too; one query."""
    hour = timezone.now() - HOUR
    made = Event.objects.filter(created_by=user, created_at__gt=hour).count()
    return made + int(cache.get(_deletions_key(user.pk), 0))


def _deletions_key(user: int) -> str:
    """Return the cache key of the number of events an account made and deleted in an hour."""
    return f"events-deleted:{user}"


@transaction.atomic
def create_event(*, values: Mapping[str, Any], source: Event | None = None, by: Actor) -> Event:
    """Create a draft event with its first draw announced; the actor becomes its organiser.

    It repeats ``source``, if there is one, whose staff have the same roles here. What is not chosen
    is as the format's game has it. Raises RuleError ``slug_taken``, also when another request takes
    the slug meanwhile; BadInput ``too_many_events``.
    """
    require(can_create_events(by))
    check_ceiling(by.user, "events", not_started)
    check_ceiling(by.user, "events_an_hour", made_lately)
    chosen = {"options": {}} | usual_settings(values["format"]) | dict(values)
    chosen["name"] = clean_name(chosen["name"], LONGEST_NAME)
    slug = chosen.pop("slug", "") or chosen["name"]
    event = Event(created_by=by.user, slug=free_slug(slug), source=source, **chosen)
    if "criteria" not in values and (begins_with_tables(event.formula) or "criteria" not in chosen):
        event.criteria = chosen["criteria"] = usual_criteria(event)
    sort_warnings_and_breaks(event)
    check_rules(event)
    check_paired_elsewhere(event)
    check_values(event, chosen)
    try:
        with transaction.atomic():
            event.save()
    except IntegrityError:
        raise slug_taken_error(event.slug) from None
    if by.user is not None:
        StaffRole.objects.create(event=event, user=by.user, role=StaffRole.Role.ORGANISER)
    for user, role in source.staff.values_list("user", "role") if source is not None else ():
        StaffRole.objects.get_or_create(event=event, user_id=user, role=role)
    announce_draw(event)
    record(event, CREATED, by=by, subject=event.name, after=settings_for_log(event, chosen))
    return event


@transaction.atomic
def change_event(*, event: Event, changes: Mapping[str, Any], by: Actor, reason: str = "") -> Event:
    """Change settings; after the start only those that are no rules of the event.

    The order of the criteria may change while the event runs, with a reason. Raises RuleError
    ``event_started``, ``event_finished``, ``reason_missing``; BadInput for bad values.
    """
    event = locked(event)
    require(can_manage(by, event) or (set(changes) == {"rulings"} and can_rule(by, event)))
    started = event.plan is not None
    if "name" in changes:
        changes = {**changes, "name": clean_name(changes["name"], LONGEST_NAME)}
    real = {key: value for key, value in changes.items() if getattr(event, key) != value}
    refused = set(real) - (AFTER_START if started else BEFORE_START)
    if refused:
        raise RuleError(
            "event_started",
            "After the start this can't be changed: %(what)s. Nothing was stored.",
            what=tuple(sorted(refused)),
        )
    if started and "criteria" in real:
        _check_recorded(event, reason)
    if not real:
        return event
    if "questions" in real:
        check_questions(event, real["questions"])
    shown_before = disclosed(event) if "standings_held" in real else None
    moves = table_moves(event, real["tables"]) if "tables" in real else None
    kind, rows = (TABLES_MOVED, (Event, Entry, Match)) if moves else (CHANGED, (Event, Entry))
    before = settings_for_log(event, real)
    with undoable(event, kind, rows, by=by, before=before, reason=reason) as act:
        for key, value in real.items():
            setattr(event, key, value)
        sort_warnings_and_breaks(event)
        if not started:
            check_rules(event)
        check_paired_elsewhere(event)
        check_criteria(event.criteria, at_tables=begins_with_tables(event.formula))
        check_values(event, real)
        event.save()
        act.subject, act.after = event.name, settings_for_log(event, real)
        if moves:
            moves.store(event)
            act.subject = str(moves.ordinal) if moves.before else event.name
        if shown_before is not None and (gone := hidden_since(shown_before, event)):
            act.after["hides"] = gone
        if "capacity" in real:
            act.then(fill_places, event, by=by)
    return event


@transaction.atomic
def move_event(*, event: Event, action: str, by: Actor) -> Event:
    """Open or close registration, finish the event, or reopen it.

    The end of the event closes its last stage too, if that is open: one act, whose undo opens both
    again. Published lists stay so; the line of the log says what reopening hides. Raises RuleError
    if the event's state does not allow it; of the end ``stage_open`` before the last stage, else as
    ``close_stage``.
    """
    move = act_of(f"event.{action}")
    event = locked(event)
    was, now = {"state": event.state}, {"state": check_allowed(event, move, by=by)}
    shown_before = disclosed(event) if action == "reopen" else None
    to_close = _last_stage_open(event) if action == "finish" else None
    tables = (Event, Stage, JudgeCall) if to_close else (Event,)
    with undoable(event, move, tables, by=by, before=was, after=now) as act:
        if to_close is not None:
            act.after["since"] = event.version
            close_stage(event=event, expected_stage=to_close.number, by=by)
            event.refresh_from_db()
        if action == "finish":
            event.finished_at, event.held_stage = timezone.now(), None
        event.state = now["state"]
        event.save()
        if shown_before is not None:
            act.after["hides"] = hidden_since(shown_before, event)
    return event


@transaction.atomic
def delete_event(*, event: Event, by: Actor) -> None:
    """Delete an event that has never started, with its players and its log.

    Raises RuleError ``event_started`` once its log holds a start, even one that was taken back.
    """
    event = locked(event)
    require(can_manage(by, event))
    if has_started(event):
        raise RuleError(
            "event_started",
            "An event that has started can’t be deleted, even if its start was undone. Hide it "
            "from event listings in its settings.",
        )
    if event.created_by_id is not None and timezone.now() - event.created_at < HOUR:
        count = partial(count_act, _deletions_key(event.created_by_id), seconds=HOUR.seconds)
        transaction.on_commit(count, robust=True)
    remove_event(event)


def remove_event(event: Event) -> None:
    """Delete a locked event with all that is its own; inside a transaction."""
    lists = Decklist.objects.filter(submissions__entry__event=event)
    keys = set(lists.values_list("pk", flat=True))
    event.entries.update(submission=None)
    event.delete()
    forget()  # no further line of its log is written
    Decklist.objects.filter(pk__in=keys, submissions=None).delete()
    discard_brought(event)


def _check_recorded(event: Event, reason: str) -> None:
    """Raise RuleError unless the criteria of a running event may change now."""
    if event.state == Event.State.FINISHED:
        raise RuleError(
            "event_finished",
            "The event is over, so its criteria stay. Nothing was stored: reopen it first.",
        )
    if not reason.strip():
        raise RuleError(
            "reason_missing",
            "After the start the order of the criteria changes only with a reason. Nothing was "
            "stored: give one.",
        )


def settings_for_log(event: Event, keys: Mapping[str, Any]) -> dict[str, Any]:
    plain = (str, int, bool, list, dict, type(None))
    return {
        key: value if isinstance(value := getattr(event, key), plain) else str(value)
        for key in sorted(keys)
    }


def _last_stage_open(event: Event) -> Stage | None:
    """Return the last stage if it is open, None if it is closed; one query.

    Raises RuleError ``stage_open`` before that stage.
    """
    *_before, last = event.stages.order_by("number")
    if last.state == Stage.State.PENDING:
        raise RuleError(
            "stage_open", "A stage is still to be played. Nothing was changed: play it first."
        )
    return last if last.state == Stage.State.OPEN else None


@transaction.atomic
def create_event_of_game(*, content: OwnFormat, values: Mapping[str, Any], by: Actor) -> Event:
    """Create an event with a format of a game of one's own: one that says the same, else a new one.

    Raises as ``create_event``, and BadInput ``invalid_rules``, ``too_many_formats``.
    """
    if by.user is None:
        raise PermissionDenied
    house = own_format_like(content, by=by.user)
    return create_event(values={**values, "format": house.slug}, by=by)


@transaction.atomic
def say_other_rooms(*, event: Event, by: Actor) -> None:
    """Remember that the events with tables of this one are in other rooms; by the organiser.

    It holds for both of each pair, whoever sees them. Nothing is stored without such events.
    """
    event = begin(event, OTHER_ROOMS, by=by)
    others = {other.pk for other, _tables in events_with_same_tables(event).clashes}
    if others:
        with undoable(event, OTHER_ROOMS, (Event,), by=by, subject=event.name):
            event.other_rooms = sorted({*event.other_rooms, *others})
            event.save(update_fields=["other_rooms"])


@transaction.atomic
def rule_event(*, event: Event, rulings: str, seen: str, by: Actor) -> Event:
    """Store the rulings of the event; permitted to organiser and head judge.

    ``seen`` is the fingerprint of the text shown on the page. Raises RuleError ``stale`` if it has
    changed since, BadInput ``hidden_signs``.
    """
    event = locked(event)
    require(can_rule(by, event))
    if seen != fingerprint(event.rulings):
        raise RuleError(
            "stale",
            _("Somebody changed the rulings meanwhile. Nothing was stored: copy your words."),
        )
    check_words(rulings)
    return change_event(event=event, changes={"rulings": rulings.strip()}, by=by)
