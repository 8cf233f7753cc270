"""A kind of stage that pairs by points: Swiss rounds under a name of their own."""

from rules.stages.base import STAGE_KINDS
from rules.stages.swiss import Swiss
from rules.wording import Sentence


class Monrad(Swiss):
    """Swiss rounds in every respect."""

    key = "monrad"
    label = Sentence("Monrad")


MONRAD = STAGE_KINDS.add(Monrad())
