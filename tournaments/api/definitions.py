"""The definition of a formula, for the API's schema; ``rules.formulas.custom`` reads it."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from rules.stages import ordered_kinds

Serializer = serializers.Serializer[Any]
_COUNT = {"type": "integer", "minimum": 1}


def _place(**fields: object) -> dict[str, object]:
    return {"type": "object", "properties": fields, "required": [*fields]}


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "enum": ["start"]},
            {
                "type": "array",
                "items": {
                    "oneOf": [
                        _place(start=_COUNT),
                        _place(stage=_COUNT, group={"type": "string"}, rank=_COUNT),
                        _place(stage=_COUNT, best=_COUNT, nth=_COUNT),
                        _place(stage=_COUNT, winner=_COUNT),
                        _place(stage=_COUNT, loser=_COUNT),
                    ]
                },
            },
        ]
    }
)
class Entrants(serializers.JSONField):
    """Who sits in a group: the players of the start, or places one by one."""


class GroupShape(Serializer):
    """A group of a stage."""

    name = serializers.CharField(max_length=20)
    entrants = Entrants()


class StageShape(Serializer):
    """A stage; settings that its kind has not are left out."""

    name = serializers.CharField(max_length=40)
    kind = serializers.ChoiceField(choices=[kind.key for kind in ordered_kinds()])
    legs = serializers.IntegerField(required=False)
    best_of = serializers.ListField(child=serializers.IntegerField(), required=False)
    timed = serializers.BooleanField(required=False)
    third_place = serializers.BooleanField(required=False)
    survivors = serializers.IntegerField(required=False)
    apart = serializers.BooleanField(required=False)
    rounds = serializers.IntegerField(required=False)
    without_last = serializers.BooleanField(required=False)
    second_final = serializers.BooleanField(required=False)
    groups = GroupShape(many=True)


class RangeShape(Serializer):
    """For how many players a formula is."""

    lowest = serializers.IntegerField(min_value=2)
    highest = serializers.IntegerField(min_value=2)


class DefinitionShape(Serializer):
    """A formula of one's own, as it is exported."""

    girone_formula = serializers.IntegerField(help_text="1")
    name = serializers.CharField(max_length=80)
    about = serializers.CharField(allow_blank=True, required=False)
    players = RangeShape()
    stages = StageShape(many=True)


class SavedFormulaShape(DefinitionShape):
    """A saved formula: the definition with its slug and version."""

    slug = serializers.CharField(required=False)
    version = serializers.IntegerField(required=False)


class FaultsOutput(Serializer):
    """What keeps a formula from being played."""

    faults = serializers.ListField(child=serializers.CharField())
