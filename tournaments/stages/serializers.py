"""Serializers of stages and draws."""

from rest_framework import serializers

from tournaments.api.fields import Numbers, NumbersByName, Serializer
from tournaments.models import Stage


class GroupOutput(Serializer):
    """A group and who sits in it; null is an empty seat."""

    name = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class StageOutput(Serializer):
    """A stage."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    key = serializers.CharField()
    kind = serializers.CharField()
    legs = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Stage.State.choices)
    groups = GroupOutput(many=True)
    places = NumbersByName()


class DrawOutput(Serializer):
    """A draw that was made."""

    number = serializers.IntegerField()
    order = Numbers()
    seed = serializers.CharField(allow_blank=True)
    by_hand = serializers.BooleanField()
    seed_given = serializers.BooleanField(allow_null=True)
    public_since = serializers.DateTimeField(allow_null=True)
    told_by_line = serializers.IntegerField(allow_null=True)
    count = serializers.IntegerField()
    words = serializers.CharField(allow_blank=True)


class CloseInput(Serializer):
    """Whether standings that are held back stay so, and lists that the next stage opens too."""

    hold = serializers.BooleanField(default=False)
    hold_lists = serializers.BooleanField(default=False)


class ClosedOutput(Serializer):
    """The places that a closed stage has decided, and the next stage."""

    places = NumbersByName()
    next = StageOutput(allow_null=True)
