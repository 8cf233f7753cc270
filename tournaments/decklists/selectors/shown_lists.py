"""Decklists shown to players and the public, printable sheets, and Leaders beside names."""

from collections.abc import Iterable
from dataclasses import dataclass

from config.wording import translate
from decks.decklists.sheets import Sheet, sheet_of
from decks.rulebook import deck_format
from decks.writers import WRITERS
from tournaments.core.facts_cache import read_departures, read_marks
from tournaments.core.names import by_surname, marks_in, marks_of, tell_apart
from tournaments.core.visibility import Sight, has_leaders, leader_names, public_leaders
from tournaments.models import Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ListsPage:
    """The lists that the reader may open as (entry, Leader if any), sorted by player's name."""

    rows: tuple[tuple[Entry, str], ...]
    has_leaders: bool


def lists_page(event: Event, sight: Sight) -> ListsPage:
    """Return the lists within a reader's ``Sight``; two queries."""
    leaders = has_leaders(event)
    handed_in = event.entries.filter(submission__isnull=False).order_by("number")
    names = leader_names(event) if leaders else {}
    tell_apart(handed_in, read_marks(event))
    rows = tuple(
        (entry, names.get(entry.pk, ""))
        for entry in sorted(handed_in, key=by_surname)
        if sight.reads(entry)
    )
    return ListsPage(rows=rows, has_leaders=leaders)


def entry_with_list(event: Event, number: int) -> Entry | None:
    """Return an entry of the event with its current list, else None; at most two queries."""
    entry = event.entries.filter(number=number).select_related("submission__decklist").first()
    if entry is not None:
        entry.event = event
        tell_apart((entry,), read_marks(event))
    return entry


def file_kinds() -> tuple[tuple[str, str], ...]:
    return tuple((writer.key, translate(writer.label)) for writer in WRITERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player on the players' page: the Leader if shown, and whether the list may be opened."""

    entry: Entry
    leader: str
    has_list: bool

    @property
    def players(self) -> tuple[Entry, ...]:
        """Return the players of the row."""
        return (self.entry,)

    @property
    def mark(self) -> str:
        """Return the word for the row in links to parts of the list."""
        return self.entry.name[:6].rstrip()


def player_lines(event: Event, sight: Sight) -> tuple[PlayerLine, ...]:
    """Return all entries, sorted by name; at most five queries, and those of the facts."""
    leaders = public_leaders(event)
    entries = tuple(event.entries.order_by("number"))
    read_departures(event, tell_apart(entries, marks_of(entries)))
    return tuple(
        PlayerLine(
            entry=entry,
            leader=leaders.get(entry.pk, ""),
            has_list=entry.submission_id is not None and sight.reads(entry),
        )
        for entry in sorted(entries, key=by_surname)
    )


def sheets_of(event: Event) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    """Return all sheets by player's number, and the entries without a list; one or two queries."""
    entries = event.entries.playing().select_related("submission__decklist").order_by("number")
    return _sheets_and_missing(event, entries)


def sheets_of_entry(event: Event, number: int) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    """Return one player's sheet, or their entry if there is no list, as :func:`sheets_of` does.

    Also for somebody who plays no more; both are empty without such a player."""
    entries = event.entries.filter(number=number).select_related("submission__decklist")
    return _sheets_and_missing(event, entries)


def _sheets_and_missing(
    event: Event, entries: Iterable[Entry]
) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    shape = deck_format(event.format_key)
    found = tell_apart(tuple(entries), marks_in(event))
    sheets = tuple(
        sheet_of(
            entry.submission.decklist,
            shape,
            event=event.name,
            player=entry.display_name,
            number=entry.number,
            handed_in=entry.submission.submitted_at,
            time_zone=event.time_zone,
        )
        for entry in found
        if entry.submission is not None
    )
    return sheets, tuple(entry for entry in found if entry.submission is None)
