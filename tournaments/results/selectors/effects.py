"""What a correction, or a striking, would change, worked out before it counts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rules.matches.settling import Outcome
from rules.results import PlayerId, Result
from rules.stages.base import Played, StageState
from rules.stages.stage_snapshot import Met, before_round, is_by_hand, paired
from rules.standings.table import Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.extra_matches.selectors import idle_rounds
from tournaments.models import Match, Round, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player whose rank in a group changes."""

    group: str
    number: PlayerId
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChange:
    """A place with another holder; None = nobody, or not decided.

    ``before`` is who holds it: by what was stored when the stage closed, else by the results.
    """

    place: str
    before: PlayerId | None
    after: PlayerId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repairing:
    """Who would not meet any more in a round that was made, and who would instead.

    Of a round that people changed by hand it is what the rules had proposed to them. Both are
    empty where the same would meet as other matches: at other tables, or elsewhere in a bracket.
    """

    round: Round
    gone: tuple[Met, ...]
    instead: tuple[Met, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What a corrected result does: ranks, places, and the rounds and stages made from it.

    ``rounds`` has the extra rounds too whose players would not be level any more; ``idle`` are
    those of them that stay on record, with results that count for nothing. ``repairings`` say how
    the pairings of the others would differ.
    """

    moves: tuple[Move, ...]
    places: tuple[PlaceChange, ...]
    rounds: tuple[Round, ...]
    stages: tuple[Stage, ...]
    idle: tuple[Round, ...] = ()
    repairings: tuple[Repairing, ...] = ()

    @property
    def reaches_further(self) -> bool:
        """Say whether something was made from the old result that the new one contradicts."""
        return bool(self.rounds or self.stages)


def correction_effects(facts: EventFacts, match: Match, outcome: Outcome) -> Effects:
    """Return what would change if the match had this outcome; no query."""
    stage = next(s for s in facts.stages if s.stage.pk == match.group.stage_id)
    return effects_of(facts, stage, with_outcome(stage, match, outcome))


def effects_of(facts: EventFacts, stage: StageFacts, state: StageState) -> Effects:
    """Return what would change if a stage's facts were these; no query."""
    before = stage.outcome
    changed = replace(stage, state=state)
    after = changed.outcome
    places = _place_changes(before.places, after.places, stage.used)
    if places:  # an earlier correction may have been kept: what counts is who holds them
        places = _place_changes(stage.advanced.places, after.places, stage.used)
    later_stages = tuple(
        s.stage
        for s in facts.stages
        if s.stage.number > stage.stage.number and s.stage.state != Stage.State.PENDING
    )
    empty, idle = idle_rounds(stage, before, after)
    repairings = _contradicted_rounds(stage, changed)
    return Effects(
        moves=_moves(before.standings, after.standings),
        places=places,
        rounds=(*(each.round for each in repairings), *empty),
        stages=later_stages if places and stage.stage.state == Stage.State.CLOSED else (),
        idle=idle,
        repairings=repairings,
    )


def with_outcome(stage: StageFacts, match: Match, outcome: Outcome) -> StageState:
    """Return the stage's state as if the match had ended with this outcome."""

    def changed(item: Round, played: Played) -> Played:
        if item.pk != match.round_id:
            return played
        return tuple(
            (pairing, _result(result, outcome) if pairing.number == match.number else result)
            for pairing, result in played
        )

    state = stage.state
    regular = zip(stage.regular_rounds, state.rounds, strict=True)
    return replace(
        state,
        rounds=tuple(changed(item, played) for item, played in regular),
        extra=tuple(
            replace(each, played=changed(item, each.played)) for item, each in stage.extra_sets
        ),
    )


def _result(result: Result, outcome: Outcome) -> Result:
    return replace(
        result,
        winner=outcome.winner,
        score=outcome.score,
        games=outcome.games_won,
        ended_by=outcome.ended_by,
    )


def _contradicted_rounds(stage: StageFacts, changed: StageFacts) -> tuple[Repairing, ...]:
    """Return the stage's later rounds whose pairings the changed results would not give.

    Of one that people changed by hand counts what the rules had proposed to them.
    """
    found = []
    for index, item in enumerate(stage.regular_rounds):
        by_hand = is_by_hand(stage.state, index, draft=item.state == Round.State.DRAFT)
        made = _would(stage, index) if by_hand else paired(stage.state, index)
        would = _would(changed, index)
        if made != would:
            gone, instead = _without(made, would), _without(would, made)
            found.append(Repairing(round=item, gone=gone, instead=instead))
    return tuple(found)


def _without(meetings: Iterable[Met], others: Iterable[Met]) -> tuple[Met, ...]:
    """Return in order those of the meetings whose players don't meet among the others."""
    there = {frozenset(met[2:]) for met in others}
    found = (met for met in meetings if frozenset(met[2:]) not in there)
    return tuple(sorted(found, key=lambda met: met[:2]))


def _would(stage: StageFacts, index: int) -> frozenset[Met]:
    """Return what the facts of a stage would pair for one of its rounds."""
    pairings = stage.kind.next_round(before_round(stage.state, index))
    return frozenset((p.group, p.number, p.a, p.b) for p in pairings)


def _moves(before: Mapping[str, Standings], after: Mapping[str, Standings]) -> tuple[Move, ...]:
    return tuple(
        Move(group=group, number=row.player, before=ranks[row.player], after=row.rank)
        for group, table in after.items()
        for ranks in [{row.player: row.rank for row in before[group].rows}]
        for row in table.rows
        if ranks[row.player] != row.rank
    )


def _place_changes(
    before: Mapping[str, PlayerId], after: Mapping[str, PlayerId], used: frozenset[str]
) -> tuple[PlaceChange, ...]:
    return tuple(
        PlaceChange(place=name, before=before.get(name), after=after.get(name))
        for name in sorted(used & (set(before) | set(after)))
        if before.get(name) != after.get(name)
    )
