"""Enter, register, change, check in and remove players."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from config import transaction
from config.ui_dates import in_words
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.events.questions import checked_answers, questions_of
from rules.names import name_key
from rules.people.person_names import Person, clean_club, clean_name
from rules.people.surnames import clean_surname, stored_surname, whole_name
from tournaments.core.acts import act_of
from tournaments.core.permissions import Actor, is_staff
from tournaments.log.services import begin, check_allowed, locked, record
from tournaments.models import Entry, Event
from tournaments.players.acts import ADDED, CHANGED, REGISTERED, REMOVED
from tournaments.players.selectors.waiting_list import free_places
from tournaments.players.services.contacts import given_contact, store_contact
from tournaments.players.services.seeds import set_seed
from tournaments.players.services.waiting_list import fill_places
from tournaments.undo.services.row_diff import undoable


def store_entries(
    event: Event,
    people: Sequence[Person],
    user: User | None = None,
    answers: Mapping[str, object] | None = None,
) -> list[Entry]:
    """Enter people, to the waiting list when the event is full; in a transaction.

    Free places are theirs who wait already, if any do.
    """
    free = free_places(event)
    if free is not None:
        free -= event.entries.waiting().count()
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    now = timezone.now()
    entries = []
    for index, person in enumerate(people):
        waits = free is not None and index >= free
        entries.append(
            Entry(
                event=event,
                number=last + index + 1,
                **name_columns(person.name, person.surname),
                club=person.club,
                byes=person.byes,
                user=user,
                answers=dict(answers or {}),
                status=Entry.Status.WAITING if waits else Entry.Status.REGISTERED,
                waiting_since=now if waits else None,
            )
        )
    return Entry.objects.bulk_create(entries)


def name_columns(name: str, surname: str = "") -> dict[str, str]:
    """Return the columns that store a name; ``surname`` is empty if it equals the guess."""
    return {
        "name": name,
        "name_key": name_key(name),
        "surname": stored_surname(name, surname),
    }


def new_entry(event: Event, person: Person) -> Entry:
    """Enter one person regardless of the limit of players; in a transaction."""
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    return Entry.objects.create(
        event=event,
        number=last + 1,
        **name_columns(person.name, person.surname),
        club=person.club,
        status=Entry.Status.CHECKED_IN,
    )


def entry_facts(entry: Entry) -> dict[str, Any]:
    """Return an entry as JSON values for the log."""
    return {
        "number": entry.number,
        "name": entry.name,
        "club": entry.club,
        "seed": entry.seed,
        "status": str(entry.status),
        **({"fixed_table": entry.fixed_table} if entry.fixed_table else {}),
        **({"surname": entry.surname} if entry.surname else {}),
        **({"byes": entry.byes} if entry.byes else {}),
    }


def clean_person(name: str, surname: str, club: str) -> Person:
    """Return a person; raises BadInput ``bad_name``, ``bad_surname``, ``bad_club``."""
    whole = clean_name(name)
    return Person(whole, clean_club(club), clean_surname(surname, whole))


@transaction.atomic
def add_entry(
    *,
    event: Event,
    name: str,
    surname: str = "",
    club: str = "",
    seed: int | None = None,
    byes: int = 0,
    by: Actor,
) -> Entry:
    """Enter a player before the start, by the staff; to the waiting list when full.

    ``byes`` are awarded in rounds 1 to n. Raises RuleError ``event_started``; BadInput as
    ``clean_person`` and ``set_seed``.
    """
    event = begin(event, ADDED, by=by)
    person = clean_person(name, surname, club)._replace(byes=byes)
    entry = store_entries(event, [person])[0]
    if seed is not None:
        set_seed(entry, seed)
    record(event, ADDED, by=by, subject=entry.name, after=entry_facts(entry))
    return entry


@transaction.atomic
def register(
    *,
    event: Event,
    name: str,
    surname: str = "",
    club: str = "",
    user: User | None,
    namesake: bool = False,
    answers: Mapping[str, object] | None = None,
    email: str = "",
    memberships: Mapping[str, str] | None = None,
    by: Actor,
) -> Entry:
    """Register oneself while registration is open, with an account or by name only.

    Raises RuleError ``registered_already`` if the account or personal link has an entry in the
    event, ``same_name`` unless ``namesake`` confirms a second player of that name. With a
    ``surname`` the name is the given one, or holds the surname already. ``answers`` are those to
    the event's questions by key; raises BadInput ``answer_missing``, ``bad_answer``. Of ``email``
    and ``memberships`` what the event asks for is stored; raises BadInput as ``given_contact``.
    """
    event = locked(event)
    check_open(event)
    own = by.entry_in(event) if user is None else event.entries.filter(user=user).first()
    if own is not None:
        raise RuleError(
            "registered_already",
            "You are registered for this event already. Nothing was stored. A friend registers "
            "on their own phone, or asks the organiser for a place.",
        )
    clean = whole_name(name, surname)
    person = clean_person(clean, surname, club)
    if not namesake and event.entries.filter(name_key=name_key(clean)).exists():
        raise RuleError(
            "same_name",
            "%(name)s is registered already. Nothing was stored: if that is you, open your "
            "personal link or ask the organiser for it.",
            name=clean,
        )
    checked = checked_answers(questions_of(event.questions), answers or {}, complete=True)
    contact = given_contact(event, email, memberships or {})
    entry = store_entries(event, [person], user=user, answers=checked)[0]
    if event.contact_terms:
        store_contact(entry, contact)
    actor = by if by.user is not None else Actor(entry=entry)
    record(event, REGISTERED, by=actor, subject=entry.name, after=entry_facts(entry))
    return entry


def check_open(event: Event) -> None:
    """Raise RuleError unless registration is open, by the event's state and by its times."""
    next_state("event", event.state, "register")
    opens, closes, now = event.registration_opens, event.registration_closes, timezone.now()
    if opens and now < opens:
        raise RuleError(
            "registration_not_open_yet",
            "Registration opens on %(moment)s (%(zone)s). Nothing was stored: come back then.",
            moment=in_words(opens.astimezone(event.zone), "all"),
            zone=event.time_zone,
        )
    if closes and now >= closes:
        raise RuleError(
            "registration_closed",
            "Registration has closed. Nothing was stored: ask the organiser for a place.",
        )


@transaction.atomic
def change_entry(*, entry: Entry, changes: dict[str, Any], by: Actor) -> Entry:
    """Change a player's name, surname, club, fixed table or, before the start, seed and byes.

    Raises BadInput as ``clean_person`` and ``set_seed``; RuleError ``event_started`` for the last.
    """
    event = begin(entry.event, CHANGED, by=by)
    entry = event.entries.select_for_update().get(pk=entry.pk)
    before = entry_facts(entry)
    if "name" in changes or "surname" in changes:
        name = clean_name(changes.get("name", entry.name))
        given = clean_surname(changes["surname"], name) if "surname" in changes else entry.surname
        for column, value in name_columns(name, given).items():
            setattr(entry, column, value)
    if "club" in changes:
        entry.club = clean_club(changes["club"])
    if "fixed_table" in changes:
        entry.fixed_table = changes["fixed_table"]
    if changes.get("byes", entry.byes) != entry.byes:
        next_state("event", event.state, "add_player")
        entry.byes = changes["byes"]
    entry.save()
    if "seed" in changes and changes["seed"] != entry.seed:
        next_state("event", event.state, "add_player")
        set_seed(entry, changes["seed"])
    record(event, CHANGED, by=by, subject=entry.name, before=before, after=entry_facts(entry))
    return entry


@transaction.atomic
def check_in(*, entry: Entry, action: str = "check_in", by: Actor) -> Entry:
    """Check a player in, or undo it; by the staff or, from ``Event.here_from`` on, the player.

    Raises RuleError ``event_finished``, ``entry_not_registered``, ``entry_not_checked_in``,
    ``too_early``.
    """
    event = locked(entry.event)
    entry = event.entries.get(pk=entry.pk)
    act = act_of(f"entry.{action}")
    check_allowed(event, act, by=by, entry=entry)
    if not is_staff(by, event) and timezone.now() < event.here_from:
        raise RuleError(
            "too_early",
            "You can say that you are here from %(moment)s (%(zone)s). Nothing was stored.",
            moment=in_words(event.here_from.astimezone(event.zone), "all"),
            zone=event.time_zone,
        )
    before = {"status": entry.status}
    entry.status = next_state("entry", entry.status, action)
    entry.save(update_fields=["status"])
    now = {"number": entry.number, "status": entry.status}
    record(event, act, by=by, subject=entry.name, before=before, after=now)
    return entry


@transaction.atomic
def remove_entry(*, entry: Entry, by: Actor) -> None:
    """Delete a player before the start; raises RuleError ``event_started``."""
    event = begin(entry.event, REMOVED, by=by)
    entry = event.entries.get(pk=entry.pk)
    facts, was_here = entry_facts(entry), entry.status == Entry.Status.CHECKED_IN
    with undoable(event, REMOVED, by=by, subject=entry.name, before=facts) as act:
        entry.submission = None
        entry.save(update_fields=["submission"])
        entry.delete()
        if not was_here:
            act.then(fill_places, event, by=by)
