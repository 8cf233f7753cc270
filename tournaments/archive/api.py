"""Export of an event as one file, and restore, through the API. Source: contracts, API."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from decks.api.parsing import BodyParser
from tournaments.api.request_context import (
    EventView,
    check_scope,
    idempotent_post,
    query_parameters,
    request_actor,
)
from tournaments.api.serialization import EventOutput, event_json
from tournaments.archive.reader import LARGEST, restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import can_create_events, can_manage, require_permission


class ArchiveView(EventView):
    """Endpoint: download the archive of an event."""

    throttle_scope = "heavy"

    @extend_schema(
        operation_id="archive",
        responses=OpenApiTypes.OBJECT,
        parameters=query_parameters("contacts"),
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the whole event, for its organisers: lists, links and log are in it.

        With ``?contacts=1`` the email addresses and membership numbers of players are too.
        """
        require_permission(can_manage(self.actor, self.event))
        check_scope(request, self.event, "manage")
        content = event_archive(self.event, contacts=request.query_params.get("contacts") == "1")
        response = HttpResponse(content, content_type="application/json")
        response["Content-Disposition"] = f'attachment; filename="{self.event.slug}.json"'
        response["Cache-Control"] = "private, no-cache"
        return response


class RawBodyParser(BodyParser):
    """DRF parser that passes the raw body on as ``content``, for ``archive.reader``."""

    def value(self, content: bytes) -> dict[str, bytes]:
        """Return the body."""
        return {"content": content}


class RestoreArchive(APIView):
    """Endpoint: restore an event from an archive in the request's body."""

    parser_classes = [RawBodyParser]
    largest_body = LARGEST
    throttle_scope = "heavy"

    @idempotent_post(
        "events_restore",
        OpenApiTypes.OBJECT,
        {201: EventOutput},
        parameters=query_parameters("slug"),
    )
    def post(self, request: Request) -> Response:
        """Store the event under its own slug, or under ``?slug=``; 409 where that is taken.

        All of the file or nothing: 400 ``archive_invalid`` with the ``path`` of the first wrong
        value and ``what`` should stand there. 10 MB and 18,000 rows at most; longer archives come
        by ``manage.py restore``.
        """
        check_scope(request, None, "manage")
        actor = request_actor(request)
        require_permission(can_create_events(actor))
        slug = request.query_params.get("slug", "")
        sent: Any = request.data
        event = restore_archive(sent.get("content", b""), slug=slug, caller=actor.user)
        return Response(event_json(event), status=201)
