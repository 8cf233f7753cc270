"""Formulas through the API.

Contracts, API.
"""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.wording import translate
from rules.adviser import TURN_ROUND, Advice, advise
from rules.formulas import FORMULAS
from rules.formulas.base import Formula
from tournaments.api.output import AdviceOutput, FormulaOutput
from tournaments.api.shapes import Json


class FormulaList(APIView):
    """The formulas that an event can have."""

    @extend_schema(operation_id="formulas_list", responses=FormulaOutput(many=True))
    def get(self, request: Request) -> Response:
        """Return them all, with their options."""
        return Response([formula_json(formula) for formula in FORMULAS])


class AdviceInput(serializers.Serializer[Any]):
    """How many players, tables, minutes a round, and how many hours there are."""

    players = serializers.IntegerField(min_value=1, max_value=5_000)
    minutes = serializers.IntegerField(min_value=1, max_value=1_000, default=50)
    tables = serializers.IntegerField(min_value=1, max_value=5_000, required=False)
    hours = serializers.FloatField(min_value=0.1, max_value=1_000, required=False)
    turn_round = serializers.IntegerField(min_value=0, max_value=240, default=TURN_ROUND)


class FormulaAdvice(APIView):
    """Which formulas fit."""

    @extend_schema(
        operation_id="formulas_advice", parameters=[AdviceInput], responses=AdviceOutput(many=True)
    )
    def get(self, request: Request) -> Response:
        """Return every formula for so many players, those that fit first."""
        asked = AdviceInput(data=request.query_params)
        asked.is_valid(raise_exception=True)
        values = dict(asked.validated_data)
        return Response([advice_json(advice) for advice in advise(values.pop("players"), **values)])


def advice_json(advice: Advice) -> Json:
    """Return an advice: whether the formula fits, how long it takes, what would make it fit."""
    return {
        "formula": advice.formula.key,
        "name": translate(advice.formula.label),
        "fits": advice.fits,
        "rounds": advice.rounds,
        "matches": advice.matches,
        "minutes": advice.minutes,
        "stages": [
            {
                "name": translate(stage.label),
                "rounds": stage.rounds,
                "matches": stage.matches,
                "ends": stage.ends,
            }
            for stage in advice.stages
        ],
        "needs": [translate(sentence) for sentence in advice.needs],
    }


def formula_json(formula: Formula) -> Json:
    """Return a formula with its options."""
    return {
        "slug": formula.key,
        "name": translate(formula.label),
        "about": translate(formula.about),
        "minimum": formula.minimum,
        "options": [
            {
                "key": option.key,
                "label": translate(option.label),
                "kind": option.kind,
                "default": option.default,
                "choices": [choice.value for choice in option.choices],
            }
            for option in formula.options
        ],
    }
