"""What the calls on rounds take."""

from typing import Any

from rest_framework import serializers

from rules.events.clock import MOST_MINUTES, ClockAction
from tournaments.api.fields import LARGEST, Serializer, refuse_unused


class RoundInput(Serializer):
    """The next round: published at once unless it is only to be drafted."""

    draft = serializers.BooleanField(default=False)


class ExtraInput(Serializer):
    """Extra matches among the level ``players``, or of several ``sets`` of them in one round.

    Without both they are among the first who block the stage. Published at once unless they are
    only to be drafted.
    """

    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1), min_length=2, required=False
    )
    sets = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(min_value=1), min_length=2, max_length=LARGEST
        ),
        min_length=1,
        max_length=LARGEST,
        required=False,
    )
    draft = serializers.BooleanField(default=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Refuse players beside sets."""
        if "sets" in values:
            refuse_unused(values, "players")
        return values


class PublishInput(Serializer):
    """The version of the draft that the caller has looked at, from its check list."""

    version = serializers.IntegerField(min_value=0, required=False)


class ClockInput(Serializer):
    """An act on the clock of a round; ``minutes`` for everybody belong to ``add``."""

    action = serializers.ChoiceField(choices=[str(key) for key in ClockAction])
    minutes = serializers.IntegerField(min_value=1, max_value=MOST_MINUTES, required=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Refuse minutes with an act that adds none."""
        if values["action"] != ClockAction.ADD:
            refuse_unused(values, "minutes")
        return values
