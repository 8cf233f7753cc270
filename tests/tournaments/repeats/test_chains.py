"""Chains of events by chance: whatever is added, undone, erased and restored, links stay true."""

import random

import pytest

from rules.errors import RuleError
from tests import factories as make
from tests.tournaments.repeats.test_repeats import EVENING, evening
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_player
from tournaments.events.services import change_event
from tournaments.models import Entry, Event
from tournaments.players.services.departures import withdraw
from tournaments.players.services.entries import remove_entry
from tournaments.repeats.selectors import regular_rows
from tournaments.repeats.services import add_regulars, repeat_event
from tournaments.snapshots.services import restore_snapshot, take_snapshot
from tournaments.undo.selectors import next_undo_and_redo
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.deep]
STEPS = 14


class Chain:
    """A finished event, and acts by chance on those that repeat it."""

    def __init__(self, by: Actor, seed: int) -> None:
        self.by, self.chance = by, random.Random(seed)
        self.first = evening(by, 5)
        self.erased: set[str] = set()

    def event(self) -> Event:
        return self.chance.choice(list(Event.objects.exclude(pk=self.first.pk).order_by("pk")))

    def repeat(self) -> None:
        source = self.chance.choice(list(Event.objects.order_by("pk")))
        repeat_event(source=source, by=self.by)

    def add(self) -> None:
        event = self.event()
        rows = regular_rows(event, self.by)
        some = self.chance.sample(rows, self.chance.randint(0, len(rows)))
        assert not {row.entry.name for row in rows} & self.erased
        add_regulars(event=event, keys=[row.keys[0] for row in some], by=self.by)

    def enter(self) -> None:
        make.players_more(self.event(), [self.chance.choice(make.NAMES[:9])], self.by)

    def remove(self) -> None:
        entry = self.chance.choice(list(Entry.objects.filter(event=self.event())))
        self.chance.choice((remove_entry, withdraw_now))(entry=entry, by=self.by)

    def back_and_forth(self) -> None:
        event = self.event()
        act, _again = next_undo_and_redo(event)
        if act is not None:
            undo(event=event, expected=act.line.number, confirm=event.name, by=self.by)
            event.refresh_from_db()
            if self.chance.random() < 0.7:
                redo(event=event, expected=event.version, confirm=event.name, by=self.by)

    def snapshot(self) -> None:
        event = self.event()
        kept = event.snapshots.order_by("pk").first()
        if kept is None:
            take_snapshot(event, "test", by=self.by)
            change_event(
                event=event, changes={"venue": f"Sala {event.pk}.{event.version}"}, by=self.by
            )
        else:
            restore_snapshot(event=event, snapshot_id=kept.pk, confirm=event.name, by=self.by)

    def erase(self) -> None:
        entry = self.chance.choice(list(Entry.objects.order_by("pk")))
        erase_player(event=entry.event, number=entry.number, confirm=entry.name, by=self.by)
        if entry.event == self.first:
            self.erased.add(entry.name)
        assert not Entry.objects.filter(origin=entry).exists()
        assert Entry.objects.get(pk=entry.pk).origin is None

    def archived(self) -> None:
        copy = restore_archive(event_archive(self.event()), slug="copia", caller=self.by.user)
        assert list(verify_event(copy)) == []
        Event.objects.filter(pk=copy.pk).delete()

    def live(self) -> None:
        repeat_event(source=self.first, by=self.by)
        acts = (self.repeat, self.add, self.add, self.enter, self.remove, self.back_and_forth)
        for _step in range(STEPS):
            act = self.chance.choice((*acts, self.snapshot, self.erase, self.archived))
            try:
                act()
            except (RuleError, IndexError):
                continue
        for event in Event.objects.all():
            assert list(verify_event(event)) == [], (event, event.pk)
            assert event.name == EVENING["name"] or event.source_id is not None
        for entry in Entry.objects.exclude(origin=None):
            assert (entry.name, entry.origin.event_id) == (entry.origin.name, self.first.pk)


def withdraw_now(*, entry: Entry, by: Actor) -> None:
    withdraw(entry=entry, reason="", by=by)


@pytest.mark.parametrize("seed", range(4))
def test_links_stay_true(by: Actor, seed: int) -> None:
    Chain(by, seed).live()
