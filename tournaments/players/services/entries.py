"""Enter, register, change, check in and remove players, one by one or from a pasted list; their
answers and personal links, and who moves up.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Max
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User
from config import transaction
from config.shown_once import derive_token, new_token, token_hash
from config.wording import format_moment
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.events.questions import read_questions, validate_answers
from rules.names import name_key
from rules.people.contacts import ParsedContact, parse_contact
from rules.people.person_names import Person, clean_club, clean_name
from rules.people.surnames import clean_surname, full_name, stored_surname
from tournaments.core.acts import act_by_key
from tournaments.core.permissions import Actor, can_run_rounds, is_staff, require_permission
from tournaments.log.services import begin_act, check_allowed, lock_event, record
from tournaments.models import Entry, Event, PersonalLink
from tournaments.players.acts import (
    ADDED,
    ANSWERS_CHANGED,
    ASKED_LATER,
    CHANGED,
    LET_IN,
    LINK_MADE,
    LINK_REVOKED,
    LINKS_MADE,
    PASTED,
    PROMOTED,
    REGISTERED,
    REMOVED,
)
from tournaments.players.selectors.pasted import Namesake, NamesakeAnswer, find_namesakes
from tournaments.players.selectors.returns import (
    free_places,
    is_check_in_used,
    next_waiting_players,
)
from tournaments.players.services.contacts import (
    contact_from_registration,
    fill_missing_contacts,
    store_contact,
    store_new_contacts,
)
from tournaments.players.services.seeds import set_seed
from tournaments.undo.services import undoable

checked_in = Signal()
"""Sent in the transaction of a check-in, after its line: ``event``, ``entry``, ``by``."""


def promote_waiting_players(event: Event, *, by: Actor) -> list[Entry]:
    """Move players from the waiting list into free places, and return them.

    None once a player is checked in: places then go to players who are present
    (``admit_waiting_player``). Call it inside a transaction with the event locked.
    """
    if is_check_in_used(event):
        return []
    moved = next_waiting_players(event)
    for entry in moved:
        entry.status = next_state("entry", entry.status, "promote")
        entry.waiting_since = None
        entry.save(update_fields=["status", "waiting_since"])
        record(event, PROMOTED, by=by, subject=entry.name, after={"status": entry.status})
    return moved


@transaction.atomic
def admit_waiting_player(*, entry: Entry, here: bool = True, by: Actor) -> Entry:
    """Give a waiting player a free place before the start, and return the player.

    By the staff, in any order. ``here`` checks them in too. Raises RuleError ``event_started``,
    ``entry_not_waiting``, ``no_free_place``.
    """
    event, entry = _waiting_player(entry, by)
    free = free_places(event)
    if free is not None and free <= 0:
        raise RuleError(
            "no_free_place",
            "All places are taken",
        )
    status = next_state("entry", entry.status, "promote")
    if here:
        status = next_state("entry", status, "check_in")
    was, now = {"status": entry.status}, {"number": entry.number, "status": status}
    with undoable(event, LET_IN, (Entry,), by=by, subject=entry.name, before=was, after=now):
        entry.status, entry.waiting_since = status, None
        entry.save(update_fields=["status", "waiting_since"])
    if here:
        checked_in.send(Entry, event=event, entry=entry, by=by)
    return entry


@transaction.atomic
def move_to_waiting_list_end(*, entry: Entry, by: Actor) -> Entry:
    """Move a player to the end of the waiting list, and return the player.

    By the staff. Raises RuleError ``event_started``, ``entry_not_waiting``.
    """
    event, entry = _waiting_player(entry, by)
    now = {"number": entry.number}
    with undoable(event, ASKED_LATER, (Entry,), by=by, subject=entry.name, after=now):
        entry.waiting_since = timezone.now()
        entry.save(update_fields=["waiting_since"])
    return entry


def _waiting_player(entry: Entry, by: Actor) -> tuple[Event, Entry]:
    """Return the locked event and the player, who waits in it; raises RuleError."""
    event = begin_act(entry.event, LET_IN, by=by)
    if event.plan is not None:
        raise RuleError(
            "event_started",
            "The event has started.",
        )
    entry = event.entries.get(pk=entry.pk)
    next_state("entry", entry.status, "promote")
    return event, entry


def create_entries(
    event: Event,
    people: Sequence[Person],
    user: User | None = None,
    answers: Mapping[str, object] | None = None,
    origins: Sequence[Entry] = (),
) -> list[Entry]:
    """Create an entry for each person, and return them; in a transaction.

    They go to the waiting list if the event is full or somebody waits already. ``answers`` are by
    question key; ``origins`` are the entries of earlier events that they came from, one each, if
    known.
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
                origin=origins[index] if origins else None,
                answers=dict(answers or {}),
                status=Entry.Status.WAITING if waits else Entry.Status.REGISTERED,
                waiting_since=now if waits else None,
            )
        )
    return Entry.objects.bulk_create(entries)


def name_columns(name: str, surname: str = "") -> dict[str, str]:
    """Return the columns that store a name: name, name_key, surname.

    ``surname`` is stored as "" if it can be guessed.
    """
    return {
        "name": name,
        "name_key": name_key(name),
        "surname": stored_surname(name, surname),
    }


def create_checked_in_entry(event: Event, person: Person) -> Entry:
    """Create a checked-in entry and return it; in a transaction.

    Capacity does not matter.
    """
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    return Entry.objects.create(
        event=event,
        number=last + 1,
        **name_columns(person.name, person.surname),
        club=person.club,
        status=Entry.Status.CHECKED_IN,
    )


def entry_values_for_log(entry: Entry) -> dict[str, Any]:
    """Return an entry's details as JSON values for the log."""
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
    """Return a person with cleaned name, surname and club.

    Raises BadInput ``bad_name``, ``bad_surname``, ``bad_club``.
    """
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
    """Enter a player before the start, by the staff, and return them.

    They go to the waiting list if the event is full. ``byes`` are awarded in rounds 1 to n. Raises
    RuleError ``event_started``; BadInput as ``clean_person`` and ``set_seed``.
    """
    event = begin_act(event, ADDED, by=by)
    person = clean_person(name, surname, club)._replace(byes=byes)
    entry = create_entries(event, [person])[0]
    if seed is not None:
        set_seed(entry, seed)
    record(event, ADDED, by=by, subject=entry.name, after=entry_values_for_log(entry))
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
    later: bool = False,
    by: Actor,
) -> Entry:
    """Register a player with an account (``user``) or by name only; return the entry.

    ``name`` may be the given name if ``surname`` is sent. ``namesake`` confirms that a player of
    that name is somebody else. ``answers`` are by question key. Of ``email`` and ``memberships``
    what the event asks for is stored; ``later``: the address may be used for later events.

    Raises RuleError ``registered_already``, ``same_name``, those of ``check_registration_open``;
    BadInput ``answer_missing``, ``bad_answer``, and those of ``contact_from_registration``.
    """
    event = lock_event(event)
    check_registration_open(event)
    own = by.entry_in(event) if user is None else event.entries.filter(user=user).first()
    if own is not None:
        raise RuleError(
            "registered_already",
            "You are already registered. Friends must register on their own phones.",
        )
    clean = full_name(name, surname)
    person = clean_person(clean, surname, club)
    if not namesake and event.entries.filter(name_key=name_key(clean)).exists():
        raise RuleError(
            "same_name",
            "%(name)s is already registered. "
            "If that is you, ask the organiser for your personal link.",
            name=clean,
        )
    checked = validate_answers(read_questions(event.questions), answers or {}, complete=True)
    contact = contact_from_registration(event, email, memberships or {}, later=later)
    entry = create_entries(event, [person], user=user, answers=checked)[0]
    if event.contact_terms:
        store_contact(entry, contact)
    actor = by if by.user is not None else Actor(entry=entry)
    record(event, REGISTERED, by=actor, subject=entry.name, after=entry_values_for_log(entry))
    return entry


def check_registration_open(event: Event) -> None:
    """Raise RuleError unless registration is open, by state and by time.

    ``registration_not_open_yet``, ``registration_closed``, or that of the state.
    """
    next_state("event", event.state, "register")
    opens, closes, now = event.registration_opens, event.registration_closes, timezone.now()
    if opens and now < opens:
        raise RuleError(
            "registration_not_open_yet",
            "Registration opens on %(moment)s (%(zone)s).",
            moment=format_moment(opens.astimezone(event.zone), "all"),
            zone=event.time_zone,
        )
    if closes and now >= closes:
        raise RuleError(
            "registration_closed",
            "Registration is closed. Ask the organiser for a place.",
        )


@transaction.atomic
def change_entry(*, entry: Entry, changes: dict[str, Any], by: Actor) -> Entry:
    """Change a player's details, and return the player.

    Keys of ``changes``: name, surname, club, fixed_table and, before the start, seed and byes.
    Raises BadInput as ``clean_person`` and ``set_seed``; RuleError ``event_started``.
    """
    event = begin_act(entry.event, CHANGED, by=by)
    entry = event.entries.select_for_update().get(pk=entry.pk)
    before = entry_values_for_log(entry)
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
    record(
        event, CHANGED, by=by, subject=entry.name, before=before, after=entry_values_for_log(entry)
    )
    return entry


@transaction.atomic
def check_in(*, entry: Entry, action: str = "check_in", by: Actor) -> Entry:
    """Check a player in, or undo that; return the player.

    ``action`` is "check_in" or "undo_check_in". By the staff or, from ``Event.here_from`` on, the
    player. Raises RuleError ``event_finished``, ``entry_not_registered``, ``entry_not_checked_in``,
    ``too_early``.
    """
    event = lock_event(entry.event)
    entry = event.entries.get(pk=entry.pk)
    act = act_by_key(f"entry.{action}")
    check_allowed(event, act, by=by, entry=entry)
    if not is_staff(by, event) and timezone.now() < event.here_from:
        raise RuleError(
            "too_early",
            "Check-in opens on %(moment)s (%(zone)s).",
            moment=format_moment(event.here_from.astimezone(event.zone), "all"),
            zone=event.time_zone,
        )
    before = {"status": entry.status}
    entry.status = next_state("entry", entry.status, action)
    entry.save(update_fields=["status"])
    now = {"number": entry.number, "status": entry.status}
    record(event, act, by=by, subject=entry.name, before=before, after=now)
    if action == "check_in":
        checked_in.send(Entry, event=event, entry=entry, by=by)
    return entry


@transaction.atomic
def remove_entry(*, entry: Entry, by: Actor) -> None:
    """Delete a player before the start; raises RuleError ``event_started``."""
    event = begin_act(entry.event, REMOVED, by=by)
    entry = event.entries.get(pk=entry.pk)
    facts, was_here = entry_values_for_log(entry), entry.status == Entry.Status.CHECKED_IN
    with undoable(event, REMOVED, by=by, subject=entry.name, before=facts) as act:
        entry.submission = None
        entry.save(update_fields=["submission"])
        entry.delete()
        if not was_here:
            act.then(promote_waiting_players, event, by=by)


@transaction.atomic
def change_answers(*, entry: Entry, answers: Mapping[str, object], by: Actor) -> Entry:
    """Store a player's answers to the event's questions; return the player.

    By the player while registration is open, or the staff, who may leave required ones empty. The
    log does not contain them. Raises BadInput ``answer_missing``, ``bad_answer``; RuleError
    ``event_finished``, those of ``check_registration_open``.
    """
    event = lock_event(entry.event)
    of_staff = can_run_rounds(by, event)
    require_permission(of_staff or by.is_entry(entry))
    if of_staff:
        next_state("event", event.state, "move_player")
    else:
        check_registration_open(event)
    entry = event.entries.get(pk=entry.pk)
    checked = validate_answers(read_questions(event.questions), answers, complete=not of_staff)
    if checked != entry.answers:
        entry.answers = checked
        entry.save(update_fields=["answers"])
        after = {"number": entry.number}
        record(event, ANSWERS_CHANGED, by=by, subject=entry.name, after=after)
    return entry


@transaction.atomic
def make_link(*, entry: Entry, by: Actor) -> str:
    """Create a personal link and return its 192-bit token; earlier links are revoked.

    A link gives all rights of the player, so only they and organisers may create one; the player's
    page says if an organiser did.
    """
    event = begin_act(entry.event, LINK_MADE, by=by, entry=entry)
    revoke_links(entry)
    token = new_token()
    staff = None if by.is_entry(entry) else by.user
    PersonalLink.objects.create(
        entry=entry, token_hash=token_hash(token), by=staff, unopened=staff is not None
    )
    record(event, LINK_MADE, by=by, subject=entry.name)
    return token


@transaction.atomic
def make_links(*, event: Event, by: Actor) -> str:
    """Create a further link for every player; return the secret of their tokens.

    Other links stay valid. ``derived_link_tokens`` computes the tokens. Raises RuleError
    ``no_players``.
    """
    event = begin_act(event, LINKS_MADE, by=by)
    entries = list(event.entries.playing().order_by("number"))
    if not entries:
        raise RuleError("no_players", "There are no players yet.")
    secret = new_token()
    PersonalLink.objects.bulk_create(
        PersonalLink(
            entry=entry,
            token_hash=token_hash(derive_token(secret, event.pk, entry.number)),
            by=by.user,
            unopened=True,
        )
        for entry in entries
    )
    after = {"numbers": [entry.number for entry in entries]}
    record(event, LINKS_MADE, by=by, subject=str(len(entries)), after=after)
    return secret


@transaction.atomic
def revoke_link(*, entry: Entry, by: Actor) -> None:
    """Revoke all personal links of a player, on every device, and log it."""
    event = begin_act(entry.event, LINK_REVOKED, by=by)
    if revoke_links(entry):
        record(event, LINK_REVOKED, by=by, subject=entry.name)


def mark_link_opened(link: PersonalLink) -> None:
    """Store that a personal link was opened; not logged."""
    if link.unopened:
        PersonalLink.objects.filter(pk=link.pk).update(unopened=False)


def mark_links_mailed(entry: Entry) -> None:
    """Treat a player's valid links as opened, as they were mailed; not logged."""
    entry.links.filter(revoked_at__isnull=True, unopened=True).update(unopened=False)


def revoke_links(entry: Entry) -> int:
    """Revoke a player's valid links, and return how many; in a transaction."""
    return entry.links.filter(revoked_at__isnull=True).update(revoked_at=timezone.now())


@transaction.atomic
def add_entries(
    *,
    event: Event,
    people: Sequence[Person],
    said: Mapping[str, str] | None = None,
    origins: Sequence[Entry] = (),
    by: Actor,
) -> list[Entry]:
    """Enter people from a list, all or none, and return the new entries.

    ``said`` is {mark of a namesake: ``NamesakeAnswer``}: another person is entered, the same one
    only gets missing contacts. ``origins`` are the entries of an earlier event, one each. Readable
    contacts are stored, not logged. Raises BadInput as ``store_new_contacts``.
    """
    event = begin_act(event, PASTED, by=by)
    if said is not None:
        namesakes = list(zip(people, find_namesakes(event, people), strict=True))
        fill_missing_contacts(event, _same_players(event, namesakes, said), by)
        people = [
            person
            for person, one in namesakes
            if one is None or said.get(one.mark) == NamesakeAnswer.OTHER
        ]
        if not people:
            return []
    entries = create_entries(event, people, origins=origins)
    contacts = [parse_contact(person.contact) for person in people]
    store_new_contacts(event, list(zip(entries, contacts, strict=True)), by)
    record(
        event,
        PASTED,
        by=by,
        subject=str(len(entries)),
        after={
            "players": [entry.name for entry in entries],
            "numbers": [entry.number for entry in entries],
        },
    )
    return entries


def _same_players(
    event: Event, namesakes: Iterable[tuple[Person, Namesake | None]], said: Mapping[str, str]
) -> list[tuple[Entry, ParsedContact]]:
    """Return the players of whom it was said that they are in a list, with their contacts there.

    One query.
    """
    same = {
        one.number: person
        for person, one in namesakes
        if one is not None and one.number and said.get(one.mark) == NamesakeAnswer.SAME
    }
    players = event.entries.filter(number__in=same)
    return [(entry, parse_contact(same[entry.number].contact)) for entry in players]
