"""Make rounds of extra matches between tied players."""

from collections.abc import Sequence

from config import transaction
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.ties.extra_matches import next_extra
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor, can_rule, require
from tournaments.log.services import locked, record
from tournaments.lots.selectors import tied_sets
from tournaments.models import Event, Round
from tournaments.rounds.services import DRAFTED, pairings_for_log, publish_drafted, store_pairings
from tournaments.stages.services import check_expected, ready_stage


@transaction.atomic
def make_extra_round(
    *,
    event: Event,
    sets: Sequence[Sequence[int]],
    expected_round: int,
    publish: bool = False,
    by: Actor,
) -> Round:
    """Draft the next round of extra matches between tied sets of the open stage and return it.

    A set of two plays one match; a set of three or more plays a round robin, one round a call.
    Players who have withdrawn do not play and rank last in their set. The round is published if
    ``publish`` is true.

    Raises RuleError ``round_exists``, ``stale``, ``stage_not_open``, ``round_not_published``,
    ``results_missing``, ``rounds_missing``, ``not_tied``, ``sets_overlap``, ``nobody_to_play``.
    """
    event = locked(event)
    require(can_rule(by, event))
    next_state("event", event.state, "play")
    facts = load_facts(event)
    check_expected(facts, expected_round)
    current = ready_stage(facts)
    if not current.rounds_done:
        raise RuleError(
            "rounds_missing",
            "Extra matches are played when all rounds of the stage are. Nothing was made.",
        )
    known = {frozenset(level) for level in tied_sets(current)}
    if not sets or not known.issuperset(map(frozenset, sets)):
        raise RuleError(
            "not_tied",
            "These players are not level any more. Nothing was made: load the page again.",
        )
    levels = [sorted(set(level)) for level in sets]
    pairings = next_extra(current.state, levels)
    item = Round.objects.create(
        event=event,
        stage=current.stage,
        number=len(current.rounds) + 1,
        ordinal=expected_round,
        drafted_by=by.user,
        level=levels if len(levels) > 1 else levels[0],
    )
    store_pairings(item, current.groups, pairings, facts)
    record(
        event,
        DRAFTED,
        by=by,
        subject=str(item.ordinal),
        after={"pairings": pairings_for_log(pairings), "level": item.level},
    )
    return publish_drafted(event, item, by=by) if publish else item
