"""An archived event put in the place of the one that is there, with the same keys and address.

What people can get in by and what was announced stays as it is now, whatever the archive says:
roles, personal links, draws, and the log, which only grows. Everything else is as it was.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from accounts.models import User
from decks.models import CardListVersion, Decklist
from tournaments.archive.back import Into, read, store, try_out
from tournaments.archive.out import document, names_of_addresses
from tournaments.archive.values import People
from tournaments.core.event_tables import ARCHIVED, OWN
from tournaments.models import DeckDraft, Entry, Event, Stage

Document = Mapping[str, Any]
Row = dict[str, Any]

STAYING = ("staff", "links", "draws", "log")
"""Tables whose rows stay as they are."""
NOT_OURS = frozenset({Event} | {table.model for table in ARCHIVED if table not in OWN})
"""Tables that are not emptied: the event itself, and what others may use too."""


def put_in_place(event: Event, content: bytes) -> Event:
    """Give a locked event everything that was kept of it here; inside a transaction.

    Lists of cards and decklists that are the same are used again. Raises BadInput
    ``bad_archive``, and whatever the database says where the content is damaged.
    """
    present = document(event)
    merged = with_staying(read(content), present)
    known = {
        model: list(zip(present["tables"][key], rows, strict=True))
        for key, model, rows in _shared(event)
    }
    drafts = list(DeckDraft.objects.filter(entry__event=event).select_related("entry"))
    lists = [one.pk for _row, one in known[Decklist]]
    people = People(owner=event.created_by, names={}, accounts=_accounts(merged))
    _empty(event)
    restored = store(merged["tables"], people=people, into=Into(event=event, known=known))
    Decklist.objects.filter(pk__in=lists, submissions=None).delete()
    _keep_drafts(restored, drafts)
    try_out(restored)
    return restored


def _accounts(merged: Document) -> dict[int | str, User]:
    """Return the accounts named, by key; those that former versions named also by address."""
    keys = {
        row.get(field.name)
        for table in ARCHIVED
        for field in table.people
        for row in merged["tables"].get(table.key, [])
    }
    found: dict[int | str, User] = dict(
        User.objects.in_bulk([key for key in keys if type(key) is int])
    )
    for address in names_of_addresses(merged):
        user = User.objects.filter(email__iexact=address).first()
        if user is not None:
            found[address] = user
    return found


def with_staying(then_kept: Document, present: Document) -> Document:
    """Return an archive in which the tables that stay are those of the present event."""
    merged = deepcopy(dict(then_kept))
    tables, now = merged["tables"], present["tables"]
    numbers: dict[type, dict[int, int]] = {
        model: _renumbered(now[key], tables[key])
        for key, model in (("entries", Entry), ("stages", Stage))
    }
    for table in ARCHIVED:
        if table.key in STAYING:
            columns = {f.name: f for f in table.columns if f.related_model in numbers}
            tables[table.key] = _pointed(now[table.key], columns, numbers)
    (then,), (own,) = tables["events"], now["events"]
    shown = then["lists_published_at"] if own["lists_published_at"] else None
    then |= {"slug": own["slug"], "lists_published_at": shown}
    then |= {"version": own["version"], "head": own["head"], "created_by": own["created_by"]}
    return merged


def _renumbered(now: Sequence[Row], then: Sequence[Row]) -> dict[int, int]:
    """Return for each place in a table of the present the place of the same row in the archive."""
    places = {row["number"]: place for place, row in enumerate(then, start=1)}
    return {
        place: places[row["number"]]
        for place, row in enumerate(now, start=1)
        if row["number"] in places
    }


def _pointed(
    rows: Sequence[Row], columns: Mapping[str, Any], numbers: Mapping[type, Mapping[int, int]]
) -> list[Row]:
    """Return rows that name others by their places in the archive; without whose are gone."""
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


def _shared(event: Event) -> list[tuple[str, type, list[Any]]]:
    shared = (CardListVersion, Decklist)
    return [(t.key, t.model, list(t.rows(event))) for t in ARCHIVED if t.model in shared]


def _empty(event: Event) -> None:
    """Delete the rows of an event, each table before those that its rows name."""
    event.kept_rows.all().delete()  # they go by keys that nothing has any more
    for table in ARCHIVED:
        if table.later:
            table.rows(event).update(**table.later)
    for table in reversed(ARCHIVED):
        if table.model not in NOT_OURS:
            table.rows(event).delete()


def _keep_drafts(event: Event, drafts: Sequence[DeckDraft]) -> None:
    """Let players find again what they had begun to write."""
    entries = {entry.number: entry for entry in event.entries.all()}
    for draft in drafts:
        if draft.entry.number in entries:
            kept = DeckDraft.objects.create(entry=entries[draft.entry.number], text=draft.text)
            DeckDraft.objects.filter(pk=kept.pk).update(saved_at=draft.saved_at)
