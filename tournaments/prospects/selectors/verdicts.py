"""Who has qualified or is eliminated in a stage, computed once for each state of the stage."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

from django.core.cache import cache

from rules.results import PlayerId
from rules.scenarios import MOST_WAYS, Prospect, Verdict, looks_at_each, prospects
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.mapping import play_of, points_of
from tournaments.models import Event

CACHE_SECONDS = 60 * 60
"""Lifetime of cached verdicts in seconds."""


StageProspects = Mapping[PlayerId, Prospect]


def stage_prospects(stage: StageFacts, most: int = MOST_WAYS) -> StageProspects:
    """Return the prospects of the players of a stage, without those who withdrew; no query.

    Empty if nobody advances from the stage, and while its standings are held back.
    """
    return prospects_of(stage, most) if stage.used and not stage.held else {}


def prospects_of(stage: StageFacts, most: int) -> StageProspects:
    """Return the prospects of a stage whoever goes on from it, so the places at least; no query."""
    return prospects(
        stage.state,
        criteria=tuple(stage.event.criteria),
        points=points_of(stage.event),
        used=stage.used,
        highest=_most_games_won(stage),
        lots=stage.lots,
        penalties=stage.penalties,
        most=most,
    )


def _most_games_won(stage: StageFacts) -> int | None:
    """Return the most games that a player can win in a match; None for points."""
    if play_of(stage.event).score != "games":
        return None
    made = [pairing.best_of for played in stage.state.rounds for pairing, _result in played]
    return max((*stage.plan.best_of, *made)) // 2 + 1


def current_stage(facts: EventFacts) -> StageFacts | None:
    """Return the open stage if it has a table, qualifiers and a result, else None; no query.

    None too while its standings are held back.
    """
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None:
        return None
    if not stage.kind.has_table or not stage.used or stage.held:
        return None
    played = any(result.counts for made in stage.state.rounds for _pairing, result in made)
    return stage if played else None


def cached_prospects(stage: StageFacts, most: int = MOST_WAYS) -> StageProspects:
    """Return `stage_prospects`, cached by the state of the stage where they take long; no query.

    Those by points alone are not cached, as computing them is faster.
    """
    if not looks_at_each(stage.state, criteria=tuple(stage.event.criteria), most=most):
        return _with_final_verdicts(stage, stage_prospects(stage, most))
    facts = (
        *(stage.state, stage.event.criteria, points_of(stage.event), sorted(stage.used), most),
        *(stage.lots, sorted(stage.penalties.items())),
    )
    key = f"prospects4:{sha256(repr(facts).encode()).hexdigest()}"
    found: StageProspects | None = cache.get(key)
    if found is None:
        found = dict(stage_prospects(stage, most))
        cache.set(key, found, CACHE_SECONDS)
    return _with_final_verdicts(stage, found)


def _with_final_verdicts(stage: StageFacts, found: StageProspects) -> StageProspects:
    """Return the prospects with the final verdicts, if lots or extra matches have decided."""
    ended = stage.rounds_done and not stage.missing and not stage.outcome.lots_needed
    if not ended:
        return found
    on = {player for name, player in stage.outcome.places.items() if name in stage.used}
    return {
        player: replace(
            prospect,
            verdict=Verdict.THROUGH if player in on else Verdict.OUT,
            depends={},
            margins={},
            exact=True,
        )
        for player, prospect in found.items()
    }
