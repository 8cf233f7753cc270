"""Results of matches to which somebody did not come, who is withdrawn with them."""

from config import transaction
from rules.matches.settling import Claim
from tournaments.core.permissions import Actor
from tournaments.models import Match
from tournaments.players.services.departures import withdraw
from tournaments.results.services.results import decide_result


@transaction.atomic
def decide_and_withdraw(
    *, match: Match, version: int, claim: Claim, leaving: str = "", by: Actor
) -> Match:
    """Decide a match, withdraw its players of the sides "a" and "b" named, and return it.

    Raises the errors of `decide_result` and of `withdraw`; then nothing is stored.
    """
    decided = decide_result(match=match, version=version, claim=claim, by=by)
    for side, entry in (("a", decided.a), ("b", decided.b)):
        if side in leaving and entry is not None and entry.plays:
            entry.event = decided.round.event
            withdraw(entry=entry, by=by)
    return decided
