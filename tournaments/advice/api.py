"""API: formulas advised for a number of players, tables and hours."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.wording import translate
from rules.formulas.adviser import TURN_ROUND, Advice, advise
from tournaments.api.fields import Serializer
from tournaments.api.serialization import Json
from tournaments.formulas.api import offered
from tournaments.formulas.serializers import AdviceOutput


class AdviceInput(Serializer):
    """How many players, tables, minutes a round, and how many hours there are."""

    players = serializers.IntegerField(min_value=1, max_value=5_000)
    minutes = serializers.IntegerField(min_value=1, max_value=1_000, default=50)
    tables = serializers.IntegerField(min_value=1, max_value=5_000, required=False)
    hours = serializers.FloatField(min_value=0.1, max_value=1_000, required=False)
    turn_round = serializers.IntegerField(min_value=0, max_value=240, default=TURN_ROUND)


class FormulaAdvice(APIView):
    """Which formulas fit."""

    throttle_scope = "heavy"

    @extend_schema(
        operation_id="formulas_advice", parameters=[AdviceInput], responses=AdviceOutput(many=True)
    )
    def get(self, request: Request) -> Response:
        """Return every formula for the number of players, those that fit first."""
        asked = AdviceInput(data=request.query_params)
        asked.is_valid(raise_exception=True)
        values = dict(asked.validated_data)
        advices = advise(values.pop("players"), **values, formulas=offered(request))
        return Response([advice_json(advice) for advice in advices])


def advice_json(advice: Advice) -> Json:
    """Return an advice as JSON: whether the formula fits, its duration, changes to make it fit."""
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
