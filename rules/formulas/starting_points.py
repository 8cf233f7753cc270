"""Definitions to start a custom formula from: of shipped formulas, and examples unlike any of them.

Source: tournament rules, Other formulas to ship (Custom).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rules.brackets import deal_snake
from rules.errors import BadInput
from rules.formulas.base import DefaultGames, Formula
from rules.formulas.custom.checks import formula_faults
from rules.formulas.custom.definition import (
    LONGEST_GROUP,
    LONGEST_NAME,
    LONGEST_STAGE,
    BestOfRank,
    FormulaDefinition,
    GroupDefinition,
    GroupRank,
    MatchLoser,
    MatchWinner,
    Source,
    StageDefinition,
    StartPlace,
)
from rules.formulas.custom.layout import SHORT
from rules.formulas.swiss_cut import recommended_rounds
from rules.plans import (
    DOUBLE_ELIMINATION,
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    ComparedRankPlace,
    FormulaPlan,
    Place,
    RankPlace,
    StagePlan,
    WinnerPlace,
    start_places,
)
from rules.registry import Registry
from rules.stages.base import SHARED, custom_stage_kinds, stage_kind
from rules.wording import Sentence
from rules.wording import gettext_noop as _

Say = Callable[[Sentence], str]
AS_THE_GAME_PLAYS = DefaultGames(match=0, final=0)
FEWER = 3, 4
"""A starting point covers down to three quarters of the players, if its places allow."""


def can_customise(formula: Formula) -> bool:
    """Return whether a formula can be converted to a custom one.

    That is if custom formulas may have its kinds of stage.
    """
    return _has_known_kinds(formula.plan(formula.minimum, {}, AS_THE_GAME_PLAYS))


def _has_known_kinds(plan: FormulaPlan) -> bool:
    known = {kind.key for kind in custom_stage_kinds()}
    return all(stage.kind in known for stage in plan.stages)


def definition_from_formula(formula: Formula, players: int, say: Say) -> FormulaDefinition:
    """Return a custom formula equivalent to a built-in one with this number of players.

    It also covers down to three quarters of them, as far as that works. ``say`` translates the
    names of stages, which the owner can edit. Raises BadInput, such as ``too_few_players`` or
    ``no_starting_point``.
    """
    plan = formula.plan(players, {}, AS_THE_GAME_PLAYS)
    if not _has_known_kinds(plan):
        raise BadInput(
            "no_starting_point",
            "This tournament format has no stages to change. Choose another.",
        )
    sources = _sources_by_place(plan, say)
    definition = FormulaDefinition(
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
        case RankPlace(group=group, rank=rank):
            name = _group_name(plan, group, say)
            return GroupRank(stage=stage, group=name, rank=rank)
        case ComparedRankPlace(rank=rank, nth=nth):
            return BestOfRank(stage=stage, best=rank, nth=nth)
        case WinnerPlace(match=number):
            return MatchWinner(stage=stage, winner=number)
        case _:
            return MatchLoser(stage=stage, loser=place.match)


def _stage(
    stage: StagePlan, say: Say, sources: dict[str, Source], *, first: bool
) -> StageDefinition:
    kind = stage_kind(stage)
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
    spread = first and seats == deal_snake(everybody, len(seats))
    for group in stage.groups:
        named = tuple(sources[place] for place in group.seats)
        name = _group_name(stage, group.name, say)
        yield GroupDefinition(name=name, entrants=None if spread else named)


def _for_fewer(definition: FormulaDefinition) -> FormulaDefinition:
    """Return the definition extended to fewer players, as long as all places are held.

    What holds for a number of players holds for every larger one up to the maximum.
    """
    of, out_of = FEWER
    wrong, right = max(2, -(-definition.highest * of // out_of)) - 1, definition.highest
    while right - wrong > 1:
        middle = (wrong + right) // 2
        if formula_faults(replace(definition, lowest=middle)):
            wrong = middle
        else:
            right = middle
    return replace(definition, lowest=right)


FINALS = _("Semi-finals and final")


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaExample:
    """An example of a custom formula, for ``lowest`` to ``highest`` players.

    ``stages`` builds its stages with names translated by the given function.
    """

    key: str
    label: Sentence
    about: Sentence
    stages: Callable[[Say], tuple[StageDefinition, ...]]
    lowest: int
    highest: int

    def definition(self, say: Say) -> FormulaDefinition:
        """Return the example as a custom formula, in the language of ``say``."""
        return FormulaDefinition(
            name=say(self.label),
            about=say(self.about),
            lowest=self.lowest,
            highest=self.highest,
            stages=self.stages(say),
        )


def _groups_stage(say: Say, names: str) -> StageDefinition:
    return StageDefinition(
        name=say(Sentence("Groups")),
        kind=ROUND_ROBIN,
        groups=tuple(GroupDefinition(name=name, entrants=None) for name in names),
    )


def _knockout_stage(name: str, *entrants: Source, survivors: int = 1) -> StageDefinition:
    """Return a knock-out: with a match for third place, or with several survivors."""
    group = GroupDefinition(name=_only_group_name(name), entrants=entrants)
    return StageDefinition(
        name=name,
        kind=KNOCKOUT,
        groups=(group,),
        third_place=survivors == 1,
        survivors=survivors,
        apart=survivors > 1,
    )


def _only_group_name(stage: str) -> str:
    return stage[:LONGEST_GROUP].strip()


def _two_groups(say: Say) -> tuple[StageDefinition, ...]:
    """Return two groups, whose winners meet the second of the other: A1-B2, B1-A2."""
    seats = [GroupRank(stage=1, group=group, rank=rank) for rank in (1, 2) for group in "AB"]
    return _groups_stage(say, "AB"), _knockout_stage(say(Sentence(FINALS)), *seats)


def _swiss_and_double(say: Say) -> tuple[StageDefinition, ...]:
    swiss, double = say(Sentence("Swiss rounds")), say(Sentence("Double elimination"))
    field = tuple(
        GroupRank(stage=1, group=_only_group_name(swiss), rank=rank) for rank in range(1, 9)
    )
    return (
        StageDefinition(
            name=swiss,
            kind=SWISS,
            rounds=4,
            groups=(GroupDefinition(name=_only_group_name(swiss), entrants=None),),
        ),
        StageDefinition(
            name=double,
            kind=DOUBLE_ELIMINATION,
            groups=(GroupDefinition(name=_only_group_name(double), entrants=field),),
        ),
    )


def _quarters_and_places(say: Say) -> tuple[StageDefinition, ...]:
    """Return groups and quarter-finals, whose losers play for places 5 to 8."""
    seats = [GroupRank(stage=1, group=group, rank=rank) for rank in (1, 2) for group in "ABCD"]
    quarters = say(Sentence("Quarter-finals"))
    losers = [MatchLoser(stage=2, loser=match) for match in (1, 2, 3, 4)]
    winners = [MatchWinner(stage=2, winner=match) for match in (1, 2, 3, 4)]
    return (
        _groups_stage(say, "ABCD"),
        _knockout_stage(quarters, *seats, survivors=4),
        _knockout_stage(say(Sentence("Places 5 to 8")), *losers),
        _knockout_stage(say(Sentence(FINALS)), *winners),
    )


EXAMPLES = Registry("example", FormulaExample)
TWO_GROUPS = EXAMPLES.define(
    key="two-groups",
    label=Sentence("Two groups, semi-finals and final"),
    about=Sentence("Semi-finals: A1–B2, B1–A2."),
    stages=_two_groups,
    lowest=6,
    highest=16,
)
SWISS_AND_DOUBLE = EXAMPLES.define(
    key="swiss-double",
    label=Sentence("Swiss rounds, then double elimination"),
    about=Sentence("Four rounds, top 8."),
    stages=_swiss_and_double,
    lowest=12,
    highest=64,
)
CONSOLATION = EXAMPLES.define(
    key="consolation",
    label=Sentence("Groups, finals and places 5 to 8"),
    about=Sentence("Quarter-final losers play for places 5 to 8."),
    stages=_quarters_and_places,
    lowest=8,
    highest=24,
)
