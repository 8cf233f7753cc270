"""Who is in an event and who has left, whether they can come back, who has asked to, and the
waiting list.

Matches of the round in play that somebody who comes late can join: that of who has the bye or came
too late as well, or a multiplayer table without a result.

Source: tournament rules, Points (withdrawn players), Registration (late entry).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from rules.advancement.outcome import current_place_holders
from rules.errors import RuleError
from rules.events.clock import elapsed_minutes
from rules.events.lifecycle import RejoinInput, RejoinStatus, rejoin_status
from rules.results import PlayerId, Winner
from rules.scenarios.verdicts import (
    advancing_ranks,
    is_eliminated_by_points,
    players_with_future_round,
)
from rules.stages.tables import assign_additional_tables, parse_table_ranges, too_few_tables_error
from rules.standings.table import Standings
from tournaments.core.clocks import clock_from_row, current_moment, timer_row
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.kept_places import starting_places
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.core.replays import matches_at_current_tables
from tournaments.core.rows import AnyEntry, EntryRow, MatchRow, RoundRow
from tournaments.models import Entry, Event, Match, Report, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendance:
    """How many of a player's matches in a group were ``played``, out of ``total``.

    For the open group stage; forfeits don't count as played. ``struck``: their results have been
    voided; ``left``: they dropped or were disqualified.
    """

    stage: StageFacts
    group: str
    matches: tuple[MatchRow, ...]
    played: int
    total: int
    struck: bool
    left: bool

    @property
    def may_be_struck(self) -> bool:
        """Return whether the player may be struck now."""
        return self.left and not self.struck and 2 * self.played < self.total


def group_attendance(facts: EventFacts, entry: AnyEntry) -> Attendance | None:
    """Return a player's attendance in the open group stage, None outside it.

    No query.
    """
    stage = facts.open_stage
    if stage is None or not stage.kind.all_meet:
        return None
    seats = stage.state.seats
    group = next((name for name, players in seats.items() if entry.number in players), None)
    if group is None:
        return None
    matches = tuple(match for match in stage.matches if entry.pk in match.seats)
    extra = {item.pk for item in stage.extra_rounds}
    there = sum(player is not None for player in seats[group])
    return Attendance(
        stage=stage,
        group=group,
        matches=matches,
        played=sum(_was_played(match) for match in matches if match.round_id not in extra),
        total=stage.stage.legs * (there - 1),
        struck=entry.number in stage.state.struck,
        left=entry.number in stage.state.withdrawn,
    )


def has_seat(facts: EventFacts, player: PlayerId) -> bool:
    """Return whether a player has a seat in a stage that has begun; no query."""
    return any(player in seats for stage in facts.stages for seats in stage.state.seats.values())


def _was_played(match: MatchRow) -> bool:
    """Return whether the result was reported, not set automatically."""
    decision = match.decision
    if decision is None or decision.winner == Winner.VOID:
        return False
    return decision.kind != Report.Kind.AUTOMATIC


def players_with_rounds_left(stage: StageFacts) -> frozenset[PlayerId]:
    """Return the players who still have a match in a round to be made; no query."""
    return cached_value(stage, "to_come", lambda: players_with_future_round(stage.state))


def rejoin_state(facts: EventFacts, entry: AnyEntry) -> RejoinStatus:
    """Return whether a player can ask to rejoin, did, or why they can't; no query."""
    stage, number = facts.open_stage, entry.number
    if entry.status != Entry.Status.WITHDRAWN:
        return RejoinStatus.NOT_OFFERED
    found = RejoinInput(
        event=facts.event.state,
        status=entry.status,
        seated=stage is None or number in stage.state.players,
        struck=stage is not None and number in stage.state.struck,
        admits=accepts_late_players(facts) and not has_place(facts, number),
        plays=stage is not None
        and (number in players_with_rounds_left(stage) or _may_go_on(stage, number)),
        asked=entry.return_asked_at is not None,
        refused=entry.return_refused_at is not None,
    )
    return rejoin_status(found)


def _may_go_on(stage: StageFacts, number: PlayerId) -> bool:
    """Return whether a player without a match to come might still advance from an open stage.

    Certain where all is played, or in a bracket; else it hangs on what others play, unless too many
    have more points already. Nothing of that is told where prospects are hidden.
    """
    if not stage.used or number not in stage.state.players:
        return False
    withdrawn = stage.state.withdrawn - {number}
    back = replace(stage, state=replace(stage.state, withdrawn=withdrawn))
    if stage.kind.has_bracket:
        return number in current_place_holders(back.state, stage.used).values()
    told = stage.event.show_prospects and stage.event.criteria[:1] == ["points"]
    over = stage.rounds_done and not stage.missing
    if stage.held or not (over or told):
        return True
    outcome = cached_value(stage, f"back {number}", lambda: back.outcome)
    if not over:
        return not _is_out_by_points(back, outcome.standings, number)
    holders = {outcome.places[name] for name in stage.used & outcome.places.keys()}
    return number in holders or any(number in level for level in outcome.lots_needed)


def _is_out_by_points(
    stage: StageFacts, standings: Mapping[str, Standings], number: PlayerId
) -> bool:
    """Return whether others have too many points already for a player without a match to come."""
    if any(
        number in pairing.seats and not result.is_played
        for played in stage.state.rounds
        for pairing, result in played
    ):
        return False
    for group, table in standings.items():
        made = {row.player: row.values["points"] for row in table.rows}
        if number in made:
            staying = {each: made[each] for each in made.keys() - stage.state.withdrawn}
            return is_eliminated_by_points(
                staying, number, group, advancing_ranks(stage.state, stage.used)
            )
    return False


def accepts_late_players(facts: EventFacts) -> bool:
    """Return whether the open stage still accepts new players; no query.

    Only stages that take late entries do, until their last round is made.
    """
    stage = facts.open_stage
    if stage is None:
        return False
    made = len(stage.regular_rounds)
    return stage.kind.admits_late and made < max(stage.plan.rounds, stage.total_rounds)


def has_place(facts: EventFacts, number: PlayerId) -> bool:
    """Return whether a player has a place in the plan or a seat in a begun stage.

    Only players without one can enter late; no query.
    """
    placed = number in starting_places(facts).values()
    return placed or has_seat(facts, number)


def is_registration_full(facts: EventFacts) -> bool:
    """Return whether a new registration would go to the waiting list; no query."""
    capacity = facts.event.capacity
    entries = facts.entries.values()
    taken = sum(entry.plays or entry.status == Entry.Status.WAITING for entry in entries)
    return capacity is not None and taken >= capacity


def rejoin_requests(facts: EventFacts) -> tuple[EntryRow, ...]:
    """Return the players with an open request to rejoin, earliest first; no query."""
    asked = [
        (entry.return_asked_at, entry.number, entry)
        for entry in facts.entries.values()
        if entry.return_asked_at and rejoin_state(facts, entry) is RejoinStatus.ASKED
    ]
    return tuple(entry for _at, _number, entry in sorted(asked, key=lambda found: found[:2]))


def free_places(event: Event) -> int | None:
    """Return how many players below capacity the event is, negative above it.

    None without a limit; one query.
    """
    if event.capacity is None:
        return None
    return event.capacity - event.entries.playing().count()


def is_check_in_used(event: Event) -> bool:
    """Return whether a player is checked in; one query."""
    return event.entries.filter(status=Entry.Status.CHECKED_IN).exists()


def waiting_order_key(entry: AnyEntry) -> tuple[bool, datetime | None, int]:
    """Return the sort key of a waiting player, as in ``EntryQuerySet.waiting``."""
    return entry.waiting_since is None, entry.waiting_since, entry.number


def waiting_list_position(facts: EventFacts, number: int) -> int:
    """Return a waiting player's position, from 1, for the next free place; no query.

    0 if a place is free for them already, which the staff give out at check-in, and if the player
    does not wait or there is no limit.
    """
    entries, capacity = facts.entries.values(), facts.event.capacity
    waiting = (entry for entry in entries if entry.status == Entry.Status.WAITING)
    line = [entry.number for entry in sorted(waiting, key=waiting_order_key)]
    if number not in line or capacity is None:
        return 0
    free = max(0, capacity - sum(entry.plays for entry in entries))
    return max(0, line.index(number) + 1 - free)


def next_waiting_players(event: Event) -> list[Entry]:
    """Return the waiting players for whom places are free, in order.

    None after the start. Three queries.
    """
    if event.plan is not None:
        return []
    free = free_places(event)
    found = list(event.entries.waiting()[: None if free is None else max(0, free)])
    return attach_name_marks(found, load_name_marks(event)) if found else []


class JoinRequest(NamedTuple):
    """A request to join a match.

    ``match`` is its primary key, None for the match of the player with the bye; ``shown`` are its
    players, by number, as the page showed them. ``extend``: a table where nobody played yet gets
    the minutes that have passed.
    """

    match: int | None = None
    shown: tuple[int, ...] = ()
    extend: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinableMatch:
    """A match of the round in play that a late player can still join.

    ``players`` are those already in it; ``extend`` is that of `JoinRequest`.
    """

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
        clock = clock_from_row(timer_row(self.round), self.facts.event.minutes)
        return elapsed_minutes(clock, current_moment())

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
        hall = parse_table_ranges(self.facts.event.tables)
        taken = {
            match.table: ()
            for match in matches_at_current_tables(self.stage)
            if match.table is not None
        }
        wanted = {other.number: other.fixed_table, player: fixed}
        known = {number: table for number, table in wanted.items() if number and table}
        (table,) = assign_additional_tables([[other.number, player or 0]], known, taken, hall)
        if table in taken:
            raise too_few_tables_error(len(taken), len(taken) + 1)
        return table


def find_joinable_matches(facts: EventFacts) -> Iterator[JoinableMatch]:
    """Yield the matches that a late player can join, best first; no query.

    None unless the latest round is published and no random draw was made since.
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
        players = tuple(facts.entries_by_pk[key] for key in match.seats)
        yield JoinableMatch(facts=facts, stage=stage, round=item, match=match, players=players)


def find_requested_match(
    facts: EventFacts, asked: JoinRequest, entry: AnyEntry | None = None
) -> JoinableMatch:
    """Return the match that a player asks to join; no query.

    ``asked`` is the request, ``entry`` a returning or waiting player, None for a new one. Raises
    RuleError ``no_bye`` or ``no_seat`` if it can't be joined any more.
    """
    for found in find_joinable_matches(facts):
        right = found.is_bye if asked.match is None else found.match.pk == asked.match
        if not right or asked.shown not in ((), found.numbers):
            continue
        if entry is None or found.can_be_joined_by(entry):
            return replace(found, extend=asked.extend)
    if asked.match is None or len(asked.shown) == 1:
        raise RuleError(
            "no_bye",
        )
    raise RuleError(
        "no_seat",
    )
