"""New events of games that did not come with the program."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied

from config import transaction
from decks.own_formats.services import OwnFormat, own_format_like
from tournaments.core.permissions import Actor
from tournaments.events.services.events import create_event
from tournaments.models import Event


@transaction.atomic
def create_event_of_game(*, content: OwnFormat, values: Mapping[str, Any], by: Actor) -> Event:
    """Create an event with a format of a game of one's own: one that says the same, else a new one.

    Raises as ``create_event``, and BadInput ``invalid_rules``, ``too_many_formats``.
    """
    if by.user is None:
        raise PermissionDenied
    house = own_format_like(content, by=by.user)
    return create_event(values={**values, "format": house.slug}, by=by)
