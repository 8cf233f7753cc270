"""Who came into a stage for whom, where others only moved to another seat."""

from datetime import UTC, datetime

import pytest

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.personal.selectors.beside import LoggedDecision
from tournaments.personal.selectors.player import moved_up
from tournaments.players.services import departures

WHEN = datetime(2026, 12, 5, 10, tzinfo=UTC)


def decision(*seats):
    return LoggedDecision(
        at=WHEN,
        reason="",
        stage="cut",
        seats=tuple({"group": "A", "seat": 1, "out": out, "in": come} for out, come in seats),
        matches=frozenset(),
        taken_out=0,
        rounds_gone=(),
    )


def test_whoever_moves_up_comes_for_who_is_out_and_not_for_who_changed_seats():
    moved = decision((2, 3), (3, 6))
    assert (moved.came_for(2), moved.went_for(6)) == (6, 2)
    assert (moved.came_for(6), moved.went_for(2)) == (None, None)


def test_a_seat_left_empty_is_nobodys_and_an_exchange_ends():
    assert decision((2, 3), (3, None)).came_for(2) is None
    assert decision((2, 3), (3, 2)).came_for(2) in (2, 3)


@pytest.mark.django_db
def test_who_goes_on_because_somebody_left_reads_who_it_was(by, in_english):
    event = make.halfway(by, 8, rounds=3, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    (stage, _later) = load_facts(event).stages
    (table,) = stage.outcome.standings.values()
    first, *others = [row.player for row in table.rows]
    assert {moved_up(load_facts(event), number) for number in others} == {""}
    gone = event.entries.get(number=first)
    departures.withdraw(entry=gone, by=by)
    facts = load_facts(event)
    came = {*facts.stages[0].outcome.places.values()} - {others[0]}
    told = {number: words for number in others if (words := moved_up(facts, number))}
    assert told == dict.fromkeys(came, f"{gone.name} plays no more: you go on instead.")
    assert len(told) == 1
