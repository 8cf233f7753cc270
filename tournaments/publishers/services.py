"""Draft a round that another program paired."""

from collections.abc import Sequence

from config import transaction
from rules.drafts.given import ImportedTable
from rules.plan_changes import ROUNDS
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event, Round
from tournaments.plan_changes.services import change_plan
from tournaments.rounds.services import draft_round


@transaction.atomic
def draft_pasted_round(
    *, event: Event, expected_round: int, given: Sequence[ImportedTable], by: Actor
) -> Round:
    """Draft a Swiss round with pairings from another program; return it.

    expected_round: its number, from 1. given: the pairings. If the event is paired elsewhere, an
    organiser or head judge can draft one round more than planned. Raises as ``draft_round`` and
    ``change_plan``.
    """
    facts = load_facts(event)
    stage = facts.open_stage
    more = stage is not None and stage.kind.pairs_by_points and stage.rounds_done
    if event.paired_elsewhere and more and stage and expected_round == facts.last_ordinal + 1:
        rounds = len(stage.regular_rounds) + 1
        change_plan(event=event, change={ROUNDS: rounds}, stage=stage.stage.number, by=by)
    return draft_round(event=event, expected_round=expected_round, given=given, by=by)
