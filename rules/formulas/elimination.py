"""Elimination: single, with byes for the top seeds, or double, where two losses put a player out.

Single elimination also ends several other formulas (``knockout_stage``).

Source: tournament rules, Other formulas to ship (stages of these kinds).
"""

from collections.abc import Iterator, Sequence
from typing import cast

from rules.brackets import (
    MOST_PLAYERS,
    BracketMatch,
    BracketPart,
    bracket,
    double_elimination_bracket,
)
from rules.formulas.base import BEST_OF, FORMULAS, Choice, DefaultGames, Option, Options
from rules.plans import (
    DOUBLE_ELIMINATION,
    KNOCKOUT,
    FormulaPlan,
    GroupPlan,
    LoserPlace,
    Place,
    StagePlan,
    WinnerPlace,
    start_places,
)
from rules.stages.double_elimination import GAME_PARTS
from rules.wording import Sentence

THIRD_PLACE = Option(
    key="third_place",
    label=Sentence("Match for third place"),
    kind="yes_no",
    default=False,
)
GAMES = Option(
    key="best_of",
    label=Sentence("Games in a match"),
    kind="choices",
    default=[0, 0, 0],
    choices=(Choice(value=0, label=Sentence("Game’s default")), *BEST_OF),
    items=(
        Sentence("Final and third place"),
        Sentence("Semi-finals"),
        Sentence("Earlier rounds"),
    ),
)


def last_places(seats: int, third_place: bool) -> tuple[Place, ...]:
    """Return the places that the last-round matches of a single elimination give.

    One for the winner and one for the loser of the final, and of the match for third place.
    """
    shape = bracket(seats, third_place=third_place)
    last = [match.number for match in shape if match.distance == 0]
    return (
        *(WinnerPlace(name=f"W{number}", match=number) for number in last),
        *(LoserPlace(name=f"L{number}", match=number) for number in last),
    )


def knockout_stage(
    seats: Sequence[str], options: Options, games: DefaultGames, *, apart: bool
) -> StagePlan:
    """Return the plan of a single elimination between these places, best seed first.

    ``options`` are a formula's; ``apart``: players of one earlier group meet as late as possible.
    """
    third_place = bool(options["third_place"]) and len(seats) > 3
    final, *earlier = cast(Sequence[int], options["best_of"])
    return StagePlan(
        key="knockout",
        label=Sentence("Knock-out"),
        kind=KNOCKOUT,
        groups=(GroupPlan(name="knockout", seats=tuple(seats)),),
        best_of=(final or games.final, *(number or games.match for number in earlier)),
        third_place=third_place,
        places=last_places(len(seats), third_place),
        apart=apart,
    )


DOUBLE_KEY = "double-elimination"

SECOND_FINAL = Option(
    key="second_final",
    label=Sentence("The winner of the lower bracket must win the grand final twice"),
    kind="yes_no",
    default=True,
)
DOUBLE_GAMES = Option(
    key="best_of",
    label=Sentence("Games in a match"),
    kind="choices",
    default=[0, 0, 0, 0],
    choices=(Choice(value=0, label=Sentence("Game’s default")), *BEST_OF),
    items=GAME_PARTS,
)


def double_elimination_stage(
    seats: Sequence[str], options: Options, games: DefaultGames
) -> StagePlan:
    """Return the plan of a double elimination between these places, the best seed first.

    Its places: "W" and "L" with the number of the grand final (both matches taken as one) are the
    winner and runner-up; "L" with those of the last two lower rounds are third and fourth.
    """
    final, *earlier = cast(Sequence[int], options["best_of"])
    return StagePlan(
        key="double_elimination",
        label=Sentence("Double elimination"),
        kind=DOUBLE_ELIMINATION,
        groups=(GroupPlan(name="double", seats=tuple(seats)),),
        best_of=(final or games.final, *(number or games.match for number in earlier)),
        places=tuple(_places(double_elimination_bracket(len(seats), second_final=False))),
        second_final=bool(options["second_final"]),
    )


def _places(shape: Sequence[BracketMatch]) -> Iterator[Place]:
    for match in reversed(shape):
        if match.part is BracketPart.FINAL:
            yield WinnerPlace(name=f"W{match.number}", match=match.number)
        if match.part is BracketPart.FINAL or (match.part is BracketPart.LOWER and match.to_go < 2):
            yield LoserPlace(name=f"L{match.number}", match=match.number)


def _build_double(players: int, options: Options, games: DefaultGames) -> FormulaPlan:
    stage = double_elimination_stage(start_places(players), options, games)
    return FormulaPlan(formula=DOUBLE_KEY, players=players, stages=(stage,))


DOUBLE_ELIMINATION_FORMULA = FORMULAS.define(
    key=DOUBLE_KEY,
    label=Sentence("Double elimination"),
    about=Sentence("After one loss you move to the lower bracket, after two you’re out."),
    minimum=2,
    maximum=MOST_PLAYERS,
    options=(SECOND_FINAL, DOUBLE_GAMES),
    build=_build_double,
    ways=lambda players, games: ({"second_final": False},),
)


SINGLE_KEY = "single-elimination"


def _build_single(players: int, options: Options, games: DefaultGames) -> FormulaPlan:
    stage = knockout_stage(start_places(players), options, games, apart=False)
    return FormulaPlan(formula=SINGLE_KEY, players=players, stages=(stage,))


SINGLE_ELIMINATION = FORMULAS.define(
    key=SINGLE_KEY,
    label=Sentence("Single elimination"),
    about=Sentence("One loss and you’re out. Top seeds get the byes."),
    minimum=2,
    options=(THIRD_PLACE, GAMES),
    build=_build_single,
    ways=lambda players, games: ({"third_place": True},),
)
