"""The Mutant Chronicles formula: 12, 8, 5, 3 and the final; preliminary stages before it.

A preliminary stage reduces the field to a fixed number: a knock-out, Swiss rounds or groups. Its
places, in order, are the ranking by which its players are dealt to the next stage.

Source: Regolamento da torneo, Formula; tournament rules, The Mutant Chronicles formula (also
Preliminary).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from rules.brackets import bracket, deal_snake, last_round_matches
from rules.formulas.base import (
    FORMULAS,
    LEGS,
    UNEVEN,
    WITHOUT_LAST,
    Choice,
    DefaultGames,
    Option,
    Options,
)
from rules.formulas.groups_knockout import default_group_count, group_names
from rules.formulas.swiss_cut import MOST_ROUNDS, swiss_stage
from rules.plans import (
    KNOCKOUT,
    ROUND_ROBIN,
    ComparedRankPlace,
    FormulaPlan,
    GroupPlan,
    LoserPlace,
    RankPlace,
    StagePlan,
    WinnerPlace,
    group_plans,
    rank_places,
    start_places,
)
from rules.wording import Sentence, untranslated_text

PLAY_IN, SWISS_ROUNDS, GROUPS = range(3)

KIND = Option(
    key="preliminary",
    label=Sentence("Preliminary, if needed"),
    kind="choice",
    default=PLAY_IN,
    choices=(
        Choice(value=PLAY_IN, label=Sentence("Knock-out")),
        Choice(value=SWISS_ROUNDS, label=Sentence("Swiss and cut")),
        Choice(value=GROUPS, label=Sentence("Groups")),
    ),
)
ROUNDS = Option(
    key="preliminary_rounds",
    label=Sentence("Swiss rounds in the preliminary (0: automatic)"),
    kind="number",
    default=0,
    lowest=0,
    highest=MOST_ROUNDS,
)


def preliminary_stage(
    kind: int,
    players: int,
    survivors: int,
    *,
    rounds: int = 0,
    without_last: bool = False,
) -> StagePlan:
    """Return the plan of the stage that reduces ``players`` to ``survivors``.

    ``kind`` is ``PLAY_IN``, ``SWISS_ROUNDS`` or ``GROUPS``; ``rounds`` is for Swiss, 0: the
    recommended number. ``without_last``: when groups of different sizes are compared, results
    against the last player of larger ones don't count.
    """
    if kind == SWISS_ROUNDS:
        names = tuple(f"Q{rank}" for rank in range(1, survivors + 1))
        label = Sentence("Preliminary")
        return swiss_stage(players, rounds, names, DefaultGames(), key="preliminary", label=label)
    return replace(_BUILDERS[kind](players, survivors), without_last=without_last)


def _play_in_stage(players: int, survivors: int) -> StagePlan:
    matches = last_round_matches(bracket(players, survivors))
    return StagePlan(
        key="preliminary",
        label=Sentence("Preliminary"),
        kind=KNOCKOUT,
        groups=(GroupPlan(name="preliminary", seats=start_places(players)),),
        survivors=survivors,
        places=tuple(WinnerPlace(name=f"W{match.number}", match=match.number) for match in matches),
    )


def _preliminary_groups(players: int, survivors: int) -> StagePlan:
    """Return groups of about four: the firsts advance, then the seconds, until there are enough."""
    dealt = deal_snake(start_places(players), default_group_count(players))
    names = tuple(f"G{name}" for name in group_names(len(dealt)))
    places: list[ComparedRankPlace] = []
    rank = 0
    while len(places) < survivors:
        rank += 1
        having = tuple(n for n, seats in zip(names, dealt, strict=True) if len(seats) >= rank)
        for nth in range(1, min(len(having), survivors - len(places)) + 1):
            places.append(
                ComparedRankPlace(name=f"Q{len(places) + 1}", rank=rank, groups=having, nth=nth)
            )
    return StagePlan(
        key="preliminary",
        label=Sentence("Preliminary"),
        kind=ROUND_ROBIN,
        groups=group_plans(names, dealt),
        one_leg_only=True,
        places=tuple(places),
    )


_BUILDERS: Mapping[int, Callable[[int, int], StagePlan]] = {
    PLAY_IN: _play_in_stage,
    GROUPS: _preliminary_groups,
}


KEY = "mutant-chronicles"
FINALISTS = ("finalist 1", "finalist 2")


def _build(players: int, options: Options, games: DefaultGames) -> FormulaPlan:
    legs = cast(Sequence[int], options["legs"])
    stages: list[StagePlan] = []
    field = start_places(players)
    if players > 12 or 8 < players < 12:
        before = preliminary_stage(
            cast(int, options["preliminary"]),
            players,
            12 if players > 12 else 8,
            rounds=cast(int, options["preliminary_rounds"]),
            without_last=options[UNEVEN.key] == WITHOUT_LAST,
        )
        stages.append(before)
        field = tuple(place.name for place in stages[0].places)
    if len(field) == 12:
        stages += [
            _first_groups(field, legs[0]),
            _second_groups(FROM_GROUPS, legs[1]),
        ]
    elif len(field) == 8:
        stages.append(_second_groups(_from_eight(field), legs[1]))
    elif players >= 5:
        stages.append(single_group_stage(field, ("X", "Y", "Z"), legs[0]))
    else:
        stages.append(single_group_stage(field, FINALISTS, legs[0]))
    if len(field) >= 8:
        stages.append(_repechage_stage(legs[2]))
    if players >= 5:
        stages.append(_last_three())
    stages = [replace(stage, best_of=(games.match,)) for stage in stages]
    return FormulaPlan(formula=KEY, players=players, stages=(*stages, final_stage()))


FROM_GROUPS = (("A1", "B2", "C1", "R2"), ("A2", "B1", "C2", "R1"))


def _from_eight(field: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return seeds 1, 4, 5, 8 and 2, 3, 6, 7 (tournament rules, fewer than 12)."""
    first, second = deal_snake(field, 2)
    return first, second


def _first_groups(field: Sequence[str], legs: int) -> StagePlan:
    names = ("A", "B", "C")
    return StagePlan(
        key="groups",
        label=Sentence("Groups"),
        kind=ROUND_ROBIN,
        groups=group_plans(names, deal_snake(field, 3)),
        legs=legs,
        places=(
            *(rank for name in names for rank in rank_places(name, (f"{name}1", f"{name}2"))),
            ComparedRankPlace(name="R1", rank=3, groups=names, nth=1),
            ComparedRankPlace(name="R2", rank=3, groups=names, nth=2),
        ),
    )


def _second_groups(seats: Sequence[Sequence[str]], legs: int) -> StagePlan:
    both = ("I", "II")
    return StagePlan(
        key="second_groups",
        label=Sentence("Second groups"),
        kind=ROUND_ROBIN,
        groups=group_plans(both, seats),
        legs=legs,
        places=(
            ComparedRankPlace(name="X", rank=1, groups=both, nth=1),
            ComparedRankPlace(name="L", rank=1, groups=both, nth=2),
            RankPlace(name="M", group="I", rank=2),
            RankPlace(name="N", group="II", rank=2),
            ComparedRankPlace(name="P", rank=3, groups=both, nth=1),
        ),
    )


def _repechage_stage(legs: int) -> StagePlan:
    group = "repechage"
    return StagePlan(
        key=group,
        label=Sentence("Repechage"),
        kind=ROUND_ROBIN,
        groups=(GroupPlan(name=group, seats=("L", "M", "N", "P")),),
        legs=legs,
        order="repechage",
        places=rank_places(group, ("Y", "Z")),
    )


def single_group_stage(field: Sequence[str], names: Sequence[str], legs: int) -> StagePlan:
    """Return the plan of a single round-robin group of the places ``field``.

    Its first ranks get the place names ``names``; ``legs``: how often all meet.
    """
    return StagePlan(
        key="group",
        label=Sentence("Group"),
        kind=ROUND_ROBIN,
        groups=(GroupPlan(name="A", seats=tuple(field)),),
        legs=legs,
        places=rank_places("A", names),
        interchangeable=(tuple(names),) if len(names) == 2 else (),
    )


def _last_three() -> StagePlan:
    group = "last three"
    return StagePlan(
        key="last_three",
        label=Sentence("Last three"),
        kind=ROUND_ROBIN,
        groups=(GroupPlan(name=group, seats=("X", "Y", "Z")),),
        one_leg_only=True,
        places=rank_places(group, FINALISTS),
        interchangeable=(FINALISTS,),
    )


def final_stage(best_of: int = 3, timed: bool = False) -> StagePlan:
    """Return the plan of the final between the two finalists; ``best_of`` is in games."""
    return StagePlan(
        key="final",
        label=Sentence("Final"),
        kind=KNOCKOUT,
        groups=(GroupPlan(name="final", seats=FINALISTS),),
        best_of=(best_of,),
        timed=timed,
        places=(WinnerPlace(name="W1", match=1), LoserPlace(name="L1", match=1)),
    )


def _ways(players: int, games: DefaultGames) -> Iterator[Options]:
    """Yield both legs in all groups, and the other kinds of a preliminary."""
    yield {"legs": [2, 2, 2]}
    yield from ({"preliminary": kind} for kind in (SWISS_ROUNDS, GROUPS))


MUTANT_CHRONICLES = FORMULAS.define(
    key=KEY,
    label=untranslated_text("Mutant Chronicles"),
    about=Sentence("Groups, second groups, repechage, last three, final."),
    always=(),
    minimum=3,
    options=(
        Option(
            key="legs",
            label=Sentence("Matches per pair"),
            kind="choices",
            default=[1, 1, 1],
            choices=LEGS[:2],
            items=(
                Sentence("Groups"),
                Sentence("Second groups"),
                Sentence("Repechage"),
            ),
        ),
        KIND,
        ROUNDS,
        UNEVEN,
    ),
    build=_build,
    ways=_ways,
)
