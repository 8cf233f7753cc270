"""The state of an event, loaded in seven queries, and what the rules compute from it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from config.transaction import one_moment
from rules.advancement.final_ranking import final_ranking
from rules.advancement.outcome import StageOutcome, outcome
from rules.plans.plan import FormulaPlan, StagePlan
from rules.results import PlayerId
from rules.stages import STAGE_KINDS
from rules.stages.base import ExtraRound, StageState
from rules.stages.kind import StageKind
from tournaments.core.mapping import plan_of, points_of, stage_state
from tournaments.models import (
    Draw,
    Entry,
    Event,
    Group,
    Match,
    Round,
    Seat,
    Stage,
    TimeExtension,
)

PENALTY_CRITERION = "fewest_penalties"


@dataclass(frozen=True, kw_only=True)
class StageFacts:
    """A stage with its groups, rounds and matches, and its state for the rules.

    ``rounds`` and ``matches`` are in the order of play, extra ones included. ``lots`` holds the
    orders drawn in this stage, and an empty tuple for each draw of another stage.
    """

    event: Event
    stage: Stage
    plan: StagePlan
    groups: tuple[Group, ...]
    rounds: tuple[Round, ...]
    matches: tuple[Match, ...]
    state: StageState
    lots: tuple[tuple[PlayerId, ...], ...]
    used: frozenset[str]
    penalties: Mapping[PlayerId, int]

    @cached_property
    def outcome(self) -> StageOutcome:
        """Return standings, places and the lots needed; cached."""
        return outcome(
            self.state,
            criteria=tuple(self.event.criteria),
            points=points_of(self.event),
            lots=self.lots,
            used=self.used,
            penalties=self.penalties,
        )

    @property
    def advanced(self) -> StageOutcome:
        """Return the outcome with the places that the stage gave when it closed, if it has.

        A player who withdrew after the stage closed keeps the place until a later stage starts.
        """
        if self.stage.state != Stage.State.CLOSED:
            return self.outcome
        return replace(self.outcome, places=self.stage.places)

    @property
    def kind(self) -> StageKind:
        """Return the rules of this kind of stage."""
        return STAGE_KINDS.get(self.stage.kind)

    @cached_property
    def total_rounds(self) -> int:
        """Return the number of rounds of the stage, given its legs; extra rounds not counted."""
        return self.kind.total_rounds(self.state)

    @cached_property
    def regular_rounds(self) -> tuple[Round, ...]:
        """Return the rounds of the schedule, in the order of ``state.rounds``."""
        return tuple(item for item in self.rounds if not item.is_extra)

    @cached_property
    def extra_rounds(self) -> tuple[Round, ...]:
        """Return the rounds of extra matches."""
        return tuple(item for item in self.rounds if item.is_extra)

    @cached_property
    def extra_sets(self) -> tuple[tuple[Round, ExtraRound], ...]:
        """Return (round, extra matches) for each set of level players."""
        rounds = [item for item in self.rounds for _level in item.level_sets]
        return tuple(zip(rounds, self.state.extra, strict=True))

    @property
    def last_round(self) -> Round | None:
        """Return the latest round, published or not."""
        return self.rounds[-1] if self.rounds else None

    @cached_property
    def missing(self) -> tuple[Match, ...]:
        """Return the matches without a final result."""
        return tuple(match for match in self.matches if match.state != Match.State.FINAL)

    @property
    def rounds_done(self) -> bool:
        """Say whether every round of the schedule has been drafted.

        A bracket without a match left to play counts as complete.
        """
        if len(self.regular_rounds) >= self.total_rounds:
            return True
        return self.kind.has_bracket and not self.missing and self.kind.is_over(self.state)

    def matches_of(self, item: Round) -> tuple[Match, ...]:
        """Return the matches of one of the stage's rounds."""
        return tuple(match for match in self.matches if match.round_id == item.pk)


@dataclass(frozen=True, kw_only=True)
class EventFacts:
    """An event with its stages, and its entries by player's number."""

    event: Event
    plan: FormulaPlan | None
    entries: dict[PlayerId, Entry]
    stages: tuple[StageFacts, ...]
    draws: tuple[Draw, ...]
    penalties: Mapping[PlayerId, int]

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Return players' numbers by primary key of the entry."""
        return {entry.pk: entry.number for entry in self.entries.values()}

    @property
    def open_stage(self) -> StageFacts | None:
        """Return the stage in progress."""
        return next((s for s in self.stages if s.stage.state == Stage.State.OPEN), None)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Return all rounds in the order of play."""
        return tuple(item for stage in self.stages for item in stage.rounds)

    @property
    def last_ordinal(self) -> int:
        """Return the ordinal of the latest round in the event, 0 before the first."""
        return max((item.ordinal for item in self.rounds), default=0)

    @cached_property
    def ranking(self) -> tuple[tuple[PlayerId, ...], ...]:
        """Return the final ranking known so far, as tuples of players who share a rank."""
        if self.plan is None:
            return ()
        opened = [s for s in self.stages if s.stage.state != Stage.State.PENDING]
        return final_ranking(
            self.plan,
            [(s.state, s.advanced) for s in opened],
            criteria=tuple(self.event.criteria),
            points=points_of(self.event),
            lots=[draw.order for draw in lots_of(self.draws)],
            penalties=self.penalties,
        )


@one_moment()
def load_facts(event: Event, *, drafts: bool = True) -> EventFacts:
    """Return the state of an event; seven queries whatever its size.

    An eighth query counts penalties where they are a criterion; a closed stage counts those given
    before it closed. ``drafts=False`` leaves unpublished rounds out.
    """
    entries = list(event.entries.all())
    stages = list(event.stages.all())
    groups, seats, rounds, matches = _parts(event, drafts=drafts)
    draws = tuple(event.draws.all())
    lots = lots_of(draws)
    given = penalty_count(event)
    plan = plan_of(event) if event.plan else None
    numbers = {entry.pk: entry.number for entry in entries}
    left = {Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED}
    withdrawn = frozenset[PlayerId](entry.number for entry in entries if entry.status in left)
    loaded = []
    for stage, (stage_plan, used) in zip(stages, _plans(plan), strict=False):
        own_rounds = tuple(rounds[stage.pk])
        loaded.append(
            StageFacts(
                event=event,
                stage=stage,
                plan=stage_plan,
                groups=tuple(groups[stage.pk]),
                rounds=own_rounds,
                matches=tuple(match for item in own_rounds for match in matches[item.pk]),
                state=stage_state(
                    stage=stage,
                    plan=stage_plan,
                    groups=groups[stage.pk],
                    seats=seats[stage.pk],
                    rounds=own_rounds,
                    matches=matches,
                    numbers=numbers,
                    withdrawn=withdrawn,
                    points=points_of(event),
                    drawn_at=[draw.drawn_at for draw in lots if draw.drawn_at],
                ),
                lots=tuple(tuple(d.order) if d.stage_id == stage.pk else () for d in lots),
                used=used,
                penalties=given.until(stage.closed_at),
            )
        )
    return EventFacts(
        event=event,
        plan=plan,
        entries={entry.number: entry for entry in entries},
        stages=tuple(loaded),
        draws=draws,
        penalties=given.until(None),
    )


def lots_of(draws: Iterable[Draw]) -> tuple[Draw, ...]:
    """Return the draws that are drawings of lots."""
    return tuple(draw for draw in draws if draw.kind == Draw.Kind.LOTS)


def _plans(plan: FormulaPlan | None) -> list[tuple[StagePlan, frozenset[str]]]:
    """Return (plan, places that later stages seat) for each stage; empty before the start."""
    if plan is None:
        return []
    return [(stage, plan.used_places(index)) for index, stage in enumerate(plan.stages)]


def _parts(
    event: Event, *, drafts: bool
) -> tuple[
    dict[int, list[Group]], dict[int, list[Seat]], dict[int, list[Round]], dict[int, list[Match]]
]:
    groups, seats, rounds, matches = (defaultdict(list) for _ in range(4))
    for group in Group.objects.filter(stage__event=event).order_by("number"):
        groups[group.stage_id].append(group)
    for seat in Seat.objects.filter(stage__event=event):
        seats[seat.stage_id].append(seat)
    shown = event.rounds.all() if drafts else event.rounds.filter(state=Round.State.PUBLISHED)
    for item in shown.order_by("ordinal").select_related("drafted_by", "clock"):
        rounds[item.stage_id].append(item)
    found = Match.objects.filter(round__in=shown).select_related("decision").order_by("number")
    for match in with_extra(found):
        matches[match.round_id].append(match)
    return groups, seats, rounds, matches


def with_extra(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Annotate matches so that ``extra_minutes`` needs no query of its own."""
    given = TimeExtension.objects.filter(match=OuterRef("pk")).order_by().values("match")
    total = given.annotate(total=Sum("minutes")).values("total")
    return matches.annotate(minutes_given=Coalesce(Subquery(total), 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyCount:
    """The penalties of an event as (player's number, moment) pairs, for standings."""

    given: tuple[tuple[int, datetime], ...] = ()

    def until(self, moment: datetime | None) -> dict[PlayerId, int]:
        """Return the number of penalties by player at a moment; None counts all of them."""
        return dict(
            Counter[PlayerId](number for number, at in self.given if moment is None or at <= moment)
        )


def penalty_count(event: Event) -> PenaltyCount:
    """Return the penalties of an event; one query where they are a criterion, else none."""
    if PENALTY_CRITERION not in event.criteria:
        return PenaltyCount()
    return PenaltyCount(given=tuple(event.penalties.values_list("entry__number", "at")))
