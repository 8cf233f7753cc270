"""A formula's columns of seats and matches, for the picture and the list below it."""

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from config.wording import translate
from rules.plans.places import NthAmong, Place, RankOf
from rules.plans.plan import FormulaPlan, StagePlan
from rules.results import PlayerId
from rules.stages import kind_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label, place_label
from tournaments.core.places import known_places
from tournaments.diagrams.selectors.brackets import bracket_columns
from tournaments.diagrams.selectors.nodes import Box, Column, Known
from tournaments.models import Stage


def formula_columns(facts: EventFacts, plan: FormulaPlan) -> tuple[Column, ...]:
    """Return the columns of an event's formula; no query besides the facts'.

    Before the start ``plan`` is the provisional one.
    """
    known = Known(entries=facts.entries, places=known_places(facts))
    return _columns(plan, known, facts.stages)


def plan_columns(plan: FormulaPlan) -> tuple[Column, ...]:
    """Return the columns of a plan without an event; no query."""
    return _columns(plan, Known(entries={}), None)


def _columns(
    plan: FormulaPlan, known: Known, stages: Sequence[StageFacts] | None
) -> tuple[Column, ...]:
    """Return the columns of all stages; ``stages`` is None without an event's state."""
    columns: list[Column] = []
    for index, stage_plan in enumerate(plan.stages):
        stage = stages[index] if stages else None
        pending = stage is None or stage.stage.state == Stage.State.PENDING
        begun = None if pending else stage
        to_come = "" if stages is None else _("To come")
        state = stage.stage.get_state_display() if stage else to_come
        used = plan.used_places(index)
        if kind_of(stage_plan).has_bracket:
            columns += bracket_columns(stage_plan, begun, known, state)
        else:
            columns += _groups(stage_plan, begun, known, state, used)
    return tuple(columns)


def _groups(
    plan: StagePlan, stage: StageFacts | None, known: Known, state: str, used: frozenset[str]
) -> list[Column]:
    boxes = []
    for group in plan.groups:
        seated = stage.state.seats.get(group.name) if stage else None
        holders = seated or (None,) * len(group.seats)
        ranks = _ranks(stage, group.name)
        lines = tuple(
            known.line(place, holder, mark=ranks.get(holder, "") if holder is not None else "")
            for place, holder in zip(group.seats, holders, strict=True)
        )
        boxes.append(Box(heading=group_label(plan, group.name), lines=lines))
    return [
        Column(
            stage=translate(plan.label),
            heading=translate(plan.label),
            state=state,
            first=True,
            boxes=tuple(boxes),
            goes_on="; ".join(going_on(plan, used)),
        )
    ]


def _ranks(stage: StageFacts | None, group: str) -> dict[PlayerId, str]:
    if stage is None or not stage.state.rounds:
        return {}
    return {row.player: f"{row.rank}." for row in stage.outcome.standings[group].rows}


def going_on(plan: StagePlan, used: frozenset[str]) -> tuple[str, ...]:
    """Return, in words, how each place that a later stage seats is won."""
    words = []
    for rank, places in groupby((p for p in plan.places if p.name in used), _compared_rank):
        level = list(places)
        if rank is None:
            words += [_rank_words(plan, place) for place in level if isinstance(place, RankOf)]
        else:
            names = [place_label(place.name) for place in level]
            shown = ", ".join(names) if len(names) <= 3 else f"{names[0]} … {names[-1]}"
            words.append(
                _("%(names)s: the best of those on rank %(rank)s, in order")
                % {"names": shown, "rank": rank}
            )
    return tuple(words)


def _compared_rank(place: Place) -> int | None:
    return place.rank if isinstance(place, NthAmong) else None


def _rank_words(plan: StagePlan, place: RankOf) -> str:
    name = place_label(place.name)
    if place.name == f"{place.group}{place.rank}":
        return name
    return _("%(name)s: rank %(rank)s, %(group)s") % {
        "name": name,
        "rank": place.rank,
        "group": group_label(plan, place.group),
    }
