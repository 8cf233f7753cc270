"""The next events of a series: its next evening, and its final.

An evening is a repetition of one before, by *Repeat* or from here. The final is an event with the
first of the table; the next one comes for a player who declines. A series has one final at a time.
``SeriesEvent.invited`` holds whom it invited.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from config import transaction
from rules.brackets import MOST_PLAYERS
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import next_state
from rules.formulas.base import Formula
from rules.json_reader import WholeNumber, read_document
from rules.series.finals import check_final_formula, possible_byes
from rules.series.points import MOST_EVENTS
from rules.stages.base import stage_kind
from tournaments.core.formulas import formula_by_slug
from tournaments.core.names import erased_player_label
from tournaments.core.permissions import Actor, can_create_events, can_manage, require_permission
from tournaments.events.services import LONGEST_NAME, create_event
from tournaments.log.services import lock_event
from tournaments.models import Entry, Event, Series, SeriesEvent, StaffRole
from tournaments.players.services.entries import change_entry, remove_entry
from tournaments.players.services.seeds import change_seeds
from tournaments.repeats.selectors import (
    contacts_by_entry,
    managed_events,
    next_event_proposal,
    person_from_entries,
)
from tournaments.repeats.services import add_returning_people, repeat_event
from tournaments.series.people import Person
from tournaments.series.selectors import can_manage_series, compute_series_table, load_series_facts
from tournaments.series.services import lock_series, parse_event_slugs, save_and_log_series

USUAL_FORMULA = "single-elimination"
OF_VENUE = (
    *("venue", "time_zone", "tables", "apart_clubs", "listed", "contact_terms"),
    *("player_reports", "confirm_after", "here_minutes", "prints_rounds"),
)
OF_GAME = ("minutes", "warnings", "overtime", "decklists", "catalogue", "without_catalogue")
"""What a final has from the latest event, and what else if it has the same format."""
COUNT = WholeNumber(0, MOST_PLAYERS)


Ranked = tuple[int, Person]
"""A person in the order of the table; those with the same rank are tied."""
Invited = dict[str, Any]
"""``SeriesEvent.invited`` of a final."""


def find_final(series: Series) -> SeriesEvent | None:
    """Return the membership of a series' final, with its event, or None; one query."""
    return series.members.exclude(invited={}).select_related("event").last()


def default_final_name(series: Series) -> str:
    """Return the default name of a series' final, in the active language."""
    name = " – ".join((series.name, _("Final")))
    return name if len(name) <= LONGEST_NAME else series.name


@dataclass(frozen=True, slots=True)
class Finalist:
    """A player invited to the final, with their ``number`` there.

    If they declined and were not replaced, ``is_there`` is False and ``entry`` is of an earlier
    event.
    """

    entry: Entry
    number: int
    is_there: bool


def finalists(member: SeriesEvent) -> list[Finalist]:
    """Return a final's players by seed, then those who declined without replacement.

    ``member`` is the final's membership. Two queries.
    """
    invited = member.invited
    playing = member.event.entries.playing().filter(number__in=_numbers(invited))
    found = [Finalist(one, one.number, True) for one in playing.order_by("seed", "number")]
    free = invited["first"] - len(found)
    there = {one.number for one in found}
    gone = [one for one in invited["people"] if one[2] not in there]
    for slug, number, own in gone[-free:] if free > 0 else ():
        before = Entry.objects.filter(event__slug=slug, number=number).first()
        if before is not None:
            found.append(Finalist(before, own, False))
    return found


def _numbers(invited: Invited) -> list[int]:
    """Return the numbers in the final of all who were invited."""
    return [own for _slug, _number, own in invited["people"]]


# --- Invite ---------------------------------------------------------------------------------
@transaction.atomic
def make_final(
    *,
    series: Series,
    first: object,
    first_round_byes: object = None,
    values: Mapping[str, Any],
    version: int | None = None,
    by: Actor,
) -> Event:
    """Create a draft event for the ``first`` of a series' standings, seeded by rank.

    Return it. The best ``first_round_byes`` of them have a bye in round 1 (None: as many as the
    formula needs). ``values`` may have ``name``, ``starts_at``, ``format`` and ``formula`` (single
    elimination by default); the rest is copied from the latest event.

    Raises BadInput ``invalid_final`` with ``path``; RuleError ``final_exists``, ``tied_at_cut``;
    the errors of ``create_event`` and ``lock_series``.
    """
    series = lock_series(series, by=by, version=version)
    require_permission(can_create_events(by))
    if (there := find_final(series)) is not None:
        name = there.event.name
        raise RuleError("final_exists", "The final already exists: %(name)s.", name=name)
    formula = formula_by_slug(values.get("formula") or USUAL_FORMULA)
    first = read_document("invalid_final", COUNT, first, at="first")
    if first_round_byes is None:
        byes = _usual_byes(formula, first)
    else:
        byes = read_document("invalid_final", COUNT, first_round_byes, at="first_round_byes")
    check_final_formula(formula, {}, first, byes)
    ranked = rank_invitable_people(series)
    if len(ranked) < first:
        raise BadInput(
            "invalid_final",
            "Too few players: %(players)s (at least %(minimum)s).",
            players=len(ranked),
            minimum=first,
            path="first",
        )
    for cut in (first, byes):
        _check_cut(ranked, cut)
    event = _create(series, {**values, "formula": formula.key}, by)
    honoured = stage_kind(formula.plan(first).stages[0]).honours_byes
    people = [person for _rank, person in ranked[:first]]
    entries = _enter(event, people, by)
    told = _told(series, people, entries)
    invited = {"first": first, "byes": byes if honoured else 0, "people": told}
    _seed(event, [entry.number for entry in entries], invited, by)
    SeriesEvent.objects.create(series=series, event=event, invited=invited)
    save_and_log_series(series, "series.final_made", by=by, event=event.slug, players=told)
    event.refresh_from_db()
    return event


def _usual_byes(formula: Formula, first: int) -> int:
    with suppress(BadInput):
        return min(possible_byes(formula, first), default=0)
    return 0


def rank_invitable_people(series: Series) -> list[Ranked]:
    """Return (rank, person) of the people who can be invited to the final, best first.

    Erased people are left out. [] for a series without points.
    """
    facts = load_series_facts(series, "organiser")
    if series.points is None:
        return []
    table = compute_series_table(series, facts.finished)
    found = ((row.rank, table.person(row.player)) for row in table.standings.rows)
    return [one for one in found if not _is_erased(one[1])]


def _is_erased(person: Person) -> bool:
    latest = person.entries[-1]
    return latest.name == erased_player_label(latest.number)


def _check_cut(ranked: Sequence[Ranked], cut: int) -> None:
    """Raise RuleError ``tied_at_cut`` if a place and the next one are tied."""
    if 0 < cut < len(ranked) and ranked[cut - 1][0] == ranked[cut][0]:
        raise RuleError(
            "tied_at_cut",
            "Players are tied at rank %(place)s. Add the random draw to the tiebreakers.",
            place=ranked[cut - 1][0],
        )


def _create(series: Series, values: Mapping[str, Any], by: Actor) -> Event:
    """Create the event with what is left out as the latest event of the series has it."""
    own = managed_events(by).filter(memberships__series=series)
    source = own.order_by("starts_at", "pk").last()
    latest = source or Event.objects.filter(memberships__series=series).order_by("starts_at").last()
    given = {key: value for key, value in values.items() if value}
    if latest is not None:
        kept = {
            "name": default_final_name(series),
            "starts_at": next_event_proposal(latest).starts_at,
            "format": latest.format,
        }
        alike = given.get("format", latest.format) == latest.format
        names = (*OF_VENUE, *(OF_GAME if alike else ()))
        given = kept | {key: getattr(latest, key) for key in names} | given
    event = create_event(values=given, by=by)
    for user, role in source.staff.values_list("user", "role") if source is not None else ():
        StaffRole.objects.get_or_create(event=event, user_id=user, role=role)
    return event


def _enter(event: Event, people: Sequence[Person], by: Actor) -> list[Entry]:
    """Enter people as regulars are, with accounts; return their entries in this order.

    Contacts come from events that the actor manages.
    """
    keys = [one.pk for person in people for one in person.entries]
    known = Entry.objects.in_bulk(keys)
    managed = set(managed_events(by).filter(entries__in=keys).values_list("pk", flat=True))
    contacts = contacts_by_entry(entry for entry in known.values() if entry.event_id in managed)
    every = [[known[one.pk] for one in reversed(person.entries)] for person in people]
    played = [person_from_entries(event, own, contacts) for own in every]
    added = add_returning_people(event=event, known=played, by=by)
    there = set(event.entries.filter(user__isnull=False).values_list("user", flat=True))
    for entry, own in zip(added, every, strict=True):
        users = (one.user_id for one in own if one.user_id not in (None, *there))
        if (user := next(users, None)) is not None:
            there.add(user)
            Entry.objects.filter(pk=entry.pk).update(user=user)
    return added


def _told(series: Series, people: Sequence[Person], entries: Sequence[Entry]) -> list[list[Any]]:
    """Return people by the event and number of their latest entry, and their new number."""
    slugs = dict(series.events.values_list("pk", "slug"))
    return [
        [slugs[person.entries[-1].event_id], person.entries[-1].number, entry.number]
        for person, entry in zip(people, entries, strict=True)
    ]


def _seed(event: Event, numbers: Sequence[int], invited: Invited, by: Actor) -> None:
    """Seed players in this order, the best of them with a bye."""
    seeds = dict.fromkeys(_numbers(invited), "")
    seeds |= {number: str(seed) for seed, number in enumerate(numbers, start=1)}
    change_seeds(event=event, seeds=seeds, by=by)
    for entry in event.entries.filter(number__in=numbers).order_by("seed"):
        byes = int((entry.seed or 0) <= invited["byes"])
        if entry.byes != byes:
            change_entry(entry=entry, changes={"byes": byes}, by=by)


# --- Decline --------------------------------------------------------------------------------
@transaction.atomic
def replace_finalist(*, series: Series, event: Event, number: int, by: Actor) -> Entry:
    """Replace a player who declines the final with the next person in the standings.

    Return the new entry; the others move up. ``event`` is the final, ``number`` the player's there.
    Raises BadInput ``unknown_player``; RuleError ``event_started``, ``nobody_left``,
    ``tied_at_cut``, ``replaced_already``, and the errors of ``lock_series``.
    """
    series = lock_series(series, by=by)
    event = lock_event(event)
    require_permission(can_manage(by, event))
    member = series.members.filter(event=event).exclude(invited={}).first()
    if member is None or number not in _numbers(member.invited):
        raise BadInput("unknown_player", "Not found. Reload the page.", path="number")
    next_state("event", event.state, "add_player")
    invited = member.invited
    there = event.entries.playing().filter(number__in=_numbers(invited))
    if not there.filter(number=number).exists() and there.count() >= invited["first"]:
        raise RuleError("replaced_already")
    person = _next_person(series, invited)
    gone = event.entries.filter(number=number).first()
    if gone is not None:
        remove_entry(entry=gone, by=by)
    (entry,) = _enter(event, [person], by)
    told = _told(series, [person], [entry])
    invited["people"] += told
    others = event.entries.playing().exclude(pk=entry.pk)
    seeded = others.filter(Q(number__in=_numbers(invited)) | Q(seed__isnull=False))
    ordered = seeded.order_by(F("seed").asc(nulls_last=True), "number")
    _seed(event, [*ordered.values_list("number", flat=True), entry.number], invited, by)
    member.save(update_fields=["invited"])
    replaced: dict[str, Any] = {"event": event.slug, "number": number}
    save_and_log_series(series, "series.final_replaced", by=by, players=told, **replaced)
    entry.refresh_from_db()
    return entry


def _next_person(series: Series, invited: Invited) -> Person:
    """Return the next of the table whom the final has not invited."""
    before = {(slug, number) for slug, number, _own in invited["people"]}
    slugs = dict(series.events.values_list("pk", "slug"))
    left = [
        (rank, person)
        for rank, person in rank_invitable_people(series)
        if before.isdisjoint((slugs[own.event_id], own.number) for own in person.entries)
    ]
    if not left:
        raise RuleError("nobody_left", "All players in the standings have been invited.")
    _check_cut(left, 1)
    return left[0][1]


PASSED = timedelta(days=1)
"""How long after its beginning an event that never started is no next one any more."""


@transaction.atomic
def make_next_event(
    *, series: Series, starts_at: datetime | None = None, name: str = "", by: Actor
) -> tuple[Event, bool]:
    """Return (next event of a series, whether it was created now).

    It repeats the latest event other than a final, with ``repeat_event``, unless the next one
    exists already; with ``starts_at``, one with that start. It is added to the series. Raises
    RuleError ``no_evening`` without an event to repeat; BadInput ``invalid_events`` for a full
    series; PermissionDenied; the errors of ``lock_series`` and ``repeat_event``.
    """
    series = lock_series(series, by=by)
    require_permission(can_create_events(by))
    evenings = Event.objects.filter(memberships__in=series.members.filter(invited={}))
    if not evenings.exists():
        raise RuleError("no_evening", "Add an event to the series first.")
    own = managed_events(by).filter(pk__in=evenings).order_by("starts_at", "pk")
    started = own.filter(plan__isnull=False).last()
    there = _there(evenings, started, starts_at, by)
    event = there or _repeated(started or own.last(), name, starts_at, by)
    _add(series, event, by)
    return event, there is None


def add_repetition(*, event: Event, by: Actor, **_more: Any) -> None:
    """Add a repetition of an event to the series of the repeated one.

    Receiver of the signal ``event_repeated``. Series that are closed or full, or that the actor
    doesn't organise, are skipped.
    """
    evenings = SeriesEvent.objects.filter(event=event.source_id, invited={})
    wanted = Series.objects.filter(pk__in=evenings.values("series"), closed_at=None)
    for series in wanted.select_for_update().order_by("pk"):
        if can_manage_series(by, series) and series.members.count() < MOST_EVENTS:
            _add(series, event, by)


def _add(series: Series, event: Event, by: Actor) -> None:
    """Add an event to a locked series, if it isn't there."""
    slugs = [*series.members.values_list("event__slug", flat=True)]
    if event.slug not in slugs:
        parse_event_slugs([*slugs, event.slug])
        SeriesEvent.objects.create(series=series, event=event)
        save_and_log_series(series, "series.next_made", by=by, event=event.slug)


def _there(
    evenings: QuerySet[Event], started: Event | None, starts_at: datetime | None, by: Actor
) -> Event | None:
    """Return the evening that begins then, or is to come; also one that repeats the latest."""
    if starts_at is not None:
        return evenings.filter(starts_at=starts_at).first()
    repeated = managed_events(by).filter(source=started) if started else Event.objects.none()
    known = Event.objects.filter(Q(pk__in=evenings) | Q(pk__in=repeated))
    to_come = known.filter(plan__isnull=True, starts_at__gt=timezone.now() - PASSED)
    return to_come.order_by("starts_at", "pk").first()


def _repeated(source: Event | None, name: str, starts_at: datetime | None, by: Actor) -> Event:
    """Repeat an evening; None if the actor manages none. Raises PermissionDenied."""
    if source is None:
        raise PermissionDenied
    return repeat_event(source=source, name=name, starts_at=starts_at, by=by)
