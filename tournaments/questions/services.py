"""Add, change, move and remove questions of an event, and store a player's answers."""

from collections.abc import Iterable, Mapping
from secrets import token_hex

from config import transaction
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.events.questions import (
    checked_answers,
    moved,
    no_question,
    question_of,
    questions_of,
)
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor, can_manage, can_run_rounds, require
from tournaments.events.services.events import change_event
from tournaments.log.services import locked, record
from tournaments.models import Entry, Event
from tournaments.players.services.entries import check_open
from tournaments.questions.acts import CHANGED
from tournaments.questions.selectors import fingerprint


@transaction.atomic
def add_question(
    *,
    event: Event,
    kind: str,
    text: str,
    required: bool = False,
    choices: Iterable[str] = (),
    by: Actor,
) -> Event:
    """Ask one question more, after the others; before the start.

    Raises BadInput ``bad_question``, ``bad_choices``, ``too_many_questions``; RuleError
    ``event_started``.
    """
    event = locked(event)
    require(can_manage(by, event))
    new = question_of(key=token_hex(4), kind=kind, text=text, required=required, choices=choices)
    changes = {"questions": [*event.questions, new.as_json()]}
    return change_event(event=event, changes=changes, by=by)


@transaction.atomic
def change_question(
    *,
    event: Event,
    key: str,
    seen: str,
    text: str,
    required: bool = False,
    choices: Iterable[str] = (),
    by: Actor,
) -> Event:
    """Change a question where it stands, unless an answer would not hold; before the start.

    Its kind stays. ``seen`` is the fingerprint of the question that the page showed. Raises
    BadInput ``bad_question``, ``bad_choices``; RuleError ``no_question``, ``stale``,
    ``question_answered``, ``event_started``.
    """
    event = locked(event)
    require(can_manage(by, event))
    order = questions_of(event.questions)
    old = next((one for one in order if one.key == key), None)
    if old is None:
        raise no_question()
    if fingerprint(old) != seen:
        raise RuleError(
            "stale",
            _("Somebody else has just changed this question to “%(text)s”. Nothing was stored."),
            text=old.text,
        )
    new = question_of(key=key, kind=old.kind, text=text, required=required, choices=choices)
    changes = {"questions": [(new if one is old else one).as_json() for one in order]}
    return change_event(event=event, changes=changes, by=by)


@transaction.atomic
def move_question(*, event: Event, key: str, up: bool, seen: str, by: Actor) -> Event:
    """Ask a question one place earlier or later; before the start.

    ``seen`` is the fingerprint of all questions that the page showed. Raises RuleError ``stale``,
    ``no_question``, ``event_started``.
    """
    event = locked(event)
    require(can_manage(by, event))
    order = questions_of(event.questions)
    if fingerprint(*order) != seen:
        raise RuleError(
            "stale",
            _("Somebody else has just changed the questions. Nothing was moved: look again."),
        )
    changes = {"questions": [one.as_json() for one in moved(order, key, up=up)]}
    return change_event(event=event, changes=changes, by=by)


@transaction.atomic
def remove_question(*, event: Event, key: str, by: Actor) -> Event:
    """Ask a question no more, unless somebody has answered it; before the start.

    Raises RuleError ``no_question`` if it is gone, ``question_answered``, ``event_started``.
    """
    event = locked(event)
    require(can_manage(by, event))
    left = [one for one in event.questions if one["key"] != key]
    if len(left) == len(event.questions):
        raise no_question()
    return change_event(event=event, changes={"questions": left}, by=by)


@transaction.atomic
def change_answers(*, entry: Entry, answers: Mapping[str, object], by: Actor) -> Entry:
    """Store a player's answers: by the player while registration is open, else by the staff.

    The staff may leave required questions open, as somebody who was pasted has answered none.
    What is answered stands in no line of the log. Raises BadInput ``answer_missing``,
    ``bad_answer``; RuleError if registration is not open, ``event_finished``.
    """
    event = locked(entry.event)
    of_staff = can_run_rounds(by, event)
    require(of_staff or by.is_entry(entry))
    if of_staff:
        next_state("event", event.state, "move_player")
    else:
        check_open(event)
    entry = event.entries.get(pk=entry.pk)
    told = checked_answers(questions_of(event.questions), answers, complete=not of_staff)
    if told != entry.answers:
        entry.answers = told
        entry.save(update_fields=["answers"])
        said = {"number": entry.number}
        record(event, CHANGED, by=by, subject=entry.name, after=said)
    return entry
