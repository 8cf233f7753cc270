"""The next event of a chain through the API. Contracts, Joining, plan, repeat, finish."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules.json_reader import LARGE, WrongValue
from tournaments.api.request_context import EventView, check_scope, idempotent_post
from tournaments.api.serialization import EventTimeField, Serializer, validate_input
from tournaments.core.permissions import can_create_events, can_manage, require_permission
from tournaments.core.valid_columns import PLAYER, read_slug_and_number
from tournaments.events.api import EventOutput, call_with_field_errors, event_json
from tournaments.players.api import MOST_AT_ONCE
from tournaments.repeats.services import repeat_event

NUMBER = {"type": "integer", "minimum": 1, "maximum": LARGE}
PAIR = {"type": "array", "items": {}, "minItems": 2, "maxItems": 2}


@extend_schema_field({"oneOf": [NUMBER, PAIR]})
class ChainPlayerField(serializers.Field):  # type: ignore[type-arg]
    """Serializer field for a player of this event or an earlier one of its chain.

    A player number of this event, or [slug, number] for another event.
    """

    def to_internal_value(self, data: Any) -> int | tuple[str, int]:
        """Return the number, or slug and number. Raises ValidationError."""
        try:
            if not isinstance(data, list):
                return int(PLAYER(data))
            slug, number = read_slug_and_number(data)
        except WrongValue:
            raise serializers.ValidationError(
                _("Send a player’s number, or an event’s slug and a number.")
            ) from None
        return slug, number

    def to_representation(self, value: Any) -> Any:
        """Return the value as it is."""
        return value


class RepeatInput(Serializer):
    """Name, start and players of the next event.

    By default it is as long after this event as usual in its chain, with the next name and no
    players.
    """

    starts_at = EventTimeField(required=False)
    name = serializers.CharField(max_length=120, required=False)
    players = serializers.ListField(
        child=ChainPlayerField(),
        max_length=MOST_AT_ONCE,
        required=False,
        help_text="Numbers of players of this event, or [slug, number] of another of its chain",
    )


class RepeatEvent(EventView):
    """Endpoint: repeat an event, creating the next one of its chain."""

    @idempotent_post("events_repeat", RepeatInput, {201: EventOutput})
    def post(self, request: Request, slug: str) -> Response:
        """Make the next event: a draft with the settings, staff, tables and texts of this one.

        Deadlines move with ``starts_at``. Players come with name, club and membership numbers. 400
        ``not_regular``, ``player_twice`` with the ``path`` of the player; events that the caller
        does not organise don't count, nor who was disqualified or erased.
        """
        check_scope(request, None, "manage")
        require_permission(can_manage(self.actor, self.event) and can_create_events(self.actor))
        sent = validate_input(RepeatInput, request.data, context={"zone": self.event.zone})
        keys = [
            one if isinstance(one, tuple) else (self.event.slug, one)
            for one in sent.pop("players", ())
        ]
        made = call_with_field_errors(
            lambda: repeat_event(source=self.event, **sent, players=keys, by=self.actor)
        )
        return Response(event_json(made), status=201)
