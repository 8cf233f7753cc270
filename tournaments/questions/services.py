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
    reorder_questions,
)
from tournaments.core.permissions import Actor, can_manage, require_permission
from tournaments.events.services import change_event
from tournaments.log.services import lock_event, text_fingerprint
from tournaments.models import Event


def questions_fingerprint(*questions: Question) -> str:
    """Return a digest of questions, to detect outdated pages."""
    text = json.dumps([one.as_json() for one in questions], sort_keys=True)
    return text_fingerprint(text)


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
    """Add a question for registration after the others; return the event.

    ``kind``: of answer. Raises BadInput ``bad_question``, ``bad_choices``, ``too_many_questions``;
    RuleError ``event_started``.
    """
    event = lock_event(event)
    require_permission(can_manage(by, event))
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
    """Change a question before the start, and return the event.

    ``key``: of the question. Its kind and position stay, and stored answers must remain valid.
    ``seen``: fingerprint of the question that the page showed. Raises BadInput ``bad_question``,
    ``bad_choices``; RuleError ``no_question``, ``stale``, ``question_answered``, ``event_started``.
    """
    event = lock_event(event)
    require_permission(can_manage(by, event))
    order = read_questions(event.questions)
    old = next((one for one in order if one.key == key), None)
    if old is None:
        raise question_removed_error()
    if questions_fingerprint(old) != seen:
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
    """Move a question one position up or down, before the start; return the event.

    ``key``: of the question; ``seen``: fingerprint of all questions that the page showed. Raises
    RuleError ``stale``, ``no_question``, ``event_started``.
    """
    event = lock_event(event)
    require_permission(can_manage(by, event))
    order = read_questions(event.questions)
    if questions_fingerprint(*order) != seen:
        raise RuleError("stale")
    changes = {"questions": [one.as_json() for one in reorder_questions(order, key, up=up)]}
    return change_event(event=event, changes=changes, by=by)


@transaction.atomic
def remove_question(*, event: Event, key: str, by: Actor) -> Event:
    """Remove a question that nobody has answered, before the start; return the event.

    ``key``: of the question. Raises RuleError ``no_question``, ``question_answered``,
    ``event_started``.
    """
    event = lock_event(event)
    require_permission(can_manage(by, event))
    left = [one for one in event.questions if one["key"] != key]
    if len(left) == len(event.questions):
        raise question_removed_error()
    return change_event(event=event, changes={"questions": left}, by=by)
