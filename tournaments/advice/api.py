"""Formulas advised for a number of players, tables and hours, through the API."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rules.formulas.adviser import TURN_ROUND, suggest_formats
from tournaments.api.serialization import Serializer, WholeNumberField, validate_input
from tournaments.formulas.api import AdviceOutput, formulas_for_caller


class AdviceInput(Serializer):
    """Query parameters of the adviser: players, tables, hours, and minutes per round.

    ``turn_round``: minutes between two rounds.
    """

    players = WholeNumberField(min_value=1, max_value=5_000)
    minutes = WholeNumberField(min_value=1, max_value=1_000, default=50)
    tables = WholeNumberField(min_value=1, max_value=5_000, required=False)
    hours = serializers.FloatField(min_value=0.1, max_value=1_000, required=False)
    turn_round = WholeNumberField(min_value=0, max_value=240, default=TURN_ROUND)


class FormulaAdvice(APIView):
    """Endpoint: list the tournament formats that fit numbers of players, tables and hours."""

    throttle_scope = "heavy"

    @extend_schema(
        operation_id="formulas_advice", parameters=[AdviceInput], responses=AdviceOutput(many=True)
    )
    def get(self, request: Request) -> Response:
        """Return the ways for the number of players: the best first, then those that fit.

        ``options`` are those that differ from the default, everybody plays ``least`` matches, each
        of ``needs`` alone would make a way fit.
        """
        values = validate_input(AdviceInput, request.query_params)
        advised = suggest_formats(
            values.pop("players"), **values, formulas=formulas_for_caller(request)
        )
        return Response(AdviceOutput(advised.rows, many=True).data)
