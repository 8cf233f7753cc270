"""A formula's columns of seats and matches, for the picture and the list below it."""

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.wording import translate
from rules.plans.places import NthAmong, RankOf
from rules.plans.plan import FormulaPlan, StagePlan
from rules.results import PlayerId
from rules.stages import kind_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label, place_in_words
from tournaments.core.told_ranks import rank_figure, shared_ranks
from tournaments.diagrams.selectors.brackets import bracket_columns
from tournaments.diagrams.selectors.nodes import Box, Column, Known, known_of
from tournaments.models import Stage


def formula_columns(facts: EventFacts, plan: FormulaPlan) -> tuple[Column, ...]:
    """Return the columns of an event's formula; no query besides the facts'.

    Before the start ``plan`` is the provisional one.
    """
    return _columns(plan, known_of(facts, plan), facts.stages)


def plan_columns(plan: FormulaPlan) -> tuple[Column, ...]:
    """Return the columns of a plan without an event; no query."""
    return _columns(plan, Known(entries={}, stages=plan.stages), None)


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
    standings = stage.outcome.standings[group]
    shared = shared_ranks(standings)
    return {
        row.player: f"{rank_figure(row.rank, shared=row.rank in shared)}." for row in standings.rows
    }


def going_on(plan: StagePlan, used: frozenset[str]) -> tuple[str, ...]:
    """Return, in words, how the places that later stages seat are won."""
    places = [place for place in plan.places if place.name in used]
    ranks = [place for place in places if isinstance(place, RankOf)]
    words = [_rank_words(plan, ranks)] if ranks else []
    for rank, level in groupby((p for p in places if isinstance(p, NthAmong)), _compared_rank):
        words.append(_best_words(rank, [*level]))
    return tuple(words)


def _compared_rank(place: NthAmong) -> int:
    return place.rank


def _rank_words(plan: StagePlan, places: Sequence[RankOf]) -> str:
    """Return "the first 2 of each group", or the places one by one where groups differ."""
    by_group = {group.name: 0 for group in plan.groups}
    for place in places:
        by_group[place.group] += 1
    first = {(group, rank) for group, count in by_group.items() for rank in range(1, count + 1)}
    counts = {*by_group.values()}
    if len(counts) > 1 or first != {(place.group, place.rank) for place in places}:
        return ", ".join(place_in_words(plan, place.name) for place in places)
    values = {"count": counts.pop()}
    if len(plan.groups) > 1:
        words = ngettext(
            "the first of each group", "the first %(count)s of each group", values["count"]
        )
    else:
        words = ngettext("the first", "the first %(count)s", values["count"])
    return words % values


def _best_words(rank: int, places: Sequence[NthAmong]) -> str:
    """Return how many of those on a rank of the groups compared go on, or that all of them do."""
    count = len(places)
    if count == len(places[0].groups) > 1:
        return _("everybody on rank %(rank)s of their group") % {"rank": rank}
    words = ngettext(
        "the best of those on rank %(rank)s",
        "the %(count)s best of those on rank %(rank)s",
        count,
    )
    return words % {"count": count, "rank": rank}
