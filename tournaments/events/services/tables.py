"""What moves along when an event gets other tables: its fixed tables, and those of a draft."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.drafts.draft import DraftChange, DraftMatch
from rules.results import PlayerId
from rules.stages.table_assignment import tables_for
from rules.stages.table_ranges import moved_tables, table_ranges
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.drafts.services.drafts import move_matches
from tournaments.models import Event, Round
from tournaments.rounds.selectors.drafted import seated


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMoves:
    """New fixed tables by player, and the matches of the draft with their tables then and now."""

    fixed: Mapping[PlayerId, int]
    ordinal: int
    before: tuple[DraftMatch, ...]
    after: tuple[DraftMatch, ...]

    def store(self, event: Event) -> None:
        """Store the tables; inside a transaction with the event locked."""
        for number, table in self.fixed.items():
            event.entries.filter(number=number).update(fixed_table=table)
        if self.before:
            move_matches(
                event.rounds.get(ordinal=self.ordinal), DraftChange(self.before, self.after)
            )


def table_moves(event: Event, tables: str) -> TableMoves | None:
    """Return what moves along if an event gets these tables, None if nothing does.

    No query before the first draft and without fixed tables, else those of the facts. Raises
    BadInput ``invalid_tables``; RuleError ``too_few_tables`` for the draft.
    """
    drafts = event.rounds.filter(state=Round.State.DRAFT)
    if not drafts.exists() and not event.entries.filter(fixed_table__isnull=False).exists():
        return None
    facts = load_facts(event)
    known = {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}
    fixed = moved_tables(known, table_ranges(event.tables), table_ranges(tables))
    ordinal, before = _draft(facts)
    hall = table_ranges(tables)
    assigned = tables_for([match.seats for match in before], known | fixed, hall)
    after = tuple(
        replace(match, table=table) for match, table in zip(before, assigned, strict=True)
    )
    if not fixed and before == after:
        return None
    return TableMoves(fixed=fixed, ordinal=ordinal, before=before, after=after)


def _draft(facts: EventFacts) -> tuple[int, tuple[DraftMatch, ...]]:
    """Return the ordinal of the draft and its matches with a table in their order, (0, ()) none."""
    stage = facts.open_stage
    if stage is None or stage.last_round is None or stage.last_round.state != Round.State.DRAFT:
        return 0, ()
    matches = [match for match in seated(facts, stage, stage.last_round) if match.table]
    return stage.last_round.ordinal, tuple(sorted(matches, key=lambda match: match.table or 0))
