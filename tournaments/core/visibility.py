"""Who may read which decklist, and which Leaders stand beside names: decided here for pages, files
and endpoints.

Pages of the staff alone ask ``permissions.can_see_decks``, on which this builds. A list is always
visible to its player, the judges and the organiser. In a stage with open lists its players see
those of their opponents (or of the whole stage) from the first published pairings until the stage
closes, and not while the organiser holds them back. After the event the lists of all who played are
public once the organiser has published them, and stay so if the event goes on, until the organiser
hides them.
"""

from dataclasses import dataclass
from typing import Any

from decks.rulebook import base_format
from decks.stored_formats import is_own
from rules.deckbuilding.statistics import LEADER
from tournaments.core.open_lists import Audience, audience_now
from tournaments.core.permissions import Actor, can_see_decks, is_staff
from tournaments.core.rows import AnyEntry
from tournaments.models import Entry, Event, MatchSeat, Round, Seat, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """The decklists of one event that a reader may see.

    ``every`` is set for judges and organisers, ``published`` when the lists are public;
    ``entries`` are primary keys of the entries whose list is visible. A hidden list is a 403 for
    readers who ``belong`` to the event (staff, players while lists are open), a 404 for others.
    """

    every: bool = False
    published: bool = False
    entries: frozenset[int] = frozenset()
    belongs: bool = False

    @property
    def whole(self) -> bool:
        """Return whether every list of those who played is visible, so files may hold them."""
        return self.every or self.published

    def reads(self, entry: AnyEntry) -> bool:
        """Return whether the list of an entry of the event is visible."""
        return self.every or entry.pk in self.entries


EVERY_LIST = Sight(every=True)
"""The organiser's sight, for management commands."""


def can_see_decklist(actor: Actor, entry: Entry) -> bool:
    """Return whether the actor may see the list of an entry now; at most six queries."""
    return sight_of(actor, entry.event).reads(entry)


def sight_of(actor: Actor, event: Event) -> Sight:
    """Return the decklists that the actor may see now; at most five queries."""
    if can_see_decks(actor, event):
        return EVERY_LIST
    own = actor.entry_in(event)
    mine = frozenset([own.pk]) if own else frozenset[int]()
    if lists_published(event):
        return Sight(published=True, entries=mine | who_played(event))
    opened = _opened_to(own, event)
    return Sight(
        entries=mine | (opened or frozenset()),
        belongs=opened is not None or is_staff(actor, event),
    )


def lists_published(event: Event) -> bool:
    """Return whether the lists are public: they were published, and not hidden since."""
    return event.lists_published_at is not None


def leaders_shown(event: Event) -> bool:
    """Return whether players' Leaders are public: the setting is on and a round is published.

    At most one query.
    """
    return event.show_leaders and event.rounds.filter(state=Round.State.PUBLISHED).exists()


def who_played(event: Event) -> frozenset[int]:
    """Return the primary keys of entries with a seat in any stage; one query."""
    seated = Seat.objects.filter(stage__event=event, entry__isnull=False)
    return frozenset(key for key in seated.values_list("entry_id", flat=True) if key)


def _opened_to(own: Entry | None, event: Event) -> frozenset[int] | None:
    """Return entries whose lists the open stage shows to a player; None if it shows none."""
    if own is None or not own.plays or not event.open_lists or event.state != Event.State.RUNNING:
        return None
    published = Round.objects.filter(state=Round.State.PUBLISHED).values("stage")
    stage = event.stages.filter(state=Stage.State.OPEN, pk__in=published).first()
    whom = audience_now(event, stage) if stage else Audience.NOBODY
    if stage is None or whom is Audience.NOBODY:
        return None
    seated = frozenset(stage.seats.values_list("entry_id", flat=True)) - {None}
    if own.pk not in seated:
        return frozenset()
    return seated if whom is Audience.ALL else _opponents(own, stage)


def _opponents(own: Entry, stage: Stage) -> frozenset[int]:
    seats = MatchSeat.objects.filter(
        match__match_seats__entry=own, round__stage=stage, round__state=Round.State.PUBLISHED
    )
    return frozenset(seats.values_list("entry_id", flat=True)) - {own.pk}


def has_decks(event: Event) -> bool:
    """Return whether players bring decks: not to a game of one's own without lists."""
    if event.decklists != Event.Decklists.OFF or not is_own(event.format):
        return True
    return base_format(event.format_key).checked


def has_leaders(event: Event) -> bool:
    """Return whether the decks of the event's format have a Leader. No query."""
    return LEADER in base_format(event.format_key).zone_keys


def public_leaders(event: Event) -> dict[int, str]:
    """Return the Leader of each entry that played, by primary key, if they are public.

    Empty before the first published pairings, and if the setting is off; at most three queries.
    """
    if not has_leaders(event) or not leaders_shown(event):
        return {}
    played = who_played(event)
    return {key: name for key, name in leader_names(event).items() if key in played}


def leader_names(event: Event) -> dict[int, str]:
    """Return the Leader of each list, by the entry's primary key; one query."""
    zone = f"submission__decklist__deck__zones__{LEADER}"
    found = event.entries.filter(submission__isnull=False).values_list("pk", zone)
    return {key: _names_in(cards) for key, cards in found}


def _names_in(cards: Any) -> str:
    return ", ".join(card["name"] for card in cards or ())
