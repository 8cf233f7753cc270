"""Why each player stands where they do, in a sentence."""

from django.utils.translation import override

from rules.results import Winner, result_of_two
from rules.standings.table import rank
from tournaments.standings.selectors.proofs import rank_reasons

NAMES = {1: "Ada", 2: "Bea", 3: "Cleo", 4: "Dora"}


def test_nobody_is_told_to_be_level_with_themselves() -> None:
    scores = {(1, 4): (5, 0), (2, 3): (4, 1)}
    results = [
        result_of_two(round=1, a=a, b=b, winner=Winner.A, score=s) for (a, b), s in scores.items()
    ]
    table = rank(players=(1, 2, 3, 4), results=results, criteria=("points", "score_for", "lots"))
    with override("en"):
        told = rank_reasons(table, NAMES)
    assert told[1].endswith(": 5; Bea has 4. Level before: Bea.")
    assert told[2].endswith(": 4; Ada has 5. Level before: Ada.")
    for player, words in told.items():
        assert NAMES[player] not in words
