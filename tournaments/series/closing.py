"""Close a series and reopen it; what was corrected since.

Closing pins what the table was made of: of each finished event the head of its log and the digest
of its final rows, the points, the order, and who is who. Nothing of it has a name. A head moves
with an announcement or an erasure too, so a correction is named only if the rows differ.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from django.utils import timezone

from config import transaction
from rules.errors import RuleError
from rules.events.ledger import canonical_json
from tournaments.core.permissions import Actor
from tournaments.models import Event, Series
from tournaments.series.final_rows import Rows, final_rows, rows_digest
from tournaments.series.people import SeriesPeople, people_of
from tournaments.series.selectors import SeriesFacts, facts_of_series
from tournaments.series.services import begin_series, record_series, told_adjustments


@transaction.atomic
def close_series(*, series: Series, by: Actor) -> Series:
    """Close a series after its finished events, and return it.

    Events that have not started are left out. Raises RuleError ``event_runs`` while one is being
    played; as ``begin_series``.
    """
    series = begin_series(series, by=by)
    facts = facts_of_series(series, "organiser")
    for event in facts.running:
        raise RuleError("event_runs", "Finish “%(event)s” first.", event=event.name)
    series.pinned = closing_digests(series, facts.finished, final_rows(facts.finished))
    series.closed_at = timezone.now()
    record_series(series, "series.closed", by=by)
    return series


@transaction.atomic
def reopen_series(*, series: Series, by: Actor) -> Series:
    """Reopen a closed series, and return it; an open one stays as it is."""
    series = begin_series(series, by=by, closed=True)
    if series.closed_at is not None:
        series.pinned, series.closed_at = {}, None
        record_series(series, "series.reopened", by=by)
    return series


def closing_digests(
    series: Series, finished: tuple[Event, ...], rows: Mapping[int, Rows]
) -> dict[str, Any]:
    """Return what a series keeps when it is closed: digests of rows and people, and its rules.

    rows: the final rows of the ``finished`` events, by primary key. Four queries.
    """
    return {
        "events": {
            event.slug: {"head": event.head, "rows": rows_digest(rows[event.pk])}
            for event in finished
        },
        "points": series.points,
        "order": series.order,
        "adjustments": told_adjustments(series),
        "people": people_digest(people_of(series, finished), finished),
    }


def people_digest(people: SeriesPeople, events: Iterable[Event]) -> str:
    """Return the SHA-256 of who is who, by events and player numbers."""
    slugs = {event.pk: event.slug for event in events}
    groups = [
        sorted([slugs[entry.event_id], entry.number] for entry in person.entries)
        for person in people.by_key.values()
    ]
    return sha256(canonical_json(sorted(groups))).hexdigest()


def changed_since(facts: SeriesFacts) -> list[str]:
    """Return the slugs of the events whose final rows differ from those of when it was closed.

    Events that ended later or are gone are among them; [] for an open series. No query while no
    head has moved, else that of ``final_rows``.
    """
    if facts.series.closed_at is None:
        return []
    pinned: Mapping[str, Any] = facts.series.pinned.get("events", {})
    finished = {event.slug: event for event in facts.finished}
    moved = [
        finished[slug]
        for slug, then in pinned.items()
        if slug in finished and finished[slug].head != then["head"]
    ]
    rows = final_rows(moved) if moved else {}
    same = {
        event.slug for event in moved if rows_digest(rows[event.pk]) == pinned[event.slug]["rows"]
    }
    differ = {event.slug for event in moved} - same
    gone = pinned.keys() - finished.keys() | finished.keys() - pinned.keys()
    return sorted(differ | gone)
