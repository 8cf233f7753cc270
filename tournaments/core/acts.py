"""What an act on an event is: one value of a feature, which every list of acts reads.

A feature declares its acts as constants in its ``services.py``, or in ``acts.py`` where services
are several modules; they are found there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import tournaments
from tournaments.core.permissions import Actor, can_manage
from tournaments.models import Event

Words = str | Promise
CANNOT_BE_UNDONE = _("This can’t be undone.")


@dataclass(frozen=True, slots=True)
class Inverse:
    """The act is undone by a function, named by its path: ``act(event, line, by)``."""

    path: str


@dataclass(frozen=True, slots=True)
class Rows:
    """The act is undone by the difference of its rows, which is kept with its line."""


@dataclass(frozen=True, slots=True)
class Never:
    """The act can't be undone; ``why`` names another way, if there is one."""

    why: Words = CANNOT_BE_UNDONE


class Order(StrEnum):
    """The order of undoing an act: after all later acts on play, or at any time by itself."""

    IN_PLAY = "in play"
    BESIDE = "beside play"
    BEFORE_START = "by itself, before the start"
    WHILE_RUNNING = "by itself, until the event is finished"


class Shows(StrEnum):
    """The effect of an act on public pages: cached ones may be shown a moment longer, or not."""

    ADDS = "adds"
    TAKES_AWAY = "takes away"


class Tells(StrEnum):
    """What the line of an act tells whoever looks for it later."""

    RESULT = "the result of a match"
    PRESENCE = "who left or came back"
    LOTS = "an order of lots"
    FOLLOWED = "which seats and matches follow a correction, or another player"
    KEPT_PLACE = "who keeps a place against the standings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """An act of the log.

    ``key`` is the action of its line and ``words`` what the log calls it. ``may`` says who of the
    staff may do it, ``player_may`` that the player may too, and ``state`` names the transition of
    ``rules.events.lifecycle`` that must be open (`log.services.begin` asks for all three); an act
    with neither is done by rule, or its service asks for more. ``undo`` and ``order`` say how and
    when it is undone, ``ask_undo`` and ``ask_redo`` what is asked before; ``type_undo`` and
    ``type_redo`` are paths of functions ``names(event, line)``, which return the names of which one
    must be typed first, empty if none; ``bound`` is that of a function ``why(event, line)``, which
    returns what has bound the act since, so that it can't be undone, "" for nothing. ``shows`` says
    what it does to public pages. The number of the player who acted is open in the log unless the
    ``author_is_closed``. What is ``of_settings`` is undone in the log, not at the desk. An act that
    ``replaces_rows`` leaves nothing to undo of earlier ones; one of ``matches_alone`` changes at
    most the matches that its line names. ``tells`` is what its line is looked for.
    """

    key: str
    words: Words
    may: Callable[[Actor, Event], bool] | None = None
    player_may: bool = False
    state: str = ""
    undo: Inverse | Rows | Never
    order: Order = Order.IN_PLAY
    shows: Shows
    ask_undo: Words = ""
    ask_redo: Words = ""
    type_undo: str = ""
    type_redo: str = ""
    bound: str = ""
    author_is_closed: bool = False
    of_settings: bool = False
    replaces_rows: bool = False
    matches_alone: bool = False
    tells: tuple[Tells, ...] = ()


@cache
def acts() -> Mapping[str, Act]:
    """Return all acts by key, as the features declare them.

    Raises ValueError if two have the same key.
    """
    found: dict[str, Act] = {}
    features = sorted(each.name for each in iter_modules(tournaments.__path__) if each.ispkg)
    for feature in features:
        for module in ("acts", "services"):
            for act in _acts_in(f"{tournaments.__name__}.{feature}.{module}"):
                if found.setdefault(act.key, act) is not act:
                    raise ValueError(f"two acts are called {act.key}")
    return found


def acts_telling(what: Tells) -> frozenset[str]:
    """Return the keys of the acts whose lines tell something."""
    return frozenset(key for key, act in acts().items() if what in act.tells)


def act_of(key: str) -> Act:
    """Return the act with this key. Raises KeyError."""
    return acts()[key]


def words_of(key: str) -> str:
    """Return the translated name of an act in the log; for an unknown act its key."""
    act = acts().get(key)
    return str(act.words) if act else key


def _acts_in(name: str) -> list[Act]:
    """Return the acts of a module, none without one."""
    try:
        module = import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return []
    return [value for value in vars(module).values() if isinstance(value, Act)]


UNDONE = Act(
    key="act.undone",
    words=_("Undone"),
    may=can_manage,
    undo=Never(),
    shows=Shows.TAKES_AWAY,
)
REDONE = Act(
    key="act.redone",
    words=_("Done again"),
    may=can_manage,
    undo=Rows(),
    shows=Shows.TAKES_AWAY,
)
