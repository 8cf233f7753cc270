"""Templates of new events, as data; the order of their definitions is that of the tiles.

Source: Thoom rules, “Regole base” (“da due a quattro”); tables, 3 (win5) and 6; minutes of a round
as ready-made rules have them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.criteria.of_tables import order_for
from rules.criteria.presets import PRESETS
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


BEST_OF_THREE = [3, 3, 3]

TEMPLATES.define(
    key="swiss-top-8",
    label=_("Swiss and top 8"),
    about=_("Swiss rounds, then the best eight"),
    icon="list-ordered",
    values={
        "format": "creatures-of-exo",
        "formula": "swiss-cut",
        "options": {"cut": 8, "best_of": BEST_OF_THREE, "nearest_rounds": True},
        "criteria": list(PRESETS.get("magic").criteria),
        "minutes": 50,
        "breaks": LUNCH,
    },
)


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


TEMPLATES.define(
    key="other-game",
    label=_("Another game…"),
    about=_("any game, with or without decklists"),
    icon="shapes",
    asks_game=True,
    values={"formula": "swiss-cut", "options": {"cut": 0}, "minutes": 50},
)


TEMPLATES.define(
    key="blank",
    label=_("Start from nothing"),
    about=_("Choose everything yourself."),
    tile=False,
)
