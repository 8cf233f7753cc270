"""The lists of an event at a glance: which are missing, illegal or late, and since when."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from decks.decklists.mapping import violations_of
from tournaments.models import Entry, Event
from tournaments.players.selectors.players import FilterTab
from tournaments.selectors.deck_locks import decklists_locked, in_grace

DEFERRED = ("raw", "text", "deck", "upload")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListState:
    """The list of a player who is in the field.

    ``since`` is when the list came, for a missing one when the player entered. ``late`` came
    after the deadline; ``open_until`` is the moment until which a judge has opened it.
    """

    entry: Entry
    missing: bool
    illegal: bool
    late: bool
    errors: int
    since: datetime
    open_until: datetime | None

    @property
    def wanting(self) -> bool:
        """Say whether the player still has to hand something in."""
        return self.missing or self.illegal


@dataclass(frozen=True, slots=True, kw_only=True)
class ListsPage:
    """The lists of the chosen part, and the parts with their sizes."""

    rows: tuple[ListState, ...]
    tabs: tuple[FilterTab, ...]
    chosen: str
    locked: bool
    wanting: tuple[ListState, ...]


PARTS: dict[str, Callable[[ListState], bool]] = {
    "missing": lambda row: row.missing,
    "illegal": lambda row: row.illegal,
    "late": lambda row: row.late,
    "open": lambda row: row.open_until is not None,
    "legal": lambda row: not row.wanting,
}


def lists_page(event: Event, chosen: str = "") -> ListsPage:
    """Return the lists of everybody in the field; one query however many there are."""
    rows = list_states(event)
    parts = {key: [row for row in rows if holds(row)] for key, holds in PARTS.items()}
    chosen = chosen if chosen in PARTS else ""
    return ListsPage(
        rows=tuple(parts.get(chosen, rows)),
        tabs=_tabs(rows, {key: len(part) for key, part in parts.items()}),
        chosen=chosen,
        locked=decklists_locked(event),
        wanting=tuple(row for row in rows if row.wanting),
    )


def list_states(event: Event) -> list[ListState]:
    """Return the state of every list in the field, by number; one query."""
    entries = event.entries.playing().select_related("submission__decklist").order_by("number")
    found = entries.defer(*(f"submission__decklist__{name}" for name in DEFERRED))
    now = timezone.now()
    return [_state(event, entry, now) for entry in found]


def _state(event: Event, entry: Entry, now: datetime) -> ListState:
    handed, deadline = entry.submission, event.decklist_deadline
    errors = 0
    if handed is not None and not handed.decklist.legal:
        errors = sum(item.severity == "error" for item in violations_of(handed.decklist))
    return ListState(
        entry=entry,
        missing=handed is None,
        illegal=handed is not None and not handed.decklist.legal,
        late=handed is not None and deadline is not None and handed.submitted_at >= deadline,
        errors=errors,
        since=handed.submitted_at if handed else entry.registered_at,
        open_until=entry.deck_open_until if in_grace(event, entry, now) else None,
    )


def _tabs(rows: Sequence[ListState], sizes: dict[str, int]) -> tuple[FilterTab, ...]:
    labels = {
        "missing": _("Missing"),
        "illegal": _("Illegal"),
        "late": _("Late"),
        "open": _("Opened for a player"),
        "legal": _("Legal"),
    }
    parts = (FilterTab(key=key, label=labels[key], count=sizes[key]) for key in PARTS)
    return (FilterTab(key="", label=_("All"), count=len(rows)), *parts)
