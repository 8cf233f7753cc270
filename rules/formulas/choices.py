"""Choices shared by several formulas."""

from rules.formulas.base import Choice, Option
from rules.wording import Sentence

LEGS = (
    Choice(value=1, label=Sentence("once")),
    Choice(value=2, label=Sentence("twice")),
    Choice(value=3, label=Sentence("three times")),
    Choice(value=4, label=Sentence("four times")),
)
"""How often each pair of a group meets."""
BEST_OF = (
    Choice(value=1, label=Sentence("one game")),
    *(
        Choice(value=games, label=Sentence("best of %(games)s", {"games": games}))
        for games in (3, 5, 7)
    ),
)
ALL_MATCHES, WITHOUT_LAST = range(2)
UNEVEN = Option(
    key="uneven_groups",
    label=Sentence("Players of groups of different sizes are compared"),
    kind="choice",
    default=ALL_MATCHES,
    choices=(
        Choice(value=ALL_MATCHES, label=Sentence("by all their matches")),
        Choice(
            value=WITHOUT_LAST,
            label=Sentence("without the matches against the last of the larger groups"),
        ),
    ),
)
