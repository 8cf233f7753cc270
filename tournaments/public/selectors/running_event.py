"""The page of a running event: round, tables, groups, latest results."""

from dataclasses import dataclass

from django.utils.translation import get_language

from config.wording import translate
from rules.brackets.single import Part
from rules.stages.bracket_progress import progress_of
from rules.stages.kind import shape_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.replays import at_tables
from tournaments.core.round_words import stage_and_round
from tournaments.core.rows import RoundRow
from tournaments.core.values_cache import cached
from tournaments.diagrams.selectors.drawn_brackets import rest_of
from tournaments.diagrams.selectors.drawn_nodes import Drawing
from tournaments.public.selectors.small_tables import SmallTables, small_tables
from tournaments.public.selectors.tiles import LatestResult, Tiles, latest_results, tiles_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningEvent:
    """The stage being played and its latest round; ``where`` names both.

    ``left`` are rounds of it that are still to be made for sure, ``rest`` is what is left of its
    bracket, if it has one.
    """

    where: str
    round: RoundRow | None
    tiles: Tiles | None
    small: SmallTables
    latest: tuple[LatestResult, ...]
    left: int
    rest: Drawing | None


def running_event(facts: EventFacts) -> RunningEvent | None:
    """Return the state of play, None between the last stage and the end.

    At most one query beyond ``facts``, which must be loaded without drafts.
    """
    return cached(facts, ("now", get_language()), lambda: _running_event(facts))


def _running_event(facts: EventFacts) -> RunningEvent | None:
    stage = facts.open_stage
    if stage is None:
        return None
    last = stage.last_round
    return RunningEvent(
        where=stage_and_round(
            translate(stage.plan.label), round_label(stage, last) if last else ""
        ),
        round=last,
        tiles=tiles_of(facts, stage, at_tables(stage)) if last else None,
        small=small_tables(facts, stage),
        latest=latest_results(facts),
        left=_rounds_left(stage),
        rest=rest_of(facts, stage),
    )


def _rounds_left(stage: StageFacts) -> int:
    """Return how many rounds are to come: a second final only once the first has asked for it."""
    left = max(0, stage.total_rounds - len(stage.regular_rounds))
    if not left or not stage.kind.two_brackets or not stage.plan.second_final:
        return left
    final = next(match for match in shape_of(stage.plan) if match.part is Part.FINAL)
    return left if progress_of(stage.state)[final.number].decided else left - 1
