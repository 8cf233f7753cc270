"""Create, change and delete series; their events, staff, adjustments and who is who.

Each act is one transaction: the series is locked, the actor's right and the version checked again,
rows stored, the version raised and one line logged.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.utils.text import slugify

from accounts.models import User
from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.ledger import canonical_json
from rules.json_reader import (
    WrongValue,
    boolean,
    list_of,
    name_text,
    read_document,
    text,
    unique_list,
)
from rules.series.people import check_same_person
from rules.series.points import MOST_EVENTS, Adjustment, read_series_points
from rules.series.table import read_tiebreaker_keys
from tournaments.core.permissions import Actor, can_create_events, can_manage, require_permission
from tournaments.core.slugs import first_free_slug
from tournaments.models import (
    Entry,
    Event,
    PersonDecision,
    Series,
    SeriesAdjustment,
    SeriesEvent,
    SeriesLine,
    SeriesStaff,
)
from tournaments.series.people import SeriesPeople, identify_people
from tournaments.series.selectors import can_manage_series, load_series_facts

LONGEST_NAME = 120
Player = tuple[str, int]
"""A player of an event of the series: its slug and their number."""


def lock_series(
    series: Series, *, by: Actor, version: int | None = None, closed: bool = False
) -> Series:
    """Lock a series, check that the actor organises it, and return it read afresh.

    Raises PermissionDenied; RuleError ``stale`` if ``version``, that of the page, is outdated, and
    ``series_closed`` unless ``closed`` allows a closed series.
    """
    series = Series.objects.select_for_update().get(pk=series.pk)
    require_permission(can_manage_series(by, series))
    if version is not None and version != series.version:
        raise RuleError("stale")
    if series.closed_at is not None and not closed:
        raise RuleError("series_closed", "The series is closed. Reopen it first.")
    return series


def save_and_log_series(
    series: Series, action: str, *, by: Actor, reason: str = "", **values: Any
) -> None:
    """Save a series with its version raised by one, and add a line to its log.

    ``action`` is the log's code; ``values`` are stored with a digest of the series' columns.
    """
    series.version += 1
    series.save()
    SeriesLine.objects.create(
        series=series,
        number=series.version,
        action=action,
        values=values | {"columns": columns_digest(series)},
        reason=reason,
        by=by.user,
    )


LOGGED = ("name", "points", "order", "seed", "names_are_people", "prizes", "pinned")


def columns_digest(series: Series) -> str:
    """Return the SHA-256 of a series' logged columns."""
    held = {name: getattr(series, name) for name in LOGGED}
    closed = series.closed_at.isoformat() if series.closed_at else None
    return sha256(canonical_json(held | {"closed_at": closed})).hexdigest()


# --- Create, change, delete -----------------------------------------------------------------
@transaction.atomic
def create_series(*, values: Mapping[str, Any], by: Actor) -> Series:
    """Create a series with the actor as its organiser, and return it.

    ``values`` are those of ``change_series``, and ``slug``. Raises PermissionDenied; BadInput
    ``slug_taken``, and those of ``change_series``.
    """
    require_permission(can_create_events(by))
    given = dict(values)
    name = _name(given.pop("name", ""))
    series = Series.objects.create(
        name=name,
        slug=choose_series_slug(given.pop("slug", ""), name),
        seed=secrets.token_hex(16),
        created_by=by.user,
    )
    if by.user is not None:
        SeriesStaff.objects.create(series=series, user=by.user, role=SeriesStaff.Role.ORGANISER)
    _store(series, given, by)
    save_and_log_series(series, "series.created", by=by, **_rows_told(series, values))
    return series


@transaction.atomic
def change_series(
    *, series: Series, values: Mapping[str, Any], version: int | None = None, by: Actor
) -> Series:
    """Change a series and return it.

    ``values`` may have ``name``, ``events`` (slugs), ``points`` (JSON of ``rules.series.points``,
    None for no standings; its adjustments replace all), ``order`` and ``names_are_people``.

    Raises BadInput ``invalid_points``, ``invalid_order``, ``invalid_events``, ``invalid_name``,
    with ``path``; the errors of ``lock_series``.
    """
    series = lock_series(series, by=by, version=version)
    given = dict(values)
    if "name" in given:
        series.name = _name(given.pop("name"))
    _store(series, given, by)
    told = _rows_told(series, values)
    save_and_log_series(series, "series.changed", by=by, keys=sorted(values), **told)
    return series


@transaction.atomic
def delete_series(*, series: Series, by: Actor) -> None:
    """Delete a series; its events remain. Raises PermissionDenied."""
    lock_series(series, by=by, closed=True).delete()


def _rows_told(series: Series, changed: Collection[str]) -> dict[str, Any]:
    """Return the events, and the bonuses and penalties, if they were set: by slug and number."""
    found: dict[str, Any] = {}
    if "events" in changed:
        found["events"] = [*series.members.values_list("event__slug", flat=True)]
    if "points" in changed:
        found["adjustments"] = adjustments_for_log(series)
    return found


def adjustments_for_log(series: Series) -> list[list[Any]]:
    """Return bonuses and penalties as [event slug, player number, points]; one query."""
    found = series.adjustments.order_by("pk")
    return [*map(list, found.values_list("entry__event__slug", "entry__number", "points"))]


def _name(value: object) -> str:
    return read_document("invalid_name", name_text(LONGEST_NAME), value, at="name")


def choose_series_slug(wanted: str, name: str) -> str:
    """Return the requested slug, or if it is "" a free one made from the name.

    Raises BadInput ``slug_taken``.
    """
    base = slugify(wanted or name)[:70].strip("-") or "series"
    taken = set(Series.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    taken |= {"new", "restore"}
    if wanted and base in taken:
        raise BadInput(
            "slug_taken",
            "The address “%(slug)s” is taken. Choose another.",
            slug=wanted,
            path="slug",
        )
    return first_free_slug(base, taken)


def _store(series: Series, values: dict[str, Any], by: Actor) -> None:
    """Check and set columns, events and adjustments, in this order."""
    if "names_are_people" in values:
        series.names_are_people = read_document(
            "invalid_series", boolean, values["names_are_people"], at="names_are_people"
        )
    if "order" in values:
        order = values["order"]
        series.order = [] if order is None else list(read_tiebreaker_keys(order))
    if "events" in values:
        _set_events(series, values["events"], by)
    if "points" in values:
        _set_points(series, values["points"], by)


def _set_points(series: Series, points: Any, by: Actor) -> None:
    """Set the rule and its adjustments; None: no table, adjustments stay."""
    if points is None:
        series.points = None
        return
    rule = read_series_points(points)
    known = set(series.members.values_list("event__slug", flat=True))
    for slug in sorted((rule.always_counts | rule.factors.keys()) - known):
        where = "always_counts" if slug in rule.always_counts else "factor"
        raise BadInput(
            "invalid_points",
            "%(path)s: %(problem)s",
            path=f"points.{where}",
            problem=WrongValue("Add the event “%(slug)s” to the series first.", slug=slug).problem,
        )
    series.points = {key: value for key, value in points.items() if key != "adjustments"}
    if "adjustments" in points:
        _set_adjustments(series, rule.adjustments, by)


# --- Events ---------------------------------------------------------------------------------
_SLUGS = unique_list(list_of(text(80, 1), MOST_EVENTS))


def parse_event_slugs(value: Any) -> Sequence[str]:
    """Return a series' event slugs from JSON.

    Raises BadInput ``invalid_events`` with ``path``.
    """
    return read_document("invalid_events", _SLUGS, value, at="events")


def _set_events(series: Series, value: Any, by: Actor) -> None:
    """Make these the events of a series. A new one needs the actor's right in both."""
    slugs = parse_event_slugs(value)
    there = {one.event.slug: one for one in series.members.select_related("event")}
    found = Event.objects.in_bulk(set(slugs) - there.keys(), field_name="slug")
    for at, slug in enumerate(slugs):
        if slug in there:
            continue
        if slug not in found or not can_manage(by, found[slug]):
            raise BadInput(
                "invalid_events",
                "%(path)s: %(problem)s",
                path=f"events[{at}]",
                problem=WrongValue("Choose an event that you organise.").problem,
            )
        SeriesEvent.objects.create(series=series, event=found[slug])
    for slug in there.keys() - set(slugs):
        there[slug].delete()


@transaction.atomic
def add_event(*, series: Series, event: Event, by: Actor) -> None:
    """Add an event to a series unless it is there. Raises the errors of ``change_series``."""
    slugs = [*series.members.values_list("event__slug", flat=True)]
    if event.slug not in slugs:
        change_series(series=series, values={"events": [*slugs, event.slug]}, by=by)


# --- Staff ----------------------------------------------------------------------------------
@transaction.atomic
def give_series_role(*, series: Series, email: str, role: str, by: Actor) -> SeriesStaff:
    """Give the user with this email address a role in a series, replacing any other.

    Return the role. Raises BadInput ``unknown_role``, ``unknown_person``; RuleError
    ``last_organiser``, and the errors of ``lock_series``.
    """
    series = lock_series(series, by=by, closed=True)
    if role not in SeriesStaff.Role.values:
        raise BadInput("unknown_role", "Choose one of the options.", path="role")
    user = User.objects.filter(email__iexact=email.strip()).first()
    if user is None:
        raise BadInput(
            "unknown_person", "There is no account %(email)s.", email=email, path="email"
        )
    given, _made = SeriesStaff.objects.update_or_create(
        series=series, user=user, defaults={"role": role}
    )
    _check_organisers(series)
    save_and_log_series(series, "series.role_given", by=by, user=user.pk, role=role)
    return given


@transaction.atomic
def remove_series_role(*, series: Series, role_id: int, by: Actor) -> None:
    """Remove a staff role of a series, by primary key.

    Raises RuleError ``role_gone``, ``last_organiser``, and the errors of ``lock_series``.
    """
    series = lock_series(series, by=by, closed=True)
    given = series.staff.filter(pk=role_id).first()
    if given is None:
        raise RuleError("role_gone")
    given.delete()
    _check_organisers(series)
    save_and_log_series(series, "series.role_removed", by=by, user=given.user_id, role=given.role)


def _check_organisers(series: Series) -> None:
    if not series.staff.filter(role=SeriesStaff.Role.ORGANISER).exists():
        raise RuleError(
            "last_organiser",
            "A series needs an organiser. Give the role to somebody else first.",
        )


# --- Bonuses and penalties ------------------------------------------------------------------
def _set_adjustments(series: Series, wanted: Sequence[Adjustment], by: Actor) -> None:
    """Make these the bonuses and penalties of a series; equal ones stay as they are."""
    people = identify_people(series, load_series_facts(series, "organiser").events)
    left = list(series.adjustments.select_related("entry"))
    for at, one in enumerate(wanted):
        person = people.of_entry.get(int(one.person))
        if person is None:
            raise BadInput(
                "invalid_points",
                "%(path)s: %(problem)s",
                path=f"points.adjustments[{at}].person",
                problem=WrongValue("Not found. Reload the page.").problem,
            )
        keys = {entry.pk for entry in person.entries}
        words = str(one.points), one.reason
        same = (row for row in left if row.entry_id in keys and (row.points, row.reason) == words)
        known = next(same, None)
        if known is not None:
            left.remove(known)
        else:
            SeriesAdjustment.objects.create(
                series=series, entry_id=person.key, points=words[0], reason=words[1], by=by.user
            )
    for row in left:
        row.delete()


# --- Who is who -----------------------------------------------------------------------------
@transaction.atomic
def decide_same(*, series: Series, players: Sequence[Player], by: Actor) -> int:
    """Record that players of different events are one person; return the person's key.

    ``players`` are (event slug, player number). Raises BadInput with ``path``: ``unknown_player``,
    ``person_twice`` if two are of one event; the errors of ``lock_series``.
    """
    series = lock_series(series, by=by)
    events, people, entries = _chosen(series, players)
    at = {event.pk: index for index, event in enumerate(events)}
    check_same_person(people.grouped, [(at[one.event_id], one.number) for one in entries])
    joined = {one.pk for each in entries for one in people.of_entry[each.pk].entries}
    _join_apart(series, joined)
    _decide(series, entries, same=True)
    save_and_log_series(series, "series.same", by=by, players=[*map(list, players)])
    now = identify_people(series, events)
    return now.of_entry[entries[0].pk].key


def _join_apart(series: Series, joined: Collection[int]) -> None:
    """Undo what keeps these entries apart from each other; others stay apart from them."""
    seen: set[int] = set()
    for row in PersonDecision.objects.filter(series=series, same=False, entry__in=joined):
        if row.number in seen:
            row.delete()
        seen.add(row.number)


@transaction.atomic
def decide_different(*, series: Series, players: Sequence[Player], by: Actor) -> None:
    """Record that players, (event slug, player number), are different people.

    Raises BadInput ``unknown_player``, and the errors of ``lock_series``.
    """
    series = lock_series(series, by=by)
    _events, _people, entries = _chosen(series, players)
    _decide(series, entries, same=False)
    save_and_log_series(series, "series.different", by=by, players=[*map(list, players)])


@transaction.atomic
def split_person(*, series: Series, person: int, by: Actor) -> None:
    """Split a person into different people again.

    Only players joined by decisions are split, else all. They are not suggested again. ``person``
    is the key of any entry. Raises RuleError ``person_gone`` if there is nothing to split, and the
    errors of ``lock_series``.
    """
    series = lock_series(series, by=by)
    events = load_series_facts(series, "organiser").events
    people = identify_people(series, events)
    found = people.of_entry.get(person)
    keys = [] if found is None else [entry.pk for entry in found.entries]
    decided = PersonDecision.objects.filter(series=series, entry__in=keys, same=True)
    parted = [*decided.values_list("entry_id", flat=True)] or keys
    if len(set(parted)) < 2:
        raise RuleError("person_gone")
    decided.delete()
    entries = [*Entry.objects.filter(pk__in=parted).order_by("pk")]
    _decide(series, entries, same=False)
    slugs = {event.pk: event.slug for event in events}
    players = [[slugs[one.event_id], one.number] for one in entries]
    save_and_log_series(series, "series.different", by=by, players=players)


def merge_entries(series: Series, entries: Sequence[Entry]) -> None:
    """Record that entries of different events are the same person, without an actor.

    The series must be locked.
    """
    _decide(series, entries, same=True)
    slugs = dict(Event.objects.filter(memberships__series=series).values_list("pk", "slug"))
    players = [[slugs[one.event_id], one.number] for one in entries]
    save_and_log_series(series, "series.same", by=Actor(), players=players)


def _decide(series: Series, entries: Sequence[Entry], *, same: bool) -> None:
    last = PersonDecision.objects.filter(series=series).order_by("number").last()
    number = last.number + 1 if last else 1
    PersonDecision.objects.bulk_create(
        PersonDecision(series=series, number=number, entry=entry, same=same) for entry in entries
    )


def _chosen(
    series: Series, players: Sequence[Player]
) -> tuple[tuple[Event, ...], SeriesPeople, list[Entry]]:
    """Return the events, their people, and the entries of the chosen players."""
    events = load_series_facts(series, "organiser").events
    keys = {event.slug: event.pk for event in events}
    known = {
        (entry.event_id, entry.number): entry
        for entry in Entry.objects.filter(event__in=keys.values())
    }
    entries = []
    for at, (slug, number) in enumerate(players):
        entry = known.get((keys.get(slug, 0), number))
        if entry is None:
            raise BadInput("unknown_player", "Not found. Reload the page.", path=f"entries[{at}]")
        entries.append(entry)
    if len(entries) < 2:
        raise BadInput("unknown_player", "Choose at least two players.", path="entries")
    return events, identify_people(series, events), entries
