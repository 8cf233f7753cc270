"""Everybody meets everybody: an evening with few players."""

from django.utils.translation import gettext_lazy as _

from tournaments.events.event_templates.base import LUNCH, TEMPLATES

TEMPLATES.define(
    key="single-group",
    label=_("Single group"),
    about=_("everybody meets everybody, for an evening"),
    icon="asterisk",
    values={
        "format": "doomtrooper-original",
        "formula": "single-group",
        "minutes": 50,
        "breaks": LUNCH,
    },
)
