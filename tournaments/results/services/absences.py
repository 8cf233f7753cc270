"""Who does not come to a table of three and more, said by the staff while the others play.

Source: tables, 7 and 8: nobody waits for what an absent player says of the result.
"""

from config import transaction
from rules.events.lifecycle import next_state
from rules.matches.match_rules import Claim
from rules.matches.tables.claims import impossible
from rules.matches.tables.settling import absent_so_far, check_of_table
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import Actor
from tournaments.log.services import check_allowed
from tournaments.matches.services import StaleError, locked_match, subject_of
from tournaments.matches.statements import ask_fewer
from tournaments.models import Match, Report
from tournaments.results.acts import ABSENT
from tournaments.undo.services.row_diff import undoable


@transaction.atomic
def say_absent(*, match: Match, version: int, claim: Claim, by: Actor) -> Match:
    """Store who is absent at a table where two or more play on, and return the match.

    The claim names the absent and no result (`absent_so_far`). Where more than half of the others
    had reported the same, that is final. Said again, nothing is stored.

    Raises StaleError; RuleError ``match_gone``, ``match_final``, ``round_not_published``,
    ``event_not_running``; BadInput ``impossible_result`` for another claim.
    """
    match = locked_match(match)
    event = match.round.event
    check_allowed(event, ABSENT, by=by)
    next_state("round", match.round.state, "enter_result")
    next_state("match", match.state, "decide")
    if match.version != version:
        raise StaleError(match, by)
    rules = match_rules(match, event)
    check_of_table(rules, claim)
    seats = absent_so_far(rules, claim)
    if seats is None:
        raise impossible(rules.size, "This is a result, not who is absent while others play.")
    before, players = match.absent, match.players
    absent = [player.number for seat, player in enumerate(players, start=1) if seat in seats]
    if absent == before:
        return match
    with undoable(
        event,
        ABSENT,
        (Match, Report),
        by=by,
        subject=subject_of(match),
        before={"absent": before},
        after={"match": match.number, "absent": absent},
    ):
        match.absent = absent
        match.save(update_fields=["absent"])
        if match.state != Match.State.OPEN:
            ask_fewer(match)
    return match
