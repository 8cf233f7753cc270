"""Swiss rounds, then a knock-out of the best eight; best of three, opponents' win percentage."""

from django.utils.translation import gettext_lazy as _

from rules.criteria.presets import PRESETS
from tournaments.events.event_templates.base import LUNCH, TEMPLATES

BEST_OF_THREE = [3, 3, 3]

TEMPLATES.define(
    key="swiss-top-8",
    label=_("Swiss and top 8"),
    about=_("Swiss rounds, then the best eight"),
    icon="list-ordered",
    values={
        "format": "creatures-of-exo",
        "formula": "swiss-cut",
        "options": {"cut": 8, "best_of": BEST_OF_THREE, "nearest_rounds": True},
        "criteria": list(PRESETS.get("magic").criteria),
        "minutes": 50,
        "breaks": LUNCH,
    },
)
