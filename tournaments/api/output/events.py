"""Events as the API answers them."""

from rest_framework import serializers

from tournaments.api.fields import Legs, Serializer
from tournaments.api.output.stages import DrawOutput, StageOutput
from tournaments.models import Event


class PointsOutput(Serializer):
    """What a result is worth."""

    win = serializers.IntegerField()
    draw = serializers.IntegerField()
    loss = serializers.IntegerField()


class EventOutput(Serializer):
    """An event's settings and state."""

    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    format = serializers.CharField()
    formula = serializers.CharField()
    legs = Legs(help_text="1, 2, or a list where stages differ")
    starts_at = serializers.DateTimeField()
    time_zone = serializers.CharField()
    venue = serializers.CharField()
    fee = serializers.CharField()
    registration_opens = serializers.DateTimeField(allow_null=True)
    registration_closes = serializers.DateTimeField(allow_null=True)
    capacity = serializers.IntegerField(allow_null=True)
    decklists = serializers.ChoiceField(choices=Event.Decklists.choices)
    minutes = serializers.IntegerField()
    criteria = serializers.ListField(child=serializers.CharField())
    points = PointsOutput()
    status = serializers.ChoiceField(choices=Event.State.choices)
    options = serializers.DictField()
    show_prospects = serializers.BooleanField()
    apart_clubs = serializers.BooleanField()
    confirm_after = serializers.IntegerField(
        help_text="Minutes until a report counts that nobody answers; 0: never"
    )
    version = serializers.IntegerField()


class StartedOutput(EventOutput):
    """An event that has started."""

    draw = DrawOutput()
    stage = StageOutput()
