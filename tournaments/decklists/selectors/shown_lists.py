"""Decklists shown to players and the public, printable sheets, Leaders beside names; an overview of
an event's lists: missing, illegal or late, and since when.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext

from config.wording import format_moment, translate
from decks.decklists.selectors import stored_violations
from decks.decklists.sheets import DeckSheet, deck_sheet
from decks.stored_formats import load_format
from decks.writers import WRITERS
from rules.standings.table import Record
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import load_departures, read_name_marks
from tournaments.core.names import (
    attach_name_marks,
    compute_name_marks,
    load_name_marks,
    surname_sort_key,
)
from tournaments.core.visibility import VisibleDecklists, has_leaders, leader_names, public_leaders
from tournaments.decklists.selectors.versions import decklists_locked, is_opened_by_judge
from tournaments.models import DeckSubmission, Entry, Event
from tournaments.players.selectors.players import FilterTab
from tournaments.standings.selectors.ranking import RankingRow, ranking_page, records_by_player


def find_entry_with_decklist(event: Event, number: int) -> Entry | None:
    """Return an entry with its current decklist by player number, else None.

    At most two queries.
    """
    entry = event.entries.filter(number=number).select_related("submission__decklist").first()
    if entry is not None:
        entry.event = event
        attach_name_marks((entry,), read_name_marks(event))
    return entry


def download_formats() -> tuple[tuple[str, str], ...]:
    """Return (key, label) of the file formats for downloading a decklist."""
    return tuple((writer.key, translate(writer.label)) for writer in WRITERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """A player's row on the players' page.

    ``leader``: Leader card or ""; ``has_list``: the reader may open the decklist; ``state``: "" for
    active players, else a label; ``record``: None before the start; ``place``: row of the final
    standings, None before the end.
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


def player_rows(
    event: Event, sight: VisibleDecklists, facts: EventFacts | None
) -> tuple[PlayerRow, ...]:
    """Return the rows of all players by surname; at most five queries.

    ``sight``: the decklists that the reader may see; ``facts``: None before the start.
    """
    return _lines(event, sight, facts, public_leaders(event))


def readable_decklist_lines(
    event: Event, sight: VisibleDecklists, facts: EventFacts | None
) -> tuple[PlayerRow, ...]:
    """Return rows of the players whose decklist the reader may open; at most five queries.

    ``sight``: the decklists that the reader may see; ``facts``: None before the start.
    """
    leaders = leader_names(event) if has_leaders(event) else {}
    return tuple(line for line in _lines(event, sight, facts, leaders) if line.has_list)


def _lines(
    event: Event, sight: VisibleDecklists, facts: EventFacts | None, leaders: Mapping[int, str]
) -> tuple[PlayerRow, ...]:
    entries = tuple(event.entries.order_by("number"))
    load_departures(event, attach_name_marks(entries, compute_name_marks(entries)))
    did = records_by_player(facts) if facts else {}
    ended = facts is not None and event.state == Event.State.FINISHED
    ranked = {row.entry.pk: row for row in ranking_page(facts).rows} if facts and ended else {}
    return tuple(
        PlayerRow(
            entry=entry,
            leader=leaders.get(entry.pk, ""),
            has_list=entry.submission_id is not None and sight.reads(entry),
            state="" if entry.plays else str(entry.get_status_display()),
            record=did.get(entry.number),
            place=ranked.get(entry.pk),
        )
        for entry in sorted(entries, key=surname_sort_key)
    )


def printable_decklists(event: Event) -> tuple[tuple[DeckSheet, ...], tuple[Entry, ...]]:
    """Return (printable decklists, active entries without one) by player number; two queries."""
    entries = event.entries.playing().select_related("submission__decklist").order_by("number")
    return _sheets_and_missing(event, entries)


def printable_decklist_of_entry(
    event: Event, number: int
) -> tuple[tuple[DeckSheet, ...], tuple[Entry, ...]]:
    """Return ((printable decklist,), ()) of a player, ((), (entry,)) without decklist.

    ``number`` is the player's; both are empty without such a player. Two queries.
    """
    entries = event.entries.filter(number=number).select_related("submission__decklist")
    return _sheets_and_missing(event, entries)


def _sheets_and_missing(
    event: Event, entries: Iterable[Entry]
) -> tuple[tuple[DeckSheet, ...], tuple[Entry, ...]]:
    shape = load_format(event.format_key)
    found = attach_name_marks(tuple(entries), load_name_marks(event))
    sheets = tuple(
        deck_sheet(
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


DEFERRED = ("raw", "text", "deck", "upload")
OWN = Q(by=F("entry__user")) | Q(by__isnull=True, by_name="")
"""Submissions of the players themselves: signed in, or by their personal link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecklistState:
    """The state of an active player's decklist: missing, illegal, late and so on.

    ``since``: when it was submitted, else when the player registered. ``late``: first submitted
    after the deadline, or changed by the player then; staff corrections don't count. ``errors`` is
    their number. ``open_until``: set while a judge has opened it.
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
        """Return whether the player still has to submit a legal list."""
        return self.missing or self.illegal


@dataclass(frozen=True, slots=True, kw_only=True)
class DecklistsOverview:
    """Decklists of active players that match the ``chosen`` filter, for the staff's page.

    ``tabs``: filters with counts; ``locked``: whether decklists are. ``wanting``: missing or
    illegal ones, whatever the filter.
    """

    rows: tuple[DecklistState, ...]
    tabs: tuple[FilterTab, ...]
    chosen: str
    locked: bool
    wanting: tuple[DecklistState, ...]


FILTERS: dict[str, Callable[[DecklistState], bool]] = {
    "missing": lambda row: row.missing,
    "illegal": lambda row: row.illegal,
    "late": lambda row: row.late,
    "open": lambda row: row.open_until is not None,
    "legal": lambda row: not row.wanting,
}


def decklists_overview(event: Event, chosen: str = "") -> DecklistsOverview:
    """Return the decklists of active players, filtered by a key of ``FILTERS``; two queries.

    ``chosen``: the key (missing, illegal, late, open, legal), else all.
    """
    rows = decklist_states(event)
    by_filter = {key: [row for row in rows if holds(row)] for key, holds in FILTERS.items()}
    labels = {
        "missing": pgettext("decklists", "Missing"),
        "illegal": pgettext("decklists", "Illegal"),
        "late": _("Late"),
        "open": _("Opened for a player"),
        "legal": pgettext("decklists", "Legal"),
    }
    everybody = FilterTab(key="", label=_("All"), count=len(rows))
    chosen = chosen if chosen in FILTERS else ""
    return DecklistsOverview(
        rows=tuple(by_filter.get(chosen, rows)),
        tabs=(
            everybody,
            *(
                FilterTab(key=key, label=labels[key], count=len(part))
                for key, part in by_filter.items()
                if part or key == chosen
            ),
        ),
        chosen=chosen,
        locked=decklists_locked(event),
        wanting=tuple(row for row in rows if row.wanting),
    )


def decklist_states(event: Event) -> list[DecklistState]:
    """Return the states of all active players' decklists by player number; two queries."""
    entries = event.entries.playing().select_related("submission__decklist").order_by("number")
    every = DeckSubmission.objects.filter(entry=OuterRef("pk"))
    entries = entries.annotate(
        own_at=Subquery(every.filter(OWN).order_by("-pk").values("submitted_at")[:1]),
        first_at=Subquery(every.order_by("pk").values("submitted_at")[:1]),
    )
    found = entries.defer(*(f"submission__decklist__{name}" for name in DEFERRED))
    now = timezone.now()
    return [
        _list_state(event, entry, now) for entry in attach_name_marks(found, load_name_marks(event))
    ]


def _list_state(event: Event, entry: Any, now: datetime) -> DecklistState:
    """Return the state of the list of an entry with its ``own_at`` and ``first_at``."""
    handed, deadline = entry.submission, event.decklist_deadline
    came = entry.own_at or entry.first_at
    errors = 0
    if handed is not None and not handed.decklist.legal:
        errors = sum(item.severity == "error" for item in stored_violations(handed.decklist))
    return DecklistState(
        entry=entry,
        missing=handed is None,
        illegal=handed is not None and not handed.decklist.legal,
        late=handed is not None and deadline is not None and came >= deadline,
        errors=errors,
        since=handed.submitted_at if handed else entry.registered_at,
        open_until=entry.deck_open_until if is_opened_by_judge(event, entry, now) else None,
    )


def reminder_texts(
    event: Event, rows: Sequence[DecklistState], *, link: str, language: str, locked: bool
) -> dict[str, Any]:
    """Return reminders to copy: ``each`` (entry, text) and ``everybody`` (one text).

    ``rows``: the decklists to remind of; ``link``: the address of a player's own decklist page;
    ``language``: a code. No query.
    """
    with override(language):
        each = [(row.entry, _for_one(event, row, link, locked=locked)) for row in rows]
        return {
            "each": tuple(each),
            "everybody": _for_all(event, rows, link, locked=locked) if rows else "",
        }


def _for_one(event: Event, row: DecklistState, link: str, *, locked: bool) -> str:
    values = {"name": row.entry.display_name, "event": event.name}
    if row.missing:
        first = _("Hello %(name)s, your decklist for “%(event)s” is still missing.") % values
    else:
        first = _("Hello %(name)s, your decklist for “%(event)s” is not legal yet.") % values
    return "\n".join([first, _what_to_do(event, locked=locked, row=row), link])


def _for_all(event: Event, rows: Sequence[DecklistState], link: str, *, locked: bool) -> str:
    missing = ", ".join(row.entry.display_name for row in rows if row.missing)
    illegal = ", ".join(row.entry.display_name for row in rows if row.illegal)
    lines = [_("Decklists for “%(event)s”:") % {"event": event.name}]
    if missing:
        lines.append(_("Still missing: %(names)s.") % {"names": missing})
    if illegal:
        lines.append(_("Not legal yet: %(names)s.") % {"names": illegal})
    return "\n".join([*lines, _what_to_do(event, locked=locked), link])


def _what_to_do(event: Event, *, locked: bool, row: DecklistState | None = None) -> str:
    until = row.open_until if row else None
    if until is None and not locked:
        until = event.decklist_deadline
    if until is not None:
        local = timezone.localtime(until, event.zone)
        moment = {"moment": format_moment(local, "all"), "zone": event.time_zone}
        return _("Please submit a legal decklist by %(moment)s (%(zone)s):") % moment
    if locked:
        return _("Decklists are locked. Please ask a judge to open yours:")
    return _("Please submit a legal decklist before the event starts:")
