"""Nothing chosen."""

from django.utils.translation import gettext_lazy as _

from tournaments.events.event_templates.base import TEMPLATES

TEMPLATES.define(
    key="blank",
    label=_("Start from nothing"),
    about=_("Choose everything yourself."),
    tile=False,
)
