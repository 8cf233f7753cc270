"""What the services of corrections refuse in a finished event, with the code."""

from collections.abc import Callable
from typing import Any

from rules.matches.match_rules import Claim
from rules.results import SeatMark
from tests.finished.event import Over
from tournaments.corrections.services import carrying, results
from tournaments.corrections.services import results as corrections

RUNNING = "event_not_running"
WON = Claim(score=(40, 10))
AWAY: dict[str, Any] = {"version": 1, "claim": Claim(marks=((1, SeatMark.ABSENT),))}
CORRECTED: dict[str, Any] = {"version": 1, "claim": WON, "reason": "prova"}
CORRECTIONS: dict[str, tuple[str, Callable[[Over], Any]]] = {
    "corrections.correct_result_only": (
        RUNNING,
        lambda over: over.at(corrections.correct_result_only, **CORRECTED),
    ),
    "corrections.correct_and_delete_rounds": (
        RUNNING,
        lambda over: over.at(corrections.correct_and_reseat, **CORRECTED, shown=""),
    ),
    "corrections.correct_and_reseat": (
        RUNNING,
        lambda over: over.at(corrections.correct_and_delete_rounds, **CORRECTED, shown=""),
    ),
    "corrections.correct_random_draw": (
        RUNNING,
        lambda over: over.act(
            carrying.correct_random_draw,
            number=2,
            order=(1, 2),
            way="keep",
            shown="",
            reason="prova",
        ),
    ),
    "corrections.move_bye": (
        RUNNING,
        lambda over: over.at(carrying.move_bye, player=1, way="follow", shown="", reason="prova"),
    ),
    "corrections.give_seat_to_next": (
        RUNNING,
        lambda over: over.of(3, carrying.give_seat_to_next, reason="prova", shown=""),
    ),
    "corrections.correct_seeds": (
        RUNNING,
        lambda over: over.act(
            carrying.correct_seeds, seeds={1: 1}, way="keep", shown="", reason="prova"
        ),
    ),
    "corrections.correct_player": (
        RUNNING,
        lambda over: over.of(3, results.correct_player, way="keep", shown="", reason="prova"),
    ),
}
