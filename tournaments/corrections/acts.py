"""Acts of ``corrections``: its lines of the log, who may write each, how it is undone.

A result that is kept is ``results.acts.CORRECTED``, a player who is out from now on
``players.acts.WITHDRAWN``.
"""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, CacheEffect, LogTopic, NoUndo, RowUndo, UndoTiming
from tournaments.core.permissions import can_manage, can_rule
from tournaments.models import Event, LogLine

act = partial(Act, state="play", undo=RowUndo(), shows=CacheEffect.TAKES_AWAY)
FOLLOWED = act(
    key="correction.followed",
    words=_("Seats corrected"),
    may=can_rule,
    tells=(LogTopic.RESULT, LogTopic.FOLLOWED),
)
taken_back = partial(
    act,
    may=can_manage,
    ask_redo=_("Discard the restored rounds and their results?"),
    type_redo="tournaments.corrections.acts.confirmation_names_for_redo",
)
TAKEN_BACK = taken_back(
    key="correction.taken_back",
    words=_("Corrected: rounds discarded"),
    tells=(LogTopic.RESULT,),
)
SEEDS_CORRECTED = act(
    key="seeds.corrected",
    words=_("Seeds corrected"),
    may=can_manage,
    tells=(LogTopic.RESULT, LogTopic.FOLLOWED),
)
SEEDS_TAKEN_BACK = taken_back(
    key="seeds.taken_back",
    words=_("Seeds corrected: rounds discarded"),
)
REPLACED = act(
    key="player.replaced",
    words=_("Player replaced"),
    may=can_rule,
    tells=(LogTopic.PRESENCE, LogTopic.FOLLOWED),
)
PLAYER_TAKEN_BACK = taken_back(
    key="player.taken_back",
    words=_("Player removed: rounds discarded"),
    tells=(LogTopic.PRESENCE,),
)
LEFT_IN = act(
    key="player.left_in",
    words=_("Player kept in the event"),
    may=can_rule,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
    shows=CacheEffect.ADDS,
)


def confirmation_names_for_redo(event: Event, line: LogLine) -> tuple[str, ...]:
    """Return (event name,) to be typed before a redo that deletes results, else ().

    ``line``: the log line of the deletion.
    """
    return (event.name,) if line.before.get("results") else ()
