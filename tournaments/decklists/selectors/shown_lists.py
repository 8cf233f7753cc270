"""Decklists shown to players and the public, printable sheets, and Leaders beside names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from config.wording import translate
from decks.decklists.sheets import Sheet, sheet_of
from decks.rulebook import deck_format
from decks.writers import WRITERS
from rules.standings.table import Record
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_departures, read_marks
from tournaments.core.names import by_surname, marks_in, marks_of, tell_apart
from tournaments.core.visibility import Sight, has_leaders, leader_names, public_leaders
from tournaments.models import Entry, Event
from tournaments.standings.selectors.ranking import RankingRow, ranking_page, records


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
    """A player on the players' page: the Leader if shown, and whether the list may be opened.

    ``state`` is said of who does not play; ``record`` is known from the start on, ``place`` once
    the event is finished.
    """

    entry: Entry
    leader: str
    has_list: bool
    state: str
    record: Record | None
    place: RankingRow | None

    @property
    def players(self) -> tuple[Entry, ...]:
        """Return the players of the row."""
        return (self.entry,)

    @property
    def mark(self) -> str:
        """Return the word for the row in links to parts of the list."""
        return self.entry.name[:6].rstrip()


def player_lines(event: Event, sight: Sight, facts: EventFacts | None) -> tuple[PlayerLine, ...]:
    """Return all entries, sorted by name; at most five queries.

    ``facts`` are None before the start.
    """
    return _lines(event, sight, facts, public_leaders(event))


def list_lines(event: Event, sight: Sight, facts: EventFacts | None) -> tuple[PlayerLine, ...]:
    """Return the entries whose lists the reader may open, as :func:`player_lines`."""
    leaders = leader_names(event) if has_leaders(event) else {}
    return tuple(line for line in _lines(event, sight, facts, leaders) if line.has_list)


def _lines(
    event: Event, sight: Sight, facts: EventFacts | None, leaders: Mapping[int, str]
) -> tuple[PlayerLine, ...]:
    entries = tuple(event.entries.order_by("number"))
    read_departures(event, tell_apart(entries, marks_of(entries)))
    did = records(facts) if facts else {}
    ended = facts is not None and event.state == Event.State.FINISHED
    ranked = {row.entry.pk: row for row in ranking_page(facts).rows} if facts and ended else {}
    return tuple(
        PlayerLine(
            entry=entry,
            leader=leaders.get(entry.pk, ""),
            has_list=entry.submission_id is not None and sight.reads(entry),
            state="" if entry.plays else str(entry.get_status_display()),
            record=did.get(entry.number),
            place=ranked.get(entry.pk),
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
