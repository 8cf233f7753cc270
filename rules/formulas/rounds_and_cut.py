"""Rounds by points, then a cut of the best: options that several formulas have."""

from collections.abc import Callable
from typing import cast

from rules.errors import BadInput
from rules.formulas.base import Option, Options
from rules.wording import Sentence

MOST_ROUNDS = 20
LARGEST_CUT = 64
AS_FITS = 1
"""The value of the cut that derives its size from the number of players."""
ROUNDS = Option(
    key="rounds",
    label=Sentence("Number of rounds (0: as many as the players ask for)"),
    kind="number",
    default=0,
    lowest=0,
    highest=MOST_ROUNDS,
)


def cut_of(options: Options, players: int, fitting: Callable[[], int]) -> int:
    """Return how many go on, 0 for nobody; ``fitting`` gives the number that fits the players.

    Raises BadInput ``cut_too_large``.
    """
    cut = cast(int, options["cut"])
    cut = fitting() if cut == AS_FITS else cut
    if cut > players:
        raise BadInput(
            "cut_too_large",
            "The knock-out would take %(cut)s players; there are %(players)s.",
            cut=cut,
            players=players,
        )
    return cut
