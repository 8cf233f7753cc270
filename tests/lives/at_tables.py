"""Tables of three and more in lives: settings of events, results and reports, and drafts."""

from typing import Any

from rules.matches.match_rules import MatchRules
from rules.tables.rounds import can_cut_to_tables
from tests.lives.present import Chooser

FORMULA, FORMAT = "tables-cut", "thoom"
SIZES = ([4, 3], [4, 3], [3, 4], [4, 5, 3], [4, 3, 2], [4], [3])
STAFF_ONLY: tuple[dict[str, Any], ...] = (
    {"winner": "none"},
    {"winner": "void"},
    {"winner_seat": 1, "absent": [2]},
    {"winner_seat": 2, "conceded": [1], "disqualified": [3]},
    {"drawn": True, "ended_by": "time", "note": "Deciso dal giudice"},
    {"absent": [2, 3]},
)
IMPOSSIBLE: tuple[dict[str, Any], ...] = (
    {"winner_seat": 6},
    {"drawn": [1]},
    {"places": [1, 3, 3, 3]},
    {"winner_seat": 2, "absent": [2]},
    {"score": [2, 1]},
    {},
)


def settings(choose: Chooser, players: int) -> dict[str, Any]:
    """Return settings of an event of tables for so many players: sizes, cut and points."""
    sizes = choose([each for each in SIZES if each[0] <= players])
    ending = choose(("tables", "tables", "tables", "two"))
    steps = [cut for cut in range(3, players + 1) if can_cut_to_tables(cut, sizes[0])]
    options = {
        "rounds": choose((1, 2, 3)),
        "ending": ending,
        "cut": choose((0, 1, 2, 4) if ending == "two" else (0, 1, sizes[0], choose(steps))),
        "sizes": sizes,
        "small": choose(("low", "high", "any")),
    }
    points = choose((None, {"preset": "win3"}, {"preset": "places"}))
    return {"format": FORMAT, "options": options, "table_points": points}


def usual(rules: MatchRules, choose: Chooser) -> dict[str, Any]:
    """Return a result that most tables have, as the API takes it."""
    seats = [*range(1, rules.size + 1)]
    first = choose(seats)
    others = [seat for seat in seats if seat != first]
    order = [first, *(others if choose((True, False)) else others[::-1])]
    return choose(
        (
            {"winner_seat": first},
            {"drawn": sorted((first, others[0])), "ended_by": "time"},
            {"drawn": True},
            {"places": [order.index(seat) + 1 for seat in seats]},
        )
    )


def body(rules: MatchRules, choose: Chooser) -> dict[str, Any]:
    """Return a result as the API takes it; one in ten is rare, one in ten impossible."""
    kind = choose(("usual",) * 8 + ("rare", "impossible"))
    if kind == "usual":
        return usual(rules, choose)
    return dict(choose(STAFF_ONLY if kind == "rare" else IMPOSSIBLE))


def typed(choose: Chooser) -> str:
    """Return a result as typed at the desk."""
    return choose(
        (
            "1",
            "2",
            "312",
            "3124",
            "=",
            "=13",
            "21=3",
            "0",
            "2 a3",
            "a3",
            "a1",
            "r12",
            "s 7 9 2",
            "9",
        )
    )


def reported(rules: MatchRules, choose: Chooser) -> dict[str, Any]:
    """Return a player's report as the page sends it."""
    seat = choose((1, 1, 1, 2, rules.size))  # players tend to say the same
    return choose(
        (
            {"preset": str(seat)},
            {"preset": str(seat)},
            {"preset": f"conceded-{seat}"},
            {"preset": "drawn", "drawn": [1, 2]},
        )
    )


def draft_change(choose: Chooser, tables: list[list[int]]) -> dict[str, Any]:
    """Return a change of a draft of tables by hand; ``tables`` are the players of each match."""
    players = [number for table in tables for number in table]
    action = choose(("swap", "swap", "move", "bye", "half_bye", "order", "break"))
    if action == "order":
        return {"action": action, "players": choose(tables)[::-1]}
    count = 2 if action == "swap" else 1
    return {"action": action, "players": [choose(players) for _player in range(count)]}
