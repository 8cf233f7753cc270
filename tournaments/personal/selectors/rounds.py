"""The round in progress and the one to come, as players' own pages show them."""

from typing import NamedTuple

from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.rows import RoundRow
from tournaments.core.values_cache import cached
from tournaments.models import Event, Match


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


def _open_tables(facts: EventFacts) -> int:
    current = round_in_progress(facts)
    matches = current.stage.matches_of(current.item) if current else ()
    return sum(match.state != Match.State.FINAL for match in matches)
