"""Choices that several formulas offer."""

from rules.formulas.base import Choice
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
