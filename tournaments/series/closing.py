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
from tournaments.series.final_rows import Rows, ensure_final_rows, rows_digest
from tournaments.series.people import SeriesPeople, identify_people
from tournaments.series.selectors import SeriesFacts, load_series_facts
from tournaments.series.services import adjustments_for_log, lock_series, save_and_log_series


@transaction.atomic
def close_series(*, series: Series, by: Actor) -> Series:
    """Close a series after its finished events, and return it.

    It stores digests of their results (``closing_digests``), so that later changes are noticed.
    Raises RuleError ``event_runs`` while an event is being played, and the errors of
    ``lock_series``.
    """
    series = lock_series(series, by=by)
    facts = load_series_facts(series, "organiser")
    for event in facts.running:
        raise RuleError("event_runs", "Finish “%(event)s” first.", event=event.name)
    series.pinned = closing_digests(series, facts.finished, ensure_final_rows(facts.finished))
    series.closed_at = timezone.now()
    save_and_log_series(series, "series.closed", by=by)
    return series


@transaction.atomic
def reopen_series(*, series: Series, by: Actor) -> Series:
    """Reopen a series and return it; nothing changes if it is open."""
    series = lock_series(series, by=by, closed=True)
    if series.closed_at is not None:
        series.pinned, series.closed_at = {}, None
        save_and_log_series(series, "series.reopened", by=by)
    return series


def closing_digests(
    series: Series, finished: tuple[Event, ...], rows: Mapping[int, Rows]
) -> dict[str, Any]:
    """Return digests of the events' results and of the people, and the series' rules.

    They are stored when a series is closed. ``rows`` are the final rows of the ``finished`` events
    by primary key. Four queries.
    """
    return {
        "events": {
            event.slug: {"head": event.head, "rows": rows_digest(rows[event.pk])}
            for event in finished
        },
        "points": series.points,
        "order": series.order,
        "adjustments": adjustments_for_log(series),
        "people": people_digest(identify_people(series, finished), finished),
    }


def people_digest(people: SeriesPeople, events: Iterable[Event]) -> str:
    """Return the SHA-256 of which players, by event slug and number, are the same person."""
    slugs = {event.pk: event.slug for event in events}
    groups = [
        sorted([slugs[entry.event_id], entry.number] for entry in person.entries)
        for person in people.by_key.values()
    ]
    return sha256(canonical_json(sorted(groups))).hexdigest()


def find_changed_events(facts: SeriesFacts) -> list[str]:
    """Return the slugs of events whose results have changed since the series' closing.

    Includes events that finished later or were removed; [] for an open series. No query while no
    event's log has grown, else those of ``ensure_final_rows``.
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
    rows = ensure_final_rows(moved) if moved else {}
    same = {
        event.slug for event in moved if rows_digest(rows[event.pk]) == pinned[event.slug]["rows"]
    }
    differ = {event.slug for event in moved} - same
    gone = pinned.keys() - finished.keys() | finished.keys() - pinned.keys()
    return sorted(differ | gone)
