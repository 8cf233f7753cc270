"""Strikes through the API.

Contracts, API.
"""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.request_context import idempotent_post
from tournaments.api.serialization import NumberListField, Serializer, validate_input
from tournaments.players.api import PlayerView
from tournaments.strikes.services import lift_strike, strike


class StrikeInput(Serializer):
    """The reason for voiding a player's matches, or with ``lift`` for restoring them."""

    reason = serializers.CharField(max_length=300)
    lift = serializers.BooleanField(default=False)


class StrikeOutput(Serializer):
    """Whether the player is struck, and ordinals of the rounds in which a match changed."""

    struck = serializers.BooleanField()
    rounds = NumberListField()


class StrikePlayer(PlayerView):
    """Endpoint: void or restore the group matches of a player who dropped early."""

    @idempotent_post("players_strike", StrikeInput, StrikeOutput)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Make all matches of the player in the group void, or count again; organisers."""
        entry = self.entry(number)
        sent = validate_input(StrikeInput, request.data)
        lift, reason = sent["lift"], sent["reason"]
        act = lift_strike if lift else strike
        rounds = act(entry=entry, reason=reason, by=self.actor)
        return Response({"struck": not lift, "rounds": rounds})
