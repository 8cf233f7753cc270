"""Go back and forth over the last act of each event, and to each snapshot; print what is wrong.

Run in the shell of an upgraded database: prints a line for each act and for each finding.
"""

from tournaments.core.permissions import Actor
from tournaments.models import Event, Snapshot
from tournaments.snapshots.services import restore_snapshot
from tournaments.undo.selectors import find_redoable_undo, last_act
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

NAMES = ("absent", "again", "gone", "late", "leaves", "moved", "tables", "undone")


def fresh(event):
    return Event.objects.get(pk=event.pk)


def told(event, words):
    print(f"{event.slug}: {words}")  # noqa: T201
    for finding in verify_event(fresh(event)):
        print(f"{event.slug}: {words}: FOUND {finding.check}: {finding.words}")  # noqa: T201


def back(event):
    line = last_act(fresh(event)).line
    undo(event=fresh(event), expected=line.number, by=Actor(user=event.created_by))
    told(event, f"undone {line.action}")


def forth(event):
    line = find_redoable_undo(fresh(event))
    redo(event=fresh(event), expected=line.number, by=Actor(user=event.created_by))
    told(event, "redone")


for event in Event.objects.filter(slug__in=NAMES).order_by("slug"):
    first, second = (forth, back) if event.slug in ("again", "undone") else (back, forth)
    first(event)
    second(event)
for snapshot in Snapshot.objects.select_related("event").order_by("event__slug"):
    event = fresh(snapshot.event)
    restore_snapshot(
        event=event,
        snapshot_id=snapshot.pk,
        confirm=event.name,
        by=Actor(user=event.created_by),
    )
    told(event, "restored")
