"""Series stand beside their events: restoring a snapshot and undoing leave them as they are."""

import pytest

from tests import factories as make
from tests.tournaments.series.test_closing import LEAGUE
from tournaments.core.permissions import Actor
from tournaments.events.services import change_event_state
from tournaments.models import Entry, Event, PersonDecision, Series, SeriesAdjustment, SeriesEvent
from tournaments.series.selectors import load_series_facts, load_series_people, load_series_table
from tournaments.series.services import change_series, create_series, decide_same
from tournaments.series.verifying import verify_series
from tournaments.snapshots.services import restore_snapshot, take_snapshot
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db
BESIDE = (PersonDecision, SeriesAdjustment, SeriesEvent)


@pytest.fixture
def event(by: Actor) -> Event:
    return make.played(by, 4, formula="single-group")


@pytest.fixture
def series(by: Actor, event: Event) -> Series:
    other = make.played(by, 4, formula="single-group", name="Other")
    series = create_series(
        values={"name": "Lega", "events": [event.slug, other.slug], "points": LEAGUE}, by=by
    )
    key = decide_same(series=series, players=[(event.slug, 2), (other.slug, 3)], by=by)
    given = [{"person": key, "points": "-1/2", "reason": "Ritardo"}]
    change_series(series=series, values={"points": LEAGUE | {"adjustments": given}}, by=by)
    return Series.objects.get(pk=series.pk)


def rows(series: Series) -> list[object]:
    """Return what a series holds of people and events, by event and number."""
    player = ("entry__event__slug", "entry__number")
    decisions = PersonDecision.objects.filter(series=series)
    return [
        *decisions.order_by("pk").values_list("pk", "number", "same", *player),
        *series.adjustments.order_by("pk").values_list("pk", "points", "reason", "at", *player),
        *series.members.order_by("pk").values_list("pk", "event", "added_at"),
    ]


def table(series: Series) -> list[tuple[int, str, str]]:
    """Return rank, name and points of everybody; marks of namesakes are keys of rows."""
    found = load_series_table(load_series_facts(Series.objects.get(pk=series.pk)))
    assert found is not None
    return [
        (row.rank, found.person(row.player).name, str(found.points(row)))
        for row in found.standings.rows
    ]


@pytest.mark.deep
def test_a_restored_snapshot_leaves_the_rows_of_series(
    by: Actor, event: Event, series: Series
) -> None:
    kept, before = rows(series), table(series)
    assert len(kept) == 5
    snapshot = take_snapshot(event, "event.changed", by=by)
    old = set(event.entries.values_list("pk", flat=True))
    restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    assert not old & set(event.entries.values_list("pk", flat=True)), "entries were made anew"
    assert rows(series) == kept
    assert table(series) == before
    assert verify_series(series) == []


@pytest.mark.deep
def test_who_was_registered_since_takes_nothing_of_another(
    by: Actor, event: Event, series: Series
) -> None:
    snapshot = take_snapshot(event, "event.changed", by=by)
    Entry.objects.filter(event=event, number=2).update(registered_at=event.created_at)
    restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    left = PersonDecision.objects.filter(series=series).values_list("entry__event", flat=True)
    assert event.pk not in left
    assert not series.adjustments.filter(entry__event=event).exists()


@pytest.mark.deep
def test_a_player_of_a_later_event_still_comes_from_a_restored_one(by: Actor, event: Event) -> None:
    later = make.open_event(by, name="Later")
    came = make.players(later, 1, by)[0]
    Entry.objects.filter(pk=came.pk).update(origin=event.entries.get(number=1))
    snapshot = take_snapshot(event, "event.changed", by=by)
    restore_snapshot(event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by)
    came.refresh_from_db()
    assert came.origin == event.entries.get(number=1)


def test_undoing_leaves_the_rows_of_series(by: Actor, event: Event, series: Series) -> None:
    kept, before = rows(series), table(series)
    change_event_state(event=event, action="reopen", by=by)
    assert table(series) != before
    for _time in range(4):
        event = Event.objects.get(pk=event.pk)
        last = last_act(event)
        if last is None:
            break
        undo(event=event, expected=last.line.number, by=by)
        assert rows(series) == kept
    assert load_series_people(load_series_facts(series)).of_player[event.pk, 2].key in {
        row.entry_id for row in series.adjustments.all()
    }
