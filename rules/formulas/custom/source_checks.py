"""Checks of sources in custom formulas: each exists and is used once."""

from collections import Counter
from collections.abc import Iterator, Mapping

from rules.formulas.custom.definition import (
    BestOfRank,
    Definition,
    GroupRank,
    MatchLoser,
    MatchWinner,
    Source,
    StageSource,
    StartPlace,
)
from rules.formulas.custom.fault_wording import Faults, in_stage, in_words
from rules.formulas.custom.reach import lost_by_somebody, may_be_one_player
from rules.formulas.custom.sizes import matches_of, sizes_of
from rules.stages.kind import STAGE_KINDS
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def taken_faults(definition: Definition) -> Faults:
    """Yield places that are taken more than once, or not from an earlier stage."""
    counted = Counter(source for _number, _group, source in definition.sources)
    for number, group, source in definition.sources:
        problem = None
        if counted[source] > 1:
            problem = _("%(place)s is taken more than once.")
        elif not isinstance(source, StartPlace):
            problem = _misplacement_of(definition, number, source)
        if problem is not None:
            yield in_stage(
                definition, number, Sentence(problem, {"place": in_words(source)}), group
            )


def _misplacement_of(definition: Definition, number: int, source: StageSource) -> str | None:
    if source.stage >= number:
        return _("%(place)s: players come from an earlier stage.")
    by_match = STAGE_KINDS.get(definition.stages[source.stage - 1].kind).has_bracket
    if by_match != isinstance(source, MatchWinner | MatchLoser):
        if by_match:
            return _("%(place)s: that stage has winners and losers of matches.")
        return _("%(place)s: that stage has ranks.")
    if isinstance(source, GroupRank) and source.group not in _group_names(definition, source.stage):
        return _("%(place)s: there is no such group.")
    return None


def _group_names(definition: Definition, stage: int) -> set[str]:
    return {group.name for group in definition.stages[stage - 1].groups}


def missing_faults(definition: Definition, players: int) -> Faults:
    """Yield places without a holder, and players without a place, with this many players.

    Requires stages whose sources are places of earlier ones, as checked by
    :func:`rules.formulas.custom.stage_checks.stage_faults` and :func:`taken_faults`.
    """
    sizes = sizes_of(definition, players)
    for number, group, source in definition.sources:
        if not _has_holder(definition, source, players, sizes):
            problem = Sentence(
                "With %(players)s players nobody is %(place)s.",
                {"players": players, "place": in_words(source)},
            )
            yield in_stage(definition, number, problem, group)
    if not definition.stages[0].spread:
        seated = {s.start for _n, _g, s in definition.sources if isinstance(s, StartPlace)}
        for place in sorted(set(range(1, players + 1)) - seated):
            yield Sentence(
                "With %(players)s players %(place)s plays nowhere.",
                {"players": players, "place": in_words(StartPlace(start=place))},
            )


def _has_holder(
    definition: Definition, source: Source, players: int, sizes: tuple[Mapping[str, int], ...]
) -> bool:
    match source:
        case StartPlace(start=number):
            return number <= players
        case GroupRank(stage=stage, group=group, rank=rank):
            return rank <= sizes[stage - 1][group]
        case BestOfRank(stage=stage, best=rank, nth=nth):
            return nth <= sum(size >= rank for size in sizes[stage - 1].values())
        case _:
            seats = sizes[source.stage - 1]
            matches = matches_of(definition.stages[source.stage - 1], seats)
            if isinstance(source, MatchWinner):
                return source.winner in {match.number for match in matches}
            return source.loser in lost_by_somebody(matches, sum(seats.values()))


def double_faults(definition: Definition, players: int) -> Faults:
    """Yield pairs of places that the same player may hold, with this many players."""
    sizes = sizes_of(definition, players)
    for number, stage in enumerate(definition.stages, start=1):
        taken = tuple(dict.fromkeys(definition.taken_from(number)))
        pairs = (
            may_be_one_player(matches_of(stage, sizes[number - 1]), taken)
            if STAGE_KINDS.get(stage.kind).has_bracket
            else _named_and_compared(taken)
        )
        for one, other in pairs:
            problem = Sentence(
                "%(place)s and %(other)s may be the same player; both go on.",
                {"place": in_words(one), "other": in_words(other)},
            )
            yield in_stage(definition, number, problem)


def _named_and_compared(taken: tuple[StageSource, ...]) -> Iterator[tuple[Source, Source]]:
    """Yield places whose rank is taken both by group and by comparison."""
    compared = {source.best: source for source in taken if isinstance(source, BestOfRank)}
    for source in taken:
        if isinstance(source, GroupRank) and source.rank in compared:
            yield source, compared[source.rank]
