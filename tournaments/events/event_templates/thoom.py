"""Thoom at tables of four and three, whose rules are for two to four players; a cut by tables.

Source: Thoom rules, “Regole base” (“da due a quattro”); tables, 6.
"""

from django.utils.translation import gettext_lazy as _

from rules.criteria.of_tables import order_for
from tournaments.events.event_templates.base import LUNCH, TEMPLATES

TEMPLATES.define(
    key="thoom",
    label=_("Thoom"),
    about=_("tables of four and three, then a cut"),
    icon="users",
    values={
        "format": "thoom",
        "formula": "tables-cut",
        "options": {"sizes": [4, 3]},
        "table_points": {"preset": "win5"},
        "criteria": list(order_for(by_place=False)),
        "minutes": 50,
        "breaks": LUNCH,
    },
)
