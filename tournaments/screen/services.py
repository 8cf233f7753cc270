"""Pin a view of the hall's screen."""

from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import BadInput
from tournaments.core.acts import Act, CacheEffect, NoUndo, UndoTiming
from tournaments.core.permissions import Actor, can_enter_results
from tournaments.log.services import begin_act, record
from tournaments.models import Event

PINNED = Act(
    key="screen.pinned",
    words=_("Screen changed"),
    may=can_enter_results,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
    shows=CacheEffect.ADDS,
)


@transaction.atomic
def pin_view(*, event: Event, view: str, by: Actor) -> Event:
    """Pin a view on the hall screen, "" for none; return the event.

    Until the view can be displayed, the screen chooses by itself. Raises BadInput ``no_such_view``.
    """
    event = begin_act(event, PINNED, by=by)
    if view not in Event.ScreenView.values:
        raise BadInput("no_such_view", "Choose one of the options.")
    if view == event.screen_view:
        return event
    before = {"view": event.screen_view}
    event.screen_view = view
    event.save(update_fields=["screen_view"])
    record(event, PINNED, by=by, subject=view, before=before, after={"view": view})
    return event
