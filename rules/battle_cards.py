"""What Doomtrooper's battle cards add when a game ends.

Regolamento da torneo, Carte Battaglia; tournament rules, A match.
"""

from rules.score_sheets import leader_of


def battle_cards(
    points: tuple[int, int], in_play: tuple[bool, bool], *, at_time: bool
) -> tuple[tuple[int, int], bool]:
    """Return both totals with battle cards, and whether these change who leads.

    10 points for cards in play after a game ended by points; at time a quarter of the
    opponent's points before battle cards, rounded down, at most 10 (tournament rules, A match).
    """
    worth = (min(10, points[1] // 4), min(10, points[0] // 4)) if at_time else (10, 10)
    a, b = (before + bonus * has for before, bonus, has in zip(points, worth, in_play, strict=True))
    return (a, b), leader_of(a, b) is not leader_of(*points)
