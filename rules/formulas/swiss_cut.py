"""Swiss rounds, then a knock-out of the best; options of rounds and cut that several formulas have.

Source: tournament rules, Other formulas to ship (Swiss).
"""

from collections.abc import Callable, Iterator
from typing import cast

from rules.errors import BadInput
from rules.formulas.base import FORMULAS, Choice, DefaultGames, Option, Options
from rules.formulas.elimination import GAMES, THIRD_PLACE, knockout_stage
from rules.plans import SWISS, FormulaPlan, GroupPlan, StagePlan, rank_places, start_places
from rules.wording import Sentence, untranslated_text

MOST_ROUNDS = 20
LARGEST_CUT = 64
AS_FITS = 1
"""The value of the cut that derives its size from the number of players."""
ROUNDS = Option(
    key="rounds",
    label=Sentence("Number of rounds (0: automatic)"),
    kind="number",
    default=0,
    lowest=0,
    highest=MOST_ROUNDS,
)


def cut_size(options: Options, players: int, fitting: Callable[[], int]) -> int:
    """Return the size of the top cut that the options choose, 0 for none.

    ``fitting`` returns the default for the number of players. Raises BadInput ``cut_too_large``.
    """
    cut = cast(int, options["cut"])
    cut = fitting() if cut == AS_FITS else cut
    if cut > players:
        raise BadInput(
            "cut_too_large",
            "The top cut of %(cut)s is larger than the field of %(players)s.",
            cut=cut,
            players=players,
        )
    return cut


KEY = "swiss-cut"
GROUP = "Swiss"
LABEL = Sentence("Swiss rounds")
NEAREST = Option(
    key="nearest_rounds",
    label=Sentence("One round fewer if two undefeated players advance"),
    kind="yes_no",
    default=False,
)


def recommended_rounds(players: int) -> int:
    """Return the fewest Swiss rounds after which at most one player can be undefeated."""
    return max(1, (players - 1).bit_length())


def nearest_rounds(players: int) -> int:
    """Return the Swiss rounds nearest to log2 of the players: 5 for 33 to 45, 6 for 46 to 90.

    At most two players can be undefeated then, who both advance if a knock-out follows.
    """
    below = max(1, players).bit_length() - 1
    return max(1, below + (players * players > 1 << (2 * below + 1)))


def default_cut_size(players: int) -> int:
    """Return the default size of the top cut for a number of players."""
    return 2 if players <= 8 else 4 if players <= 16 else 8


def swiss_stage(
    players: int,
    rounds: int,
    names: tuple[str, ...],
    games: DefaultGames,
    *,
    key: str = "swiss",
    label: Sentence = LABEL,
) -> StagePlan:
    """Return the plan of a first Swiss stage; its first ranks get the place names ``names``.

    ``rounds`` 0: the recommended number.
    """
    return StagePlan(
        key=key,
        label=label,
        kind=SWISS,
        groups=(GroupPlan(name=GROUP, seats=start_places(players)),),
        one_leg_only=True,
        best_of=(games.match,),
        rounds=rounds or recommended_rounds(players),
        places=rank_places(GROUP, names),
        interchangeable=(names,) if len(names) == 2 else (),
    )


def _build(players: int, options: Options, games: DefaultGames) -> FormulaPlan:
    cut = cut_size(options, players, lambda: default_cut_size(players))
    seeds = tuple(f"seed {rank}" for rank in range(1, cut + 1))
    rounds = cast(int, options["rounds"])
    if not rounds and cut > 2 and options[NEAREST.key]:
        rounds = nearest_rounds(players)
    swiss = swiss_stage(players, rounds, seeds, games)
    stages = (swiss, knockout_stage(seeds, options, games, apart=False)) if cut else (swiss,)
    return FormulaPlan(formula=KEY, players=players, stages=stages)


def _ways(players: int, games: DefaultGames) -> Iterator[Options]:
    """Yield Swiss rounds alone, and with each cut that at least half of the players miss."""
    usual, nearest = recommended_rounds(players), nearest_rounds(players)
    for rounds in (usual, usual + 1, usual - 1):
        if 2 < rounds < players:
            yield {"cut": 0, "rounds": rounds}
    for cut in (2, 4, 8):
        if 2 * cut <= players:
            yield {"cut": cut, "rounds": usual}
            if cut > 2:
                yield {"cut": cut, "rounds": nearest}


SWISS_CUT = FORMULAS.define(
    key=KEY,
    label=Sentence("Swiss and cut"),
    about=Sentence("Each round pairs players with similar records; a top cut is optional."),
    always=(),
    minimum=3,
    options=(
        ROUNDS,
        Option(
            key="cut",
            label=Sentence("Top cut"),
            kind="choice",
            default=AS_FITS,
            choices=(
                Choice(value=AS_FITS, label=Sentence("By number of players")),
                Choice(value=0, label=Sentence("No top cut")),
                *(
                    Choice(value=size, label=untranslated_text(size))
                    for size in range(2, LARGEST_CUT + 1)
                ),
            ),
        ),
        THIRD_PLACE,
        GAMES,
        NEAREST,
    ),
    build=_build,
    ways=_ways,
)
