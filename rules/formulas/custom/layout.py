"""Plans of custom formulas for a number of players."""

import re
from collections.abc import Mapping
from typing import Any

from rules.formulas.base import DefaultGames, Formula
from rules.formulas.custom.definition import (
    BestOfRank,
    FormulaDefinition,
    GroupRank,
    MatchLoser,
    MatchWinner,
    Source,
    StageDefinition,
    StageSource,
    StartPlace,
    dealt_seats,
    group_sizes_by_stage,
    stage_bracket_matches,
)
from rules.formulas.swiss_cut import recommended_rounds
from rules.numbers import ordinal_suffix
from rules.plans import (
    LATE,
    ComparedRankPlace,
    FormulaPlan,
    GroupPlan,
    LoserPlace,
    Place,
    RankPlace,
    StagePlan,
    WinnerPlace,
    start_places,
)
from rules.stages.base import SHARED, STAGE_KINDS
from rules.wording import Sentence, untranslated_text

SHORT = 3  # letters: up to this length, name and number form one code, "A1"
RESERVED = re.compile(rf"S\d+|{LATE} .*")


class PlaceNames:
    """Unique names of all places of a custom formula's plan, such as "A1" or "2:W3"."""

    def __init__(self, definition: FormulaDefinition) -> None:
        self._names: dict[Source, str] = {}
        self._taken: set[str] = set()
        for number in range(1, len(definition.stages) + 1):
            for source in definition.taken_from(number):
                self.of(source)

    def of(self, source: Source) -> str:
        """Return the name of a place, prefixed with its stage ("2:W3") if not unique."""
        if isinstance(source, StartPlace):
            return start_places(source.start)[-1]
        if source not in self._names:
            name = short_place_name(source)
            while name in self._taken or RESERVED.fullmatch(name):
                name = f"{source.stage}:{name}"
            self._taken.add(name)
            self._names[source] = name
        return self._names[source]


def short_place_name(source: StageSource) -> str:
    """Return the name of a place without its stage, such as "A1" or "W3"."""
    match source:
        case GroupRank(group=group, rank=rank):
            code = len(group) <= SHORT and group.isascii() and group.isalpha()
            return f"{group}{rank}" if code else f"{group} {rank}"
        case BestOfRank(best=rank, nth=1):
            return f"best {format_ordinal(rank)}"
        case BestOfRank(best=rank, nth=nth):
            return f"{format_ordinal(nth)} best {format_ordinal(rank)}"
        case MatchWinner(winner=number):
            return f"W{number}"
        case _:
            return f"L{source.loser}"


def format_ordinal(number: int) -> str:
    """Return a number as an English ordinal, such as "1st"."""
    return f"{number}{ordinal_suffix(number)}"


def custom_formula(slug: str, definition: FormulaDefinition) -> Formula:
    """Return the tournament format of a definition without faults; ``slug`` is its key."""
    return Formula(
        key=slug,
        label=untranslated_text(definition.name),
        about=untranslated_text(definition.about),
        minimum=definition.lowest,
        maximum=definition.highest,
        options=(),
        build=lambda players, _options, games: _plan(slug, definition, players, games),
    )


def _plan(
    slug: str, definition: FormulaDefinition, players: int, games: DefaultGames
) -> FormulaPlan:
    names = PlaceNames(definition)
    spread = dealt_seats(definition, players)
    sizes = group_sizes_by_stage(definition, players)
    stages = []
    for number, stage in enumerate(definition.stages, start=1):
        kind = STAGE_KINDS.get(stage.kind)
        stages.append(
            StagePlan(
                key=f"stage{number}",
                label=Sentence("%(name)s", {"name": stage.name}),
                kind=stage.kind,
                groups=tuple(
                    GroupPlan(name=group.name, seats=spread[group.name])
                    if group.entrants is None
                    else GroupPlan(name=group.name, seats=tuple(map(names.of, group.entrants)))
                    for group in stage.groups
                ),
                places=tuple(
                    _place_of_source(source, names.of(source), sizes[number - 1])
                    for source in _offered_places(definition, number, sizes[number - 1])
                ),
                one_leg_only=kind.has_table and not kind.has_setting("legs"),
                best_of=_best_of(stage, games, last=number == len(definition.stages)),
                timed=stage.timed,
                interchangeable=_interchangeable_places(definition, number, names),
                **_settings(stage, sum(sizes[number - 1].values())),
                ranks_from=_ranks_from(definition, number),
                own=tuple((each.key, kind.value_of(stage, each.key)) for each in kind.own_settings),
            )
        )
    return FormulaPlan(formula=slug, players=players, stages=tuple(stages))


def _offered_places(
    definition: FormulaDefinition, number: int, sizes: Mapping[str, int]
) -> tuple[StageSource, ...]:
    """Return the places of a stage: those taken, and winner and runner-up of a bracket."""
    stage = definition.stages[number - 1]
    ends: list[StageSource] = []
    for match in stage_bracket_matches(stage, sizes):
        if match.distance:
            continue
        ends.append(MatchWinner(stage=number, winner=match.number))
        if stage.survivors == 1:
            ends.append(MatchLoser(stage=number, loser=match.number))
    return tuple(dict.fromkeys((*definition.taken_from(number), *ends)))


def _place_of_source(source: StageSource, name: str, sizes: Mapping[str, int]) -> Place:
    match source:
        case GroupRank(group=group, rank=rank):
            return RankPlace(name=name, group=group, rank=rank)
        case BestOfRank(best=rank, nth=nth):
            groups = tuple(group for group, size in sizes.items() if size >= rank)
            return ComparedRankPlace(name=name, rank=rank, groups=groups, nth=nth)
        case MatchWinner(winner=number):
            return WinnerPlace(name=name, match=number)
        case _:
            return LoserPlace(name=name, match=source.loser)


def _ranks_from(definition: FormulaDefinition, number: int) -> int:
    """Return the final rank of the winner of a knock-out.

    That is 1 for the last stage, and if any of its players continue; else one after all players
    of later stages, as the last stage ranks highest.
    """
    stage = definition.stages[number - 1]
    kind = STAGE_KINDS.get(stage.kind)
    if kind.has_table or kind.two_brackets:
        return 1
    if stage.survivors > 1 or any(definition.taken_from(number)):
        return 1
    return 1 + sum(
        isinstance(source, StartPlace) or source.stage < number
        for later, _group, source in definition.sources
        if later > number
    )


def _best_of(stage: StageDefinition, games: DefaultGames, *, last: bool) -> tuple[int, ...]:
    """Return the number of games of the matches; 0 is replaced by the game's default.

    The final of the event is that of the last stage; a consolation bracket has none.
    """
    decides = STAGE_KINDS.get(stage.kind).has_bracket and stage.survivors == 1
    final, *earlier = stage.best_of
    if decides and final == 0 and not earlier:
        earlier = [0]
    usual = games.final if decides and last else games.match
    return (final or usual, *(number or games.match for number in earlier))


def _settings(stage: StageDefinition, players: int) -> dict[str, Any]:
    own_rounds = STAGE_KINDS.get(stage.kind).has_setting("rounds")
    rounds = stage.rounds or recommended_rounds(players) if own_rounds else 0
    return {key: getattr(stage, key) for key in SHARED} | {"rounds": rounds}


def _interchangeable_places(
    definition: FormulaDefinition, number: int, names: PlaceNames
) -> tuple[tuple[str, ...], ...]:
    """Return the pairs of a stage's places that meet only each other in a bracket."""
    pairs = []
    for stage in definition.stages[number:]:
        sources = [source for _group, source in stage.sources]
        taken = set(definition.taken_from(number))
        alone = len(sources) == 2 and not stage.spread and STAGE_KINDS.get(stage.kind).has_bracket
        if alone and taken.issuperset(sources):
            pairs.append(tuple(map(names.of, sources)))
    return tuple(pairs)
