"""What a template of a new event is, and the registry of all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise

from rules.registry import Registry

LUNCH = ({"at": "13:00", "minutes": 40, "label": ""},)
"""The usual break of an event that lasts over midday."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTemplate:
    """Initial settings of a new event; ``values`` are settings by name, the others are usual.

    ``icon`` is a name of Lucide. ``asks_game``: the form asks which game it is. ``ready``: the
    ready-made rules that it begins with; ``values`` stand above theirs. ``tile``: shown as a tile,
    else as a link in the head.
    """

    key: str
    label: str | Promise
    about: str | Promise
    icon: str = "trophy"
    tile: bool = True
    asks_game: bool = False
    ready: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


TEMPLATES = Registry("template", EventTemplate)
