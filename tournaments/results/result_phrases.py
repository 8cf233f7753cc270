"""Results as text from the point of view of one of the two players."""

from dataclasses import replace

from django.utils.translation import gettext as _

from rules.matches.match_rules import Claim, Outcome
from rules.results import EndedBy, Winner
from tournaments.core.labels import ending_label, is_agreed_draw, tie_break_label
from tournaments.core.rows import AnyEntry, AnyMatch

SWAPPED = {Winner.A: Winner.B, Winner.B: Winner.A}
OTHER_GAME = {"a": "b", "b": "a"}
TO_THE_END = (EndedBy.PLAYED, EndedBy.TIME)


def side_of(entry: AnyEntry, match: AnyMatch) -> str:
    """Return "a" or "b": the entry's side of its match."""
    return "a" if match.a_id == entry.pk else "b"


def claim_from_side(side: str, claim: Claim) -> Claim:
    """Return a claim seen from a side: swapped for "b", unchanged for "a"; its own inverse."""
    if side == "a":
        return claim
    return replace(
        claim,
        score=claim.score[::-1] if claim.score else None,
        games=tuple(OTHER_GAME.get(game, game) for game in claim.games) if claim.games else None,
        winner=SWAPPED.get(claim.winner, claim.winner) if claim.winner else None,
    )


def own_result(outcome: Outcome, side: str) -> str:
    """Return the result as this side reads it: "you won 2–1", "you lost, concession"."""
    own = Winner.A if side == "a" else Winner.B
    if outcome.winner is Winner.DRAW and is_agreed_draw(outcome.games_won):
        return _("you agreed on a draw")
    figures = score_for_side(outcome, side)
    words = {own: _("you won"), SWAPPED[own]: _("you lost"), Winner.DRAW: _("you drew")}
    words |= {Winner.NONE: _("both lose"), Winner.VOID: _("does not count")}
    said = " ".join(part for part in (words[outcome.winner], figures) if part)
    decided = outcome.winner in SWAPPED and outcome.ended_by not in TO_THE_END
    return f"{said}, {ending_label(outcome.ended_by)}" if decided else said


def score_for_side(outcome: Outcome, side: str) -> str:
    """Return the score or the games won, this side's first; empty for a forfeit."""
    pair = outcome.score or (outcome.games_won[:2] if outcome.games_won else None)
    if pair is None:
        return ""
    own, other = pair if side == "a" else pair[::-1]
    return f"{own}–{other}"


def result_sentence(outcome: Outcome, a: str, b: str) -> str:
    """Return the result as a sentence naming both players, for example "Anna beat Bruno 2–1"."""
    values = _in_order(outcome, a, b)
    if outcome.winner is Winner.DRAW and is_agreed_draw(outcome.games_won):
        return _("%(winner)s and %(loser)s agreed on a draw") % values
    if outcome.winner is Winner.DRAW:
        said = _("%(winner)s and %(loser)s drew %(result)s") % values
    elif outcome.ended_by is EndedBy.CONCESSION:
        said = _("%(loser)s concedes, %(winner)s wins") % values
    elif outcome.ended_by is EndedBy.NO_WARRIORS:
        said = _("%(loser)s has no warriors left, %(winner)s wins") % values
    else:
        said = _("%(winner)s beat %(loser)s %(result)s") % values
    return ", ".join([said, *_additions(outcome, values["result"])])


def game_winners(outcome: Outcome, a: str, b: str) -> str:
    """Return the winner of each game in order; empty if the games were not reported one by one."""
    words = {"a": a, "b": b, "draw": _("drawn game")}
    shown = outcome.games if len(outcome.games) > 1 else ()
    return " · ".join(f"{number}. {words[game]}" for number, game in enumerate(shown, start=1))


def _in_order(outcome: Outcome, a: str, b: str) -> dict[str, str]:
    """Return ``winner``, ``loser`` and ``result`` from the winner's side; a is first in a draw."""
    if outcome.winner is Winner.B:
        return {"winner": b, "loser": a, "result": score_for_side(outcome, "b")}
    return {"winner": a, "loser": b, "result": score_for_side(outcome, "a")}


def _additions(outcome: Outcome, result: str) -> list[str]:
    """Return what the sentence adds after the result: drawn games, time, the tie-break."""
    parts = []
    if outcome.ended_by not in TO_THE_END and result:
        parts.append(result)
    if outcome.games_won and outcome.games_won[2]:
        parts.append(_("drawn games: %(number)s") % {"number": outcome.games_won[2]})
    if outcome.ended_by is EndedBy.TIME and outcome.winner is not Winner.DRAW:
        parts.append(ending_label(outcome.ended_by))
    if outcome.tie_break:
        parts.append(tie_break_label(outcome.tie_break))
    return parts
