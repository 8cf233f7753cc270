"""Creatures of Exo: groups of about four, then a knock-out."""

from django.utils.translation import gettext_lazy as _

from tournaments.events.event_templates.base import LUNCH, TEMPLATES

TEMPLATES.define(
    key="creatures-of-exo",
    label=_("Creatures of Exo"),
    about=_("groups of four, then a knock-out"),
    icon="network",
    values={
        "format": "creatures-of-exo",
        "formula": "groups-knockout",
        "minutes": 50,
        "breaks": LUNCH,
    },
)
