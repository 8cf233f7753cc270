"""List, add, change, move and remove questions of an event."""

import json
from collections.abc import Iterable
from secrets import token_hex

from config import transaction
from rules.errors import RuleError
from rules.events.questions import (
    Question,
    make_question,
    question_removed_error,
    read_questions,
    with_question_moved,
)
from tournaments.core.permissions import Actor, can_manage, require
from tournaments.events.services import change_event
from tournaments.log.services import fingerprint, locked
from tournaments.models import Event


def fingerprint_of(*questions: Question) -> str:
    text = json.dumps([one.as_json() for one in questions], sort_keys=True)
    return fingerprint(text)


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
    """Add a question after the others; before the start.

    Raises BadInput ``bad_question``, ``bad_choices``, ``too_many_questions``; RuleError
    ``event_started``.
    """
    event = locked(event)
    require(can_manage(by, event))
    new = make_question(key=token_hex(4), kind=kind, text=text, required=required, choices=choices)
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
    """Change a question in its place, unless an answer would not hold; before the start.

    Its kind stays. ``seen`` is the fingerprint of the question that the page showed. Raises
    BadInput ``bad_question``, ``bad_choices``; RuleError ``no_question``, ``stale``,
    ``question_answered``, ``event_started``.
    """
    event = locked(event)
    require(can_manage(by, event))
    order = read_questions(event.questions)
    old = next((one for one in order if one.key == key), None)
    if old is None:
        raise question_removed_error()
    if fingerprint_of(old) != seen:
        raise RuleError(
            "stale",
            "Someone else has changed this question to “%(text)s”.",
            text=old.text,
        )
    new = make_question(key=key, kind=old.kind, text=text, required=required, choices=choices)
    changes = {"questions": [(new if one is old else one).as_json() for one in order]}
    return change_event(event=event, changes=changes, by=by)


@transaction.atomic
def move_question(*, event: Event, key: str, up: bool, seen: str, by: Actor) -> Event:
    """Move a question one place up or down; before the start.

    ``seen`` is the fingerprint of all questions that the page showed. Raises RuleError ``stale``,
    ``no_question``, ``event_started``.
    """
    event = locked(event)
    require(can_manage(by, event))
    order = read_questions(event.questions)
    if fingerprint_of(*order) != seen:
        raise RuleError("stale")
    changes = {"questions": [one.as_json() for one in with_question_moved(order, key, up=up)]}
    return change_event(event=event, changes=changes, by=by)


@transaction.atomic
def remove_question(*, event: Event, key: str, by: Actor) -> Event:
    """Remove a question, unless somebody has answered it; before the start.

    Raises RuleError ``no_question`` if it is gone, ``question_answered``, ``event_started``.
    """
    event = locked(event)
    require(can_manage(by, event))
    left = [one for one in event.questions if one["key"] != key]
    if len(left) == len(event.questions):
        raise question_removed_error()
    return change_event(event=event, changes={"questions": left}, by=by)
