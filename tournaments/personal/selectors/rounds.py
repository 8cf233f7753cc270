"""The round in progress and the one to come, as players' own pages show them."""

from typing import NamedTuple

from rules.results import PlayerId
from rules.stages.byes import awarded_byes
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.replays import in_play, to_finish
from tournaments.core.rows import AnyEntry, MatchRow, RoundRow
from tournaments.models import Event
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
    """Return the number of matches in play without a final result; no query."""
    current = round_in_progress(facts)
    return to_finish(current.stage) if current else 0


def matches_now(facts: EventFacts, entry: AnyEntry) -> list[MatchRow]:
    """Return a player's matches in play, in the order in which they are played; no query.

    That of the round in progress, which others wait for, then those of earlier rounds beside it.
    """
    current = round_in_progress(facts)
    playing = in_play(current.stage) if current else ()
    return [each.match for each in playing if entry.pk in each.match.seats]


def tables_deciding(facts: EventFacts, number: PlayerId) -> int:
    """Return the number of open matches in play that may decide whether a player goes on.

    Those of other groups do only where ranks of groups are compared; no query.
    """
    current = round_in_progress(facts)
    if current is None or not current.stage.kind.has_table:
        return 0
    stage = current.stage
    compared = leads_in(stage).compared
    own = next((name for name, seats in stage.state.seats.items() if number in seats), "")
    keys = {group.pk for group in stage.groups if compared or group.name == own}
    return sum(each.is_open and each.match.group_id in keys for each in in_play(stage))


def first_table(facts: EventFacts, entry: AnyEntry) -> int:
    """Return the round after a player's awarded byes while one is to come, else 0."""
    stage = facts.open_stage
    if stage is None or not stage.kind.honours_byes:
        return 0
    last = awarded_byes(stage.state).get(entry.number, 0)
    return last + 1 if 0 < last < stage.total_rounds else 0
