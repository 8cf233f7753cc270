"""Preliminary stages that reduce the field to a fixed number: knock-out, Swiss rounds or groups.

The stage's places, in order, are the ranking by which its players are dealt to the next stage.
Source: tournament rules, The Mutant Chronicles formula (Preliminary).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from rules.brackets.seeding import snake
from rules.brackets.single import bracket, last_matches
from rules.formulas.base import Choice, DefaultGames, Option
from rules.formulas.groups_knockout import group_names, number_of_groups
from rules.formulas.rounds_and_cut import MOST_ROUNDS
from rules.formulas.swiss_cut import swiss_stage
from rules.plans.places import NthAmong, WinnerOf, start_places
from rules.plans.plan import KNOCKOUT, ROUND_ROBIN, GroupPlan, StagePlan, groups_of
from rules.wording import Sentence

PLAY_IN, SWISS_ROUNDS, GROUPS = range(3)

KIND = Option(
    key="preliminary",
    label=Sentence("Preliminary, where the number of players asks for one"),
    kind="choice",
    default=PLAY_IN,
    choices=(
        Choice(value=PLAY_IN, label=Sentence("knock-out")),
        Choice(value=SWISS_ROUNDS, label=Sentence("Swiss rounds and a cut")),
        Choice(value=GROUPS, label=Sentence("groups")),
    ),
)
ROUNDS = Option(
    key="preliminary_rounds",
    label=Sentence("Swiss rounds of a preliminary (0: as many as the players ask for)"),
    kind="number",
    default=0,
    lowest=0,
    highest=MOST_ROUNDS,
)


def preliminary(
    kind: int,
    players: int,
    survivors: int,
    *,
    rounds: int = 0,
    without_last: bool = False,
) -> StagePlan:
    """Return the stage that reduces ``players`` to ``survivors``.

    ``without_last`` applies to groups of different sizes, as in a stage's plan.
    """
    if kind == SWISS_ROUNDS:
        names = tuple(f"Q{rank}" for rank in range(1, survivors + 1))
        label = Sentence("Preliminary")
        return swiss_stage(players, rounds, names, DefaultGames(), key="preliminary", label=label)
    return replace(_BUILDERS[kind](players, survivors), without_last=without_last)


def _play_in_stage(players: int, survivors: int) -> StagePlan:
    matches = last_matches(bracket(players, survivors))
    return StagePlan(
        key="preliminary",
        label=Sentence("Preliminary"),
        kind=KNOCKOUT,
        groups=(GroupPlan(name="preliminary", seats=start_places(players)),),
        survivors=survivors,
        places=tuple(WinnerOf(name=f"W{match.number}", match=match.number) for match in matches),
    )


def _groups_stage(players: int, survivors: int) -> StagePlan:
    """Return groups of about four: the firsts advance, then the seconds, until there are enough."""
    dealt = snake(start_places(players), number_of_groups(players))
    names = tuple(f"G{name}" for name in group_names(len(dealt)))
    places: list[NthAmong] = []
    rank = 0
    while len(places) < survivors:
        rank += 1
        having = tuple(n for n, seats in zip(names, dealt, strict=True) if len(seats) >= rank)
        for nth in range(1, min(len(having), survivors - len(places)) + 1):
            places.append(NthAmong(name=f"Q{len(places) + 1}", rank=rank, groups=having, nth=nth))
    return StagePlan(
        key="preliminary",
        label=Sentence("Preliminary"),
        kind=ROUND_ROBIN,
        groups=groups_of(names, dealt),
        one_leg_only=True,
        places=tuple(places),
    )


_BUILDERS: Mapping[int, Callable[[int, int], StagePlan]] = {
    PLAY_IN: _play_in_stage,
    GROUPS: _groups_stage,
}
