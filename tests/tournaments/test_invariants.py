"""Each invariant of an event, what holds it, and a planted fault that it must catch.

Safety notes, invariants I01 to I22. Most are checks of ``manage.py verify``: the fault is planted
in the rows, or in what the rules make of them. The others are promises of services and pages: the
fault is planted in those. An invariant without a fault that it catches fails.
"""

from collections.abc import Mapping

import pytest

from tests import factories as make
from tests.tournaments.planted_promises import (
    by_looking,
    by_order,
    by_sending_twice,
    by_the_archive,
    by_the_log,
    by_undoing,
    change_while_reading,
    forget_the_key,
    forget_the_line,
    let_everybody_see,
    look_at_the_clock,
    undo_nothing,
)
from tests.tournaments.planted_rows import (
    Planted,
    World,
    delete_a_report,
    go_on_too_few,
    in_rows,
    in_tables,
    leave_before_the_pairing,
    lose_a_match,
    lose_a_result,
    open_two_rounds,
    send_the_loser_on,
    sit_twice,
    spoilt,
    turn_the_table,
    value,
)
from tests.tournaments.verification import test_verify as faults

pytestmark = pytest.mark.django_db

INVARIANTS: Mapping[str, str] = {
    "I01": "round numbers run from 1 without gap",
    "I02": "a stored round has all its matches",
    "I03": "one round is open at most; a closed one has every result",
    "I04": "nobody meets themselves or sits twice in a round",
    "I05": "who left before the pairing is not paired",
    "I06": "one decision counts; versions increase; nothing is deleted",
    "I07": "each pair meets once a leg; Swiss: no rematch, no second bye while it can be avoided",
    "I08": "every decided match is in the standings once",
    "I09": "standings depend on decisions, not on the order in which they came",
    "I10": "points handed out are those of the results",
    "I11": "what one makes the other concedes",
    "I12": "the order is total, each step has its reason, draws follow from their seed",
    "I13": "in a finished group opponents have all points but one's own",
    "I14": "as many go on as the plan says, nobody twice, all from the stage before",
    "I15": "the winner of a match plays where the bracket says so",
    "I16": "a best of three ends when it is decided; a final has a winner",
    "I17": "a list that counts was there before the lock and never changes",
    "I18": "nobody sees what the table of sight keeps from them",
    "I19": "each accepted act leaves its line in the log",
    "I20": "what is taken back is as it was before",
    "I21": "the same key has one effect",
    "I22": "out, in and out again is the same",
}
NOT_HELD: Mapping[str, str] = {}
"""Invariants that nothing holds yet, with the reason."""


PLANTED: tuple[Planted, ...] = (
    *in_rows("I01", "round_numbers", faults.skip_a_round),
    *in_rows("I02", "pairings", lose_a_match),
    *in_rows("I02", "seats_of_match", faults.lose_a_seat),
    *in_rows("I03", "results_missing", faults.open_a_match, open_two_rounds),
    *in_rows("I04", "seats_of_match", sit_twice),
    *in_rows("I05", "paired_away", leave_before_the_pairing, makes=World.swiss),
    *in_rows("I06", "reports", faults.lose_a_report, delete_a_report),
    *in_rows("I07", "meetings", faults.meet_again),
    *in_rows("I07", "pairings", faults.rematch, faults.second_bye, makes=World.swiss),
    *in_tables("I08", "standings", a_result_is_lost=lose_a_result),
    *in_tables("I08", "standings", counted_twice=spoilt(lambda row: row._replace(played=99))),
    Planted("I09", "the clock decides", World.running, look_at_the_clock, "order", by_order),
    *in_tables("I10", "standings", a_point_too_many=spoilt(value("points"))),
    *in_tables("I11", "standings", a_score_too_large=spoilt(value("score_for"))),
    *in_tables("I11", "standings", a_wrong_difference=spoilt(value("score_difference"))),
    *in_tables("I12", "order", upside_down=turn_the_table),
    *in_rows("I12", "draw", faults.change_an_order),
    *in_rows("I12", "fingerprint", faults.change_a_seed),
    *in_tables("I13", "opponents", opponents_too_strong=spoilt(value("opponents_points"))),
    *in_rows("I14", "advancing", faults.advance_twice),
    *in_rows("I14", "places", go_on_too_few, faults.change_a_place),
    *in_rows("I14", "seats", faults.change_seats),
    *in_rows("I15", "pairings", send_the_loser_on, makes=World.knockout),
    *in_rows("I16", "impossible_result", faults.win_too_many_games, faults.draw_the_final),
    *in_rows("I17", "deck_fingerprint", faults.change_a_list),
    *in_rows("I17", "deck_legality", faults.change_a_verdict),
    *in_rows("I17", "deck_lock", faults.unlock_a_list),
    Planted("I18", "everybody sees", World.groups, let_everybody_see, "sight", by_looking),
    *in_rows("I19", "log", faults.lose_a_line),
    Planted("I19", "no line", World.running, forget_the_line, "log", by_the_log),
    Planted("I20", "undo does nothing", World.running, undo_nothing, "undo", by_undoing),
    Planted(
        "I21",
        "the key is forgotten",
        lambda world: make.open_event(world.by),
        forget_the_key,
        "twice",
        by_sending_twice,
    ),
    Planted(
        "I22", "changed on the way", World.running, change_while_reading, "archive", by_the_archive
    ),
)


def test_every_invariant_has_a_fault_that_it_catches() -> None:
    assert sorted({*(each.invariant for each in PLANTED), *NOT_HELD}) == sorted(INVARIANTS)


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_the_fault_is_caught(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(monkeypatch)
    event = planted.makes(world)
    assert planted.catch(world, event) == set()
    planted.plant(world, event)
    assert planted.caught in planted.catch(world, event)
