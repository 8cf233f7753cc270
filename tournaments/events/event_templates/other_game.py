"""A game that did not come with the program: its name, lists and points are asked for."""

from django.utils.translation import gettext_lazy as _

from tournaments.events.event_templates.base import TEMPLATES

TEMPLATES.define(
    key="other-game",
    label=_("Another game…"),
    about=_("any game, with or without lists"),
    icon="shapes",
    asks_game=True,
    values={"formula": "swiss-cut", "options": {"cut": 0}, "minutes": 50},
)
