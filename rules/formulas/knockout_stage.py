"""The final single elimination of several formulas, and its options."""

from collections.abc import Sequence
from typing import cast

from rules.brackets import bracket
from rules.formulas.base import BEST_OF, Choice, DefaultGames, Option, Options
from rules.plans import KNOCKOUT, GroupPlan, LoserOf, Place, StagePlan, WinnerOf
from rules.wording import Sentence

THIRD_PLACE = Option(
    key="third_place",
    label=Sentence("Match for third place"),
    kind="yes_no",
    default=True,
)
GAMES = Option(
    key="best_of",
    label=Sentence("Games in a knock-out match"),
    kind="choices",
    default=[0, 0, 0],
    choices=(Choice(value=0, label=Sentence("as the game plays")), *BEST_OF),
    items=(
        Sentence("Final and third place"),
        Sentence("Semi-finals"),
        Sentence("Earlier rounds"),
    ),
)


def last_places(seats: int, third_place: bool) -> tuple[Place, ...]:
    """Return the places that the last round of a single elimination gives."""
    shape = bracket(seats, third_place=third_place)
    last = [match.number for match in shape if match.distance == 0]
    return (
        *(WinnerOf(name=f"W{number}", match=number) for number in last),
        *(LoserOf(name=f"L{number}", match=number) for number in last),
    )


def knockout_stage(
    seats: Sequence[str], options: Options, games: DefaultGames, *, apart: bool
) -> StagePlan:
    """Return a single elimination of these places, the best seed first.

    ``apart``: players of one earlier group meet as late as possible.
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
