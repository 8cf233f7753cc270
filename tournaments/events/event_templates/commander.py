"""Commander: tables of four and three by its ready-made rules, 5 points to the winner, a cut.

Source: tables, 3 (win5) and 6; minutes of a round as ready-made rules have them.
"""

from django.utils.translation import gettext_lazy as _

from rules.criteria.of_tables import order_for
from tournaments.events.event_templates.base import LUNCH, TEMPLATES

TEMPLATES.define(
    key="commander",
    label=_("Commander"),
    about=_("tables of four and three, 5 points to the winner, then a cut"),
    icon="crown",
    asks_game=True,
    ready="magic-commander",
    values={
        "formula": "tables-cut",
        "options": {"sizes": [4, 3]},
        "table_points": {"preset": "win5"},
        "criteria": list(order_for(by_place=False)),
        "minutes": 80,
        "breaks": LUNCH,
    },
)
