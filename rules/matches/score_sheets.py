"""Validation of the figures of a claim: promotion points or games.

Source: tournament rules, A match.
"""

from dataclasses import dataclass

from rules.matches.match_rules import LARGEST_SCORE, Claim, MatchRules, impossible
from rules.results import EndedBy, Winner, leader_of

LONGEST = 99
"""Maximum games in one match, drawn ones included: more is a typing error."""

_GAMES = ("a", "b", "draw")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The valid figures of a claim, and what follows from them."""

    score: tuple[int, int] | None
    games: tuple[str, ...]
    games_won: tuple[int, int, int] | None
    leader: Winner
    complete: bool


def read_sheet(rules: MatchRules, claim: Claim) -> Sheet | None:
    """Return the figures of a claim; None if it has none.

    Raises BadInput ``impossible_result`` for impossible figures, whoever claims them.
    """
    score = claim.score
    if score is not None:
        _require_numbers(rules, score)
    if rules.by_points:
        return _points_sheet(rules, claim, score)
    return _games_sheet(rules, claim, score)


def _require_numbers(rules: MatchRules, score: tuple[int, int]) -> None:
    if len(score) != 2 or any(
        type(number) is not int or not 0 <= number <= LARGEST_SCORE for number in score
    ):
        raise impossible(
            rules, "A score is two whole numbers from 0 to %(most)s.", most=LARGEST_SCORE
        )


def _points_sheet(rules: MatchRules, claim: Claim, score: tuple[int, int] | None) -> Sheet | None:
    if claim.games:
        if rules.by_promotion:
            raise impossible(rules, "This match is one game: enter the promotion points of both.")
        raise impossible(rules, "This match is one game: enter the points of both.")
    if score is None:
        return None
    leader = leader_of(*score)
    complete = max(score) >= rules.target and leader is not Winner.DRAW
    return Sheet(score=score, games=(), games_won=None, leader=leader, complete=complete)


def _games_sheet(rules: MatchRules, claim: Claim, score: tuple[int, int] | None) -> Sheet | None:
    games = claim.games or ()
    if games:
        won = _count_games(rules, games)
    elif score is not None:
        won = (*score, 0)
    elif rules.best_of == 1 and claim.ended_by in (None, EndedBy.PLAYED, EndedBy.TIME):
        # A single game: the winner is the whole result.
        if claim.winner not in _GAMES:
            return None
        games = (str(claim.winner),)
        won = _count_games(rules, games)
    else:
        return None
    a, b, _drawn = won
    if max(a, b) > rules.needed or a == b == rules.needed:
        raise impossible(
            rules, "The match is over when a player has won %(needed)s.", needed=rules.needed
        )
    # In a Doomtrooper best of three the score may be the sum of promotion points.
    promotion = rules.score == "promotion"
    if games and score is not None and not promotion and score != (a, b):
        raise impossible(rules, "The score and the list of games do not agree.")
    return Sheet(
        score=score if promotion and games else (a, b),
        games=games,
        games_won=won,
        leader=leader_of(a, b),
        complete=max(a, b) == rules.needed,
    )


def _count_games(rules: MatchRules, games: tuple[str, ...]) -> tuple[int, int, int]:
    if len(games) > LONGEST or any(game not in _GAMES for game in games):
        raise impossible(rules, "Games are “a”, “b” or “draw”, in the order played.")
    for played in range(1, len(games)):
        before = games[:played]
        if max(before.count("a"), before.count("b")) >= rules.needed:
            raise impossible(rules, "The match was over after game %(played)s.", played=played)
    return games.count("a"), games.count("b"), games.count("draw")
