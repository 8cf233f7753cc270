"""The state of a stage without the results of rounds whose standings are held back.

A closed stage may keep its hold (``Event.held_stage``). Its closing is then no more public than
its standings: everybody but the staff sees it in progress, and nothing of the stages after it,
whose seats would tell who goes on. That lasts until the standings are released, a round of a later
stage is published or the event is finished.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from rules.errors import RuleError
from rules.events.held_standings import HiddenStandings, hidden_rounds
from rules.stages import STAGE_KINDS
from rules.stages.base import Played, StageState
from tournaments.core.rows import EventRows, RoundRow
from tournaments.models import Event, Stage


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
