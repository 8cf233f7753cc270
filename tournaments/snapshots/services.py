"""Take and restore snapshots: an event is restored into its own row.

Key, slug, tokens and snapshots stay. Roles, personal links, draws and the log keep their present
rows, and lists stay published or hidden: nobody regains access, public draws stay valid, and the
log only grows. Everything else is restored. Matches get new keys, so that a result sent for a match
of before is refused.
"""

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import datetime
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config import transaction
from decks.models import CardListVersion, Decklist
from rules.errors import RuleError
from tournaments.archive.reader import (
    AccountResolver,
    check_computable,
    parse_archive,
    store_tables,
    upgrade_seats,
)
from tournaments.archive.writer import (
    archive_document,
    document_accounts,
    internal_archive,
    names_by_email,
)
from tournaments.chain.lines import check_stored_digests, log_digests, snapshot_digest
from tournaments.core.acts import Act, CacheEffect, NoUndo
from tournaments.core.names import check_confirmation_name
from tournaments.core.permissions import Actor, can_manage
from tournaments.core.valid_columns import ARCHIVED, BY_MODEL, OWN
from tournaments.core.visibility import hidden_content, keep_standings_public, public_content
from tournaments.log.services import begin_act, lock_event, record
from tournaments.models import Contact, DeckDraft, Entry, Event, Snapshot, Stage
from tournaments.models.tables import DECLARED
from tournaments.snapshots.selectors import compare_snapshot, snapshot_document

Document = Mapping[str, Any]
Row = dict[str, Any]

NOT_OURS = frozenset({Event} | {table.model for table in ARCHIVED if table not in OWN})
"""Models whose rows are not deleted: the event itself, and rows that others may share."""


def restore_in_place(event: Event, content: bytes) -> Event:
    """Replace a locked event's rows by those of an internal document.

    Return the event. Call it inside a transaction. Unchanged card lists and decklists are kept.
    Values are not validated, as they were stored here. Raises BadInput ``archive_invalid`` for rows
    that don't fit together.
    """
    present = archive_document(event)
    then = parse_archive(content)
    upgrade_seats(then)
    merged = merge_current_rows(then, present)
    known = {
        model: list(zip(present["tables"][key], rows, strict=True))
        for key, model, rows in _shared_rows(event)
    }
    drafts = list(DeckDraft.objects.filter(entry__event=event).select_related("entry"))
    contacts = list(Contact.objects.filter(entry__event=event).select_related("entry"))
    beside, later = list(_rows_beside(event)), list(_later_players(event))
    lists = [one.pk for _row, one in known[Decklist]]
    people = AccountResolver(owner=event.created_by, names={}, accounts=_named_accounts(merged))
    _delete_rows(event)
    restored = store_tables(merged["tables"], people=people, into=event, known=known)
    Decklist.objects.filter(pk__in=lists, submissions=None).delete()
    _keep_drafts(restored, drafts)
    _keep_contacts(restored, contacts)
    _keep_beside(restored, beside, later)
    check_computable(restored)
    return restored


def _named_accounts(merged: Document) -> dict[int | str, User]:
    """Return the accounts named, by key; those that former versions named also by address."""
    found: dict[int | str, User] = document_accounts(merged)
    for address in names_by_email(merged):
        user = User.objects.filter(email__iexact=address).first()
        if user is not None:
            found[address] = user
    return found


def merge_current_rows(then_kept: Document, present: Document) -> Document:
    """Return a snapshot's document with present rows of tables that are kept.

    ``then_kept``: the snapshot's document; ``present``: that of the event now.
    """
    merged = deepcopy(dict(then_kept))
    tables, now = merged["tables"], present["tables"]
    numbers: dict[type, dict[int, int]] = {
        model: _archived_row_numbers(now[key], tables[key])
        for key, model in (("entries", Entry), ("stages", Stage))
    }
    for table in ARCHIVED:
        if table.stays:
            columns = {f.name: f for f in table.columns if f.related_model in numbers}
            tables[table.key] = _with_references_renumbered(now[table.key], columns, numbers)
    (then,), (own,) = tables["events"], now["events"]
    of_event = BY_MODEL[Event].all_columns
    then |= {name: own[name] for name, column in of_event.items() if column.stays}
    return merged


def _archived_row_numbers(now: Sequence[Row], then: Sequence[Row]) -> dict[int, int]:
    """Map row numbers of the present table to those of the archive, matched by ``number``."""
    places = {row["number"]: place for place, row in enumerate(then, start=1)}
    return {
        place: places[row["number"]]
        for place, row in enumerate(now, start=1)
        if row["number"] in places
    }


def _with_references_renumbered(
    rows: Sequence[Row], columns: Mapping[str, Any], numbers: Mapping[type, Mapping[int, int]]
) -> list[Row]:
    """Return rows with references renumbered; rows whose required reference is gone are dropped."""
    found = []
    for row in rows:
        named = {
            name: numbers[field.related_model].get(row[name])
            for name, field in columns.items()
            if row[name] is not None
        }
        if all(place or columns[name].null for name, place in named.items()):
            found.append(row | named)
    return found


def _shared_rows(event: Event) -> list[tuple[str, type, list[Any]]]:
    shared = (CardListVersion, Decklist)
    return [(t.key, t.model, list(t.rows(event))) for t in ARCHIVED if t.model in shared]


def _delete_rows(event: Event) -> None:
    """Delete the rows of an event in reverse order of dependency."""
    event.kept_rows.all().delete()  # they refer to keys that are about to go
    for table in ARCHIVED:
        if table.later:
            table.rows(event).update(**table.later)
    for table in reversed(ARCHIVED):
        if table.model not in NOT_OURS:
            table.rows(event).delete()


def _keep_drafts(event: Event, drafts: Sequence[DeckDraft]) -> None:
    """Store drafts of decklists again, for players that still exist."""
    entries = {entry.number: entry for entry in event.entries.all()}
    for draft in drafts:
        if draft.entry.number in entries:
            kept = DeckDraft.objects.create(entry=entries[draft.entry.number], text=draft.text)
            DeckDraft.objects.filter(pk=kept.pk).update(saved_at=draft.saved_at)


def _keep_contacts(event: Event, contacts: Sequence[Contact]) -> None:
    """Store the present contacts again, for players that exist and are the same people."""
    entries = {_who(entry): entry for entry in event.entries.all()}
    for contact in contacts:
        entry = entries.get(_who(contact.entry))
        if entry is not None:
            found = {
                name: getattr(contact, name) for name in ("email", "memberships", "later_since")
            }
            Contact.objects.create(entry=entry, **found)


Who = tuple[int, datetime]
"""A player's number, and when they were registered: together they say who it is."""


def _rows_beside(event: Event) -> Iterator[tuple[models.Model, str, Who]]:
    """Yield rows that are no part of the event and name its players, as those of series do."""
    for relation in Entry._meta.related_objects:
        model: Any = relation.related_model
        if relation.one_to_many and DECLARED[model].beside:
            name = relation.field.name
            for row in model.objects.filter(**{f"{name}__event": event}).select_related(name):
                yield row, name, _who(getattr(row, name))


def _later_players(event: Event) -> Iterator[tuple[int, Who]]:
    """Yield the players of other events who come from this one's, by key."""
    for entry in Entry.objects.filter(origin__event=event).select_related("origin"):
        if entry.origin is not None:
            yield entry.pk, _who(entry.origin)


def _who(entry: Entry) -> Who:
    return entry.number, entry.registered_at


def _keep_beside(
    event: Event,
    beside: Iterable[tuple[models.Model, str, Who]],
    later: Iterable[tuple[int, Who]],
) -> None:
    """Let rows of others name the restored players, if they exist and are the same people."""
    entries = {_who(entry): entry for entry in event.entries.all()}
    for row, name, who in beside:
        if who in entries:
            setattr(row, name, entries[who])
            row.save(force_insert=True)
    for key, who in later:
        if who in entries:
            Entry.objects.filter(pk=key).update(origin=entries[who])


RESTORED = Act(
    key="event.restored",
    words=_("Snapshot restored"),
    may=can_manage,
    undo=NoUndo(_("Restore the snapshot taken before this action.")),
    shows=CacheEffect.TAKES_AWAY,
    replaces_rows=True,
)


MOST_SNAPSHOTS = 20
"""Number of snapshots kept of an event; older ones are deleted."""


def take_snapshot(event: Event, act: str, *, by: Actor) -> Snapshot:
    """Store a snapshot of an event before an act, and return it.

    ``act`` is the key of the act. Call it inside a transaction with the event locked: the act's log
    line contains the snapshot's digest. All but the latest 20 are deleted. One query a table, and
    four.
    """
    made = Snapshot.objects.create(
        event=event,
        version=Event.objects.values_list("version", flat=True).get(pk=event.pk),
        act=act,
        document=gzip.compress(internal_archive(event), mtime=0),
        by=by.user,
    )
    log_digests(event, snapshot_digest(made))
    older = event.snapshots.order_by("-pk").values_list("pk", flat=True)[MOST_SNAPSHOTS:]
    Snapshot.objects.filter(pk__in=list(older)).delete()
    return made


@transaction.atomic
def restore_snapshot(*, event: Event, snapshot_id: int, confirm: str = "", by: Actor) -> Event:
    """Restore an event from a snapshot, and return the event.

    Its present state is stored as a snapshot first. If results would be lost, ``confirm`` must be
    the event's name. Roles, links, random draws and log stay; published decklists and standings
    stay public. Raises RuleError ``snapshot_gone``, ``kept_rows_differ``; BadInput
    ``not_confirmed``.
    """
    event = begin_act(event, RESTORED, by=by)
    snapshot = find_snapshot(event, snapshot_id)
    after: dict[str, object] = {"version": snapshot.version}
    after |= check_stored_digests(event, snapshot_digest(snapshot))
    content = snapshot_document(snapshot)
    if compare_snapshot(event, content).lost:
        check_confirmation_name(confirm, event.name)
    take_snapshot(event, "event.restored", by=by)
    shown_before = public_content(event)
    restore_in_place(event, content)
    event = lock_event(event)
    keep_standings_public(shown_before, event)
    if gone := hidden_content(shown_before, event):
        after["hides"] = gone
    record(event, RESTORED, by=by, subject=event.name, after=after, whole_event=True)
    return event


def find_snapshot(event: Event, snapshot_id: int) -> Snapshot:
    """Return a snapshot of an event; one query. Raises RuleError ``snapshot_gone``."""
    found = event.snapshots.filter(pk=snapshot_id).first()
    if found is None:
        raise RuleError(
            "snapshot_gone",
            "Not found. Reload the page.",
        )
    return found
