"""The round in progress and the one to come, as players' own pages show them."""

from typing import NamedTuple

from rules.results import PlayerId
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.rows import RoundRow
from tournaments.core.values_cache import cached
from tournaments.models import Event, Match
from tournaments.standings.selectors.rank_details import leads_in


class InProgress(NamedTuple):
    """A round in progress and its label."""

    stage: StageFacts
    item: RoundRow
    label: str


def round_in_progress(facts: EventFacts) -> InProgress | None:
    """Return the latest round of the open stage; no query."""
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None or stage.last_round is None:
        return None
    return InProgress(stage, stage.last_round, round_label(stage, stage.last_round))


def next_round(facts: EventFacts) -> int:
    """Return the number of the round that comes after the latest one, 0 if none does; no query."""
    stage = facts.open_stage
    if stage is None or len(stage.regular_rounds) >= stage.total_rounds:
        return 0
    return facts.last_ordinal + 1


def open_tables(facts: EventFacts) -> int:
    """Return the number of matches of the round in progress without a final result; no query."""
    return cached(facts, "open_tables", lambda: _open_tables(facts))


def tables_deciding(facts: EventFacts, number: PlayerId) -> int:
    """Return the number of open matches of the round that may decide whether a player goes on.

    Those of other groups do only where ranks of groups are compared; no query.
    """
    current = round_in_progress(facts)
    if current is None or not current.stage.kind.has_table:
        return 0
    stage = current.stage
    compared = leads_in(stage).compared
    own = next((name for name, seats in stage.state.seats.items() if number in seats), "")
    keys = {group.pk for group in stage.groups if compared or group.name == own}
    matches = stage.matches_of(current.item)
    return sum(m.state != Match.State.FINAL and m.group_id in keys for m in matches)


def _open_tables(facts: EventFacts) -> int:
    current = round_in_progress(facts)
    matches = current.stage.matches_of(current.item) if current else ()
    return sum(match.state != Match.State.FINAL for match in matches)
