"""Create, change, open, finish and delete events; their tables, rooms and rulings."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext_lazy

from accounts.ceilings import check_account_limit
from accounts.models import Outgoing, User
from config import transaction
from config.clients import increment_counter
from decks.models import Decklist, HouseFormat
from decks.own_formats.services import FormatInput, get_or_create_custom_format
from decks.stored_formats import is_organiser_format, load_format_and_row
from rules.criteria import CRITERIA
from rules.criteria.of_tables import check_table_criteria, default_tiebreakers
from rules.drafts.draft import DraftChange, DraftMatch
from rules.errors import BadInput, RuleError
from rules.events.clock import validate_overtime, validate_warnings
from rules.events.questions import check_answers_stay_valid, read_questions
from rules.events.timetable import read_breaks
from rules.json_reader import WrongValue
from rules.people.contacts import read_terms
from rules.people.person_names import check_hidden_signs, clean_name
from rules.plans import StagePlan
from rules.results import PlayerId
from rules.stages.base import stage_kind
from rules.stages.tables import assign_tables, move_fixed_tables, parse_table_ranges
from rules.standings.rank_document import read_stored_points
from rules.standings.table import DEFAULT_CRITERIA
from rules.ties.decisions import LOTS
from rules.wording import gettext_noop as _
from tournaments.archive.checking import delete_imported_rows
from tournaments.core.acts import Act, CacheEffect, Inverse, NoUndo, RowUndo, UndoTiming, act_by_key
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.formulas import build_plan, formula_by_slug, formula_from_row, is_multiplayer
from tournaments.core.mapping import event_table_points, match_defaults, stored_plan
from tournaments.core.permissions import (
    Actor,
    can_create_events,
    can_manage,
    can_rule,
    count_unstarted_events,
    require_permission,
)
from tournaments.core.slugs import free_slug, slug_taken_error
from tournaments.core.valid_columns import column_reader
from tournaments.core.visibility import check_open_lists, hidden_content, public_content
from tournaments.drafts.services import store_moved_tables
from tournaments.events.selectors.events import events_with_same_tables, has_ever_started
from tournaments.events.selectors.games import default_settings
from tournaments.formulas.services import lock_event_formula
from tournaments.log.services import begin_act, check_allowed, lock_event, record, text_fingerprint
from tournaments.lots.services import announce_draw
from tournaments.models import Entry, Event, JudgeCall, Match, Round, StaffRole, Stage
from tournaments.models.tables import clear_row_marks
from tournaments.players.services.entries import promote_waiting_players
from tournaments.rounds.selectors.discards import draft_matches
from tournaments.stages.services import close_stage
from tournaments.undo.services import undoable

act = partial(Act, may=can_manage, undo=RowUndo(), shows=CacheEffect.ADDS)
CREATED = act(
    key="event.created",
    words=gettext_lazy("Event created"),
    undo=NoUndo(),
    may=None,
)
CHANGED = act(
    key="event.changed",
    words=gettext_lazy("Settings changed"),
    of_settings=True,
    undo=Inverse("tournaments.events.inverses.undo_settings"),
    shows=CacheEffect.TAKES_AWAY,
)
TABLES_MOVED = act(
    key="round.tables_moved",
    words=gettext_lazy("Tables changed"),
    of_settings=True,
    undo=Inverse("tournaments.events.inverses.undo_settings"),
)
OTHER_ROOMS = act(
    key="event.other_rooms",
    words=gettext_lazy("Different rooms"),
    order=UndoTiming.BESIDE,
)
REGISTRATION_OPENED = act(
    key="event.open_registration",
    words=gettext_lazy("Registration opened"),
    state="open_registration",
    ask_undo=gettext_lazy("Unpublish the event? Only the staff will see it and its players."),
    type_undo="tournaments.events.inverses.confirmation_names_if_players",
)
REGISTRATION_CLOSED = act(
    key="event.close_registration",
    words=gettext_lazy("Registration closed"),
    state="close_registration",
)
FINISHED = act(
    key="event.finish",
    words=gettext_lazy("Event finished"),
    state="finish",
    ask_undo=gettext_lazy(
        "Reopen the event? Final standings are hidden until you finish it again."
    ),
    ask_redo=gettext_lazy("Finish the event? You can reopen it later."),
)
REOPENED = act(
    key="event.reopen",
    words=gettext_lazy("Event reopened"),
    state="reopen",
    shows=CacheEffect.TAKES_AWAY,
    ask_redo=gettext_lazy(
        "Reopen the event? Final standings are hidden until you finish it again."
    ),
)


ALWAYS = frozenset(
    {
        *("name", "about", "venue", "fee", "minutes", "player_reports", "rulings", "starts_at"),
        *("warnings", "show_prospects", "apart_clubs", "confirm_after", "breaks"),
        *("standings_held", "here_minutes", "prints_rounds", "listed"),
        *("information", "overtime", "ends_by", "tables", "contact_terms"),
        "paired_elsewhere",
    }
)
AFTER_START = ALWAYS | {"criteria"}
BEFORE_START = AFTER_START | {
    *("time_zone", "format", "formula", "options", "points_win", "points_draw", "points_loss"),
    *("points_parts", "decklists", "decklist_deadline", "catalogue", "without_catalogue"),
    *("open_lists", "show_leaders", "registration_opens", "registration_closes", "capacity"),
    *("questions", "table_points"),
}


def normalise_settings(event: Event) -> None:
    """Normalise list-like settings of the event, unsaved; raises BadInput."""
    event.warnings = list(validate_warnings(event.warnings))
    event.overtime = validate_overtime(event.overtime)
    check_information(event.information)
    event.tables = event.tables and str(parse_table_ranges(event.tables))
    event.breaks = [one.as_json() for one in read_breaks(event.breaks)]
    event.contact_terms = event.contact_terms and read_terms(event.contact_terms).as_json()
    event.questions = [one.as_json() for one in read_questions(event.questions)]


VALUE = "%(field)s: %(what)s"
"""The sentence of a value that a column can't hold; what is wrong is in the reader's language."""


def check_column_values(event: Event, names: Iterable[str]) -> None:
    """Raise BadInput ``bad_value`` for a named setting that its column can't hold."""
    for name in names:
        column, value = Event._meta.get_field(name), getattr(event, name)
        if column.is_relation or (value is None and column.null):
            continue
        try:
            column_reader(column)(value)
        except WrongValue as wrong:
            raise BadInput(
                "bad_value",
                VALUE,
                field=name,
                path=wrong.inside(name).path,
                what=wrong.problem,
            ) from None


def check_questions(event: Event, questions: Sequence[Mapping[str, object]]) -> None:
    """Raise RuleError ``question_answered`` if answers don't fit new questions."""
    answers = defaultdict[str, list[object]](list)
    for given in event.entries.values_list("answers", flat=True):
        for key, answer in given.items():
            answers[key].append(answer)
    check_answers_stay_valid(read_questions(event.questions), read_questions(questions), answers)


LONGEST_INFORMATION = 20_000
SIZES_TRIED = (16, *range(2, 129))
"""Numbers of players for which an event that has not started is laid out, until one fits."""


def check_information(text: str) -> None:
    """Raise BadInput ``too_long`` for a text above ``LONGEST_INFORMATION``."""
    if len(text) > LONGEST_INFORMATION:
        raise BadInput("too_long", "Write at most %(most)s characters.", most=LONGEST_INFORMATION)


def check_rules(event: Event) -> None:
    """Raise BadInput for unknown settings or an invalid combination.

    Also sets default options on the event, and turns decklists off for a game without.
    """
    _check_format(event)
    saved = lock_event_formula(event)
    formula = formula_from_row(saved) if saved else formula_by_slug(event.formula)
    event.options = dict(formula.checked(event.options))
    check_open_lists(event.open_lists, formula)
    check_criteria(event.criteria, at_tables=formula.of_tables)
    _check_table_points(event, at_tables=formula.of_tables)
    if formula.of_tables:
        _check_one_game(event)
    check_registration(event.registration_opens, event.registration_closes)


def check_paired_elsewhere(event: Event) -> None:
    """Raise BadInput ``no_swiss_rounds`` if no round could be paired elsewhere.

    At most one query.
    """
    if event.paired_elsewhere and not any(
        stage_kind(one).pairs_by_points for one in _stages(event)
    ):
        raise BadInput(
            "no_swiss_rounds",
            "Only Swiss rounds and multiplayer tables can be paired with another program.",
        )


def _stages(event: Event) -> Sequence[StagePlan]:
    """Return the stages of an event; before the start those of the first size that fits."""
    if event.plan is not None:
        return stored_plan(event).stages
    for players in SIZES_TRIED:
        try:
            return build_plan(event, players).stages
        except BadInput:
            continue
    return ()


def check_registration(opens: datetime | None, closes: datetime | None) -> None:
    """Raise BadInput ``bad_registration`` unless registration opens before it closes."""
    if opens is not None and closes is not None and opens >= closes:
        raise BadInput("bad_registration", "Registration must open before it closes.")


def check_criteria(criteria: Sequence[str], *, at_tables: bool) -> None:
    """Raise BadInput unless tiebreakers are known and unique, a random draw last.

    ``bad_criteria``; ``criterion_needs_two`` for one that has no meaning at multiplayer tables.
    """
    if at_tables:
        check_table_criteria(criteria)
    else:
        for key in criteria:
            CRITERIA.get(key)
    if not criteria:
        raise BadInput("bad_criteria", "Enter at least one.")
    if len(set(criteria)) != len(criteria):
        raise BadInput("bad_criteria", "Use each value only once.")
    if LOTS in criteria[:-1]:
        raise BadInput("bad_criteria", "The random draw must be the last tiebreaker.")


def default_criteria(event: Event) -> list[str]:
    """Return the keys of an event's default tiebreakers."""
    if not is_multiplayer(event.formula):
        return list(DEFAULT_CRITERIA)
    return list(default_tiebreakers(by_place=bool(event_table_points(event).by_place)))


def _check_table_points(event: Event, *, at_tables: bool) -> None:
    """Raise BadInput for points of places that make no sense, or where two play each match."""
    if event.table_points is None:
        return
    read_stored_points(event.table_points)
    if not at_tables:
        raise BadInput(
            "invalid_points",
            "Only for multiplayer tables.",
        )


def _check_one_game(event: Event) -> None:
    """Raise BadInput ``format_needs_two`` for a game whose result is a score of two players."""
    play = match_defaults(event)
    if play.score == "promotion" or max(play.best_of, play.final_best_of) > 1:
        raise BadInput(
            "format_needs_two",
            "This format is for two-player matches only.",
        )


def _check_format(event: Event) -> None:
    """Raise BadInput for an unknown format or another owner's; it is held against deletion."""
    if is_organiser_format(event.format):
        HouseFormat.objects.select_for_update().filter(slug=event.format).first()
    _shape, house = load_format_and_row(event.format)
    if house is not None and house.owner_id != event.created_by_id:
        raise BadInput(
            "foreign_format",
            "This format belongs to somebody else. Make a copy first.",
        )
    if house is not None and house.lists == HouseFormat.Lists.OFF:
        event.decklists = Event.Decklists.OFF


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMoves:
    """New fixed tables by player number, and changed tables of the drafted round."""

    fixed: Mapping[PlayerId, int]
    ordinal: int
    before: tuple[DraftMatch, ...]
    after: tuple[DraftMatch, ...]

    def store(self, event: Event) -> None:
        """Store the tables; inside a transaction with the event locked."""
        for number, table in self.fixed.items():
            event.entries.filter(number=number).update(fixed_table=table)
        if self.before:
            store_moved_tables(
                event.rounds.get(ordinal=self.ordinal), DraftChange(self.before, self.after)
            )


def table_moves(event: Event, tables: str) -> TableMoves | None:
    """Return what changes if an event gets other ``tables``, None if nothing.

    No query without draft and fixed tables, else those of `load_facts`. Raises BadInput
    ``invalid_tables``; RuleError ``too_few_tables`` for the draft.
    """
    drafts = event.rounds.filter(state=Round.State.DRAFT)
    if not drafts.exists() and not event.entries.filter(fixed_table__isnull=False).exists():
        return None
    facts = load_facts(event)
    known = {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}
    fixed = move_fixed_tables(known, parse_table_ranges(event.tables), parse_table_ranges(tables))
    ordinal, before = _draft(facts)
    hall = parse_table_ranges(tables)
    assigned = assign_tables([match.seats for match in before], known | fixed, hall)
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
    matches = [match for match in draft_matches(facts, stage, stage.last_round) if match.table]
    return stage.last_round.ordinal, tuple(sorted(matches, key=lambda match: match.table or 0))


HOUR = timedelta(hours=1)
LONGEST_NAME = 120


def count_recent_events(user: User) -> int:
    """Return how many events, also deleted ones, a user created in the last hour."""
    hour = timezone.now() - HOUR
    made = Event.objects.filter(created_by=user, created_at__gt=hour).count()
    return made + int(cache.get(_deletions_key(user.pk), 0))


def _deletions_key(user: int) -> str:
    """Return the cache key of the number of events an account made and deleted in an hour."""
    return f"events-deleted:{user}"


@transaction.atomic
def create_event(*, values: Mapping[str, Any], source: Event | None = None, by: Actor) -> Event:
    """Create a draft event with the actor as its organiser.

    ``source``: an event that it repeats, whose staff get the same roles. Missing settings
    default to those of the format's game. Raises RuleError ``slug_taken``, BadInput
    ``too_many_events`` and for bad values.
    """
    require_permission(can_create_events(by))
    check_account_limit(by.user, "events", count_unstarted_events)
    check_account_limit(by.user, "events_an_hour", count_recent_events)
    chosen = {"options": {}} | default_settings(values["format"]) | dict(values)
    chosen["name"] = clean_name(chosen["name"], LONGEST_NAME)
    slug = chosen.pop("slug", "") or chosen["name"]
    event = Event(created_by=by.user, slug=free_slug(slug), source=source, **chosen)
    if "criteria" not in values and (is_multiplayer(event.formula) or "criteria" not in chosen):
        event.criteria = chosen["criteria"] = default_criteria(event)
    normalise_settings(event)
    check_rules(event)
    check_paired_elsewhere(event)
    check_column_values(event, chosen)
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
    """Change settings of an event; after the start only those that aren't rules.

    Tiebreakers may change while the event runs, with a reason. Return the event. Raises RuleError
    ``event_started``, ``event_finished``, ``reason_missing``; BadInput for bad values.
    """
    event = lock_event(event)
    require_permission(
        can_manage(by, event) or (set(changes) == {"rulings"} and can_rule(by, event))
    )
    started = event.plan is not None
    if "name" in changes:
        changes = {**changes, "name": clean_name(changes["name"], LONGEST_NAME)}
    real = {key: value for key, value in changes.items() if getattr(event, key) != value}
    refused = set(real) - (AFTER_START if started else BEFORE_START)
    if refused:
        raise RuleError(
            "event_started",
            "You can’t change this after the start: %(what)s.",
            what=tuple(sorted(refused)),
        )
    if started and "criteria" in real:
        _check_recorded(event, reason)
    if not real:
        return event
    if "questions" in real:
        check_questions(event, real["questions"])
    shown_before = public_content(event) if "standings_held" in real else None
    moves = table_moves(event, real["tables"]) if "tables" in real else None
    kind, rows = (TABLES_MOVED, (Event, Entry, Match)) if moves else (CHANGED, (Event, Entry))
    before = settings_for_log(event, real)
    with undoable(event, kind, rows, by=by, before=before, reason=reason) as act:
        for key, value in real.items():
            setattr(event, key, value)
        normalise_settings(event)
        if not started:
            check_rules(event)
        check_paired_elsewhere(event)
        check_criteria(event.criteria, at_tables=is_multiplayer(event.formula))
        check_column_values(event, real)
        event.save()
        act.subject, act.after = event.name, settings_for_log(event, real)
        if moves:
            moves.store(event)
            act.subject = str(moves.ordinal) if moves.before else event.name
        if shown_before is not None and (gone := hidden_content(shown_before, event)):
            act.after["hides"] = gone
        if "capacity" in real:
            act.then(promote_waiting_players, event, by=by)
    return event


@transaction.atomic
def change_event_state(*, event: Event, action: str, by: Actor) -> Event:
    """Open or close registration, finish or reopen the event; return it.

    ``action``: open_registration, close_registration, finish or reopen. Finishing also closes the
    last stage, and one undo reopens both. Raises RuleError if the state does not allow it;
    ``stage_open`` or those of `close_stage` when finishing.
    """
    move = act_by_key(f"event.{action}")
    event = lock_event(event)
    was, now = {"state": event.state}, {"state": check_allowed(event, move, by=by)}
    shown_before = public_content(event) if action == "reopen" else None
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
            act.after["hides"] = hidden_content(shown_before, event)
    return event


@transaction.atomic
def delete_event(*, event: Event, by: Actor) -> None:
    """Delete an event that never started, with its players and log.

    Raises RuleError ``event_started`` if it ever started, even if that was undone.
    """
    event = lock_event(event)
    require_permission(can_manage(by, event))
    if has_ever_started(event):
        raise RuleError(
            "event_started",
            "An event that has started can’t be deleted. Hide it in its settings.",
        )
    if event.created_by_id is not None and timezone.now() - event.created_at < HOUR:
        count = partial(
            increment_counter, _deletions_key(event.created_by_id), seconds=HOUR.seconds
        )
        transaction.on_commit(count, robust=True)
    delete_event_rows(event)


def delete_event_rows(event: Event) -> None:
    """Delete an event, whose row the caller has locked, with all its data."""
    lists = Decklist.objects.filter(submissions__entry__event=event)
    keys = set(lists.values_list("pk", flat=True))
    event.entries.update(submission=None)
    Outgoing.objects.filter(event=event.pk).delete()
    event.delete()
    clear_row_marks()  # no further line of its log is written
    Decklist.objects.filter(pk__in=keys, submissions=None).delete()
    delete_imported_rows(event)


def _check_recorded(event: Event, reason: str) -> None:
    """Raise RuleError unless the criteria of a running event may change now."""
    if event.state == Event.State.FINISHED:
        raise RuleError(
            "event_finished",
            "The event is finished.",
        )
    if not reason.strip():
        raise RuleError(
            "reason_missing",
            "Give a reason.",
        )


def settings_for_log(event: Event, keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return {setting: present value as JSON} for the settings that are ``keys``."""
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
        raise RuleError("stage_open")
    return last if last.state == Stage.State.OPEN else None


@transaction.atomic
def create_event_with_format(
    *, content: FormatInput, values: Mapping[str, Any], by: Actor
) -> Event:
    """Create an event with a custom format, reusing an equal one of the actor.

    Raises RuleError ``slug_taken``; BadInput ``too_many_events``, ``invalid_rules``,
    ``too_many_formats``.
    """
    if by.user is None:
        raise PermissionDenied
    house = get_or_create_custom_format(content, by=by.user)
    return create_event(values={**values, "format": house.slug}, by=by)


@transaction.atomic
def confirm_separate_rooms(*, event: Event, by: Actor) -> None:
    """Record that this event and those with the same tables are in separate rooms."""
    event = begin_act(event, OTHER_ROOMS, by=by)
    others = {other.pk for other, _tables in events_with_same_tables(event).clashes}
    if others:
        with undoable(event, OTHER_ROOMS, (Event,), by=by, subject=event.name):
            event.other_rooms = sorted({*event.other_rooms, *others})
            event.save(update_fields=["other_rooms"])


@transaction.atomic
def store_rulings(*, event: Event, rulings: str, seen: str, by: Actor) -> Event:
    """Store the head judge's rulings of an event, and return it.

    By organisers and head judge. ``seen``: fingerprint of the text on the page. Raises RuleError
    ``stale`` if it has changed since, BadInput ``hidden_signs``.
    """
    event = lock_event(event)
    require_permission(can_rule(by, event))
    if seen != text_fingerprint(event.rulings):
        raise RuleError(
            "stale",
            _("Somebody has changed the rulings. Copy your text and reload the page."),
        )
    check_hidden_signs(rulings)
    return change_event(event=event, changes={"rulings": rulings.strip()}, by=by)
