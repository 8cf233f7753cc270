"""Whether lists can be changed: the lock of the event, and exceptions for single players."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from tournaments.models import DeckDraft, Entry, Event


def decklists_locked(event: Event, now: datetime | None = None) -> bool:
    """Return whether lists are locked: after the deadline or the start. No query."""
    if event.plan is not None:
        return True
    deadline = event.decklist_deadline
    return deadline is not None and (now or timezone.now()) >= deadline


def list_open(event: Event, entry: Entry, now: datetime | None = None) -> bool:
    """Return whether the player may hand in a list: before the lock, or while it is opened."""
    now = now or timezone.now()
    if event.decklists == Event.Decklists.OFF:
        return False
    return not decklists_locked(event, now) or in_grace(event, entry, now)


def in_grace(event: Event, entry: Entry, now: datetime | None = None) -> bool:
    """Return whether a judge has opened this player's list until a moment still to come."""
    until = entry.deck_open_until
    running = event.state != Event.State.FINISHED
    return running and until is not None and (now or timezone.now()) < until


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckWindow:
    """The moment until which a list can be changed, or since which it is locked; or None.

    ``grace``: it is open for this player although lists are ``locked``. ``left`` is the
    remaining time in words. ``draft``: the player has kept one that is not handed in.
    """

    open: bool
    locked: bool
    grace: bool
    started: bool
    until: datetime | None
    since: datetime | None
    left: str
    draft: bool = False

    @property
    def shown(self) -> tuple[bool, datetime | None, bool]:
        """Return what the player's own page depends on."""
        return self.open, self.until, self.draft


def deck_window(event: Event, entry: Entry, now: datetime | None = None) -> DeckWindow:
    """Return the time in which a player can change the list, by the server's clock; no query."""
    now = now or timezone.now()
    locked, grace = decklists_locked(event, now), in_grace(event, entry, now)
    can_change = list_open(event, entry, now)
    until = entry.deck_open_until if grace else event.decklist_deadline
    if grace and not locked and event.decklist_deadline and entry.deck_open_until:
        until = max(event.decklist_deadline, entry.deck_open_until)
    return DeckWindow(
        open=can_change,
        locked=locked,
        grace=grace and locked,
        started=event.plan is not None,
        until=until if can_change else None,
        since=_locked_since(event) if locked else None,
        left=time_left(until, now) if can_change and until else "",
    )


def own_window(event: Event, entry: Entry) -> DeckWindow:
    """Return the time as above, with whether a draft waits; one query while the list is open."""
    window = deck_window(event, entry)
    draft = window.open and DeckDraft.objects.filter(entry=entry).exists()
    return replace(window, draft=draft)


def time_left(until: datetime, now: datetime) -> str:
    """Return the time between two moments in words, regardless of daylight saving changes."""
    if (until - now).total_seconds() < 60:
        return _("less than a minute")
    return timeuntil(until.astimezone(UTC), now.astimezone(UTC)).replace("\xa0", " ")


def _locked_since(event: Event) -> datetime | None:
    moments = (event.started_at, event.decklist_deadline)
    return min((moment for moment in moments if moment is not None), default=None)
