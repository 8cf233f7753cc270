"""Verification of a series: its final rows and table computed anew from the events, and its log.

``verify_series`` returns what differs, events among it (``verification.event``). A closed series is
compared with what was pinned too, so that a later correction is named. Nothing is changed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from config.transaction import read_snapshot
from tournaments.core.event_state import load_facts
from tournaments.models import (
    Entry,
    ErasedAccount,
    ErasedPlayer,
    Event,
    PersonDecision,
    Series,
    SeriesLine,
)
from tournaments.series.closing import closing_digests
from tournaments.series.final_rows import Rows, compute_final_rows, rows_digest, stored_final_rows
from tournaments.series.selectors import (
    SeriesFacts,
    SeriesTable,
    compute_series_table,
    load_series_facts,
)
from tournaments.series.services import adjustments_for_log, columns_digest
from tournaments.verification.event import event_notes, verify_event
from tournaments.verification.records import Finding, changed_outside_finding, difference_finding

ByEvent = Mapping[int, Rows]
Player = tuple[str, int]


def verify_series(series: Series) -> list[Finding]:
    """Return the differences between a series' stored data and what its events yield.

    Includes the findings of ``verify_event`` on each event. Raises Series.DoesNotExist,
    DatabaseError.
    """
    with read_snapshot():
        series = Series.objects.get(pk=series.pk)
        return [*_findings_in_events(series), *_findings(series)]


def series_notes(series: Series) -> list[Finding]:
    """Return remarks on a series and its events that are no errors, such as erased people."""
    with read_snapshot():
        series = Series.objects.get(pk=series.pk)
        facts = load_series_facts(series, "organiser")
        notes = [_of_event(event, note) for event in facts.events for note in event_notes(event)]
        if series.closed_at and _erased_since(series, facts):
            notes.append(Finding("people", _("Person erased")))
        return notes


def _of_event(event: Event, found: Finding) -> Finding:
    return Finding(f"{event.slug}: {found.check}", found.words)


def _findings_in_events(series: Series) -> Iterator[Finding]:
    for event in load_series_facts(series, "organiser").events:
        yield from (_of_event(event, one) for one in verify_event(event))


def _findings(series: Series) -> Iterator[Finding]:
    facts = load_series_facts(series, "organiser")
    rows = {event.pk: compute_final_rows(load_facts(event)) for event in facts.finished}
    kept = stored_final_rows(facts.finished)
    lines = list(series.log.order_by("number"))
    yield from _check_log(series, lines)
    yield from _check_rows(facts, kept, rows)
    yield from _check_adjustments(series, lines)
    yield from _check_events(series, lines)
    yield from _check_decisions(series, lines)
    if series.points is not None:
        yield from _check_table(
            compute_series_table(series, facts.finished, {**rows, **kept}),
            compute_series_table(series, facts.finished, rows),
        )
    if series.closed_at is not None:
        yield from _check_pins(series, facts, rows)


# --- What is kept of events -----------------------------------------------------------------
def _check_rows(facts: SeriesFacts, kept: ByEvent, rows: ByEvent) -> Iterator[Finding]:
    for event in facts.finished:
        stored, computed = kept.get(event.pk, rows[event.pk]), rows[event.pk]
        if rows_digest(stored) == rows_digest(computed):
            continue
        pairs = zip(stored["rows"], computed["rows"], strict=False)
        differ = next((pair for pair in pairs if pair[0] != pair[1]), (len(stored["rows"]),) * 2)
        yield difference_finding("rows", event.slug, *differ)


def _check_table(kept: SeriesTable, computed: SeriesTable) -> Iterator[Finding]:
    stored, expected = ([*map(_row, table.standings.rows)] for table in (kept, computed))
    for one, other in zip(stored, expected, strict=False):
        if one != other:
            yield difference_finding("table", _("Standings"), one, other)
            return


def _row(row: Any) -> tuple[object, ...]:
    return row.rank, row.player, *map(str, row.values.values())


# --- The log --------------------------------------------------------------------------------
def _check_log(series: Series, lines: Sequence[SeriesLine]) -> Iterator[Finding]:
    """Yield a finding on the first gap, and one if columns are not those of the last act."""
    for expected, line in enumerate(lines, start=1):
        if line.number != expected:
            yield difference_finding("log", _("Log"), line.number, expected)
            return
    if len(lines) != series.version:
        yield difference_finding("log", _("Log"), len(lines), series.version)
    elif lines[-1].values.get("columns") != columns_digest(series):
        yield changed_outside_finding("columns", _("Settings"))


def _last_told(lines: Sequence[SeriesLine], key: str) -> list[Any]:
    """Return what the last line told of something, [] if none did."""
    return next((line.values[key] for line in reversed(lines) if key in line.values), [])


def _check_adjustments(series: Series, lines: Sequence[SeriesLine]) -> Iterator[Finding]:
    """Yield a finding for each bonus or penalty of which no line tells, or that was lost.

    Those of a removed player go with them.
    """
    told = Counter(tuple(each) for each in _last_told(lines, "adjustments"))
    stored = Counter(tuple(each) for each in adjustments_for_log(series))
    there = _players(series, [(slug, number) for slug, number, _points in told])
    lost = [each for each in (told - stored).elements() if each[:2] in there]
    for slug, number, points in (*(stored - told).elements(), *lost):
        yield changed_outside_finding(
            "adjustments", " ".join((_("Points"), f"{slug}/{number}: {points}"))
        )


def _check_events(series: Series, lines: Sequence[SeriesLine]) -> Iterator[Finding]:
    """Yield a finding for each event of which no line tells, or that was taken out."""
    told: set[str] = set()
    for line in lines:
        told = set(line.values.get("events", told | {*filter(None, [line.values.get("event")])}))
    stored = set(series.members.values_list("event__slug", flat=True))
    there = set(Event.objects.filter(slug__in=told).values_list("slug", flat=True))
    for slug in sorted((stored - told) | ((told - stored) & there)):
        yield changed_outside_finding("events", " ".join((_("Event"), slug)))


def _check_decisions(series: Series, lines: Sequence[SeriesLine]) -> Iterator[Finding]:
    """Yield a finding for each player of whose decision no line tells."""
    told = {
        (line.action == "series.same", slug, number)
        for line in lines
        if line.action in ("series.same", "series.different")
        for slug, number in line.values.get("players", ())
    }
    columns = ("same", "entry__event__slug", "entry__number")
    for same, slug, number in PersonDecision.objects.filter(series=series).values_list(*columns):
        if (same, slug, number) not in told:
            yield changed_outside_finding("people", " ".join((_("Player"), f"{slug}/{number}")))


def _players(series: Series, wanted: Sequence[Player]) -> set[Player]:
    """Return which of these players exist; one query."""
    there = Entry.objects.filter(event__slug__in={slug for slug, _number in wanted})
    return set(wanted) & set(there.values_list("event__slug", "number"))


# --- What was pinned ------------------------------------------------------------------------
def _check_pins(series: Series, facts: SeriesFacts, rows: ByEvent) -> Iterator[Finding]:
    """Yield a finding for each event that was corrected, and whatever else is not as it was."""
    pinned = series.pinned
    now = {event.slug: rows_digest(rows[event.pk]) for event in facts.finished}
    then = {slug: each["rows"] for slug, each in pinned.get("events", {}).items()}
    for slug in sorted(then.keys() | now.keys()):
        if then.get(slug) != now.get(slug):
            words = _("Event %(event)s: corrected after the series was closed.")
            yield Finding("corrected", words % {"event": slug})
    present = closing_digests(series, facts.finished, rows)
    labels = {"points": _("Points"), "order": _("Order"), "adjustments": _("Points")}
    for key, label in labels.items():
        if pinned.get(key) != present[key]:
            yield changed_outside_finding("pinned", label)
    if pinned.get("people") != present["people"] and not _erased_since(series, facts):
        yield changed_outside_finding("pinned", _("Players"))


def _erased_since(series: Series, facts: SeriesFacts) -> bool:
    """Return whether a player of the series or an account was erased since it was closed."""
    gone = ErasedPlayer.objects.filter(at__gt=series.closed_at)
    here = {(event.slug, event.created_at) for event in facts.events}
    return not here.isdisjoint(gone.values_list("slug", "made")) or (
        ErasedAccount.objects.filter(at__gt=series.closed_at).exists()
    )
