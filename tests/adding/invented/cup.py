"""A kind of stage with a bracket: a knock-out under a name of its own."""

from rules.stages.base import STAGE_KINDS
from rules.stages.knockout import Knockout
from rules.wording import Sentence


class Cup(Knockout):
    """A knock-out in every respect."""

    key = "cup"
    label = Sentence("Cup")


CUP = STAGE_KINDS.add(Cup())
