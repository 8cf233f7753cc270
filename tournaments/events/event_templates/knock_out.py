"""A single elimination."""

from django.utils.translation import gettext_lazy as _

from tournaments.events.event_templates.base import LUNCH, TEMPLATES

TEMPLATES.define(
    key="knock-out",
    label=_("Knock-out"),
    about=_("a player who loses is out"),
    icon="git-merge",
    values={
        "format": "creatures-of-exo",
        "formula": "single-elimination",
        "minutes": 50,
        "breaks": LUNCH,
    },
)
