"""Formulas through the API.

Source: contracts, API.
"""

from contextlib import suppress
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied as OutOfReach
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.web import not_modified_response, version_tag
from config.wording import translate
from rules.formulas.base import Formula
from rules.formulas.custom import formula_faults, read_definition
from rules.formulas.custom.definition import MOST_PLAYERS
from rules.json_reader import LARGE
from rules.stages import custom_stage_kinds
from rules.stages.base import LEGS, ROUNDS, SURVIVORS
from tournaments.api.request_context import (
    OwnETagMixin,
    check_scope,
    event_creator,
    idempotent_post,
    page_serializer,
    query_parameters,
    request_actor,
)
from tournaments.api.serialization import Json, Serializer, TranslatedField, WholeNumberField
from tournaments.core.formulas import available_formulas
from tournaments.formulas.services import delete_formula, save_formula
from tournaments.models import SavedFormula


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}]})
class ChoiceValueField(serializers.Field):
    """Field for the value of an option's choice, a number or text."""

    def to_representation(self, value: Any) -> int | str:
        """Return the value of the choice."""
        return value.value if isinstance(value.value, int) else str(value.value)


class OptionOutput(Serializer):
    """An option of a formula."""

    key = serializers.CharField()
    label = TranslatedField()  # type: ignore[assignment]
    kind = serializers.CharField()
    default = serializers.JSONField()
    choices = serializers.ListField(child=ChoiceValueField())


class FormulaOutput(Serializer):
    """A formula (tournament format) with its options and numbers of players."""

    slug = serializers.CharField(source="key")
    name = TranslatedField(source="label")
    about = TranslatedField()
    minimum = serializers.IntegerField()
    maximum = serializers.IntegerField(allow_null=True)
    options = OptionOutput(many=True)


class StageTimeOutput(Serializer):
    """A stage of an advised formula; ``ends``: minutes after the start."""

    name = TranslatedField(source="stage.label")
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    ends = serializers.IntegerField()


class NeedField(TranslatedField):
    """Field for a change that would make a formula fit the time, as text."""

    def to_representation(self, value: Any) -> str:
        """Return what would be needed in words."""
        return " · ".join(map(super().to_representation, value.facts))


class AdviceOutput(Serializer):
    """A formula with options, whether it fits the time, and what would make it fit.

    ``options``: those that differ from the defaults; ``least``: matches that everybody plays at
    least; ``best``: one of the two or three recommended.
    """

    formula = serializers.CharField(source="formula.key")
    name = TranslatedField(source="formula.label")
    fits = serializers.BooleanField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    minutes = serializers.IntegerField()
    stages = StageTimeOutput(many=True)
    needs = serializers.ListField(child=NeedField())
    options = serializers.JSONField()
    least = serializers.IntegerField()
    best = serializers.BooleanField()


_COUNT = {"type": "integer", "minimum": 1, "maximum": MOST_PLAYERS}


def _place_shape(**fields: object) -> dict[str, object]:
    return {"type": "object", "properties": fields, "required": [*fields]}


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "enum": ["start"]},
            {
                "type": "array",
                "items": {
                    "oneOf": [
                        _place_shape(start=_COUNT),
                        _place_shape(stage=_COUNT, group={"type": "string"}, rank=_COUNT),
                        _place_shape(stage=_COUNT, best=_COUNT, nth=_COUNT),
                        _place_shape(stage=_COUNT, winner=_COUNT),
                        _place_shape(stage=_COUNT, loser=_COUNT),
                    ]
                },
            },
        ]
    }
)
class EntrantsField(serializers.JSONField):
    """Field for the players of a group: "start" for all, or a list of places."""


class GroupShape(Serializer):
    """A group of a stage in a formula's definition."""

    name = serializers.CharField(max_length=20)
    entrants = EntrantsField()


class StageShape(Serializer):
    """A stage in a formula's definition.

    Settings that its kind does not have are left out.
    """

    name = serializers.CharField(max_length=40)
    kind = serializers.ChoiceField(choices=[kind.key for kind in custom_stage_kinds()])
    legs = WholeNumberField(max_value=LEGS.most, required=False)
    best_of = serializers.ListField(child=WholeNumberField(max_value=MOST_PLAYERS), required=False)
    timed = serializers.BooleanField(required=False)
    third_place = serializers.BooleanField(required=False)
    survivors = WholeNumberField(max_value=SURVIVORS.most, required=False)
    apart = serializers.BooleanField(required=False)
    rounds = WholeNumberField(max_value=ROUNDS.most, required=False)
    without_last = serializers.BooleanField(required=False)
    second_final = serializers.BooleanField(required=False)
    groups = GroupShape(many=True)


class RangeShape(Serializer):
    """The smallest and largest number of players of a formula."""

    lowest = WholeNumberField(min_value=2, max_value=MOST_PLAYERS)
    highest = WholeNumberField(min_value=2, max_value=MOST_PLAYERS)


class DefinitionShape(Serializer):
    """The definition of a custom formula, as exported."""

    girone_formula = WholeNumberField(help_text="1")
    name = serializers.CharField(max_length=80)
    about = serializers.CharField(allow_blank=True, required=False)
    players = RangeShape()
    stages = StageShape(many=True)


class SavedFormulaShape(DefinitionShape):
    """A saved formula: the definition with its slug and version."""

    slug = serializers.CharField(required=False)
    version = WholeNumberField(required=False)


class FaultsOutput(Serializer):
    """The reasons why a formula can't be played."""

    faults = serializers.ListField(child=serializers.CharField())


class FormulaList(OwnETagMixin):
    """Endpoint that lists the formulas that an event can choose, or saves one."""

    @extend_schema(
        operation_id="formulas_list",
        parameters=query_parameters(page=True),
        responses=page_serializer(FormulaOutput),
    )
    def get(self, request: Request) -> Response:
        """Return a page of formulas with their options; those saved by the caller come last."""
        pages = PageNumberPagination()
        page: Any = pages.paginate_queryset(formulas_for_caller(request), request, self)  # type: ignore[type-var]
        return pages.get_paginated_response(FormulaOutput(page or (), many=True).data)

    @idempotent_post("formulas_create", DefinitionShape, {201: SavedFormulaShape})
    def post(self, request: Request) -> Response:
        """Save a formula of one's own; its slug is made from its name."""
        row = save_formula(owner=event_creator(request), data=_definition_sent(request))
        return Response(saved_formula_json(row), status=201)


class SavedFormulaDetail(OwnETagMixin):
    """Endpoint for a formula saved by the caller; 404 for those of others."""

    def hold(self) -> None:
        """Lock the formula."""
        SavedFormula.objects.select_for_update().filter(slug=self.kwargs["slug"]).first()

    @extend_schema(operation_id="formulas_retrieve", responses=SavedFormulaShape)
    def get(self, request: Request, slug: str) -> Response:
        """Return the formula as it is exported, with its slug and version."""
        check_scope(request, None, "read")
        row = _own_formula(request, slug)
        tag = version_tag(request, row.version, slug)
        held: Any = not_modified_response(request, tag)
        return held or Response(
            saved_formula_json(row), headers={"ETag": tag, "Cache-Control": "private, no-cache"}
        )

    @extend_schema(
        operation_id="formulas_update", request=SavedFormulaShape, responses=SavedFormulaShape
    )
    def put(self, request: Request, slug: str) -> Response:
        """Replace the definition; 409 ``stale`` where ``version`` is no longer the stored one.

        Events that have not started follow it, those that have keep their plan.
        """
        owner = event_creator(request)
        _own_formula(request, slug)
        version = request.data.get("version") if isinstance(request.data, dict) else None
        if version is not None and (type(version) is not int or not 0 <= version <= LARGE):
            raise serializers.ValidationError({"version": [_("A whole number.")]})
        row = save_formula(
            owner=owner, data=_definition_sent(request), slug=slug, expected_version=version
        )
        return Response(saved_formula_json(row))

    @extend_schema(operation_id="formulas_delete", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete the formula; 409 ``formula_in_use`` while an event names it."""
        owner = event_creator(request)
        _own_formula(request, slug)
        delete_formula(owner=owner, slug=slug)
        return Response(status=204)


class FormulaCheck(APIView):
    """Endpoint that checks a definition; nothing is stored."""

    @extend_schema(operation_id="formulas_check", request=DefinitionShape, responses=FaultsOutput)
    def post(self, request: Request) -> Response:
        """Return the reasons why the formula can't be played; none if it can be saved."""
        found = formula_faults(read_definition(_definition_sent(request)))
        return Response({"faults": [translate(sentence) for sentence in found]})


def formulas_for_caller(request: Request) -> tuple[Formula, ...]:
    """Return the formulas that the caller can choose.

    With an event's token only built-in ones.
    """
    user = request_actor(request).user
    with suppress(OutOfReach):
        check_scope(request, None, "read")
        return available_formulas(user.pk if user else None)
    return available_formulas(None)


def _own_formula(request: Request, slug: str) -> SavedFormula:
    user = request_actor(request).user
    return get_object_or_404(SavedFormula, slug=slug, owner_id=user.pk if user else None)


def _definition_sent(request: Request) -> object:
    """Return the body without the members that answers add to a definition."""
    if not isinstance(request.data, dict):
        return request.data
    return {key: value for key, value in request.data.items() if key not in ("slug", "version")}


def saved_formula_json(row: SavedFormula) -> Json:
    """Return a saved formula as JSON, with slug and version."""
    return {"slug": row.slug, "version": row.version, **row.definition}
