"""What changes once an order of lots that was recorded the wrong way is put right."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from rules.errors import BadInput, RuleError
from rules.ties.draws import check_order
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.corrections.selectors.choices import Correction, followed_from
from tournaments.models import Draw
from tournaments.results.selectors.effects import effects_of


def is_correctable(facts: EventFacts, draw: Draw) -> bool:
    """Return whether an order of lots was drawn by hand and still decides; no query.

    What the tool draws follows from its seed. Later lots or extra matches of two of the players
    decide between them now.
    """
    stage = _stage_of(facts, draw)
    if stage is None or not draw.by_hand or draw.kind != Draw.Kind.LOTS:
        return False
    drawn = facts.rows.lots
    made = [each.number for each in drawn].index(draw.number) + 1
    later = [each.order for each in drawn[made:] if each.stage_id == draw.stage_id]
    later += [extra.level for _item, extra in stage.extra_sets if extra.after >= made]
    return not any(len({*draw.order} & {*players}) > 1 for players in later)


def lots_correction_of(
    facts: EventFacts, draw: Draw, order: Sequence[int], void: Collection[int] = ()
) -> Correction:
    """Return what follows if lots had been recorded in this order; no query.

    ``void`` is as for `correction_of`. Raises RuleError ``lots_stay``, BadInput ``bad_order``,
    ``same_order``.
    """
    stage = _stage_of(facts, draw)
    if stage is None or not is_correctable(facts, draw):
        raise RuleError(
            "lots_stay",
            "Only an order that was drawn by hand, and that still decides, can be corrected. "
            "Nothing was stored.",
        )
    check_order(draw.entrants, order)
    if list(order) == draw.order:
        raise BadInput(
            "same_order", "This is the order on record. Nothing was stored: give the right one."
        )
    changed = replace(stage, lots=(*stage.lots, tuple(order)))
    found = Correction(
        facts=facts,
        stage=stage,
        effects=effects_of(facts, stage, changed),
        changed=changed,
        target=facts.open_stage,
    )
    return followed_from(found, void)


def _stage_of(facts: EventFacts, draw: Draw) -> StageFacts | None:
    return next((s for s in facts.stages if s.stage.pk == draw.stage_id), None)
