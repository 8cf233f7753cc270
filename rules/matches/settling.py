"""Settling: the outcome to store for a claim about a match.

Source: tournament rules, A match.
"""

from rules.matches.match_rules import Claim, MatchRules, Sheet, impossible, read_sheet
from rules.matches.tables import settling as tables
from rules.results import SEAT_WINNERS, EndedBy, Outcome, TieBreak, Winner, outcome_by_winner
from rules.wording import Sentence

_WITHOUT_PLAY = (
    EndedBy.CONCESSION,
    EndedBy.NO_SHOW,
    EndedBy.NO_WARRIORS,
    EndedBy.DISQUALIFICATION,
    EndedBy.PENALTY,
)
_PLAYERS_SAY = (EndedBy.CONCESSION, EndedBy.NO_WARRIORS)
"""Early endings that players may report themselves; others are staff decisions."""
TIE_BREAK_WORDS = {
    TieBreak.WARRIORS: Sentence("more warriors in play, not counting SDOPPIAMENTO cards"),
    TieBreak.EXTRA_TURNS: Sentence("three extra turns"),
    TieBreak.JUDGE: Sentence("the judge"),
}


def settle(rules: MatchRules, claim: Claim) -> Outcome:
    """Return the outcome to store for a claim, of a table where three or more play the match.

    Raises BadInput ``impossible_result``, which says what is wrong and what is possible.
    """
    if rules.size > 2:
        return tables.settle(rules, claim)
    if claim.is_of_table:
        raise impossible(rules, "Places of seats are of tables of three and more.")
    if claim.ended_by is EndedBy.BYE:
        raise impossible(rules, "A bye is set by the pairing, not entered.")
    sheet = read_sheet(rules, claim)
    _check_tie_break(rules, claim, sheet)
    if _is_void_or_double_loss(claim):
        return _settle_without_winner(rules, claim, sheet)
    if claim.ended_by in _WITHOUT_PLAY:
        return _settle_forfeit(rules, claim, sheet)
    if sheet is None:
        return _without_score(rules, claim)
    return _settle_played(rules, claim, sheet)


def _is_void_or_double_loss(claim: Claim) -> bool:
    return claim.winner in (Winner.NONE, Winner.VOID) or claim.ended_by in (
        EndedBy.DOUBLE_LOSS,
        EndedBy.VOID,
    )


def _check_tie_break(rules: MatchRules, claim: Claim, sheet: Sheet | None) -> None:
    """Reject a tie-break that decides nothing, instead of ignoring it."""
    if claim.tie_break is None:
        return
    if rules.draws:
        raise impossible(
            rules, "A tie-break is for knock-outs: here a level match is a draw. Leave it out."
        )
    level = sheet is not None and sheet.leader is Winner.DRAW
    if not level or claim.ended_by in _WITHOUT_PLAY or _is_void_or_double_loss(claim):
        raise impossible(rules, "A tie-break decides only a match that ended level: leave it out.")


def _require_staff(rules: MatchRules, claim: Claim) -> None:
    if not claim.by_staff:
        raise impossible(rules, "Only the staff can enter this; call a judge.")


def _settle_without_winner(rules: MatchRules, claim: Claim, sheet: Sheet | None) -> Outcome:
    """Settle a double loss or a void match."""
    _require_staff(rules, claim)
    void = claim.winner is Winner.VOID or (claim.winner is None and claim.ended_by is EndedBy.VOID)
    winner, ended_by = (Winner.VOID, EndedBy.VOID) if void else (Winner.NONE, EndedBy.DOUBLE_LOSS)
    if claim.winner not in (None, winner) or claim.ended_by not in (
        None,
        ended_by,
        EndedBy.PLAYED,
        EndedBy.TIME,
        *_WITHOUT_PLAY,
    ):
        raise impossible(rules, "The winner and how the match ended do not agree.")
    if void and not rules.draws:
        raise impossible(rules, "In a knock-out somebody has to go on.")
    if sheet is not None and claim.ended_by is not ended_by:
        _require_reason(rules, claim)
    return _outcome(sheet, winner, ended_by)


def _settle_forfeit(rules: MatchRules, claim: Claim, sheet: Sheet | None) -> Outcome:
    """Settle a forfeit: no score is required, and a score does not decide the winner."""
    ended_by = claim.ended_by or EndedBy.CONCESSION
    if ended_by not in _PLAYERS_SAY:
        _require_staff(rules, claim)
    if ended_by is EndedBy.NO_WARRIORS and rules.score != "promotion":
        raise impossible(rules, "Losing for want of warriors exists in Doomtrooper only.")
    if claim.winner not in SEAT_WINNERS:
        raise impossible(rules, "Enter who wins.")
    if ended_by is EndedBy.NO_SHOW and sheet is not None:
        raise impossible(rules, "A player who did not come has no score: leave it out.")
    if sheet is not None and sheet.complete and not claim.by_staff:
        raise impossible(rules, "With this score the match was over: report it as played out.")
    return _outcome(sheet, claim.winner, ended_by)


def _without_score(rules: MatchRules, claim: Claim) -> Outcome:
    """Settle a winner without a score: a forfeit by decision of the staff."""
    if claim.winner in SEAT_WINNERS and claim.by_staff and claim.note.strip():
        return _outcome(None, claim.winner, EndedBy.CONCESSION, by_decision=True)
    if rules.by_promotion:
        raise impossible(rules, "Enter the promotion points of both players.")
    if rules.by_points:
        raise impossible(rules, "Enter the points of both players.")
    raise impossible(rules, "Enter the games that each has won.")


def _require_reason(rules: MatchRules, claim: Claim) -> None:
    _require_staff(rules, claim)
    if not claim.note.strip():
        raise impossible(rules, "A winner other than the score says needs a reason: write a note.")


def _settle_played(rules: MatchRules, claim: Claim, sheet: Sheet) -> Outcome:
    if not rules.draws and claim.winner is Winner.DRAW:
        raise impossible(rules, "In a knock-out there is no draw.")
    if sheet.leader is Winner.DRAW:
        return _settle_level(rules, claim, sheet)
    ended_by = _ending_with_leader(rules, claim, sheet)
    if claim.winner in (None, sheet.leader):
        return _outcome(sheet, sheet.leader, ended_by)
    _require_reason(rules, claim)
    return _outcome(sheet, claim.winner or sheet.leader, ended_by, by_decision=True)


def _ending_with_leader(rules: MatchRules, claim: Claim, sheet: Sheet) -> EndedBy:
    """Return the ending of a match that has a leader: played out, or at time."""
    may_stop = rules.draws or rules.timed
    if sheet.complete:
        if claim.ended_by is EndedBy.TIME and may_stop and rules.by_points:
            return EndedBy.TIME
        return EndedBy.PLAYED
    if rules.by_points and (claim.ended_by is EndedBy.PLAYED or not may_stop):
        return EndedBy.PLAYED
    if claim.ended_by is EndedBy.PLAYED or not may_stop:
        if claim.winner is not None and claim.by_staff and claim.note.strip():
            return EndedBy.PLAYED
        raise impossible(rules, "A player needs %(needed)s won games.", needed=rules.needed)
    return EndedBy.TIME


def _settle_level(rules: MatchRules, claim: Claim, sheet: Sheet) -> Outcome:
    """Return the outcome of a match in which both have as many games.

    Where a stage allows draws it is a draw, unless the claim names a winner; in a knock-out the
    claim must name one, and how the tie was broken. Raises BadInput for what the rules of the match
    exclude.
    """
    decided = claim.winner in SEAT_WINNERS
    if rules.by_points and sheet.score is not None and not decided:
        reached = rules.by_promotion and max(sheet.score) >= rules.target
        played = rules.by_promotion and claim.ended_by is EndedBy.PLAYED
        if played or (reached and claim.ended_by is None):
            raise impossible(
                rules, "A game that is level goes on by 10 more, until time or a winner."
            )
    if claim.winner in SEAT_WINNERS:
        if rules.draws or claim.tie_break is None:
            return _settle_level_by_decision(rules, claim, sheet, claim.winner)
        return _outcome(sheet, claim.winner, EndedBy.TIME, tie_break=_tie_break(rules, claim))
    if not rules.draws:
        raise impossible(
            rules,
            "In a knock-out a level match needs its winner, and what decided it: %(by)s.",
            by=_in_words(rules),
        )
    if claim.ended_by is EndedBy.PLAYED and not rules.by_points and rules.best_of > 1:
        raise impossible(rules, "A player needs %(needed)s won games.", needed=rules.needed)
    ended_by = claim.ended_by or EndedBy.TIME
    return _outcome(sheet, Winner.DRAW, ended_by)


def _settle_level_by_decision(
    rules: MatchRules, claim: Claim, sheet: Sheet, winner: Winner
) -> Outcome:
    if not rules.draws and not claim.note.strip():
        raise impossible(rules, "Say what decided the level match: %(by)s.", by=_in_words(rules))
    _require_reason(rules, claim)
    ended_by = claim.ended_by or EndedBy.TIME
    tie_break = None if rules.draws else TieBreak.JUDGE
    return _outcome(sheet, winner, ended_by, tie_break=tie_break, by_decision=True)


def _allowed_tie_breaks(rules: MatchRules) -> tuple[TieBreak, ...]:
    """Return the allowed tie-breaks: warriors and extra turns apply to Doomtrooper only."""
    return tuple(TieBreak) if rules.by_promotion else (TieBreak.JUDGE,)


def _in_words(rules: MatchRules) -> tuple[Sentence, ...]:
    return tuple(TIE_BREAK_WORDS[tie_break] for tie_break in _allowed_tie_breaks(rules))


def _tie_break(rules: MatchRules, claim: Claim) -> TieBreak | None:
    if claim.tie_break not in _allowed_tie_breaks(rules):
        raise impossible(rules, "A level match here is decided by: %(by)s.", by=_in_words(rules))
    if claim.tie_break is TieBreak.JUDGE:
        _require_staff(rules, claim)
    return claim.tie_break


def _outcome(
    sheet: Sheet | None,
    winner: Winner,
    ended_by: EndedBy,
    *,
    tie_break: TieBreak | None = None,
    by_decision: bool = False,
) -> Outcome:
    return outcome_by_winner(
        winner,
        ended_by,
        score=sheet.score if sheet else None,
        games=sheet.games if sheet else (),
        games_won=sheet.games_won if sheet else None,
        tie_break=tie_break,
        by_decision=by_decision,
    )
