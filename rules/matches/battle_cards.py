"""Doomtrooper's battle cards at the end of a game.

Source: Regolamento da torneo, Carte Battaglia; tournament rules, A match.
"""

from dataclasses import replace

from rules.matches.match_rules import Claim, MatchRules, impossible
from rules.results import EndedBy, leader_of


def battle_cards(
    points: tuple[int, int], in_play: tuple[bool, bool], *, at_time: bool
) -> tuple[tuple[int, int], bool]:
    """Return both totals with battle cards, and whether these change the leader.

    10 points for cards in play after a game ended by points; at time a quarter of the opponent's
    points before battle cards, rounded down, at most 10 (tournament rules, A match).
    """
    worth = (min(10, points[1] // 4), min(10, points[0] // 4)) if at_time else (10, 10)
    a, b = (before + bonus * has for before, bonus, has in zip(points, worth, in_play, strict=True))
    return (a, b), leader_of(a, b) is not leader_of(*points)


def totals(
    rules: MatchRules,
    points: tuple[int, int],
    in_play: tuple[bool, bool],
    ended_by: EndedBy | None,
) -> tuple[tuple[int, int], bool]:
    """Return both totals of a match with this ending, and whether battle cards change who leads."""
    if not any(in_play):
        return points, False
    return battle_cards(points, in_play, at_time=_at_time(rules, points, ended_by))


def _at_time(rules: MatchRules, points: tuple[int, int], ended_by: EndedBy | None) -> bool:
    """Return whether a game ended at time: as given, or because nobody had the points."""
    return ended_by is EndedBy.TIME or max(points) < rules.target


def with_battle_cards(rules: MatchRules, claim: Claim, in_play: tuple[bool, bool]) -> Claim:
    """Return a claim of points before battle cards with the final totals.

    A game that reaches the target only with battle cards ended at time, even if the claim does
    not say so. Raises BadInput ``impossible_result`` if there are no points, or if the leader
    changes and the claim names no winner.
    """
    if not any(in_play):
        return claim
    if not rules.by_promotion or claim.score is None:
        raise impossible(rules, "Battle cards add to promotion points: enter those of both.")
    score, changes_leader = totals(rules, claim.score, in_play, claim.ended_by)
    if changes_leader and claim.winner is None:
        raise impossible(
            rules,
            "With battle cards it is %(a)s–%(b)s, so the leader changes: say who won.",
            a=score[0],
            b=score[1],
        )
    ended_by = claim.ended_by
    if ended_by is None and (rules.draws or rules.timed) and _at_time(rules, claim.score, None):
        ended_by = EndedBy.TIME
    return replace(claim, score=score, ended_by=ended_by)
