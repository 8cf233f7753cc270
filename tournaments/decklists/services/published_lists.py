"""Publish the lists of a finished event, hide them again; release those held back in a stage."""

from datetime import datetime

from django.utils import timezone

from config import transaction
from rules.errors import RuleError
from tournaments.core.acts import Act
from tournaments.core.open_lists import hold_lists, lists_held_in, no_lists_held_error
from tournaments.core.permissions import Actor
from tournaments.decklists.acts import LISTS_HIDDEN, LISTS_PUBLISHED, LISTS_RELEASED
from tournaments.log.services import begin, record
from tournaments.models import Event, Stage
from tournaments.undo.services.row_diff import undoable


@transaction.atomic
def publish_lists(*, event: Event, by: Actor) -> Event:
    """Make the lists of all who played public.

    Raises RuleError ``event_not_finished``, ``decklists_off``, ``lists_published``.
    """
    event = begin(event, LISTS_PUBLISHED, by=by)
    if event.state != Event.State.FINISHED:
        raise RuleError(
            "event_not_finished",
            "The event isn't finished yet. Nothing was changed: finish it first.",
        )
    if event.decklists == Event.Decklists.OFF:
        raise RuleError("decklists_off", "This event collects no decklists. Nothing was changed.")
    if event.lists_published_at is not None:
        raise RuleError("lists_published", "The lists are published already. Nothing was changed.")
    return _shown_since(event, timezone.now(), LISTS_PUBLISHED, by=by)


@transaction.atomic
def hide_lists(*, event: Event, by: Actor) -> Event:
    """Hide published lists again: only their players, judges and organisers see them.

    Also while a reopened event goes on. Raises RuleError ``lists_hidden``.
    """
    event = begin(event, LISTS_HIDDEN, by=by)
    if event.lists_published_at is None:
        raise RuleError("lists_hidden", "The lists are hidden already. Nothing was changed.")
    return _shown_since(event, None, LISTS_HIDDEN, by=by)


@transaction.atomic
def release_lists(*, event: Event, expected_stage: int, by: Actor) -> Event:
    """Open the lists of the stage in play that its opening held back.

    Its players see them as the setting says. Raises RuleError ``event_not_running``,
    ``no_lists_held``; ``stale`` if it is not the stage that the page showed.
    """
    event = begin(event, LISTS_RELEASED, by=by)
    stage = event.stages.filter(state=Stage.State.OPEN).first()
    if stage is None or not lists_held_in(event, stage):
        raise no_lists_held_error()
    if stage.number != expected_stage:
        raise RuleError(
            "stale",
            "Another stage is in progress by now. Nothing was changed: load the page again.",
        )
    hold_lists(event, None)
    record(event, LISTS_RELEASED, by=by, subject=stage.key)
    return event


def _shown_since(event: Event, moment: datetime | None, act: Act, *, by: Actor) -> Event:
    """Store the moment since which lists are public; None hides them."""
    with undoable(event, act, (Event,), by=by):
        event.lists_published_at = moment
        event.save(update_fields=["lists_published_at"])
    return event
