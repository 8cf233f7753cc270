"""Take and restore snapshots."""

import gzip

from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import RuleError
from tournaments.archive.in_place import restore_in_place
from tournaments.archive.writer import internal_archive
from tournaments.chain.kept_digests import check_kept, log_digests, of_snapshot
from tournaments.core.acts import Act, Never, Shows
from tournaments.core.event_state import disclosed, hidden_since, keep_standings
from tournaments.core.names import check_typed
from tournaments.core.permissions import Actor, can_manage
from tournaments.log.services import begin, locked, record
from tournaments.models import Event, Snapshot
from tournaments.snapshots.selectors import comparison, content_of

RESTORED = Act(
    key="event.restored",
    words=_("Event put back to a snapshot"),
    may=can_manage,
    undo=Never(_("Restore the snapshot that was taken before, on the page of snapshots.")),
    shows=Shows.TAKES_AWAY,
    replaces_rows=True,
)


MOST_SNAPSHOTS = 20
"""Number of snapshots kept of an event; older ones are deleted."""


def take_snapshot(event: Event, act: str, *, by: Actor) -> Snapshot:
    """Store a snapshot before an act; inside a transaction with the event locked.

    The event's next line, that of the act, has its digest.

    One query a table to read, four to store it and delete old ones.
    """
    made = Snapshot.objects.create(
        event=event,
        version=Event.objects.values_list("version", flat=True).get(pk=event.pk),
        act=act,
        document=gzip.compress(internal_archive(event), mtime=0),
        by=by.user,
    )
    log_digests(event, of_snapshot(made))
    older = event.snapshots.order_by("-pk").values_list("pk", flat=True)[MOST_SNAPSHOTS:]
    Snapshot.objects.filter(pk__in=list(older)).delete()
    return made


@transaction.atomic
def restore_snapshot(*, event: Event, snapshot_id: int, confirm: str = "", by: Actor) -> Event:
    """Restore an event from a snapshot, after a snapshot of its present state; return it.

    If results would be lost, ``confirm`` must be the event's name. Roles, links, draws and log
    stay as they are; lists stay published, and standings that were shown of rounds that stay.

    Raises RuleError ``snapshot_gone``, ``kept_rows_differ``; BadInput ``not_confirmed``.
    """
    event = begin(event, RESTORED, by=by)
    snapshot = find_snapshot(event, snapshot_id)
    after: dict[str, object] = {"version": snapshot.version}
    after |= check_kept(event, of_snapshot(snapshot))
    content = content_of(snapshot)
    if comparison(event, content).lost:
        check_typed(confirm, event.name)
    take_snapshot(event, "event.restored", by=by)
    shown_before = disclosed(event)
    restore_in_place(event, content)
    event = locked(event)
    keep_standings(shown_before, event)
    if gone := hidden_since(shown_before, event):
        after["hides"] = gone
    record(event, RESTORED, by=by, subject=event.name, after=after, whole=True)
    return event


def find_snapshot(event: Event, snapshot_id: int) -> Snapshot:
    """Return a snapshot of an event; one query. Raises RuleError ``snapshot_gone``."""
    found = event.snapshots.filter(pk=snapshot_id).first()
    if found is None:
        raise RuleError(
            "snapshot_gone",
            "This snapshot is no longer kept. Nothing was changed: choose another one.",
        )
    return found
