"""Results as one of the two players sees them: their own figure first."""

from dataclasses import replace

from django.utils.translation import gettext as _

from rules.match_rules import Claim, Outcome
from rules.results import Winner
from tournaments.models import Entry, Match

SWAPPED = {Winner.A: Winner.B, Winner.B: Winner.A}
OTHER_GAME = {"a": "b", "b": "a"}


def side_of(entry: Entry, match: Match) -> str:
    """Return "a" or "b": where the entry sits in its match."""
    return "a" if match.a_id == entry.pk else "b"


def seen_from(side: str, claim: Claim) -> Claim:
    """Return a claim turned round for side b; the same for side a, and its own inverse."""
    if side == "a":
        return claim
    return replace(
        claim,
        score=claim.score[::-1] if claim.score else None,
        games=tuple(OTHER_GAME.get(game, game) for game in claim.games) if claim.games else None,
        winner=SWAPPED.get(claim.winner, claim.winner) if claim.winner else None,
    )


def own_words(outcome: Outcome, side: str) -> str:
    """Return "you won 2–1", "you lost 22–40", "you drew 1–1" as the side sees it."""
    own = Winner.A if side == "a" else Winner.B
    figures = figures_of(outcome, side)
    words = {own: _("you won"), SWAPPED[own]: _("you lost"), Winner.DRAW: _("you drew")}
    words |= {Winner.NONE: _("both lose"), Winner.VOID: _("does not count")}
    return " ".join(part for part in (words[outcome.winner], figures) if part)


def figures_of(outcome: Outcome, side: str) -> str:
    """Return the score or the games, the side's own first; empty for a forfeit."""
    pair = outcome.score or (outcome.games_won[:2] if outcome.games_won else None)
    if pair is None:
        return ""
    own, other = pair if side == "a" else pair[::-1]
    return f"{own}–{other}"


def told(outcome: Outcome, a: str, b: str) -> str:
    """Return the result as a sentence that both can agree to: "Anna beat Bruno 2–1"."""
    if outcome.winner is Winner.DRAW:
        values = {"one": a, "other": b, "result": figures_of(outcome, "a")}
        return _("%(one)s and %(other)s drew %(result)s") % values
    if outcome.winner is Winner.B:
        values = {"winner": b, "loser": a, "result": figures_of(outcome, "b")}
    else:
        values = {"winner": a, "loser": b, "result": figures_of(outcome, "a")}
    return _("%(winner)s beat %(loser)s %(result)s") % values
