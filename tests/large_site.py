"""A site with years of events, written by a few INSERT … SELECT in seconds.

The rows are copies of one event, one entry and one log line that the services wrote, with names,
dates and states of their own: enough for lists and searches, not for playing on.
"""

from dataclasses import dataclass

from django.db import connection, models

from accounts.models import User
from tests import factories as make
from tournaments.models import Entry, Event, LogLine, StaffRole

STATES = ("draft", "registration", "closed", "running")
"""States of the latest events in turn; all others are finished."""
GOING = 50
"""One event of this number is not finished."""
LONG = 100
"""Factor by which the log of one event is longer than that of another."""


@dataclass(frozen=True, slots=True)
class LargeSite:
    """Who reads a large site, and the event with the longest log."""

    organiser: User
    player: User
    event: Event


def large_site(*, events: int, entries: int, lines: int, own: int) -> LargeSite:
    """Write ``events`` events of ``entries`` players and ``lines`` log lines each.

    One user plays in ``own`` of them, another organises as many.
    """
    by = make.organiser()
    first = make.started(by, 4)
    player = make.user()
    assert by.user is not None
    copy_rows(
        Event,
        f"id = {first.pk}",
        events,
        id=f"{first.pk} + n",
        slug="'event-' || n",
        name="'Cup ' || (n % 977) || ' of town ' || n",
        starts_at=_moved("starts_at", f"(n - {events})", "day"),
        state=_states(events),
    )
    entry = Entry.objects.filter(event=first)[0]
    copy_rows(
        Entry,
        f"id = {entry.pk}",
        events * entries,
        id=f"{_last(Entry)} + n",
        event_id=f"{first.pk} + 1 + (n - 1) / {entries}",
        number=f"1 + (n - 1) % {entries}",
        name="'Player ' || (n % 50021)",
        name_key="'player ' || (n % 50021)",
        user_id=f"CASE WHEN (n - 1) % {entries} = 0 AND n <= {own * entries} THEN {player.pk} END",
        seed="NULL",
        submission_id="NULL",
    )
    line, begun = (
        LogLine.objects.filter(event=first)[0],
        LogLine.objects.filter(event=first).count(),
    )
    of_all = f"{first.pk} + 1 + (n - 1) / {lines}", f"1 + (n - 1) % {lines}", events * lines
    of_one = str(first.pk), f"{begun} + n", LONG * lines
    for event, number, amount in (of_all, of_one):
        copy_rows(
            LogLine,
            f"id = {line.pk}",
            amount,
            id=f"{_last(LogLine)} + n",
            event_id=event,
            number=number,
            subject="'3/' || (n % 64) || ': Player ' || (n % 50021)",
        )
    mine = Event.objects.filter(pk__gt=first.pk, pk__lte=first.pk + own)
    StaffRole.objects.bulk_create(
        StaffRole(event=event, user=by.user, role=StaffRole.Role.ORGANISER) for event in mine
    )
    with connection.cursor() as cursor:
        # PostgreSQL counts by an index alone only where it knows that all see its rows
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    return LargeSite(organiser=by.user, player=player, event=first)


def _states(events: int) -> str:
    """Return the state of event n in SQL."""
    going = max(len(STATES), events // GOING)
    cases = " ".join(f"WHEN {place} THEN '{state}'" for place, state in enumerate(STATES))
    latest = f"CASE n % {len(STATES)} {cases} END"
    return f"CASE WHEN n > {events - going} THEN {latest} ELSE 'finished' END"


def _moved(column: str, how_many: str, unit: str) -> str:
    """Return in SQL the moment that is ``how_many`` units later."""
    if connection.vendor == "postgresql":
        return f"{column} + {how_many} * interval '1 {unit}'"
    return f"datetime({column}, {how_many} || ' {unit}s')"


def _last(model: type[models.Model]) -> int:
    return int(model._base_manager.aggregate(last=models.Max("pk"))["last"])


def copy_rows(model: type[models.Model], which: str, amount: int, **other: str) -> None:
    """Insert copies of the rows that ``which`` says in SQL, for n from 1 to ``amount``.

    ``other`` says in SQL what some columns hold instead.
    """
    quote = connection.ops.quote_name
    columns = [str(field.column) for field in model._meta.local_concrete_fields]
    values = ", ".join(other.get(column) or quote(column) for column in columns)
    table = quote(model._meta.db_table)
    order = (
        f"INSERT INTO {table} ({', '.join(map(quote, columns))}) "  # noqa: S608 - our own names
        "WITH RECURSIVE numbers(n) AS "
        f"(SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {amount}) "
        f"SELECT {values} FROM numbers CROSS JOIN {table} WHERE {which}"
    )
    with connection.cursor() as cursor:
        cursor.execute(order)
