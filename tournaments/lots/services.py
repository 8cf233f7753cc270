"""Draws: announced by a fingerprint, drawn from the seed behind it, or entered by hand."""

import secrets
from collections.abc import Mapping, Sequence

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import BadInput, RuleError
from rules.people.person_names import check_hidden_signs
from rules.ties import draws
from tournaments.core.acts import Act, CacheEffect, LogTopic, NoUndo
from tournaments.core.draw_origins import SEED_GIVEN
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.permissions import Actor, can_manage, can_rule
from tournaments.log.services import begin_act, record
from tournaments.lots.selectors import shared_final_ranks, tied_sets
from tournaments.models import Draw, Event

START_DRAWN = Act(
    key="draw.start",
    words=_("Starting order randomised"),
    may=can_manage,
    state="start",
    undo=NoUndo(),
    shows=CacheEffect.ADDS,
)
LOTS_DRAWN = Act(
    key="draw.lots",
    words=_("Random draw made"),
    may=can_rule,
    state="draw_lots",
    undo=NoUndo(),
    shows=CacheEffect.ADDS,
    tells=(LogTopic.LOTS,),
)
LOTS_CORRECTED = Act(
    key="draw.corrected",
    words=_("Random draw corrected"),
    may=can_rule,
    state="draw_lots",
    undo=NoUndo(),
    shows=CacheEffect.TAKES_AWAY,
    tells=(LogTopic.LOTS, LogTopic.KEPT_PLACE),
)


def announce_draw(event: Event) -> Draw:
    """Create the next random draw with a secret seed and its public fingerprint.

    Call it inside a transaction.
    """
    seed = secrets.token_hex(16)
    last = event.draws.order_by("-number").first()
    return Draw.objects.create(
        event=event,
        number=last.number + 1 if last else 1,
        seed=seed,
        fingerprint=draws.seed_fingerprint(seed),
    )


@transaction.atomic
def draw_start_order(*, event: Event, seed: str = "", by: Actor) -> Draw:
    """Draw the starting order of the players at random, and return the draw.

    The seed is the announced one, or ``seed`` given in public. Players with a seed position come
    first. A later draw replaces this one; both remain on record. Raises RuleError if the event has
    started; BadInput ``bad_seed``.
    """
    event = begin_act(event, START_DRAWN, by=by)
    entrants = seeded_entrants(event)
    draw = _next_draw(event, seed)
    order = draws.seeded_order(draw.seed, entrants)
    return _store_drawn(event, draw, START_DRAWN, [list(pair) for pair in entrants], order, by)


@transaction.atomic
def record_start_order(
    *, event: Event, order: Sequence[int], witnesses: str, note: str = "", by: Actor
) -> Draw:
    """Record a starting order drawn by hand, and return the draw.

    ``order`` are all player numbers, first to last; ``witnesses`` are names. Raises RuleError if
    the event has started; BadInput ``bad_order``, ``witnesses_missing``.
    """
    event = begin_act(event, START_DRAWN, by=by)
    entrants = seeded_entrants(event)
    _check_by_hand([number for number, _seed in entrants], order, witnesses)
    draw = _hand_draw(event, witnesses, note)
    return _store_drawn(event, draw, START_DRAWN, [list(pair) for pair in entrants], order, by)


@transaction.atomic
def draw_tied_order(*, event: Event, tied: Sequence[int], seed: str = "", by: Actor) -> Draw:
    """Order tied players at random, and return the draw.

    ``tied`` are the numbers of one tied set of the open stage, else of the last one; ``seed`` is
    one given in public, "" for the announced one. Raises RuleError ``event_not_running``,
    ``results_missing``, ``not_tied``; BadInput ``bad_seed``.
    """
    event = begin_act(event, LOTS_DRAWN, by=by)
    stage = _stage_of_tie(load_facts(event), tied)
    draw = _next_draw(event, seed)
    draw.stage = stage.stage
    order = draws.drawn_order(draw.seed, tied)
    return _store_drawn(event, draw, LOTS_DRAWN, sorted(tied), order, by)


@transaction.atomic
def record_tied_order(
    *, event: Event, order: Sequence[int], witnesses: str, note: str = "", by: Actor
) -> Draw:
    """Record the order of tied players drawn by hand, and return the draw.

    ``order`` are player numbers, first to last; ``witnesses`` are names. Raises RuleError
    ``event_not_running``, ``results_missing``, ``not_tied``; BadInput ``bad_order``,
    ``witnesses_missing``.
    """
    event = begin_act(event, LOTS_DRAWN, by=by)
    stage = _stage_of_tie(load_facts(event), order)
    _check_by_hand(order, order, witnesses)
    draw = _hand_draw(event, witnesses, note)
    draw.stage = stage.stage
    return _store_drawn(event, draw, LOTS_DRAWN, sorted(order), order, by)


def store_corrected_order(
    event: Event,
    draw: Draw,
    order: Sequence[int],
    *,
    reason: str,
    kept: Sequence[Mapping[str, object]],
    by: Actor,
) -> Draw:
    """Record the right order of a draw made by hand, and return the new draw.

    The old ``draw`` stays on record. ``kept`` are, for the log, the places that contradict the new
    order. Call it inside a transaction with the event locked. Raises BadInput ``bad_order``.
    """
    draws.check_order(draw.entrants, order)
    check_hidden_signs(reason)
    made = _hand_draw(event, draw.witnesses, reason)
    made.stage_id = draw.stage_id
    told = {"before": {"order": draw.order}, "further_values": {"kept": list(kept)} if kept else {}}
    return _store_drawn(
        event, made, LOTS_CORRECTED, draw.entrants, order, by, reason=reason, **told
    )


def seeded_entrants(event: Event) -> list[tuple[int, int | None]]:
    """Return (player number, seed position or None) of each active player; one query."""
    return list(event.entries.playing().order_by("number").values_list("number", "seed"))


def _next_draw(event: Event, seed: str) -> Draw:
    """Return the announced draw; a ``seed`` given in public replaces its own. Raises BadInput."""
    announced = event.draws.get(state=Draw.State.ANNOUNCED)
    if not seed:
        return announced
    if len(seed) > 64:
        raise BadInput("bad_seed", "Write at most %(most)s characters.", most=64)
    announced.seed, announced.fingerprint = seed, draws.seed_fingerprint(seed)
    announced.note = SEED_GIVEN
    return announced


def _hand_draw(event: Event, witnesses: str, note: str) -> Draw:
    """Return the announced draw as one by hand: its seed is not used and not disclosed."""
    draw = event.draws.get(state=Draw.State.ANNOUNCED)
    draw.by_hand, draw.witnesses, draw.note = True, witnesses.strip()[:300], note[:500]
    draw.seed, draw.fingerprint = "", ""
    return draw


def _check_by_hand(entrants: Sequence[int], order: Sequence[int], witnesses: str) -> None:
    draws.check_order(entrants, order)
    if not witnesses.strip():
        raise BadInput("witnesses_missing", "This field is required.")
    check_hidden_signs(witnesses)


def _stage_of_tie(facts: EventFacts, tied: Sequence[int]) -> StageFacts:
    """Return the open or the last stage if exactly these players are tied there."""
    stage = facts.open_stage or (facts.stages[-1] if facts.stages else None)
    wanted = frozenset(tied)
    if stage is None or not stage.rounds_done or stage.missing:
        raise RuleError(
            "results_missing",
            "Some results of this stage are missing.",
        )
    if wanted not in {
        frozenset(group) for group in (*tied_sets(stage), *shared_final_ranks(facts))
    }:
        raise RuleError(
            "not_tied",
        )
    return stage


def _store_drawn(
    event: Event,
    draw: Draw,
    act: Act,
    entrants: Sequence[object],
    order: Sequence[int],
    by: Actor,
    *,
    before: Mapping[str, object] | None = None,
    further_values: Mapping[str, object] | None = None,
    reason: str = "",
) -> Draw:
    """Store a draw that was made, announce the next one, and write the line of ``act``."""
    draw.kind = Draw.Kind.START if act is START_DRAWN else Draw.Kind.LOTS
    draw.state = Draw.State.DRAWN
    draw.entrants, draw.order = list(entrants), list(order)
    draw.drawn_at, draw.by = timezone.now(), by.user
    draw.save()
    announce_draw(event)
    told = {"order": list(order), "seed": draw.seed, "witnesses": draw.witnesses}
    record(
        event,
        act,
        by=by,
        subject=str(draw.number),
        before=dict(before or {}),
        after=told | dict(further_values or {}),
        reason=reason,
    )
    return draw
