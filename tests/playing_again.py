"""A match of an earlier round put up to be played again, as a correction does it."""

from config import transaction
from rules.corrections import CorrectionEffect, MatchChange, correction_effect
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.corrections.acts import FOLLOWED
from tournaments.corrections.services.carrying import TOUCHED, store_matches
from tournaments.log.services import lock_event
from tournaments.models import Event, Match
from tournaments.undo.services import undoable


@transaction.atomic
def play_again(event: Event, match: Match, by: Actor, *, now: bool = True) -> Match:
    """Let a played match of the first round be played again by the same players; return it."""
    event = lock_event(event)
    facts = load_facts(event)
    stage = next(each for each in facts.stages if each.stage.pk == match.round.stage_id)
    played = stage.state.rounds[match.round.number - 1]
    pairing, was = next(each for each in played if each[0].number == match.number)
    fate, result = correction_effect(stage.state, was, pairing.seats, begun=True, void=False)
    change = MatchChange(
        round=match.round.number - 1,
        pairing=pairing,
        after=pairing.seats,
        fate=fate,
        begun=True,
        was=was,
        result=result,
    )
    assert fate is CorrectionEffect.AGAIN
    with undoable(event, FOLLOWED, TOUCHED, by=by, subject="Again", reason="Again"):
        store_matches(facts, stage, [change], reason="Again", now=now, by=by)
    return Match.objects.select_related("round__event").get(pk=match.pk)
