"""What the hall's screen shows, in pages that can be read from ten metres."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import counted_rounds, existing_round_phrase, format_record
from tournaments.core.names import listed_name
from tournaments.diagrams.selectors.brackets import DiagramColumn, bracket_columns, diagram_players
from tournaments.models import Event
from tournaments.rounds.selectors.pairings import NameRow, PairingRow, PairingsPage, pairings_page
from tournaments.standings.selectors.ranking import (
    RankingPage,
    RankingRow,
    ranking_page,
    records_by_player,
)
from tournaments.standings.selectors.standings import StandingsTable, stage_standings

Item = TypeVar("Item")
FEW, USUAL, MANY = (2, 8), (3, 11), (4, 14)
"""Columns and rows of a page of names: up to 16 players, up to 99, more."""
LINES, COLUMNS = 12, 2
"""Lines of a column of standings, and columns of a page."""
FEW_TABLES = 12
"""Tables of three and more that are shown by table; more are shown by name."""
WIDE = 4
"""Rounds of a bracket side by side."""
MOST_TABLES = 24
"""Tables still playing that are named; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsBlock:
    """Standings, or a part of them, that fit a column of the hall screen.

    Only the first part has a ``heading``; ``labels`` are column headers.
    """

    heading: str
    labels: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]

    @property
    def lines(self) -> int:
        """Return the height of the block in lines, heading and labels included."""
        return len(self.rows) + 1 + bool(self.heading)


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What the hall screen displays; unset parts are left out.

    ``pinned`` is the view chosen at the desk, if it can be displayed. ``tables`` are multiplayer
    tables in columns, instead of ``names``. Without any part the screen invites players to
    register.
    """

    pinned: str = ""
    round: PairingsPage | None = None
    names: tuple[dict[str, Any], ...] = ()
    tables: tuple[tuple[PairingRow, ...], ...] = ()
    playing: dict[str, Any] | None = None
    standings: tuple[dict[str, Any], ...] = ()
    title: str = ""
    bracket: tuple[DiagramColumn, ...] = ()
    podium: RankingPage | None = None


def screen_parts(facts: EventFacts) -> Screen:
    """Return the pinned view if it can be displayed, else the parts due now.

    The queries are those of `default_parts`.
    """
    view, views = facts.event.screen_view, Event.ScreenView
    due = default_parts(facts)
    shown = due.round
    if view == views.ANNOUNCEMENT:
        return replace(due, pinned=view)
    if view == views.NAMES and shown:
        return replace(due, pinned=view, **seating_fields(shown), title=shown.label)
    if view == views.CLOCK and shown:
        return replace(due, pinned=view, playing=still_playing(shown), title=shown.label)
    if view == views.STANDINGS and (pages := standings_pages(facts)):
        return replace(due, pinned=view, standings=pages, title=_("Standings"))
    if view == views.BRACKET and (columns := _latest_bracket(facts)):
        return replace(due, pinned=view, bracket=columns, title=_("Bracket"))
    if view == views.PODIUM and ranking_page(facts).podium:
        return replace(due, pinned=view, podium=_podium(facts), title=_("Final standings"))
    return due


def invites_to_join(event: Event, shown: Screen) -> bool:
    """Return whether the hall screen invites players to sign in on phones.

    True before and during the first round, if the event takes phones.
    """
    if not event.takes_phones:
        return False
    return shown.round is None or (shown.round.round.ordinal == 1 and shown.round.missing > 0)


def pin_note(facts: EventFacts) -> str:
    """Return a note that the pinned view can't be displayed yet, and what is; or "".

    No query beyond ``facts``, loaded without drafts.
    """
    views, screen = Event.ScreenView, screen_parts(facts)
    if not facts.event.screen_view or screen.pinned:
        return ""
    if screen.names or screen.tables or screen.playing:
        shown = views.NAMES
    elif screen.standings or screen.bracket:
        shown = views.STANDINGS if screen.standings else views.BRACKET
    else:
        shown = views.PODIUM if screen.podium else views.AUTOMATIC
    not_yet, now = _("Not yet"), _("Now")
    return f"{not_yet}. {now}: {shown.label}"


def _latest_bracket(facts: EventFacts) -> tuple[DiagramColumn, ...]:
    stage = next((each for each in reversed(facts.stages) if each.kind.has_bracket), None)
    return _bracket(facts, stage) if stage is not None and stage.state.seats else ()


def default_parts(facts: EventFacts) -> Screen:
    """Return what the hall screen displays when no view is pinned.

    No query beyond ``facts``, loaded without drafts.
    """
    if facts.event.state == Event.State.FINISHED:
        return Screen(podium=_podium(facts), title=_("Final standings"))
    shown = pairings_page(facts)
    if shown is None:
        return Screen()
    stage = next(each for each in facts.stages if shown.round in each.rounds)
    bracket = _bracket(facts, stage) if stage.kind.has_bracket and not shown.extra else ()
    if shown.missing:
        return Screen(
            round=shown,
            **seating_fields(shown),
            playing=still_playing(shown),
            bracket=bracket,
            title=shown.label,
        )
    return Screen(
        round=shown,
        standings=() if bracket else standings_pages(facts),
        bracket=bracket,
        title=shown.stage if bracket else _title_of_standings(stage),
    )


def _podium(facts: EventFacts) -> RankingPage:
    """Return the final ranking with everybody's record."""
    ranking, made = ranking_page(facts), records_by_player(facts)

    def recorded(rows: Iterable[RankingRow]) -> tuple[RankingRow, ...]:
        return tuple(replace(row, record=format_record(made[row.entry.number])) for row in rows)

    return replace(ranking, rows=recorded(ranking.rows), podium=recorded(ranking.podium))


def _title_of_standings(stage: StageFacts) -> str:
    """Return the title with the last round that counts: those held back do not."""
    rounds = counted_rounds(stage)
    if not rounds:
        return _("Standings")
    return _("Standings after %(round)s") % {"round": existing_round_phrase(stage, rounds[-1])}


def seating_fields(shown: PairingsPage) -> dict[str, Any]:
    """Return a round's seating as fields of `Screen`: ``tables`` or ``names``.

    ``tables`` only for a few multiplayer tables, byes last. Matches of earlier rounds played beside
    it are included.
    """
    rows = shown.to_play
    if shown.has_seats and len(rows) <= FEW_TABLES:
        return {"tables": tuple(split_in_chunks(rows, ceil(len(rows) / 2)))}
    return {"names": names_pages(shown.names)}


def names_pages(names: Sequence[NameRow], *, headed: bool = False) -> tuple[dict[str, Any], ...]:
    """Return pages of players by name: {"letters": range, "columns": rows}.

    Pages have equal length and are read down each column; ``headed`` ones have a row less.
    """
    if not names:
        return ()
    columns, rows = next(
        (size for size, most in ((FEW, 16), (USUAL, 99)) if len(names) <= most), MANY
    )
    rows -= headed
    pages = ceil(len(names) / (columns * rows))
    each = ceil(len(names) / pages)
    height = max(ceil(each / columns), 1)
    return tuple(
        {
            "letters": initials_range(
                listed_name(page[0].entry).letters, listed_name(page[-1].entry).letters
            ),
            "columns": tuple(split_in_chunks(page, height)),
        }
        for page in split_in_chunks(names, each)
    )


def split_in_chunks(items: Iterable[Item], most: int) -> list[tuple[Item, ...]]:
    """Return items split into tuples of at most ``most``."""
    known = tuple(items)
    return [known[at : at + most] for at in range(0, len(known), most)]


def initials_range(first: str, last: str) -> str:
    """Return the range of a page's names, as "Aba–Man"; one name if both are equal."""
    return f"{first}–{last}" if first != last else first


def still_playing(shown: PairingsPage) -> dict[str, Any]:
    """Return a round's unfinished tables.

    {"count", "all": number of tables, "tables": (table, extra minutes)}; ``tables`` is () for many.
    """
    tables = [row for row in shown.tables if row.table is not None]
    left = [(row.table or 0, row.extra) for row in tables if not row.is_final]
    left += [(each.table or 0, each.match.extra_minutes) for each in shown.beside if each.is_open]
    named = tuple(sorted(left)) if len(left) <= MOST_TABLES else ()
    return {"count": len(left), "all": len(tables) + len(shown.beside), "tables": named}


def standings_pages(facts: EventFacts) -> tuple[dict[str, Any], ...]:
    """Return pages of standings: {"range": ranks or groups, "columns": blocks}.

    They are of the latest stage with a round, else of the first stage.
    """
    found = [each for each in stage_standings(facts) if each.tables]
    begun = {f"stage-{each.stage.number}" for each in facts.stages if each.rounds}
    stage = next((each for each in found if each.id in begun), found[0] if found else None)
    tables = [table for table in (stage.tables if stage else ()) if not table.compared]
    several = len(tables) > 1
    columns = _in_columns([block for table in tables for block in _blocks(table, named=several)])
    return tuple(
        {"range": _range_in_words(page, named=several), "columns": page}
        for page in split_in_chunks(columns, COLUMNS)
    )


def _in_columns(blocks: Sequence[StandingsBlock]) -> list[tuple[StandingsBlock, ...]]:
    columns: list[list[StandingsBlock]] = []
    for block in blocks:
        if not columns or sum(each.lines for each in columns[-1]) + block.lines > LINES + 1:
            columns.append([])
        columns[-1].append(block)
    return [tuple(column) for column in columns]


def _blocks(table: StandingsTable, *, named: bool) -> list[StandingsBlock]:
    """A row of standings; ``cut``: this player is the last who advances."""
    rows = [
        {"row": row, "values": row.values[:2], "cut": cut}
        for row, cut in zip(table.rows, table.cuts, strict=True)
    ]
    labels = tuple(column.short for column in table.columns[:2])
    room = LINES - named
    return [
        StandingsBlock(heading=table.caption if named and not at else "", labels=labels, rows=part)
        for at, part in enumerate(split_in_chunks(rows, room))
    ]


def _range_in_words(page: Sequence[Sequence[StandingsBlock]], *, named: bool) -> str:
    blocks = [block for column in page for block in column]
    if named:
        return ", ".join(block.heading for block in blocks if block.heading)
    return f"{blocks[0].rows[0]['row'].rank}–{blocks[-1].rows[-1]['row'].rank}"


def _bracket(facts: EventFacts, stage: StageFacts) -> tuple[DiagramColumn, ...]:
    """Return the last rounds of a bracket that fit side by side, the one being played included."""
    columns = bracket_columns(stage.plan, stage, diagram_players(facts, holders=False), "")
    upper = [column for column in columns if not column.below]
    reached = sum(
        1 for column in upper if any(line.entry for box in column.boxes for line in box.lines)
    )
    first = max(0, min(reached - 2, len(upper) - WIDE))
    return tuple(upper[first : first + WIDE])
