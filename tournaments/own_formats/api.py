"""The list of formats and a format, with what accounts may do: make, change and delete their own.

Contracts, Formats of one's own.
"""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from config import transaction
from decks.api.formats import FormatDetail, FormatList
from decks.card_lists.selectors import version_rows
from decks.formats.selectors import format_as_json, format_summary
from decks.models import HouseFormat
from decks.own_formats.services import FormatInput, change_custom_format, create_custom_format
from decks.rulebook import current_rules, formats_with_list_dates
from decks.stored_formats import is_custom_game_format
from tournaments.api.request_context import (
    check_scope,
    event_creator,
    idempotent_post,
    query_parameters,
    request_actor,
)
from tournaments.api.serialization import Serializer, WholeNumberField
from tournaments.own_formats.services import delete_format

PARTS = ("game", "name", "lists", "rules")


class OwnFormatInput(Serializer):
    """A custom deck format for a game that the site doesn't know.

    ``rules`` are only given if ``lists`` says that decklists are counted.
    """

    game = serializers.CharField(help_text="What people call the game")
    name = serializers.CharField()
    lists = serializers.ChoiceField(choices=HouseFormat.Lists.choices)
    rules = serializers.JSONField(required=False)


class OwnFormatChange(OwnFormatInput):
    """A changed custom deck format, and the version that the caller has seen."""

    version = WholeNumberField(
        min_value=1, required=False, help_text="409 where another is stored by now"
    )


class EditableFormatList(FormatList):
    """Endpoint: list all deck formats, or create a custom one.

    Each has its zones and the date of its card lists; custom formats come last.
    """

    @extend_schema(
        responses=OpenApiTypes.OBJECT,
        operation_id="formats_list",
        parameters=query_parameters("own"),
    )
    def get(self, request: Request) -> Response:
        """Return a page of formats; ``?own=1``: those that the caller has made."""
        if request.GET.get("own") != "1":
            return super().get(request)
        check_scope(request, None, "read")
        user = request_actor(request).user
        mine = set(
            HouseFormat.objects.made_here().filter(owner=user).values_list("slug", flat=True)
            if user is not None
            else ()
        )
        page = self.paginate_queryset(
            [one for one in formats_with_list_dates() if one[0].key in mine]
        )
        return self.get_paginated_response([format_summary(*known) for known in page or ()])

    @idempotent_post("formats_create", OwnFormatInput, {201: OpenApiTypes.OBJECT})
    def post(self, request: Request) -> Response:
        """Make a format of a game of one's own.

        400 ``invalid_rules`` with the ``path`` of what is wrong.
        """
        user = event_creator(request)
        house = create_custom_format(_sent(request), by=user)
        return Response(_format_json(house.slug), status=201)


class EditableFormatDetail(FormatDetail):
    """Endpoint: the rules of a deck format; the owner of a custom one can change or delete it."""

    @extend_schema(
        operation_id="formats_update", request=OwnFormatChange, responses=OpenApiTypes.OBJECT
    )
    def put(self, request: Request, slug: str) -> Response:
        """Store the next version; events that have started keep the one they began with.

        409 ``stale`` where ``version`` is no longer the stored one.
        """
        user = event_creator(request)
        _own_format(user, slug)
        if not is_custom_game_format(slug):
            raise serializers.ValidationError(
                {"rules": [_("This format is a copy. Edit it on its own page.")]}
            )
        version = request.data.get("version") if isinstance(request.data, dict) else None
        if version is not None and type(version) is not int:
            raise serializers.ValidationError({"version": [_("A whole number.")]})
        change_custom_format(_sent(request), slug=slug, version=version, by=user)
        return Response(_format_json(slug))

    @extend_schema(operation_id="formats_delete", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete the format; 409 ``format_in_use`` while an event has it."""
        user = event_creator(request)
        _own_format(user, slug)
        delete_format(slug=slug, by=user)
        return Response(status=204)


def _own_format(user: User, slug: str) -> HouseFormat:
    return get_object_or_404(HouseFormat.objects.made_here(), slug=slug, owner=user)


def _sent(request: Request) -> FormatInput:
    sent: dict[str, Any] = request.data if isinstance(request.data, dict) else {}
    return FormatInput(**{part: sent.get(part) for part in PARTS})


@transaction.read_snapshot()
def _format_json(slug: str) -> dict[str, Any]:
    rules = current_rules(slug)
    return format_as_json(rules, version_rows(rules, None))
