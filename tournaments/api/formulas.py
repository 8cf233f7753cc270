"""Formulas through the API.

Contracts, API.
"""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.wording import translate
from rules.formulas import FORMULAS
from rules.formulas.base import Formula
from tournaments.api.output import FormulaOutput
from tournaments.api.shapes import Json


class FormulaList(APIView):
    """The formulas that an event can have."""

    @extend_schema(operation_id="formulas_list", responses=FormulaOutput(many=True))
    def get(self, request: Request) -> Response:
        """Return them all, with their options."""
        return Response([formula_json(formula) for formula in FORMULAS])


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
