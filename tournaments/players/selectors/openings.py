"""Matches of the round in play that somebody who comes late can join: that of who has the bye or
came too late as well, or a table of three and more without a result.

Source: tournament rules, Registration (late entry).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from rules.errors import RuleError
from rules.events.clock import minutes_passed
from rules.results import PlayerId
from rules.stages.tables import table_ranges, tables_beside, too_few_tables
from tournaments.core.clocks import clock_in, moment_now, row_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.replays import at_tables
from tournaments.core.rows import AnyEntry, EntryRow, MatchRow, RoundRow
from tournaments.models import Event, Match, Round
from tournaments.players.selectors.returns import has_place


class Joining(NamedTuple):
    """Which match somebody is to join, by key; None for that of who has the bye.

    ``shown`` are its players, by number, where a page named them. ``extend``: a table where nobody
    played gets the minutes that have passed.
    """

    match: int | None = None
    shown: tuple[int, ...] = ()
    extend: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A ``match`` without consequences yet, and its ``players``; ``extend`` is as of `Joining`."""

    facts: EventFacts
    stage: StageFacts
    round: RoundRow
    match: MatchRow
    players: tuple[EntryRow, ...]
    extend: bool = False

    @property
    def is_bye(self) -> bool:
        return len(self.players) == 1 and not self.match.missed

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(player.number for player in self.players)

    @property
    def minutes(self) -> int:
        """Return the minutes that have passed, 0 where others play already or without a limit."""
        if len(self.players) > 1 or not self.stage.plan.timed:
            return 0
        clock = clock_in(row_of(self.round), self.facts.event.minutes)
        return minutes_passed(clock, moment_now())

    def can_be_joined_by(self, entry: AnyEntry) -> bool:
        """Return whether somebody of the event who is not in play can join; no query.

        Whoever was in an earlier stage only, or has a match in this round, can't.
        """
        if any(entry.pk in match.seats for match in self.stage.matches_of(self.round)):
            return False
        here = entry.number in self.stage.state.players
        return here or not has_place(self.facts, entry.number)

    def table_with(self, player: PlayerId | None = None, fixed: int | None = None) -> int:
        """Return the table: of two a fixed one of theirs, else the least free one; no query.

        ``fixed`` is the fixed table of the ``player`` who joins. Raises RuleError
        ``too_few_tables``.
        """
        if self.match.table is not None:
            return self.match.table
        (other,) = self.players
        hall = table_ranges(self.facts.event.tables)
        taken = {match.table: () for match in at_tables(self.stage) if match.table is not None}
        wanted = {other.number: other.fixed_table, player: fixed}
        known = {number: table for number, table in wanted.items() if number and table}
        (table,) = tables_beside([[other.number, player or 0]], known, taken, hall)
        if table in taken:
            raise too_few_tables(len(taken), len(taken) + 1)
        return table


def openings(facts: EventFacts) -> Iterator[Opening]:
    """Yield the matches that somebody who comes now can join, the first to offer first; no query.

    The round is the latest and published, and no lots were drawn after it.
    """
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None or any(stage.lots):
        return
    item = stage.last_round
    if item is None or item.state != Round.State.PUBLISHED:
        return
    matches = {match.number: match for match in stage.matches_of(item)}
    for pairing in stage.kind.openings(stage.state):
        match = matches[pairing.number]
        if match.size > 1 and match.state != Match.State.OPEN:
            continue
        players = tuple(facts.by_key[key] for key in match.seats)
        yield Opening(facts=facts, stage=stage, round=item, match=match, players=players)


def opening_for(facts: EventFacts, asked: Joining, entry: AnyEntry | None = None) -> Opening:
    """Return the match that the one who enters, or the returning ``entry``, is to join.

    Raises RuleError ``no_bye``; ``no_seat`` where players were not shown or several.
    """
    for found in openings(facts):
        right = found.is_bye if asked.match is None else found.match.pk == asked.match
        if not right or asked.shown not in ((), found.numbers):
            continue
        if entry is None or found.can_be_joined_by(entry):
            return replace(found, extend=asked.extend)
    if asked.match is None or len(asked.shown) == 1:
        raise RuleError(
            "no_bye",
            "There is no such bye to take any more. Let the player in without it.",
        )
    raise RuleError(
        "no_seat",
        "Nobody can join this match any more. Let the player in without it.",
    )
