"""The state of an event, loaded in seven queries, what the rules compute from it, and the values
that are cached with it, shared by all readers.

The public's facts are without the results of rounds whose standings are held back. A closed stage
may keep its hold (``Event.held_stage``). Its closing is then no more public than its standings:
everybody but the staff sees it in progress, and nothing of the stages after it, whose seats would
tell who goes on. That lasts until the standings are released, a round of a later stage is published
or the event is finished.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from operator import eq, is_
from threading import RLock
from types import MappingProxyType
from typing import Any, TypeVar

from django.conf import settings

from rules.advancement.outcome import FinalRankingRules, StageOutcome, final_ranking, stage_outcome
from rules.errors import RuleError
from rules.events.held_standings import HiddenStandings, hidden_rounds
from rules.plans import FormulaPlan, StagePlan
from rules.results import PlayerId
from rules.stages import STAGE_KINDS
from rules.stages.base import Played, StageKind, StageState, TiebreakerRound
from tournaments.core.mapping import event_points, stage_state, stored_plan
from tournaments.core.rows import (
    AnyRound,
    EntryRow,
    EventRows,
    GroupRow,
    MatchRow,
    RoundRow,
    entries_by_number,
    load_rows,
)
from tournaments.models import Draw, Event, Match, Round, Stage


@dataclass(frozen=True, kw_only=True)
class StageFacts:
    """In-memory snapshot of a stage: its rows, and its state as the rules need it.

    ``rounds`` and ``matches`` are in the order of play, tiebreaker rounds included; ``by_round``:
    matches by the round's primary key. ``lots``: for each random draw among tied players of the
    event the order drawn, () if it is of another stage. ``used``: codes of places that seat players
    in later stages. ``penalties``: number of penalties by player. ``held``: keys of rounds whose
    results ``state`` omits because standings are withheld.
    """

    event: Event
    stage: Stage
    plan: StagePlan
    groups: tuple[GroupRow, ...]
    rounds: tuple[RoundRow, ...]
    matches: tuple[MatchRow, ...]
    by_round: Mapping[int, tuple[MatchRow, ...]]
    state: StageState
    lots: tuple[tuple[PlayerId, ...], ...]
    used: frozenset[str]
    penalties: Mapping[PlayerId, int]
    held: frozenset[int] = frozenset()

    @cached_property
    def outcome(self) -> StageOutcome:
        """Return standings, places and the lots needed; cached."""
        return stage_outcome(
            self.state,
            criteria=tuple(self.event.criteria),
            points=event_points(self.event),
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
    def regular_rounds(self) -> tuple[RoundRow, ...]:
        """Return the rounds of the schedule, in the order of ``state.rounds``."""
        return tuple(item for item in self.rounds if not item.is_extra)

    @cached_property
    def extra_rounds(self) -> tuple[RoundRow, ...]:
        """Return the rounds of tiebreaker matches."""
        return tuple(item for item in self.rounds if item.is_extra)

    @cached_property
    def extra_sets(self) -> tuple[tuple[RoundRow, TiebreakerRound], ...]:
        """Return (round, tiebreaker matches) for each set of level players."""
        rounds = [item for item in self.rounds for _level in item.level_sets]
        return tuple(zip(rounds, self.state.tiebreaker_rounds, strict=True))

    def state_with(self, change: Callable[[RoundRow, Played], Played]) -> StageState:
        """Return the state in which each round was played as ``change`` gives it."""
        regular = zip(self.regular_rounds, self.state.rounds, strict=True)
        return replace(
            self.state,
            rounds=tuple(change(item, played) for item, played in regular),
            tiebreaker_rounds=tuple(
                replace(each, played=change(item, each.played)) for item, each in self.extra_sets
            ),
        )

    @property
    def last_round(self) -> RoundRow | None:
        """Return the latest round, published or not."""
        return self.rounds[-1] if self.rounds else None

    @cached_property
    def missing(self) -> tuple[MatchRow, ...]:
        """Return the matches without a final result, those of held rounds among them."""
        final = Match.State.FINAL
        return tuple(m for m in self.matches if m.state != final or m.round_id in self.held)

    @property
    def rounds_done(self) -> bool:
        """Return whether every round of the schedule has been drafted.

        A bracket without a match left to play counts as complete.
        """
        if len(self.regular_rounds) >= self.total_rounds:
            return True
        return self.kind.has_bracket and not self.missing and self.kind.is_over(self.state)

    def matches_of(self, round_: AnyRound) -> tuple[MatchRow, ...]:
        """Return the matches of one of the stage's rounds."""
        return self.by_round.get(round_.pk, ())


@dataclass(frozen=True, kw_only=True)
class EventFacts:
    """In-memory snapshot of an event: its rows, stages and players by number.

    Stages are in order. ``plan``: None before the start. ``penalties``: number of penalties by
    player, empty unless penalties rank players.
    """

    event: Event
    rows: EventRows
    plan: FormulaPlan | None
    entries: dict[PlayerId, EntryRow]
    stages: tuple[StageFacts, ...]
    draws: tuple[Draw, ...]
    penalties: Mapping[PlayerId, int]

    @property
    def numbers(self) -> Mapping[int, int]:
        """Return players' numbers by primary key of the entry."""
        return self.rows.numbers

    @cached_property
    def entries_by_pk(self) -> dict[int, EntryRow]:
        """Return the entries by primary key."""
        return {entry.pk: entry for entry in self.entries.values()}

    @property
    def open_stage(self) -> StageFacts | None:
        """Return the stage in progress."""
        return next((s for s in self.stages if s.stage.state == Stage.State.OPEN), None)

    @property
    def rounds(self) -> tuple[RoundRow, ...]:
        """Return all rounds in the order of play."""
        return tuple(item for stage in self.stages for item in stage.rounds)

    @property
    def last_ordinal(self) -> int:
        """Return the ordinal of the latest round in the event, 0 before the first."""
        return max((item.ordinal for item in self.rounds), default=0)

    @property
    def latest_published(self) -> tuple[StageFacts, RoundRow] | None:
        """Return the latest published round with its stage, None before the first."""
        known = ((stage, item) for stage in self.stages[::-1] for item in stage.rounds[::-1])
        return next((each for each in known if each[1].state == Round.State.PUBLISHED), None)

    def round_at(self, ordinal: int) -> tuple[StageFacts, RoundRow] | None:
        """Return a round with its stage, None without one of this ordinal."""
        known = ((stage, item) for stage in self.stages for item in stage.rounds)
        return next((each for each in known if each[1].ordinal == ordinal), None)

    @cached_property
    def ranking(self) -> tuple[tuple[PlayerId, ...], ...]:
        """Return the final ranking known so far, as tuples of players who share a rank."""
        if self.plan is None:
            return ()
        begun = [s for s in self.stages if s.stage.state != Stage.State.PENDING]
        return final_ranking(self.plan, [(s.state, s.advanced) for s in begun], self.final_order)

    @property
    def final_order(self) -> FinalRankingRules:
        """Return what orders players who went out alike."""
        return FinalRankingRules(
            criteria=tuple(self.event.criteria),
            points=event_points(self.event),
            lots=[draw.order for draw in self.rows.lots],
            penalties=self.penalties,
        )


def load_facts(event: Event, *, for_staff: bool = True) -> EventFacts:
    """Return a fresh snapshot of an event.

    ``for_staff=False``: as the public sees it, without unpublished rounds and withheld standings.
    Seven queries, eight if penalties rank players.
    """
    return facts_from_rows(event, load_rows(event), drafts=for_staff)


def facts_from_rows(
    event: Event, rows: EventRows, *, drafts: bool, held: bool | None = None
) -> EventFacts:
    """Return the snapshot of an event from its loaded rows; no query.

    ``drafts``: include unpublished rounds. ``held``: leave out withheld standings; default: if
    ``drafts`` is False.
    """
    held = not drafts if held is None else held
    seen = rows_before_closing(event, rows) if held else rows
    plan = stored_plan(event) if event.plan else None
    return EventFacts(
        event=event,
        rows=rows,
        plan=plan,
        entries=entries_by_number(rows, started=plan is not None),
        stages=tuple(
            _stage(event, seen, stage, stage_plan, used, drafts=drafts, held=held)
            for stage, (stage_plan, used) in zip(seen.stages, _plans(plan), strict=False)
        ),
        draws=rows.draws,
        penalties=rows.penalties_until(None),
    )


CARRIED_OVER = ("rulings", "leaders", "announced", "beside", "earlier")
"""Keys of the cached values that results do not change."""


def facts_after_results(
    former: EventFacts, event: Event, matches: Mapping[int, tuple[MatchRow, ...]], *, drafts: bool
) -> EventFacts:
    """Return a snapshot updated with new results; all else is reused. No query.

    ``former``: snapshot of an earlier version of ``event``. ``matches``: all matches by the round's
    primary key, identical objects for unchanged rounds. ``drafts``: whether ``former`` includes
    unpublished rounds. Unchanged stages and the cached values named in ``CARRIED_OVER`` are kept.
    """
    rows = replace(former.rows, matches=matches)
    after = partial(_after_results, former=former, event=event, rows=rows, drafts=drafts)
    facts = replace(
        former,
        event=event,
        rows=rows,
        entries=entries_by_number(rows, started=former.plan is not None),
        stages=tuple(map(after, former.stages)),
    )
    carry_over_values(facts, former, CARRIED_OVER)
    return facts


def _after_results(
    stage: StageFacts, *, former: EventFacts, event: Event, rows: EventRows, drafts: bool
) -> StageFacts:
    before = former.rows.matches
    same = {item.pk for item in stage.rounds if rows.matches.get(item.pk) is before.get(item.pk)}
    if len(same) == len(stage.rounds):
        return stage
    rounds = zip(stage.regular_rounds, stage.state.rounds, strict=True)
    known = {item.pk: played for item, played in rounds if item.pk in same}
    own, plan, used = stage.stage, stage.plan, stage.used
    return _stage(event, rows, own, plan, used, drafts=drafts, held=not drafts, known=known)


def _stage(
    event: Event,
    rows: EventRows,
    stage: Stage,
    plan: StagePlan,
    used: frozenset[str],
    *,
    drafts: bool,
    held: bool,
    known: Mapping[int, Played] = MappingProxyType({}),
) -> StageFacts:
    rounds = tuple(
        item
        for item in rows.rounds
        if item.stage_id == stage.pk and (drafts or item.state == Round.State.PUBLISHED)
    )
    state = stage_state(
        event=event,
        stage=stage,
        plan=plan,
        groups=rows.groups.get(stage.pk, ()),
        rounds=rounds,
        matches=rows.matches,
        numbers=rows.numbers,
        withdrawn=rows.withdrawn,
        drawn_at=[draw.drawn_at for draw in rows.lots if draw.drawn_at],
        known=known,
    )
    hidden = withheld_rounds(event, stage, state, rounds) if held else frozenset[int]()
    if hidden:
        state = state_without_results(state, rounds, hidden)
    by_round = {item.pk: rows.matches.get(item.pk, ()) for item in rounds}
    return StageFacts(
        event=event,
        stage=stage,
        plan=plan,
        groups=rows.groups.get(stage.pk, ()),
        rounds=rounds,
        matches=tuple(chain.from_iterable(by_round.values())),
        by_round=by_round,
        state=state,
        lots=tuple(tuple(d.order) if d.stage_id == stage.pk else () for d in rows.lots),
        used=used,
        penalties=rows.penalties_until(stage.closed_at),
        held=hidden,
    )


def _plans(plan: FormulaPlan | None) -> list[tuple[StagePlan, frozenset[str]]]:
    """Return (plan, places that later stages seat) for each stage; empty before the start."""
    if plan is None:
        return []
    return [(stage, plan.used_places(index)) for index, stage in enumerate(plan.stages)]


def withheld_rounds(
    event: Event, stage: Stage, state: StageState, rounds: Sequence[RoundRow]
) -> frozenset[int]:
    """Return the primary keys of a stage's rounds whose standings are withheld.

    ``rounds``: all of the stage. Empty if the stage is not open, and always for a knock-out: its
    results already show who advances. No query.
    """
    kind = STAGE_KINDS.get(stage.kind)
    if not event.standings_held or stage.state != Stage.State.OPEN or kind.needs_winners:
        return frozenset()
    regular = [item for item in rounds if not item.is_extra]
    extra = [item for item in rounds if item.is_extra]
    ordinals = hidden_rounds(
        HiddenStandings(event.standings_held),
        [item.ordinal for item in (*regular, *extra)],
        planned=kind.total_rounds(state),
        regular=len(regular),
        released=event.standings_released or 0,
    )
    return frozenset(item.pk for item in rounds if item.ordinal in ordinals)


def withheld_stage(event: Event, rows: EventRows) -> Stage | None:
    """Return the closed stage whose standings are still withheld, else None.

    No query.
    """
    if event.held_stage is None or not event.standings_held:
        return None
    stage = next((each for each in rows.stages if each.number == event.held_stage), None)
    if stage is None or stage.state != Stage.State.CLOSED:
        return None
    last = max((item.ordinal for item in rows.rounds if item.stage_id == stage.pk), default=0)
    return stage if last > (event.standings_released or 0) else None


def rows_before_closing(event: Event, rows: EventRows) -> EventRows:
    """Return the rows as if the stage with withheld standings were still open.

    Later stages are pending and without groups. No query.
    """
    held = withheld_stage(event, rows)
    if held is None:
        return rows
    later = {stage.pk for stage in rows.stages if stage.number > held.number}
    return replace(
        rows,
        stages=tuple(
            _reopened(each)
            if each.pk == held.pk
            else _not_begun(each)
            if each.pk in later
            else each
            for each in rows.stages
        ),
        groups={key: groups for key, groups in rows.groups.items() if key not in later},
    )


def store_withheld_stage(event: Event, number: int | None) -> None:
    """Store the number of the closed stage whose standings stay withheld.

    None: no stage. At most one query.
    """
    if event.held_stage != number:
        event.held_stage = number
        event.save(update_fields=["held_stage"])


def no_withheld_standings_error() -> RuleError:
    """Return the RuleError for publishing standings when none are withheld."""
    return RuleError("nothing_held")


def _reopened(stage: Stage) -> Stage:
    seen = copy(stage)
    seen.state, seen.closed_at, seen.places = Stage.State.OPEN, None, {}
    return seen


def _not_begun(stage: Stage) -> Stage:
    seen = copy(stage)
    seen.state, seen.opened_at, seen.seed = Stage.State.PENDING, None, ""
    return seen


def state_without_results(
    state: StageState, rounds: Sequence[RoundRow], hidden: frozenset[int]
) -> StageState:
    """Return the stage's state without the results of some rounds.

    ``rounds``: all of the stage; ``hidden``: primary keys of those without results.
    """
    regular = [item for item in rounds if not item.is_extra]
    extra = [item for item in rounds for _level in item.level_sets]
    return replace(
        state,
        rounds=tuple(
            _unplayed(played) if item.pk in hidden else played
            for item, played in zip(regular, state.rounds, strict=True)
        ),
        tiebreaker_rounds=tuple(
            replace(one, played=_unplayed(one.played)) if item.pk in hidden else one
            for item, one in zip(extra, state.tiebreaker_rounds, strict=True)
        ),
    )


def _unplayed(played: Played) -> Played:
    return tuple((pairing, result.without_outcome()) for pairing, result in played)


Made = TypeVar("Made")
EarlierValues = dict[Hashable, tuple[tuple[object, ...], Any]]


class _Values:
    """The values cached for one object, and the lock for computing more."""

    def __init__(self) -> None:
        self.by_key: dict[Hashable, Any] = {}
        self.turn = RLock()


def cached_value(facts: object, key: Hashable, make: Callable[[], Made]) -> Made:
    """Return a value cached with a snapshot of an event or stage.

    It is computed if missing. It lives as long as the snapshot ``facts``. One thread runs ``make``
    while others wait; never modify the value.
    """
    if "values" in settings.CACHES_OFF:
        return make()
    values = _values_of(facts)
    if key not in values.by_key:
        with values.turn:
            if key not in values.by_key:
                values.by_key[key] = make()
    found: Made = values.by_key[key]
    return found


def cached_by_sources(
    facts: object, key: Hashable, sources: tuple[object, ...], make: Callable[[], Made]
) -> Made:
    """Return a value cached under ``key`` with this or an earlier snapshot.

    ``make`` runs again only if one of ``sources``, from which it is computed, is another object.
    """
    return reuse_or_compute(carried_over_values(facts), key, sources, make, same=_are_same_objects)


def reuse_or_compute(
    earlier: EarlierValues,
    key: Hashable,
    sources: tuple[object, ...],
    make: Callable[[], Made],
    *,
    same: Callable[[tuple[object, ...], tuple[object, ...]], bool] = eq,
) -> Made:
    """Return the value stored in ``earlier`` under ``key``, or compute and store it.

    ``make`` runs unless ``same(stored sources, sources)``.
    """
    known = earlier.get(key)
    if known is None or not same(known[0], sources):
        known = earlier[key] = (sources, make())
    found: Made = known[1]
    return found


def carried_over_values(facts: object) -> EarlierValues:
    """Return the cache {key: (sources, value)} that snapshots after later results take over.

    Callers add to it (``reuse_or_compute``). A value may depend only on its sources and on data
    that results don't change.
    """
    return cached_value(facts, "earlier", dict)


def _are_same_objects(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


def carry_over_values(facts: object, former: object, keys: Iterable[Hashable]) -> None:
    """Copy values cached under these keys from the ``former`` snapshot to ``facts``."""
    made = _values_of(former).by_key
    _values_of(facts).by_key |= {key: made[key] for key in keys if key in made}


def _values_of(facts: object) -> _Values:
    own = vars(facts)
    found: _Values = own.get("_cached_values") or own.setdefault("_cached_values", _Values())
    return found
