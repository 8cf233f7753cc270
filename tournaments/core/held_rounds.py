"""The state of a stage without the results of rounds whose standings are held back."""

from collections.abc import Sequence
from dataclasses import replace

from rules.events.held_standings import Hold, held_back
from rules.stages import STAGE_KINDS
from rules.stages.base import Played, StageState
from tournaments.core.rows import RoundRow
from tournaments.models import Event, Stage


def held_rounds(
    event: Event, stage: Stage, state: StageState, rounds: Sequence[RoundRow]
) -> frozenset[int]:
    """Return the keys of the rounds of a stage whose standings are held back; no query."""
    kind = STAGE_KINDS.get(stage.kind)
    if not event.standings_held or stage.state != Stage.State.OPEN or not kind.has_table:
        return frozenset()
    regular = [item for item in rounds if not item.is_extra]
    extra = [item for item in rounds if item.is_extra]
    ordinals = held_back(
        Hold(event.standings_held),
        [item.ordinal for item in (*regular, *extra)],
        planned=kind.total_rounds(state),
        regular=len(regular),
        released=event.standings_released or 0,
    )
    return frozenset(item.pk for item in rounds if item.ordinal in ordinals)


def without_results(
    state: StageState, rounds: Sequence[RoundRow], hidden: frozenset[int]
) -> StageState:
    """Return the state as if nothing had been played yet in these rounds."""
    if not hidden:
        return state
    regular = [item for item in rounds if not item.is_extra]
    extra = [item for item in rounds for _level in item.level_sets]
    return replace(
        state,
        rounds=tuple(
            _unplayed(played) if item.pk in hidden else played
            for item, played in zip(regular, state.rounds, strict=True)
        ),
        extra=tuple(
            replace(one, played=_unplayed(one.played)) if item.pk in hidden else one
            for item, one in zip(extra, state.extra, strict=True)
        ),
    )


def _unplayed(played: Played) -> Played:
    return tuple((pairing, result.without_outcome()) for pairing, result in played)
