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
from django.utils.translation import pgettext_lazy

import tournaments
from tournaments.core.permissions import Actor, can_manage
from tournaments.models import Event

Words = str | Promise
CANNOT_BE_UNDONE = _("This can’t be undone.")


@dataclass(frozen=True, slots=True)
class Inverse:
    """Undo rule: call the function at dotted path ``path``.

    Its arguments are event, log line, actor.
    """

    path: str


@dataclass(frozen=True, slots=True)
class RowUndo:
    """Undo rule: restore the row differences stored with the action's log line."""


@dataclass(frozen=True, slots=True)
class NoUndo:
    """Undo rule: never; ``why`` is the message, which may say what to do instead."""

    why: Words = CANNOT_BE_UNDONE


class UndoTiming(StrEnum):
    """When an action may be undone.

    IN_PLAY: once all later IN_PLAY actions are undone. The others on their own: BESIDE at any time,
    BEFORE_START until the event starts, WHILE_RUNNING until it is finished.
    """

    IN_PLAY = "in play"
    BESIDE = "beside play"
    BEFORE_START = "by itself, before the start"
    WHILE_RUNNING = "by itself, until the event is finished"


class CacheEffect(StrEnum):
    """Effect of an action on public pages.

    ADDS: a cached page may be served a moment longer. TAKES_AWAY: cached pages are dropped at once,
    as the action hides something.
    """

    ADDS = "adds"
    TAKES_AWAY = "takes away"


class LogTopic(StrEnum):
    """Kind of information for which other code searches the log lines of actions."""

    RESULT = "the result of a match"
    PRESENCE = "who left or came back"
    LOTS = "an order of lots"
    FOLLOWED = "which seats and matches follow a correction, or another player"
    KEPT_PLACE = "who keeps a place against the standings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Declaration of an action that is recorded in the event log.

    ``key`` identifies it in log lines, ``words`` is its label. ``may``: predicate for staff;
    ``player_may``: the player concerned may do it too; ``state``: the transition of
    ``rules.events.lifecycle`` that must be allowed. `log.services.begin_act` checks these three.
    ``shows``: effect on cached public pages. ``undo`` and ``order``: how and when it can be undone.

    ``ask_undo`` and ``ask_redo`` are confirmation questions. ``type_undo`` and ``type_redo`` are
    dotted paths of functions (event, line) that return the names of which one must be typed first,
    () for none; ``bound`` is the path of a function (event, line) that returns why the action can
    no longer be undone, or "".

    ``author_is_closed``: the public log omits the acting player's number. ``of_settings``: undone
    on the log page, not at the desk. ``replaces_rows``: earlier actions can't be undone any more.
    ``matches_alone``: changes only the matches that its line names. ``tells``: the topics on which
    its lines are searched.
    """

    key: str
    words: Words
    may: Callable[[Actor, Event], bool] | None = None
    player_may: bool = False
    state: str = ""
    undo: Inverse | RowUndo | NoUndo
    order: UndoTiming = UndoTiming.IN_PLAY
    shows: CacheEffect
    ask_undo: Words = ""
    ask_redo: Words = ""
    type_undo: str = ""
    type_redo: str = ""
    bound: str = ""
    author_is_closed: bool = False
    of_settings: bool = False
    replaces_rows: bool = False
    matches_alone: bool = False
    tells: tuple[LogTopic, ...] = ()


@cache
def acts() -> Mapping[str, Act]:
    """Return {key: action} of all actions, collected from the features' modules.

    These are their ``acts`` and ``services`` modules. Raises ValueError if two have the same key.
    Cached.
    """
    found: dict[str, Act] = {}
    features = sorted(each.name for each in iter_modules(tournaments.__path__) if each.ispkg)
    for feature in features:
        for module in ("acts", "services"):
            for act in _acts_in(f"{tournaments.__name__}.{feature}.{module}"):
                if found.setdefault(act.key, act) is not act:
                    raise ValueError(f"two acts are called {act.key}")
    return found


def actions_by_topic(what: LogTopic) -> frozenset[str]:
    """Return the keys of the actions whose log lines hold information on this topic."""
    return frozenset(key for key, act in acts().items() if what in act.tells)


def act_by_key(key: str) -> Act:
    """Return the action with this key; raises KeyError."""
    return acts()[key]


def action_label(key: str) -> str:
    """Return the translated label of an action, or the key itself if unknown."""
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
    words=pgettext_lazy("log", "Undone"),
    may=can_manage,
    undo=NoUndo(),
    shows=CacheEffect.TAKES_AWAY,
)
REDONE = Act(
    key="act.redone",
    words=_("Done again"),
    may=can_manage,
    undo=RowUndo(),
    shows=CacheEffect.TAKES_AWAY,
)
