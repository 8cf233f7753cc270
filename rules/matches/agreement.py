"""Whether two players tell the same result, and which of the two tells more of it.

Tournament rules, A match: two different reports are a dispute for a judge. Different is what
counts for somebody: who won, the score, and a concession or a want of warriors.
"""

from rules.matches.match_rules import LARGEST_SCORE, MatchRules, Outcome
from rules.matches.score_sheets import leader_of
from rules.results import EndedBy, Winner
from rules.wording import Sentence
from rules.wording import gettext_noop as _

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


_BY_PLAY = (EndedBy.PLAYED, EndedBy.TIME)
_ENDS_OF = {
    Winner.VOID: (EndedBy.VOID,),
    Winner.NONE: (EndedBy.DOUBLE_LOSS,),
}
"""How a match ends that nobody has won."""
_ALONE = ((Winner.A, EndedBy.BYE), (Winner.NONE, EndedBy.NO_SHOW))
"""What a match without opponent counts as: a bye, or a round that was missed."""


def contradiction(rules: MatchRules, outcome: Outcome, *, alone: bool) -> Sentence | None:
    """Return what a result contradicts and what it would have to be, None where nothing does.

    ``alone``: nobody sits opposite.
    """
    if alone:
        held = (outcome.winner, outcome.ended_by) in _ALONE or outcome.winner is Winner.VOID
        return None if held else _wanted(outcome, _("a bye or a missed round"))
    if outcome.score is not None and not all(0 <= n <= LARGEST_SCORE for n in outcome.score):
        return _wanted(outcome, _("points from 0 to 999"))
    return _ending(outcome) or _games(rules, outcome) or _leader(rules, outcome)


def _wanted(outcome: Outcome, wanted: str) -> Sentence:
    score = outcome.score or outcome.games_won
    return Sentence(
        _("%(winner)s wins, %(score)s, %(ended)s; expected: %(wanted)s"),
        {
            "winner": str(outcome.winner),
            "score": "–".join(map(str, score)) if score else "–",
            "ended": str(outcome.ended_by),
            "wanted": Sentence(wanted),
        },
    )


def _ending(outcome: Outcome) -> Sentence | None:
    ends = _ENDS_OF.get(outcome.winner)
    nobody = (EndedBy.VOID, EndedBy.DOUBLE_LOSS)
    if ends is not None and outcome.ended_by not in ends:
        return _wanted(outcome, _("a void match, or a loss for both"))
    if ends is None and (outcome.ended_by in nobody or outcome.ended_by is EndedBy.BYE):
        return _wanted(outcome, _("somebody who has won, or a draw"))
    return None


def _games(rules: MatchRules, outcome: Outcome) -> Sentence | None:
    """Compare the games in their order with the totals, and the totals with the best of n."""
    if outcome.games_won is None:
        return None
    counted = tuple(outcome.games.count(kind) for kind in ("a", "b", "draw"))
    if outcome.games and counted != outcome.games_won:
        return _wanted(outcome, _("totals that are those of the games"))
    if max(outcome.games_won[:2]) > rules.needed or outcome.games_won[:2] == (rules.needed,) * 2:
        return _wanted(outcome, _("no more games than decide the match"))
    return None


def _leader(rules: MatchRules, outcome: Outcome) -> Sentence | None:
    """Compare the winner with the figures, where these decide."""
    figures = outcome.score or (outcome.games_won[:2] if outcome.games_won else None)
    if outcome.by_decision or outcome.ended_by not in _BY_PLAY:
        return None
    if figures is None:
        return _wanted(outcome, _("figures of both"))
    leader = leader_of(*figures)
    if leader is not Winner.DRAW:
        held = outcome.winner is leader
    elif rules.draws:
        held = outcome.winner is Winner.DRAW
    else:
        held = outcome.winner in (Winner.A, Winner.B) and outcome.tie_break is not None
    return None if held else _wanted(outcome, _("the winner that the figures name"))
