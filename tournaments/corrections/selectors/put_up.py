"""When and where the matches are played that a correction puts up to be played again."""

from collections.abc import Collection, Sequence
from typing import Any

from rules.corrections.fates import Fate, Key, MatchChange
from rules.results import PlayerId
from rules.stages.table_assignment import tables_beside
from rules.stages.table_ranges import table_ranges
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.replays import in_play, latest_round
from tournaments.corrections.selectors.choices import matches_by_key


def places_beside(
    facts: EventFacts, stage: StageFacts, changes: Sequence[MatchChange]
) -> dict[Key, dict[str, Any]]:
    """Return where matches of earlier rounds are played, as ``Match.earlier`` keeps it; no query.

    That is beside the latest published round, at tables that neither it nor a draft uses. A match
    that stands beside it already keeps its table.
    """
    latest = latest_round(stage)
    if latest is None:
        return {}
    rows, rounds = matches_by_key(stage), stage.regular_rounds
    found: dict[Key, dict[str, Any]] = {}
    new: list[MatchChange] = []
    for change in changes:
        if not is_to_play(change) or rounds[change.round].ordinal >= latest.ordinal:
            continue
        was = rows[change.key].put_up
        if was.get("beside") == latest.ordinal and "table" in was:
            found[change.key] = {"beside": latest.ordinal, "table": was["table"]}
        else:
            new.append(change)
    fixed = {n: entry.fixed_table for n, entry in facts.entries.items() if entry.fixed_table}
    tables = tables_beside(
        [change.after for change in new],
        fixed,
        _taken(facts, stage, changes, {rows[change.key].pk for change in new}),
        table_ranges(facts.event.tables),
    )
    for change, table in zip(new, tables, strict=True):
        found[change.key] = {"beside": latest.ordinal, "table": table}
    return found


def is_to_play(change: MatchChange) -> bool:
    """Return whether a match that changes hands is to be played by those who come."""
    return change.fate in (Fate.AGAIN, Fate.PASSES)


def _taken(
    facts: EventFacts, stage: StageFacts, changes: Sequence[MatchChange], but: Collection[int]
) -> dict[int, tuple[PlayerId, ...]]:
    """Return the tables of the latest rounds with who plays there, and those beside them.

    ``but`` are the keys of matches that have no table beside them yet.
    """
    rows = matches_by_key(stage)
    after = {rows[change.key].pk: change.after for change in changes}
    latest = latest_round(stage)
    found: dict[int, tuple[PlayerId, ...]] = {}
    for item in stage.rounds:
        if latest is None or item.ordinal < latest.ordinal:
            continue
        for match in stage.matches_of(item):
            seated = after.get(match.pk) or tuple(facts.numbers[key] for key in match.seats)
            if match.table is not None:
                found[match.table] = (*found.get(match.table, ()), *seated)
    for each in in_play(stage):
        if each.beside and each.table is not None and each.match.pk not in but:
            found.setdefault(each.table, ())
    return found
