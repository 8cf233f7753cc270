"""What groups, rounds and places are called."""

from django.utils.translation import gettext as _

from config.wording import translate
from rules.places import LATE
from rules.plan import StagePlan
from tournaments.models import Round
from tournaments.selectors.facts import StageFacts


def group_label(plan: StagePlan, group: str) -> str:
    """Return what to call a group: its stage's name where it is alone."""
    if len(plan.groups) == 1:
        return translate(plan.label)
    return _("Group %(name)s") % {"name": group}


def round_label(stage: StageFacts, item: Round) -> str:
    """Return what a round is called: "Round 2", "Semi-finals"."""
    return translate(stage.kind.describe_round(stage.state, item.number))


def place_label(name: str) -> str:
    """Return the name of a place in the reader's language; codes such as "A1" stay."""
    kind, _sep, index = name.partition(" ")
    if kind == "seed":
        return _("Seed %(number)s") % {"number": index}
    if kind == "finalist":
        return _("Finalist %(number)s") % {"number": index}
    if kind == LATE:
        return _("Late entry %(number)s") % {"number": index}
    return name
