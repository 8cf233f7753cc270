"""Lists as they are shown to players and to everybody, and the Leaders beside the names."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from config.wording import translate
from decks.decklists.sheets import Sheet, sheet_of
from decks.rulebook import base_format, deck_format
from decks.writers.kinds import WRITERS
from tournaments.core.visibility import Sight, leaders_shown, who_played
from tournaments.models import Entry, Event

LEADER = "leader"
"""The zone of the card that a deck is known by, in games that have one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLink:
    """A list that the reader may open, with its Leader where the game has Leaders."""

    entry: Entry
    leader: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListsPage:
    """The lists that the reader may open, by the players' names."""

    rows: tuple[ListLink, ...]
    has_leaders: bool


def lists_page(event: Event, sight: Sight) -> ListsPage:
    """Return the lists that somebody may read; one query."""
    leaders = has_leaders(event)
    listed = event.entries.filter(submission__isnull=False).order_by("name_key", "number")
    names = _leader_names(event) if leaders else {}
    rows = tuple(
        ListLink(entry=entry, leader=names.get(entry.pk, ""))
        for entry in listed
        if sight.reads(entry)
    )
    return ListsPage(rows=rows, has_leaders=leaders)


def entry_with_list(event: Event, number: int) -> Entry | None:
    """Return an entry of the event, loaded with the list that counts if any; one query."""
    entry = event.entries.filter(number=number).select_related("submission__decklist").first()
    if entry is not None:
        entry.event = event
    return entry


def file_kinds() -> tuple[tuple[str, str], ...]:
    """Return the types of file in which a list is given out, by their key."""
    return tuple((writer.key, translate(writer.label)) for writer in WRITERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """Somebody on the players' page: the Leader if shown, and whether the list may be opened."""

    entry: Entry
    leader: str
    has_list: bool


def player_lines(event: Event, sight: Sight) -> tuple[PlayerLine, ...]:
    """Return everybody entered, by name; five queries at most."""
    leaders = public_leaders(event)
    return tuple(
        PlayerLine(
            entry=entry,
            leader=leaders.get(entry.pk, ""),
            has_list=entry.submission_id is not None and sight.reads(entry),
        )
        for entry in event.entries.order_by("name_key", "number")
    )


def has_leaders(event: Event) -> bool:
    """Say whether the decks of the event's format have a Leader."""
    return LEADER in base_format(event.format).zone_keys


def public_leaders(event: Event) -> dict[int, str]:
    """Return the Leader of each entry that played, by its key, where everybody sees them.

    Empty until the first pairings are published, and without the setting; three queries at most.
    """
    if not has_leaders(event) or not leaders_shown(event):
        return {}
    played = who_played(event)
    return {key: name for key, name in _leader_names(event).items() if key in played}


def _leader_names(event: Event) -> dict[int, str]:
    """Return the Leader of each list, by the key of its entry; one query, without the decks."""
    zone = f"submission__decklist__deck__zones__{LEADER}"
    found = event.entries.filter(submission__isnull=False).values_list("pk", zone)
    return {key: _names_in(cards) for key, cards in found}


def _names_in(cards: Any) -> str:
    return ", ".join(card["name"] for card in cards or ())


def sheets_of(event: Event) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    """Return everybody's list by number, and who plays without one; one or two queries."""
    entries = event.entries.playing().select_related("submission__decklist").order_by("number")
    return _parted(event, entries)


def sheets_of_entry(event: Event, number: int) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    """Return the same of one player, playing or not; both are empty when there is none."""
    entries = event.entries.filter(number=number).select_related("submission__decklist")
    return _parted(event, entries)


def _parted(event: Event, entries: Iterable[Entry]) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    shape = deck_format(event.format)
    found = tuple(entries)
    sheets = tuple(
        sheet_of(
            entry.submission.decklist,
            shape,
            event=event.name,
            player=entry.name,
            number=entry.number,
            handed_in=entry.submission.submitted_at,
            time_zone=event.time_zone,
        )
        for entry in found
        if entry.submission is not None
    )
    return sheets, tuple(entry for entry in found if entry.submission is None)
