"""The questions of an event, the answers and contact of a player, and what registration asks."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from rules.events.questions import Question, is_valid_answer, read_questions
from rules.people.contacts import ContactTerms, read_terms
from rules.people.contacts import membership_name as name_of_key
from tournaments.models import Contact, Entry, Event


def event_questions(event: Event) -> tuple[Question, ...]:
    """Return the questions that an event asks at registration; no query."""
    return read_questions(event.questions)


def answered_questions(event: Event, entry: Entry) -> tuple[dict[str, Any], ...]:
    """Return an event's questions with a player's answers; no query.

    The shape is that of `describe_answers`.
    """
    return describe_answers(event_questions(event), entry.answers)


def describe_answers(
    questions: tuple[Question, ...], answers: Mapping[str, Any]
) -> tuple[dict[str, Any], ...]:
    """Return [{"key", "text", "answer"}]: each question with its answer as text.

    ``answers`` are stored values by question key.
    """
    return tuple(
        {"key": one.key, "text": one.text, "answer": _answer_in_words(one, answers.get(one.key))}
        for one in questions
    )


def valid_answers(event: Event, entry: Entry) -> dict[str, Any]:
    """Return {question key: stored answer} for present questions, if valid."""
    return {
        one.key: entry.answers[one.key]
        for one in event_questions(event)
        if is_valid_answer(one, entry.answers.get(one.key))
    }


def _answer_in_words(question: Question, answer: object) -> str:
    if not is_valid_answer(question, answer):
        return ""
    if isinstance(answer, bool):
        return _("yes") if answer else _("no")
    return str(answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactDetails:
    """A player's email address ("" if none), and membership numbers by key.

    ``later_since``: when the player agreed that the address is used for later events, None if not.
    """

    email: str = ""
    memberships: dict[str, str] = field(default_factory=dict)
    later_since: datetime | None = None

    def columns(self) -> dict[str, object]:
        """Return it by column."""
        return asdict(self)


def contact_terms(event: Event) -> ContactTerms:
    """Return which contacts an event asks for, why, and for how long; no query."""
    return read_terms(event.contact_terms)


def membership_name(key: str, asked: Iterable[str]) -> str:
    """Return the name of a membership by its key, or a general label if unknown.

    ``asked`` are the names that the event asks for.
    """
    return name_of_key(key, asked) or _("Membership number")


def player_contact(entry: Entry) -> ContactDetails:
    """Return a player's contact, empty if none is stored; one query."""
    found = Contact.objects.filter(entry=entry).first()
    if found is None:
        return ContactDetails()
    return ContactDetails(
        email=found.email, memberships=dict(found.memberships), later_since=found.later_since
    )


PLAYING = (Entry.Status.REGISTERED, Entry.Status.CHECKED_IN)


def count_playing_and_waiting(event: Event) -> tuple[int, int]:
    """Return (number of active players, number on the waiting list); one query."""
    found = event.entries.aggregate(
        playing=Count("pk", filter=Q(status__in=PLAYING)),
        waiting=Count("pk", filter=Q(status=Entry.Status.WAITING)),
    )
    return found["playing"], found["waiting"]


def count_places_for_waiting(event: Event, playing: int, waiting: int) -> int:
    """Return how many players on the waiting list can get a place; no query.

    ``playing`` and ``waiting`` are numbers of players. 0 after the start.
    """
    if event.plan is not None:
        return 0
    free = waiting if event.capacity is None else max(0, event.capacity - playing)
    return min(waiting, free)


def registration_state(event: Event) -> dict[str, Any]:
    """Return the state of registration as a dict; one query.

    Keys: ``is_open``, ``players``, ``waiting``, ``places_left`` (None: no limit),
    ``leads_to_waiting_list``, ``for_waiting`` (free places that the waiting list gets), ``opens``
    (a future time or None), ``words`` (the state as a sentence).
    """
    players, waiting = count_playing_and_waiting(event)
    taken = players + waiting  # who waits goes before who comes later
    left = None if event.capacity is None else max(0, event.capacity - taken)
    for_waiting = count_places_for_waiting(event, players, waiting)
    going = event.state == Event.State.REGISTRATION and not event.is_past_registration_close
    waits = going and event.registration_opens_later
    is_open = going and not waits
    return {
        "is_open": is_open,
        "players": players,
        "waiting": waiting,
        "places_left": left,
        "leads_to_waiting_list": left == 0,
        "for_waiting": for_waiting,
        "opens": event.registration_opens if waits else None,
        "words": _state_in_words(event, is_open=is_open, waits=waits, left=left),
    }


def _state_in_words(event: Event, *, is_open: bool, waits: bool, left: int | None) -> str:
    if event.state == Event.State.DRAFT:
        return _("Registration is not open yet.")
    if event.plan is not None:
        return _("Registration is closed. Ask the organiser for a place.")
    if waits:
        return _("Registration is not open yet.")
    if not is_open:
        return _("Registration is closed. Ask the organiser for a place.")
    if left is None:
        return _("Registration is open.")
    if left == 0:
        return _("All places are taken")
    return _("Registration is open. Places left: %(left)s of %(all)s.") % {
        "left": left,
        "all": event.capacity,
    }
