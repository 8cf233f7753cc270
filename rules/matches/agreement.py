"""Agreement of results: of two players' reports, and of a stored result with itself.

Source: tournament rules, A match: two different reports are a dispute for a judge. Reports differ
if winner, score, or a concession or lack of warriors differs.
"""

from rules.matches.match_rules import LARGEST_SCORE, MatchRules, Outcome
from rules.matches.tables import agreement as tables
from rules.matches.tables.claims import AnyOutcome, TableOutcome
from rules.results import BYE_RESULT, SEAT_WINNERS, EndedBy, Winner, leader_of
from rules.wording import Sentence
from rules.wording import gettext_noop as _

_TO_THE_END = frozenset({EndedBy.PLAYED, EndedBy.TIME})


def agree(one: AnyOutcome, other: AnyOutcome) -> bool:
    """Return whether two reports describe the same result.

    The order of games is ignored. A report without single games leaves the number of drawn games
    open: it agrees with any number. "At time" agrees with "played out", as points are equal
    either way. Reports of tables: ``rules.matches.tables.agreement``.
    """
    if isinstance(one, TableOutcome) and isinstance(other, TableOutcome):
        return tables.agree(one, other)
    if isinstance(one, TableOutcome) or isinstance(other, TableOutcome):
        return False
    return (
        (one.winner, one.score) == (other.winner, other.score)
        and (one.ended_by == other.ended_by or {one.ended_by, other.ended_by} <= _TO_THE_END)
        and (one.games_won == other.games_won or not (one.games and other.games))
    )


def more_detailed(first: Outcome, second: Outcome) -> Outcome:
    """Return the more detailed of two agreeing reports, else the second."""
    return first if _details_told(first) > _details_told(second) else second


def _details_told(outcome: Outcome) -> tuple[bool, bool]:
    return bool(outcome.games), outcome.ended_by is EndedBy.TIME


_ENDS_OF = {
    Winner.VOID: (EndedBy.VOID,),
    Winner.NONE: (EndedBy.DOUBLE_LOSS,),
}
"""Endings of a match without a winner."""
_ALONE = (BYE_RESULT, (Winner.NONE, EndedBy.NO_SHOW))
"""Outcomes of a match without an opponent: a bye, or a missed round."""


def contradiction(rules: MatchRules, outcome: AnyOutcome, *, alone: bool) -> Sentence | None:
    """Return a sentence on the contradiction in a stored result, None if it is consistent.

    ``alone``: the match has no opponent.
    """
    if isinstance(outcome, TableOutcome):
        return tables.contradiction(rules, outcome)
    if rules.size > 2:
        return _expected_instead(outcome, _("a place for each seat, without gaps"))
    if alone:
        held = (outcome.winner, outcome.ended_by) in _ALONE or outcome.winner is Winner.VOID
        return None if held else _expected_instead(outcome, _("a bye or a missed round"))
    if outcome.score is not None and not all(0 <= n <= LARGEST_SCORE for n in outcome.score):
        return _expected_instead(outcome, _("points from 0 to 999"))
    return _ending_fault(outcome) or _games_fault(rules, outcome) or _winner_fault(rules, outcome)


def _expected_instead(outcome: Outcome, wanted: str) -> Sentence:
    score = outcome.score or outcome.games_won
    return Sentence(
        "%(winner)s wins, %(score)s, %(ended)s; expected: %(wanted)s",
        {
            "winner": str(outcome.winner),
            "score": "–".join(map(str, score)) if score else "–",
            "ended": str(outcome.ended_by),
            "wanted": Sentence(wanted),
        },
    )


def _ending_fault(outcome: Outcome) -> Sentence | None:
    ends = _ENDS_OF.get(outcome.winner)
    nobody = (EndedBy.VOID, EndedBy.DOUBLE_LOSS)
    if ends is not None and outcome.ended_by not in ends:
        return _expected_instead(outcome, _("a void match, or a loss for both"))
    if ends is None and (outcome.ended_by in nobody or outcome.ended_by is EndedBy.BYE):
        return _expected_instead(outcome, _("somebody who has won, or a draw"))
    return None


def _games_fault(rules: MatchRules, outcome: Outcome) -> Sentence | None:
    """Compare the games in order with the totals, and the totals with best of n."""
    if outcome.games_won is None:
        return None
    counted = tuple(outcome.games.count(kind) for kind in ("a", "b", "draw"))
    if outcome.games and counted != outcome.games_won:
        return _expected_instead(outcome, _("totals that are those of the games"))
    if max(outcome.games_won[:2]) > rules.needed or outcome.games_won[:2] == (rules.needed,) * 2:
        return _expected_instead(outcome, _("no more games than decide the match"))
    return None


def _winner_fault(rules: MatchRules, outcome: Outcome) -> Sentence | None:
    """Compare the winner with the figures, if these decide."""
    figures = outcome.score or (outcome.games_won[:2] if outcome.games_won else None)
    if outcome.by_decision or outcome.ended_by not in _TO_THE_END:
        return None
    if figures is None:
        return _expected_instead(outcome, _("figures of both"))
    leader = leader_of(*figures)
    if leader is not Winner.DRAW:
        held = outcome.winner is leader
    elif rules.draws:
        held = outcome.winner is Winner.DRAW
    else:
        held = outcome.winner in SEAT_WINNERS and outcome.tie_break is not None
    return None if held else _expected_instead(outcome, _("the winner that the figures name"))
