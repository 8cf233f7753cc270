"""Doomtrooper Original by the Mutant Chronicles formula."""

from django.utils.translation import gettext_lazy as _

from tournaments.events.event_templates.base import LUNCH, TEMPLATES

TEMPLATES.define(
    key="doomtrooper-original",
    label=_("Mutant Chronicles"),
    about=_("groups, second groups, repechage, final"),
    icon="workflow",
    values={
        "format": "doomtrooper-original",
        "formula": "mutant-chronicles",
        "minutes": 60,
        "breaks": LUNCH,
    },
)
