"""Custom formula definitions made from shipped formulas."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from rules.brackets import snake
from rules.errors import BadInput
from rules.formulas.base import DefaultGames, Formula
from rules.formulas.custom.checks import faults
from rules.formulas.custom.definition import (
    BestOfRank,
    Definition,
    GroupDefinition,
    GroupRank,
    MatchLoser,
    MatchWinner,
    Source,
    StageDefinition,
    StartPlace,
)
from rules.formulas.custom.json import LONGEST_GROUP, LONGEST_NAME, LONGEST_STAGE
from rules.formulas.custom.layout import SHORT
from rules.formulas.swiss_cut import recommended_rounds
from rules.plans import FormulaPlan, NthAmong, Place, RankOf, StagePlan, WinnerOf, start_places
from rules.stages.base import SHARED
from rules.stages.kind import kind_of, ordered_kinds
from rules.wording import Sentence

Say = Callable[[Sentence], str]
AS_THE_GAME_PLAYS = DefaultGames(match=0, final=0)
FEWER = 3, 4
"""A starting point covers down to three quarters of the players, if its places allow."""


def can_begin(formula: Formula) -> bool:
    """Return whether a custom formula supports the kinds of all the formula's stages."""
    return _has_known_kinds(formula.plan(formula.minimum, {}, AS_THE_GAME_PLAYS))


def _has_known_kinds(plan: FormulaPlan) -> bool:
    known = {kind.key for kind in ordered_kinds()}
    return all(stage.kind in known for stage in plan.stages)


def starting_point(formula: Formula, players: int, say: Say) -> Definition:
    """Return a definition equivalent to the formula with this number of players.

    ``say`` translates the names of stages, which become the owner's. Raises BadInput, such as
    ``too_few_players`` or ``no_starting_point``.
    """
    plan = formula.plan(players, {}, AS_THE_GAME_PLAYS)
    if not _has_known_kinds(plan):
        raise BadInput(
            "no_starting_point", "This formula can't be changed stage by stage: begin with another."
        )
    sources = _sources_by_place(plan, say)
    definition = Definition(
        name=say(formula.label)[:LONGEST_NAME],
        about="",
        lowest=players,
        highest=players,
        stages=tuple(
            _stage(stage, say, sources, first=number == 0)
            for number, stage in enumerate(plan.stages)
        ),
    )
    return _for_fewer(definition)


def _group_name(stage: StagePlan, group: str, say: Say) -> str:
    """Return the name of a group: its letter, else the stage's name."""
    return group if len(group) <= SHORT else say(stage.label)[:LONGEST_GROUP].strip()


def _sources_by_place(plan: FormulaPlan, say: Say) -> dict[str, Source]:
    """Return the source of each place, by the place's name.

    If several stages have a place of one name, the first is used.
    """
    found: dict[str, Source] = {
        name: StartPlace(start=number)
        for number, name in enumerate(start_places(plan.players), start=1)
    }
    for number, stage in enumerate(plan.stages, start=1):
        for place in stage.places:
            found.setdefault(place.name, _source(place, number, stage, say))
    return found


def _source(place: Place, stage: int, plan: StagePlan, say: Say) -> Source:
    match place:
        case RankOf(group=group, rank=rank):
            name = _group_name(plan, group, say)
            return GroupRank(stage=stage, group=name, rank=rank)
        case NthAmong(rank=rank, nth=nth):
            return BestOfRank(stage=stage, best=rank, nth=nth)
        case WinnerOf(match=number):
            return MatchWinner(stage=stage, winner=number)
        case _:
            return MatchLoser(stage=stage, loser=place.match)


def _stage(
    stage: StagePlan, say: Say, sources: dict[str, Source], *, first: bool
) -> StageDefinition:
    kind = kind_of(stage)
    settings = {key: getattr(stage, key) for key in SHARED if kind.has_setting(key)}
    if "rounds" in settings and stage.rounds == recommended_rounds(stage.size):
        settings["rounds"] = 0
    return StageDefinition(
        name=say(stage.label)[:LONGEST_STAGE],
        kind=stage.kind,
        best_of=_without_repeated_end(stage.best_of),
        timed=stage.timed,
        groups=tuple(_groups(stage, say, sources, first=first)),
        **settings,
        own=tuple((each.key, kind.value_of(stage, each.key)) for each in kind.own_settings),
    )


def _without_repeated_end(best_of: tuple[int, ...]) -> tuple[int, ...]:
    """Return the games by part without repetitions at the end."""
    count = len(best_of)
    while count > 1 and best_of[count - 1] == best_of[count - 2]:
        count -= 1
    return best_of[:count]


def _groups(
    stage: StagePlan, say: Say, sources: dict[str, Source], *, first: bool
) -> Iterator[GroupDefinition]:
    """Yield the definition of each group. ``entrants`` are the ``sources`` of its seats.

    They are None in a first stage whose seats are those of a snake: starting players are dealt to
    it. ``say`` translates a label.
    """
    seats = tuple(group.seats for group in stage.groups)
    everybody = start_places(stage.size)
    spread = first and seats == snake(everybody, len(seats))
    for group in stage.groups:
        named = tuple(sources[place] for place in group.seats)
        name = _group_name(stage, group.name, say)
        yield GroupDefinition(name=name, entrants=None if spread else named)


def _for_fewer(definition: Definition) -> Definition:
    """Return the definition extended to fewer players, as long as all places are held.

    What holds for a number of players holds for every larger one up to the maximum.
    """
    of, out_of = FEWER
    wrong, right = max(2, -(-definition.highest * of // out_of)) - 1, definition.highest
    while right - wrong > 1:
        middle = (wrong + right) // 2
        if faults(replace(definition, lowest=middle)):
            wrong = middle
        else:
            right = middle
    return replace(definition, lowest=right)
