"""The grid of tables of the round being played, the calls, and the sheet of one table."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.core.clocks import ClockDisplay, clock_display, match_extensions
from tournaments.core.event_state import EventFacts
from tournaments.core.labels import round_label
from tournaments.core.moments import minutes_text
from tournaments.core.replays import MatchInPlay, count_open_tables, matches_in_play
from tournaments.core.rows import AnyMatch
from tournaments.judging.selectors import CallRow, open_calls
from tournaments.matches.selectors import ReportRow, staff_match_context
from tournaments.models import Event, Match, Report, TimeExtension

FILTERS = ("all", "open", "extra")
CROWDED = 48
"""Least number of tables for narrower columns that begin with the tables still open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTile:
    """A table in the judges' grid.

    ``players``: names; ``state``: CSS class; ``label``: the state as text. ``ends``: when its time
    with extension ends, if known.
    """

    match: AnyMatch
    table: int
    players: tuple[str, ...]
    state: str
    label: str
    ends: datetime | None

    @property
    def is_open(self) -> bool:
        """Return whether the result of the table does not count yet."""
        return self.state != "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingTable:
    """A table that waits for a judge since a moment.

    After a call (``call``), for a disputed result (``tile``), or for both.
    """

    since: datetime
    call: CallRow | None = None
    tile: TableTile | None = None

    @property
    def match(self) -> AnyMatch | Match:
        """Return the match that is played there."""
        return self.tile.match if self.tile else self.call.match  # type: ignore[union-attr]

    @property
    def table(self) -> int:
        """Return the number of the table."""
        return self.tile.table if self.tile else self.call.table  # type: ignore[union-attr]

    @property
    def span(self) -> str:
        """Return how long the table has waited, in words."""
        return minutes_text((timezone.now() - self.since) // timedelta(minutes=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorGrid:
    """The judges' grid of the tables of a round.

    ``round``: its ordinal; ``show``: a key of ``FILTERS``; ``tiles``: tables that match it;
    ``counts``: number of tables by filter; ``waits``: tables waiting for a judge, longest first.
    """

    label: str = ""
    round: int = 0
    show: str = "all"
    tiles: tuple[TableTile, ...] = ()
    counts: dict[str, int]
    waits: tuple[WaitingTable, ...]
    clock: ClockDisplay | None = None

    @property
    def is_crowded(self) -> bool:
        """Return whether there are enough tables for narrow columns."""
        return self.counts["all"] > CROWDED

    @property
    def kept(self) -> str:
        """Return the tables shown, for the address that polls for just these."""
        return ".".join(str(tile.table) for tile in self.tiles)


def floor_grid(
    facts: EventFacts, *, show: str = "", kept: Collection[int] = (), of_round: int = 0
) -> FloorGrid:
    """Return the judges' grid of the latest published round; at most two queries.

    ``show``: a key of ``FILTERS``. ``kept`` and ``of_round``: table numbers and round that a
    polling page shows; in that round these tables stay, so that nothing moves under a finger.
    """
    marks = {entry.number: entry.mark for entry in facts.entries.values()}
    calls = open_calls(facts.event, marks)
    found = facts.latest_published
    if found is None:
        return FloorGrid(counts=dict.fromkeys(FILTERS, 0), waits=_waiting_tables(calls, ()))
    stage, item = found
    clock = clock_display(stage, item)
    called = {row.match.pk for row in calls}
    playing = sorted(
        (each for each in matches_in_play(stage) if each.table is not None),
        key=lambda each: each.table or 0,
    )
    names = {entry.pk: str(entry) for entry in facts.entries.values()}
    every = tuple(_tile(each, clock, names, called=each.match.pk in called) for each in playing)
    show = show if show in FILTERS else ("open" if len(every) > CROWDED else "all")
    shown = {tile.table for tile in every if _is_in_filter(tile, show)}
    if show != "all" and kept and of_round == item.ordinal:
        shown = set(kept)
    return FloorGrid(
        label=round_label(stage, item),
        round=item.ordinal,
        show=show,
        tiles=tuple(tile for tile in every if tile.table in shown),
        counts={
            "all": len(every),
            "open": count_open_tables(stage),
            "extra": sum(_is_in_filter(tile, "extra") for tile in every),
        },
        waits=_waiting_tables(calls, [tile for tile in every if tile.state == "disputed"]),
        clock=clock,
    )


def _waiting_tables(
    calls: Sequence[CallRow], disputed: Sequence[TableTile]
) -> tuple[WaitingTable, ...]:
    """Return the tables of calls and disputes, each once; one query where there are disputes."""
    tiles = {tile.match.pk: tile for tile in disputed}
    last = Report.objects.filter(match__in=tiles).values_list("match").annotate(Max("at"))
    since = dict(last) if tiles else {}
    found = []
    for row in calls:
        tile = tiles.pop(row.match.pk, None)
        begun = min(row.call.at, since.get(row.match.pk, row.call.at))
        found.append(WaitingTable(since=begun, call=row, tile=tile))
    now = timezone.now()
    found += [WaitingTable(since=since.get(key, now), tile=tile) for key, tile in tiles.items()]
    return tuple(sorted(found, key=lambda wait: (wait.since, wait.table)))


def _is_in_filter(tile: TableTile, show: str) -> bool:
    if show == "all":
        return True
    return tile.is_open and (show == "open" or bool(tile.match.extra_minutes))


def _tile(
    playing: MatchInPlay, clock: ClockDisplay | None, names: Mapping[int, str], *, called: bool
) -> TableTile:
    match = playing.match
    extra = match.extra_minutes
    ends = None
    if match.state == Match.State.FINAL:
        state, label = "final", _("Finished")
    elif match.state == Match.State.DISPUTED:
        state, label = "disputed", _("Disputed")
    elif called:
        state, label = "called", _("Judge")
    elif match.state == Match.State.REPORTED:
        state, label = "reported", _("Reported")
    elif extra:
        state, label = "extra", f"+{extra}"
        ends = None if playing.beside else _end_of_time(clock, extra)
    elif playing.beside:
        state, label = "open", _("Round %(number)s") % {"number": playing.round.ordinal}
    else:
        state, label = "open", _("Playing")
    return TableTile(
        match=match,
        table=playing.table or 0,
        players=tuple(names[key] for key in match.seats),
        state=state,
        label=label,
        ends=ends,
    )


def _end_of_time(clock: ClockDisplay | None, extra: int) -> datetime | None:
    """Return the end of time at a table with extra minutes; None while the clock is stopped."""
    if clock is None or clock.until is None:
        return None
    return clock.until + timedelta(minutes=extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSheet:
    """A judge's view of one table.

    ``beside``: label of its round if that is an earlier one, else "". ``ends``: when its time with
    extension ends, if known; ``called``: a judge was called; ``claims``: the players' reports while
    no result is final.
    """

    match: Match
    table: int
    beside: str
    is_playing: bool
    ends: datetime | None
    extensions: tuple[TimeExtension, ...]
    called: bool
    claims: tuple[ReportRow, ...]


def judge_table_sheet(facts: EventFacts, match: Match) -> TableSheet:
    """Return a judge's view of the table of a match; three queries.

    ``match`` has its players loaded.
    """
    found = facts.latest_published
    playing = {each.match.pk: each for each in matches_in_play(found[0])} if found else {}
    shown = playing.get(match.pk)
    beside = round_label(found[0], shown.round) if found and shown and shown.beside else ""
    clock = clock_display(*found) if found and shown and not beside else None
    return TableSheet(
        match=match,
        table=(shown.table if shown else match.table) or match.number,
        beside=beside,
        is_playing=shown is not None and match.state != Match.State.FINAL and match.size > 1,
        ends=_end_of_time(clock, match.extra_minutes),
        extensions=match_extensions(match),
        called=match.calls.filter(closed_at__isnull=True).exists(),
        claims=staff_match_context(match)["claims"],
    )


def find_undoable_extension(event: Event, key: str) -> TimeExtension | None:
    """Return a time extension if its match has no result yet, else None.

    ``key``: its primary key as sent, any text.
    """
    if not (key.isascii() and key.isdigit() and len(key) < 16):
        return None
    found = TimeExtension.objects.select_related("match")
    return found.filter(pk=key, match__round__event=event, match__decision__isnull=True).first()
