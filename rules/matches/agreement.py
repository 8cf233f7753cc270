"""Whether two players tell the same result, and which of the two tells more of it.

Tournament rules, A match: two different reports are a dispute for a judge. Different is what
counts for somebody: who won, the score, and a concession or a want of warriors.
"""

from rules.matches.match_rules import Outcome
from rules.results import EndedBy

_TO_THE_END = (EndedBy.PLAYED, EndedBy.TIME)


def agree(one: Outcome, other: Outcome) -> bool:
    """Say whether two reports are of the same result.

    The order of the games decides nothing, so two orders of the same games agree. A report
    without the games one by one leaves the drawn ones open: it agrees with any number of them.
    Points are the same whether the clock or a player ended the game, so "at time" agrees with
    "played out".
    """
    return (
        (one.winner, one.score) == (other.winner, other.score)
        and (one.ended_by == other.ended_by or _to_the_end(one, other))
        and (one.games_won == other.games_won or not (one.games and other.games))
    )


def fuller(first: Outcome, second: Outcome) -> Outcome:
    """Return which of two that agree counts: the one that tells more, else the second."""
    return first if _details(first) > _details(second) else second


def _to_the_end(*outcomes: Outcome) -> bool:
    return all(outcome.ended_by in _TO_THE_END for outcome in outcomes)


def _details(outcome: Outcome) -> tuple[bool, bool]:
    return bool(outcome.games), outcome.ended_by is EndedBy.TIME
