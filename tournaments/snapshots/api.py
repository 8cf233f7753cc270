"""Snapshots of an event through the API: listed, read, restored."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.request_context import EventView, check_scope, idempotent_post
from tournaments.api.serialization import (
    EventOutput,
    Json,
    Serializer,
    event_json,
    serialize_row,
    validate_input,
)
from tournaments.core.permissions import can_manage, require_permission
from tournaments.models import Snapshot
from tournaments.snapshots.selectors import snapshot_archive
from tournaments.snapshots.services import restore_snapshot


class SnapshotOutput(Serializer):
    """A snapshot of an event, stored before the action ``before``.

    ``version`` is the event's at that time, ``size`` the bytes stored.
    """

    id = serializers.IntegerField()
    version = serializers.IntegerField()
    at = serializers.DateTimeField()
    before = serializers.CharField()
    by = serializers.CharField(allow_null=True)
    size = serializers.IntegerField()


class RestoreInput(Serializer):
    """Input to restore a snapshot: the event's name, if restoring deletes results."""

    confirm = serializers.CharField(max_length=140, allow_blank=True, required=False)


class SnapshotView(EventView):
    """Base class of endpoints for an event's snapshots; organisers only."""

    def organise(self, request: Request) -> None:
        """Require an organiser, and of a token the level that may manage.

        Raises PermissionDenied.
        """
        require_permission(can_manage(self.actor, self.event))
        check_scope(request, self.event, "manage")

    def found(self, snapshot_id: int) -> Snapshot:
        """Return a snapshot of the event; one query. Raises Http404."""
        return get_object_or_404(self.event.snapshots, pk=snapshot_id)


class SnapshotList(SnapshotView):
    """Endpoint: list an event's snapshots, newest first."""

    @extend_schema(operation_id="snapshots_list", responses=SnapshotOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the snapshots, at most twenty."""
        self.organise(request)
        found = self.event.snapshots.select_related("by")
        return self.answer(request, [_json(each) for each in found])


class SnapshotDetail(SnapshotView):
    """Endpoint: download a snapshot as an archive."""

    @extend_schema(operation_id="snapshots_retrieve", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, snapshot_id: int) -> HttpResponse:
        """Return the whole event as the snapshot holds it."""
        self.organise(request)
        archived = snapshot_archive(self.found(snapshot_id))
        response = HttpResponse(archived, content_type="application/json")
        response["Cache-Control"] = "no-store"
        return response


class SnapshotRestore(SnapshotView):
    """Endpoint: restore an event from a snapshot."""

    throttle_scope = "heavy"

    @idempotent_post("snapshots_restore", RestoreInput, EventOutput)
    def post(self, request: Request, slug: str, snapshot_id: int) -> Response:
        """Restore the snapshot; the present state of the event is stored as another snapshot.

        400 ``not_confirmed`` where newer results would be lost and ``confirm`` is not the event's
        name. 409 ``kept_rows_differ`` where the snapshot is not the one that the log names.
        """
        self.organise(request)
        self.found(snapshot_id)
        sent = validate_input(RestoreInput, request.data)
        event = restore_snapshot(
            event=self.event,
            snapshot_id=snapshot_id,
            confirm=sent.get("confirm", ""),
            by=self.actor,
        )
        return Response(event_json(event))


def _json(one: Snapshot) -> Json:
    by = str(one.by) if one.by else None
    at, size = one.at.isoformat(), len(one.document)
    return serialize_row(SnapshotOutput, one, at=at, before=one.act, by=by, size=size)
