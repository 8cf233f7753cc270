"""The clock of a round and extra time of a table, through the API."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules.events.clock import ClockAction
from rules.events.deck_checks import MOST_MINUTES
from tournaments.api.request_context import idempotent_post, page_serializer, query_parameters
from tournaments.api.serialization import (
    Json,
    Serializer,
    WholeNumberField,
    serialize_row,
    validate_input,
)
from tournaments.clock.services import delete_extension, extend_time, run_clock
from tournaments.core.permissions import is_staff, require_permission
from tournaments.models import TimeExtension
from tournaments.results.api import MatchView
from tournaments.rounds.api import ClockInput, RoundOutput, RoundView


class ExtensionInput(Serializer):
    """A time extension to give to one table: minutes and reason."""

    minutes = WholeNumberField(min_value=1, max_value=MOST_MINUTES)
    reason = serializers.CharField(max_length=200)


class ExtensionOutput(Serializer):
    """A time extension of a table; ``check``: whether it is for a deck check."""

    id = serializers.IntegerField()
    minutes = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    check = serializers.BooleanField()


class ExtensionList(MatchView):
    """Endpoint: the time extensions of a match."""

    @extend_schema(
        operation_id="extensions_list",
        parameters=query_parameters(page=True),
        responses=page_serializer(ExtensionOutput),
    )
    def get(self, request: Request, slug: str, match_id: int) -> Response:
        """Return a page of the extra minutes of a match; for the staff."""
        match = self.match(match_id)
        require_permission(is_staff(self.sight, self.event))
        if (same := self.not_modified(request)) is not None:
            return same
        return self.paged(request, match.extensions.order_by("pk"), extension_json)

    @idempotent_post("extensions_create", ExtensionInput, {201: ExtensionOutput})
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Give a table that plays more minutes; judges."""
        match = self.match(match_id)
        sent = validate_input(ExtensionInput, request.data)
        return Response(extension_json(extend_time(match=match, by=self.actor, **sent)), status=201)


class ExtensionDetail(MatchView):
    """Endpoint: one time extension of a match."""

    @extend_schema(operation_id="extensions_delete", responses={204: None})
    def delete(self, request: Request, slug: str, match_id: int, extension_id: int) -> Response:
        """Take minutes back that were given by mistake; judges."""
        require_permission(is_staff(self.actor, self.event))
        if not self.match(match_id).extensions.filter(pk=extension_id).exists():
            raise Http404
        delete_extension(event=self.event, extension_id=extension_id, by=self.actor)
        return Response(status=204)


def extension_json(extension: TimeExtension) -> Json:
    """Return a time extension as JSON."""
    return serialize_row(ExtensionOutput, extension, check=extension.check_made_id is not None)


class ClockView(RoundView):
    """Endpoint: start, pause, resume, reset or extend the timer of the round in progress."""

    @idempotent_post("rounds_clock", ClockInput, RoundOutput)
    def post(self, request: Request, slug: str, ordinal: int) -> Response:
        """Start, pause or resume the clock, add minutes for everybody, or reset a false start."""
        self.shown(ordinal)
        sent = validate_input(ClockInput, request.data)
        run_clock(
            event=self.event,
            ordinal=ordinal,
            action=ClockAction(sent["action"]),
            minutes=sent.get("minutes", 0),
            by=self.actor,
        )
        return Response(self.shown(ordinal))
