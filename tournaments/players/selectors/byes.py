"""The bye of the round in play whose player can meet somebody who comes late, and their table.

Source: tournament rules, Registration (late entry).
"""

from dataclasses import dataclass

from rules.results import PlayerId
from rules.stages import swiss
from rules.stages.tables import table_ranges, tables_beside, too_few_tables
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.replays import at_tables
from tournaments.core.rows import AnyEntry, EntryRow, MatchRow, RoundRow
from tournaments.models import Event, Round
from tournaments.players.selectors.returns import has_place


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeToTake:
    """A bye that has had no consequences yet: ``entry`` has it, by ``match``."""

    facts: EventFacts
    stage: StageFacts
    round: RoundRow
    match: MatchRow
    entry: EntryRow

    def can_be_met_by(self, entry: AnyEntry) -> bool:
        """Return whether somebody of the event who is not in play can meet the player; no query.

        Whoever was in an earlier stage only, or has a match in this round, can't.
        """
        if any(entry.pk in match.seats for match in self.stage.matches_of(self.round)):
            return False
        here = entry.number in self.stage.state.players
        return here or not has_place(self.facts, entry.number)

    def table_with(self, player: PlayerId | None = None, fixed: int | None = None) -> int:
        """Return the table where the two play: a fixed one of theirs, else the least free one.

        ``fixed`` is the fixed table of the other ``player``; no query. Raises RuleError
        ``too_few_tables``.
        """
        hall = table_ranges(self.facts.event.tables)
        taken = {match.table: () for match in at_tables(self.stage) if match.table is not None}
        wanted = {self.entry.number: self.entry.fixed_table, player: fixed}
        known = {number: table for number, table in wanted.items() if number and table}
        pair = [self.entry.number, player or 0]
        (table,) = tables_beside([pair], known, taken, hall)
        if table in taken:
            raise too_few_tables(len(taken), len(taken) + 1)
        return table


def bye_to_take(facts: EventFacts) -> ByeToTake | None:
    """Return the bye that somebody who comes now can take, None without one; no query.

    The round is the latest and published, and no lots were drawn after it.
    """
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None or any(stage.lots):
        return None
    item, pairing = stage.last_round, swiss.bye_to_take(stage.state)
    if item is None or item.state != Round.State.PUBLISHED or pairing is None:
        return None
    match = next(one for one in stage.matches_of(item) if one.number == pairing.number)
    return ByeToTake(
        facts=facts,
        stage=stage,
        round=item,
        match=match,
        entry=facts.by_key[match.seats[0]],
    )
