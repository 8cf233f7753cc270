"""Events to begin from, as data: what the form of a new event is filled with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTemplate:
    """A kind of event that is held often; ``values`` are settings by their name."""

    key: str
    label: str | Promise
    about: str | Promise
    values: Mapping[str, Any] = field(default_factory=dict)


TEMPLATES: Registry[EventTemplate] = Registry("template")

TEMPLATES.add(
    EventTemplate(
        key="doomtrooper-original",
        label=_("Doomtrooper Original, Mutant Chronicles formula"),
        about=_("Groups, second groups, repechage and a final; 60 minutes a round."),
        values={"format": "doomtrooper-original", "formula": "mutant-chronicles", "minutes": 60},
    )
)
TEMPLATES.add(
    EventTemplate(
        key="creatures-of-exo",
        label=_("Creatures of Exo, groups and knock-out"),
        about=_("Groups of about four, then single elimination; 50 minutes a round."),
        values={"format": "creatures-of-exo", "formula": "groups-knockout", "minutes": 50},
    )
)
TEMPLATES.add(
    EventTemplate(
        key="single-group",
        label=_("Single group"),
        about=_("Everybody meets everybody; good for an evening with few players."),
        values={
            "format": "doomtrooper-original",
            "formula": "single-group",
            "minutes": 50,
        },
    )
)
TEMPLATES.add(EventTemplate(key="blank", label=_("Blank"), about=_("Choose everything yourself.")))
