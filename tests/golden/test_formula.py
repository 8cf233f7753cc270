"""Whole Mutant Chronicles events, worked out elsewhere (formula.json)."""

from typing import Any

import pytest

from rules.formulas import FORMULAS
from rules.results import MatchEnding, Points, Result, Winner, two_player_result, two_seats
from rules.stages.base import Pairing
from rules.ties.decisions import tied_classes
from tests.golden.tables import FORMULA
from tests.rules.play import PlayedEvent, play_out

GOLDEN = FORMULA
COVERS = {
    ("rules", f"formula {case['id']}{part}") for case in GOLDEN["cases"] for part in ("", " event")
}
STAGES = {
    "groups": "groups",
    "second_groups": "second groups",
    "repechage": "repechage",
    "last_three": "last three",
    "final": "final",
}


def started(case: dict[str, Any]) -> PlayedEvent:
    plan = FORMULAS.get("mutant-chronicles").plan(12, {"legs": case["legs"]})
    seated = {
        place: player
        for group in plan.stages[0].groups
        for place, player in zip(group.seats, case["groups"][group.name], strict=True)
    }
    order = [seated[f"S{number}"] for number in range(1, 13)]
    event = PlayedEvent(
        plan, order, criteria=tuple(GOLDEN["criteria"]), points=Points(**GOLDEN["points"])
    )
    event.lots.append(tuple(case["lots"]))
    return event


def judge_of(matches: list[dict[str, Any]]) -> Any:
    waiting = list(matches)

    def judge(pairing: Pairing) -> Result:
        match = waiting.pop(0)
        assert [match["a"], match["b"]] == [*two_seats(pairing.seats, None)]
        if "score" in match:
            made, conceded = match["score"]
            by_score = (
                Winner.DRAW if made == conceded else Winner.A if made > conceded else Winner.B
            )
            winner = Winner(match.get("winner", by_score))
            return two_player_result(*pairing.seats, winner=winner, score=(made, conceded))
        if "games" in match:
            won, lost, drawn = match["games"]
            return two_player_result(
                *pairing.seats,
                winner=Winner.A if won > lost else Winner.B,
                score=(won, lost),
                games=(won, lost, drawn),
            )
        return two_player_result(
            *pairing.seats, winner=Winner(match["winner"]), ended_by=MatchEnding.CONCESSION
        )

    return judge


def by_round(stage: dict[str, Any]) -> list[dict[str, Any]]:
    if "match" in stage:
        return [stage["match"]]
    rounds = max(match["round"] for group in stage["groups"] for match in group["matches"])
    return [
        match
        for number in range(1, rounds + 1)
        for group in stage["groups"]
        for match in group["matches"]
        if match["round"] == number
    ]


def rows(standings: Any) -> list[dict[str, Any]]:
    return [
        {
            "rank": row.rank,
            "player": row.player,
            "played": row.played,
            "won": row.won,
            "drawn": row.drawn,
            "lost": row.lost,
            "values": {key: int(value) for key, value in row.values.items()},
            "placed_by": row.placed_by,
        }
        for row in standings.rows
    ]


def compared_in(stage: dict[str, Any]) -> dict[int, list[list[str]]]:
    compared = stage.get("compared") or {}
    if "place" in compared:
        return {compared["place"]: compared["classes"]}
    ranks = {"winners": 1, "thirds": 3}
    return {ranks[name]: part["classes"] for name, part in compared.items()}


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_a_whole_event_goes_as_published(case: dict[str, Any]) -> None:
    event = started(case)
    used_lots: list[dict[str, Any]] = []
    for expected in case["stages"]:
        assert STAGES[event.state.plan.key] == expected["name"]
        for group in expected.get("groups", []):
            assert list(event.state.seats[group["name"]]) == group["seats"]
        event.state = play_out(event.state, judge_of(by_round(expected)))
        decided = event.outcome
        assert decided.lots_needed == ()
        for group in expected.get("groups", []):
            assert rows(decided.standings[group["name"]]) == group["standings"]
        found = {rank: [list(c) for c in tied_classes(s)] for rank, s in decided.compared.items()}
        assert found == compared_in(expected)
        for name, player in (expected.get("slots") or {}).items():
            if name == "finalists":
                assert {decided.places["finalist 1"], decided.places["finalist 2"]} == set(player)
            elif name != "third":
                assert decided.places[name] == player
        used_lots += lots_used(event)
        if not event.is_last:
            event.advance()
    assert [list(level) for level in event.ranking()] == case["final_ranking"]
    assert used_lots == case["lots_used"]
    assert {name: event.places[name] for name in case["slots"]} == case["slots"]


def lots_used(event: PlayedEvent) -> list[dict[str, Any]]:
    """Return the tied sets that the lots decided, as the golden file lists them."""
    whole, event.lots = event.lots, []
    bare = event.outcome
    event.lots = whole
    with_lots = event.outcome
    found: list[dict[str, Any]] = []
    for name, standings in bare.standings.items():
        for tied in standings.tied:
            rank = next(row.rank for row in standings.rows if row.player in tied)
            places = list(range(rank, rank + len(tied)))
            found.append({"where": name, "players": sorted(tied), "places": places})
    names = {3: "compared: place 3"} if event.index == 0 else {1: "compared: winners"}
    names.setdefault(3, "compared: thirds")
    for rank, standings in with_lots.compared.items():
        drawn = {row.proof.level for row in standings.rows if row.placed_by == "lots" and row.proof}
        found += [{"where": names[rank], "players": sorted(level)} for level in sorted(drawn)]
    return found
