"""Players: entered, registered, moved up, changed."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from rules.errors import BadInput, RuleError
from rules.lifecycle import after
from rules.names import name_key
from rules.person_names import clean_name
from rules.wording import gettext_noop as _
from tournaments.models import Entry, Event
from tournaments.permissions import Actor, can_manage, can_run_rounds, is_staff, require
from tournaments.services.log import locked, record

MOST_AT_ONCE = 1000


@transaction.atomic
def add_entry(
    *, event: Event, name: str, club: str = "", seed: int | None = None, by: Actor
) -> Entry:
    """Enter a player by the staff, before the start; the full event has a waiting list."""
    event = locked(event)
    require(can_run_rounds(by, event))
    after("event", event.state, "add_player")
    entry = _store(event, [(clean_name(name), club.strip()[:80])])[0]
    if seed is not None:
        _set_seed(entry, seed)
    record(event, "entry.added", by=by, subject=entry.name, after=_facts(entry))
    return entry


@transaction.atomic
def add_entries(*, event: Event, text: str, by: Actor) -> list[Entry]:
    """Enter one player a line, ``name`` or ``name; club``; all lines or none.

    Raises BadInput ``bad_lines`` that names each line that can't be a player.
    """
    event = locked(event)
    require(can_run_rounds(by, event))
    after("event", event.state, "add_player")
    people = read_people(text)
    entries = _store(event, people)
    record(
        event,
        "entry.pasted",
        by=by,
        subject=str(len(entries)),
        after={"players": [entry.name for entry in entries]},
    )
    return entries


@transaction.atomic
def register(*, event: Event, name: str, club: str = "", user: User | None, by: Actor) -> Entry:
    """Register oneself while registration is open, with an account or by name only."""
    event = locked(event)
    after("event", event.state, "register")
    if event.registration_closes and timezone.now() >= event.registration_closes:
        raise RuleError(
            "registration_closed",
            _("Registration has closed. Nothing was stored: ask the organiser for a place."),
        )
    if user is not None and event.entries.filter(user=user).exists():
        raise RuleError(
            "registered_already",
            _("You are registered for this event already. Nothing was stored."),
        )
    entry = _store(event, [(clean_name(name), club.strip()[:80])], user=user)[0]
    actor = by if by.user is not None else Actor(entry=entry)
    record(event, "entry.registered", by=actor, subject=entry.name, after=_facts(entry))
    return entry


@transaction.atomic
def change_entry(*, entry: Entry, changes: dict[str, Any], by: Actor) -> Entry:
    """Change a player's name, club or seed position (the latter before the start)."""
    event = locked(entry.event)
    require(can_run_rounds(by, event))
    entry = event.entries.select_for_update().get(pk=entry.pk)
    before = _facts(entry)
    if "name" in changes:
        entry.name = clean_name(changes["name"])
        entry.name_key = name_key(entry.name)
    if "club" in changes:
        entry.club = changes["club"].strip()[:80]
    entry.save()
    if "seed" in changes and changes["seed"] != entry.seed:
        after("event", event.state, "add_player")
        _set_seed(entry, changes["seed"])
    record(event, "entry.changed", by=by, subject=entry.name, before=before, after=_facts(entry))
    return entry


@transaction.atomic
def change_seeds(*, event: Event, seeds: Mapping[int, str], by: Actor) -> None:
    """Set the seed positions of players by number, before the start; "" takes one away.

    Raises BadInput ``bad_seed`` for what is no position, or one given twice. All or none.
    """
    event = locked(event)
    require(can_run_rounds(by, event))
    after("event", event.state, "add_player")
    entries = {entry.number: entry for entry in event.entries.all()}
    wanted = {number: entry.seed for number, entry in entries.items()}
    for number, text in seeds.items():
        if number in wanted:
            wanted[number] = _read_seed(text)
    given = [seed for seed in wanted.values() if seed is not None]
    if len(set(given)) != len(given):
        raise BadInput(
            "bad_seed", _("Two players have the same seed position. Nothing was stored.")
        )
    changed = [entry for number, entry in entries.items() if entry.seed != wanted[number]]
    if not changed:
        return
    before = {entry.name: entry.seed for entry in changed}
    Entry.objects.filter(pk__in=[entry.pk for entry in changed]).update(seed=None)
    for entry in changed:
        entry.seed = wanted[entry.number]
    Entry.objects.bulk_update(changed, ["seed"], batch_size=200)
    record(
        event,
        "entry.seeds",
        by=by,
        subject=str(len(changed)),
        before=before,
        after={entry.name: entry.seed for entry in changed},
    )


@transaction.atomic
def check_in(*, entry: Entry, action: str = "check_in", by: Actor) -> Entry:
    """Check a player in, or undo it; the staff, or the player's own link."""
    event = locked(entry.event)
    entry = event.entries.get(pk=entry.pk)
    require(is_staff(by, event) or by.is_entry(entry))
    entry.status = after("entry", entry.status, action)
    entry.save(update_fields=["status"])
    record(event, f"entry.{action}", by=by, subject=entry.name, after={"status": entry.status})
    return entry


@transaction.atomic
def remove_entry(*, entry: Entry, by: Actor) -> None:
    """Take a player who was entered by mistake off the list, before the start."""
    event = locked(entry.event)
    require(can_manage(by, event))
    after("event", event.state, "add_player")
    entry = event.entries.get(pk=entry.pk)
    record(event, "entry.removed", by=by, subject=entry.name, before=_facts(entry))
    entry.submission = None
    entry.save(update_fields=["submission"])
    entry.delete()
    fill_places(event, by=by)


def fill_places(event: Event, *, by: Actor) -> list[Entry]:
    """Move up from the waiting list as far as there is room; inside a transaction."""
    free = _free_places(event)
    waiting = event.entries.waiting()
    moved = list(waiting if free is None else waiting[: max(free, 0)])
    for entry in moved:
        entry.status = after("entry", entry.status, "promote")
        entry.waiting_since = None
        entry.save(update_fields=["status", "waiting_since"])
        record(event, "entry.promoted", by=by, subject=entry.name, after={"status": entry.status})
    return moved


def read_people(text: str) -> list[tuple[str, str]]:
    """Return (name, club) of each line that is not blank; raises BadInput ``bad_lines``."""
    people, faults = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        name, _sep, club = line.replace("\t", ";").partition(";")
        try:
            people.append((clean_name(name), " ".join(club.split())[:80]))
        except BadInput:
            faults.append(str(number))
    if faults:
        raise BadInput(
            "bad_lines",
            _("These lines can't be a player's name: %(lines)s. Nobody was added: mend them."),
            lines=tuple(faults),
        )
    if not people or len(people) > MOST_AT_ONCE:
        raise BadInput(
            "bad_lines",
            _("Give from 1 to %(most)s names, one a line. Nobody was added."),
            most=MOST_AT_ONCE,
        )
    return people


def _store(
    event: Event, people: Sequence[tuple[str, str]], user: User | None = None
) -> list[Entry]:
    free = _free_places(event)
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    now = timezone.now()
    entries = []
    for index, (name, club) in enumerate(people):
        waits = free is not None and index >= free
        entries.append(
            Entry(
                event=event,
                number=last + index + 1,
                name=name,
                name_key=name_key(name),
                club=club,
                user=user,
                status=Entry.Status.WAITING if waits else Entry.Status.REGISTERED,
                waiting_since=now if waits else None,
            )
        )
    return Entry.objects.bulk_create(entries)


def _free_places(event: Event) -> int | None:
    if event.capacity is None:
        return None
    return event.capacity - event.entries.playing().count()


def _read_seed(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= 10_000):
        raise BadInput(
            "bad_seed", _("A seed position is a whole number from 1. Nothing was stored.")
        )
    return int(text)


def _set_seed(entry: Entry, seed: int | None) -> None:
    """Give a seed position; whoever had it loses it to the new holder."""
    if seed is not None and not 1 <= seed <= 10_000:
        raise BadInput(
            "bad_seed", _("A seed position is a whole number from 1. Nothing was stored.")
        )
    if seed is not None:
        taken = Entry.objects.filter(event_id=entry.event_id, seed=seed).exclude(pk=entry.pk)
        if taken.exists():
            raise BadInput(
                "seed_taken",
                _("Seed position %(seed)s is taken by %(name)s. Nothing was stored."),
                seed=seed,
                name=taken.get().name,
            )
    entry.seed = seed
    entry.save(update_fields=["seed"])


def _facts(entry: Entry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "name": entry.name,
        "club": entry.club,
        "seed": entry.seed,
        "status": str(entry.status),
    }
