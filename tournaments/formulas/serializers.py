"""Serializers of formulas and advice."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.api.fields import Serializer, Translated


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class ValueOfChoice(serializers.Field):
    """A choice, by its value: a number or a word."""

    def to_representation(self, value: Any) -> int | str:
        """Return the value of the choice."""
        return value.value if isinstance(value.value, int) else str(value.value)


class OptionOutput(Serializer):
    """An option of a formula, which the organiser chooses."""

    key = serializers.CharField()
    label = Translated()  # type: ignore[assignment]
    kind = serializers.CharField()
    default = serializers.JSONField()
    choices = serializers.ListField(child=ValueOfChoice())


class FormulaOutput(Serializer):
    """A formula."""

    slug = serializers.CharField(source="key")
    name = Translated(source="label")
    about = Translated()
    minimum = serializers.IntegerField()
    maximum = serializers.IntegerField(allow_null=True)
    options = OptionOutput(many=True)


class StageTimeOutput(Serializer):
    """A stage of an advised formula; ``ends`` is in minutes after the beginning."""

    name = Translated(source="stage.label")
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    ends = serializers.IntegerField()


class NeedWords(Translated):
    """The change that would make a formula fit, as a sentence."""

    def to_representation(self, value: Any) -> str:
        """Return the change as a sentence."""
        return super().to_representation(value.sentence)


class AdviceOutput(Serializer):
    """A formula with options, whether it fits, how long it takes, and what would make it fit.

    ``options`` are those that differ from the usual ones; everybody plays ``least`` matches at
    least; ``best``: one of the two or three to take.
    """

    formula = serializers.CharField(source="formula.key")
    name = Translated(source="formula.label")
    fits = serializers.BooleanField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    minutes = serializers.IntegerField()
    stages = StageTimeOutput(many=True)
    needs = serializers.ListField(child=NeedWords())
    options = serializers.JSONField()
    least = serializers.IntegerField()
    best = serializers.BooleanField()
