"""Choices shared by several formulas."""

from rules.formulas.base import Choice, Option
from rules.wording import Sentence
from rules.wording import gettext_noop as _

LEGS = (Choice(value=1, label=Sentence(_("once"))), Choice(value=2, label=Sentence(_("twice"))))
BEST_OF = (
    Choice(value=1, label=Sentence(_("one game"))),
    *(
        Choice(value=games, label=Sentence(_("best of %(games)s"), {"games": games}))
        for games in (3, 5, 7)
    ),
)
ALL_MATCHES, WITHOUT_LAST = range(2)
UNEVEN = Option(
    key="uneven_groups",
    label=Sentence(_("Players of groups of different sizes are compared")),
    kind="choice",
    default=ALL_MATCHES,
    choices=(
        Choice(value=ALL_MATCHES, label=Sentence(_("by all their matches"))),
        Choice(
            value=WITHOUT_LAST,
            label=Sentence(_("without the matches against the last of the larger groups")),
        ),
    ),
)
