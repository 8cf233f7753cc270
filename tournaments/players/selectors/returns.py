"""Players who have left: whether they can come back, and who has asked to."""

from dataclasses import replace

from rules.advancement.bracket_ranking import held_so_far
from rules.events.returning import ReturnFacts, Returning, returning
from rules.results import PlayerId
from rules.scenarios.playing_on import with_round_to_come
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.places import places_of_start
from tournaments.core.rows import AnyEntry, EntryRow
from tournaments.core.values_cache import cached
from tournaments.models import Entry
from tournaments.players.selectors.attendance import has_seat


def to_come(stage: StageFacts) -> frozenset[PlayerId]:
    """Return the players with a match to come in an open stage, beyond the rounds made."""
    return cached(stage, "to_come", lambda: with_round_to_come(stage.state))


def returning_of(facts: EventFacts, entry: AnyEntry) -> Returning:
    """Return whether a player can come back, as far as these facts tell; no query."""
    stage, number = facts.open_stage, entry.number
    if entry.status != Entry.Status.WITHDRAWN:
        return Returning.NOT_OFFERED
    found = ReturnFacts(
        event=facts.event.state,
        status=entry.status,
        seated=stage is None or number in stage.state.players,
        struck=stage is not None and number in stage.state.struck,
        admits=admits_late(facts) and not _has_place(facts, number),
        plays=stage is not None and (number in to_come(stage) or _may_go_on(stage, number)),
        asked=entry.return_asked_at is not None,
        refused=entry.return_refused_at is not None,
    )
    return returning(found)


def _may_go_on(stage: StageFacts, number: PlayerId) -> bool:
    """Return whether a player without a match to come might still go on from an open stage.

    Certain where all is played, or in a bracket; else it hangs on what others play.
    """
    if not stage.used or number not in stage.state.players:
        return False
    withdrawn = stage.state.withdrawn - {number}
    back = replace(stage, state=replace(stage.state, withdrawn=withdrawn))
    if stage.kind.has_bracket:
        return number in held_so_far(back.state, stage.used).values()
    if stage.held or stage.missing or not stage.rounds_done:
        return True
    outcome = cached(stage, f"back {number}", lambda: back.outcome)
    holders = {outcome.places[name] for name in stage.used & outcome.places.keys()}
    return number in holders or any(number in level for level in outcome.lots_needed)


def admits_late(facts: EventFacts) -> bool:
    """Return whether the stage in play takes players after its start; no query."""
    stage = facts.open_stage
    if stage is None:
        return False
    made = len(stage.regular_rounds)
    return stage.kind.admits_late and made < max(stage.plan.rounds, stage.total_rounds)


def _has_place(facts: EventFacts, number: PlayerId) -> bool:
    """Return whether a player had a place: only who never had one can enter late.

    Whoever sat in an earlier stage, and not in the one in play, comes back to no match of it.
    """
    placed = number in places_of_start(facts).values()
    return placed or has_seat(facts, number)


def all_taken(facts: EventFacts) -> bool:
    """Return whether no place is free before the start; who waits goes first; no query."""
    capacity = facts.event.capacity
    entries = facts.entries.values()
    taken = sum(entry.plays or entry.status == Entry.Status.WAITING for entry in entries)
    return capacity is not None and taken >= capacity


def asked_back(facts: EventFacts) -> tuple[EntryRow, ...]:
    """Return who has asked to come back and can, the earliest request first; no query."""
    asked = [
        (entry.return_asked_at, entry.number, entry)
        for entry in facts.entries.values()
        if entry.return_asked_at and returning_of(facts, entry) is Returning.ASKED
    ]
    return tuple(entry for _at, _number, entry in sorted(asked, key=lambda found: found[:2]))
