"""An outcome is the same after it was stored as a report and read again, for every one there is."""

from dataclasses import replace
from itertools import product

import pytest

from rules.results import (
    MatchEnding,
    SeatMark,
    TieBreak,
    Winner,
    outcome_by_places,
    outcome_by_winner,
)
from rules.tables.results import are_valid_places
from tournaments.core.mapping import outcome_from_report, report_from_outcome

DETAILS = (
    {},
    {"score": (40, 12)},
    {"score": (2, 1), "games": ("a", "b", "a"), "games_won": (2, 1, 0)},
    {"games_won": (0, 0, 3)},
    {"score": (31, 31), "tie_break": TieBreak.WARRIORS, "by_decision": True},
)


@pytest.mark.parametrize("details", DETAILS, ids=str)
def test_every_winner_of_one_seat_and_of_two_comes_back(details: dict[str, object]) -> None:
    for winner, ended_by, seats in product(Winner, MatchEnding, (1, 2)):
        outcome = outcome_by_winner(winner, ended_by, seats=seats, **details)
        report = report_from_outcome(outcome)
        assert (report.winner, report.places, report.marks) == (winner, None, None)
        assert outcome_from_report(report, seats) == outcome


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_order_of_a_table_comes_back(seats: int) -> None:
    every = [p for p in product((None, *range(1, seats + 1)), repeat=seats) if are_valid_places(p)]
    void = [outcome_by_places(None, ended_by=MatchEnding.VOID, seats=seats)]
    marks = ((1, SeatMark.CONCEDED), (seats, SeatMark.ABSENT))
    told = [outcome_by_places(places, marks, MatchEnding.TIME, seats=seats) for places in every]
    for outcome in (*void, *told, *(replace(one, marks=()) for one in told)):
        report = report_from_outcome(outcome)
        assert (report.winner, report.score_a, report.games) == ("", None, [])
        assert outcome_from_report(report, seats) == outcome


@pytest.mark.parametrize("ended_by", MatchEnding)
def test_every_ending_of_a_table_comes_back(ended_by: MatchEnding) -> None:
    outcome = outcome_by_places((2, 1, 2), ended_by=ended_by, seats=3)
    assert outcome_from_report(report_from_outcome(outcome), 3) == outcome
