"""Serializers of formulas and advice."""

from rest_framework import serializers

from tournaments.api.fields import Serializer


class OptionOutput(Serializer):
    """Something that a formula lets the organiser choose."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    kind = serializers.CharField()
    default = serializers.JSONField()
    choices = serializers.ListField(child=serializers.IntegerField())


class FormulaOutput(Serializer):
    """A formula."""

    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    minimum = serializers.IntegerField()
    maximum = serializers.IntegerField(allow_null=True)
    options = OptionOutput(many=True)


class StageTimeOutput(Serializer):
    """A stage of an advised formula; ``ends`` is in minutes after the beginning."""

    name = serializers.CharField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    ends = serializers.IntegerField()


class AdviceOutput(Serializer):
    """A formula, whether it fits, how long it takes, and what would make it fit."""

    formula = serializers.CharField()
    name = serializers.CharField()
    fits = serializers.BooleanField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    minutes = serializers.IntegerField()
    stages = StageTimeOutput(many=True)
    needs = serializers.ListField(child=serializers.CharField())
