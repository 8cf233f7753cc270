"""Past draws, with everything needed to recompute them."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from config.wording import translate
from rules.ties.draws import fingerprint
from tournaments.core.draw_origins import DrawOrigin, draw_origins, origin_of
from tournaments.core.event_state import EventFacts
from tournaments.core.rows import AnyEntry
from tournaments.models import Draw, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawRow:
    """A past draw; ``seeded`` are the players who came first by their seed position."""

    id: str
    draw: Draw
    kind: str
    stage: str
    origin: DrawOrigin
    entrants: tuple[AnyEntry, ...]
    seeded: tuple[AnyEntry, ...]
    order: tuple[AnyEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingSeed:
    """The seed that decides between equally good Swiss pairings; shown once the stage is closed."""

    stage: str
    fingerprint: str
    seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawsPage:
    """Past draws, latest first, the seeds of Swiss stages, and the next draw's fingerprint.

    The seed of the next draw is not included: it is secret until drawn.
    """

    rows: tuple[DrawRow, ...]
    pairing_seeds: tuple[PairingSeed, ...]
    next_number: int
    next_fingerprint: str


def draws_page(facts: EventFacts) -> DrawsPage:
    """Return the draws; the queries of `draw_origins` beyond ``facts``."""
    origins = draw_origins(facts.event, facts.draws)
    labels = {stage.stage.pk: translate(stage.plan.label) for stage in facts.stages}
    drawn = [draw for draw in facts.draws if draw.state == Draw.State.DRAWN]
    announced = next((d for d in facts.draws if d.state == Draw.State.ANNOUNCED), None)
    return DrawsPage(
        rows=tuple(
            _draw_row(facts, draw, labels, origins[draw.number]) for draw in reversed(drawn)
        ),
        pairing_seeds=tuple(
            _pairing_seed(stage.stage, labels) for stage in facts.stages if stage.stage.seed
        ),
        next_number=announced.number if announced else 0,
        next_fingerprint=announced.fingerprint if announced else "",
    )


def _pairing_seed(stage: Stage, labels: dict[int, str]) -> PairingSeed:
    closed = stage.state == Stage.State.CLOSED
    return PairingSeed(
        stage=labels[stage.pk],
        fingerprint=fingerprint(stage.seed),
        seed=stage.seed if closed else "",
    )


def _draw_row(facts: EventFacts, draw: Draw, labels: dict[int, str], origin: DrawOrigin) -> DrawRow:
    pairs = [item if isinstance(item, list) else [item, None] for item in draw.entrants]
    return DrawRow(
        id=f"draw-{draw.number}",
        draw=draw,
        kind=_("order of the start")
        if draw.kind == Draw.Kind.START
        else _("lots among level players"),
        stage=labels.get(draw.stage_id or 0, ""),
        origin=origin,
        entrants=_entries_of(facts, [number for number, _seed in pairs]),
        seeded=_entries_of(facts, [number for number, seed in pairs if seed is not None]),
        order=_entries_of(facts, draw.order),
    )


def _entries_of(facts: EventFacts, numbers: list[int]) -> tuple[AnyEntry, ...]:
    """Return the entries of these numbers, without players removed since."""
    return tuple(facts.entries[number] for number in numbers if number in facts.entries)


def draw_json(draw: Draw) -> dict[str, Any]:
    """Return a draw that was made as the endpoints answer it; three queries."""
    origin = origin_of(draw)
    drawn = {"number": draw.number, "order": list(draw.order), "seed": draw.seed}
    return drawn | origin.json | {"words": origin.words}
