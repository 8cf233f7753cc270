"""Acts of ``erasing``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, CacheEffect, NoUndo, UndoTiming
from tournaments.core.permissions import can_manage

PERSON_ERASED = Act(
    key="person.erased",
    words=_("Person erased"),
    may=can_manage,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
    shows=CacheEffect.TAKES_AWAY,
)
TEXT_BLANKED = Act(
    key="text.blanked",
    words=_("Text redacted"),
    may=can_manage,
    undo=NoUndo(),
    shows=CacheEffect.TAKES_AWAY,
)
TEXTS_ACCEPTED = Act(
    key="texts.accepted",
    words=_("Other texts kept"),
    may=can_manage,
    undo=NoUndo(),
    shows=CacheEffect.ADDS,
)
