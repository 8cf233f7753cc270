"""Pairs of players that Swiss rounds keep apart, through the API."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.request_context import (
    EventView,
    idempotent_post,
    page_serializer,
    query_parameters,
)
from tournaments.api.serialization import Json, PositiveNumbersField, Serializer, validate_input
from tournaments.core.permissions import is_staff, require_permission
from tournaments.keeping_apart.services import add_separated_pair, remove_separated_pair
from tournaments.models import KeptApart


class ApartOutput(Serializer):
    """The numbers of two players who should not be paired, the smaller first."""

    players = PositiveNumbersField(min_length=2, max_length=2)


class SeparatedPairList(EventView):
    """Endpoint: list the pairs of players who should not be paired, or add one."""

    @extend_schema(
        operation_id="apart_list",
        parameters=query_parameters(page=True),
        responses=page_serializer(ApartOutput),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of pairs; for the staff."""
        require_permission(is_staff(self.sight, self.event))
        if (same := self.not_modified(request)) is not None:
            return same
        return self.paged(
            request, self.event.kept_apart.select_related("a", "b"), separated_pair_json
        )

    @idempotent_post("apart_create", ApartOutput, {201: ApartOutput})
    def post(self, request: Request, slug: str) -> Response:
        """Keep two players apart from the next Swiss round on."""
        a, b = validate_input(ApartOutput, request.data)["players"]
        return Response(
            separated_pair_json(
                add_separated_pair(event=self.event, numbers=(a, b), by=self.actor)
            ),
            status=201,
        )


class SeparatedPairDetail(EventView):
    """Endpoint: remove a pair of players who should not be paired."""

    @extend_schema(operation_id="apart_delete", responses={204: None})
    def delete(self, request: Request, slug: str, a: int, b: int) -> Response:
        """Remove the pair: the two may meet again."""
        require_permission(is_staff(self.actor, self.event))
        pair = get_object_or_404(self.event.kept_apart.between(a, b))
        remove_separated_pair(event=self.event, pair_id=pair.pk, by=self.actor)
        return Response(status=204)


def separated_pair_json(pair: KeptApart) -> Json:
    """Return a pair of players as ``{"players": [number, number]}``."""
    return {"players": [player.number for player in pair.players]}
