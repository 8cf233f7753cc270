"""Results that somebody may send for a match: usual, rare and impossible ones."""

from dataclasses import replace
from typing import Any

from rules.matches.match_rules import Claim, MatchRules, result_presets
from tests.lives import at_tables
from tests.lives.present import Ask, Chooser, Now
from tournaments.results.api import ResultInput, parse_claim

STAFF_ONLY: tuple[dict[str, Any], ...] = (
    {"winner": "a", "ended_by": "concession"},
    {"winner": "b", "ended_by": "no_show"},
    {"winner": "a", "ended_by": "disqualification"},
    {"winner": "b", "ended_by": "penalty"},
    {"ended_by": "double_loss"},
    {"winner": "none"},
    {"winner": "void"},
    {"winner": "b", "note": "Deciso dal giudice"},
)
IMPOSSIBLE: tuple[dict[str, Any], ...] = (
    {"score": [1000, 0]},
    {"games": ["a", "a", "a", "a"]},
    {"winner": "a", "ended_by": "bye"},
    {"winner": "draw", "ended_by": "no_show"},
    {},
)


def promotion(rules: MatchRules, choose: Chooser) -> dict[str, Any]:
    """Return promotion points, with a tie-break if they are level and no draw is possible."""
    a, b = choose(((40, 22), (12, 40), (50, 40), (30, 7), (20, 20), (0, 0), (9, 10)))
    if a != b:
        return {"score": [a, b], "ended_by": choose(("time", "played"))}
    if rules.draws:
        return {"score": [a, b], "ended_by": "time"}
    return {"score": [a, b], "winner": choose("ab"), "tie_break": choose(("warriors", "judge"))}


def games(rules: MatchRules, choose: Chooser) -> dict[str, Any]:
    """Return a result of a best of n, sometimes game by game."""
    last = choose("ab")
    other = "b" if last == "a" else "a"
    lost = [other] * choose(range(rules.needed))
    drawn = ["draw"] * choose((0, 0, 1, 2))
    whole = [*lost, *drawn, *[last] * rules.needed]
    totals = [list(preset.claim.score) for preset in result_presets(rules) if preset.claim.score]
    return choose(({"games": whole}, {"score": choose(totals)}))


def usual(rules: MatchRules, choose: Chooser) -> dict[str, Any]:
    """Return a result that most matches have."""
    if rules.size > 2:
        return at_tables.usual(rules, choose)
    return promotion(rules, choose) if rules.by_points else games(rules, choose)


def body(rules: MatchRules, choose: Chooser) -> dict[str, Any]:
    """Return a result as the API takes it; one in ten is rare, one in ten impossible."""
    if rules.size > 2:
        return at_tables.body(rules, choose)
    kind = choose(("usual",) * 8 + ("rare", "impossible"))
    if kind == "rare":
        return {"winner": "void"} if rules.leads_nowhere else dict(choose(STAFF_ONLY))
    if kind == "impossible":
        return dict(choose(IMPOSSIBLE))
    return usual(rules, choose)


def typed(rules: MatchRules, choose: Chooser) -> str:
    """Return a result as typed at the desk."""
    if rules.size > 2:
        return at_tables.typed(choose)
    if rules.by_points:
        return choose(("40-22", "12-40", "30-30", "41-40", "x"))
    return choose((*(preset.key for preset in result_presets(rules)), "9-9"))


def reported(rules: MatchRules, choose: Chooser) -> dict[str, Any]:
    """Return a player's report as the page sends it; one in five is a rare one."""
    if rules.size > 2:
        return at_tables.reported(rules, choose)
    if choose(range(5)) == 0:
        return {"ended": choose(("own_concession", "other_concession")), "sure": "on"}
    if not rules.by_points:
        if choose((True, False)):
            return {
                "preset": choose([preset.key for preset in result_presets(rules)]),
                "sure": "on",
            }
        played = [choose(("own", "other", "draw")) for _game in range(choose((1, 2, 3, 4)))]
        return {f"game_{number}": each for number, each in enumerate(played, 1)} | {"sure": "on"}
    points = choose(((40, 22), (22, 40), (40, 10), (20, 20)))
    level = {"winner": "own", "tie_break": "extra_turns"} if not rules.draws else {}
    more = choose(({}, {}, {"battle_own": "on"}, {"ended": "time"}))
    return {"own": points[0], "other": points[1], "sure": "on"} | level | more


def claim_of(body: dict[str, Any]) -> Claim:
    """Return a result of the staff, read as the API reads it."""
    given = ResultInput(data=body | {"version": 0})
    given.is_valid(raise_exception=True)
    return replace(parse_claim(given.validated_data), by_staff=True)


def lose_by_penalty(now: Now) -> Ask | None:
    """Give a player a match loss at their table."""
    match = now.one(now.matches("open", "reported", "disputed", "final"))
    if match is None:
        return None
    number = now.choose(match.players).number
    path = f"floor/tables/{match.pk}/penalty/"
    return now.page("lose_by_penalty", path, number=number, reason="late", level="match_loss")
