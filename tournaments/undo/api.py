"""Undo and redo through the API."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.request_context import EventView, idempotent_post
from tournaments.api.serialization import Json, Serializer, WholeNumberField, validate_input
from tournaments.core.permissions import can_manage, require_permission
from tournaments.models import Event, LogLine
from tournaments.undo.selectors import (
    LoggedAct,
    logged_action_key,
    logged_action_label,
    undo_options,
    undo_question,
)
from tournaments.undo.services import redo, undo


class ActOutput(Serializer):
    """A logged act; ``version`` is the event's after it.

    ``why_not`` is why it can't be undone, ``asks`` the question to confirm, which names
    consequences; null for none.
    """

    version = serializers.IntegerField()
    action = serializers.CharField()
    name = serializers.CharField()
    subject = serializers.CharField()
    at = serializers.DateTimeField()
    why_not = serializers.CharField(allow_null=True)
    asks = serializers.CharField(allow_null=True)


class UndoOutput(Serializer):
    """The last act, others that can be undone, and the one that can be redone."""

    version = serializers.IntegerField()
    undo = ActOutput(allow_null=True)
    others = ActOutput(many=True)
    redo = ActOutput(allow_null=True)


class UndoInput(Serializer):
    """The act to undo or redo, by the event's ``version`` after it.

    ``confirm`` is the name of the round or event, needed if people have acted on what is removed.
    """

    version = WholeNumberField(min_value=1)
    confirm = serializers.CharField(max_length=200, allow_blank=True, default="")


class UndoView(EventView):
    """Read the last acts of an event, or undo one."""

    @extend_schema(operation_id="undo_retrieve", responses=UndoOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the acts that can be undone and redone now; for organisers.

        ``undo`` is the last act, or the one in the way with ``why_not``; ``others`` stand by
        themselves; ``redo`` was undone last. ``version`` is the event's after the act, ``asks``
        what a page asks before.
        """
        require_permission(can_manage(self.sight, self.event))
        return self.not_modified(request) or self.answer(request, undo_json(self.event))

    @idempotent_post("undo", UndoInput, UndoOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Undo an act; 409 ``stale`` where another is the last, ``not_undoable`` with the reason.

        400 ``not_confirmed`` names what ``confirm`` must be where people have acted on it.
        """
        undo(event=self.event, **_requested_act(request), by=self.actor)
        return Response(undo_json(Event.objects.get(pk=self.event.pk)))


class RedoView(EventView):
    """Redo the act that was undone last."""

    @idempotent_post("redo", UndoInput, UndoOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Redo the act; 409 ``stale`` where an act that matters came after.

        400 ``not_confirmed`` where results would go and ``confirm`` does not name the round.
        """
        redo(event=self.event, **_requested_act(request), by=self.actor)
        return Response(undo_json(Event.objects.get(pk=self.event.pk)))


def undo_json(event: Event) -> Json:
    """Return the acts that can be undone and redone now as JSON.

    The form is that of ``UndoOutput``. Two queries.
    """
    offer = undo_options(event)
    return {
        "version": event.version,
        "undo": _act_json(offer.last) if offer.last else None,
        "others": [_act_json(act) for act in offer.others],
        "redo": _line_json(offer.again, None, again=True) if offer.again else None,
    }


def _act_json(act: LoggedAct) -> Json:
    return _line_json(act.line, str(act.why_not) if act.why_not else None)


def _line_json(line: LogLine, why_not: str | None, *, again: bool = False) -> Json:
    return {
        "version": line.number,
        "action": logged_action_key(line),
        "name": logged_action_label(line),
        "subject": line.subject,
        "at": line.at.isoformat(),
        "why_not": why_not,
        "asks": (undo_question(line, again=again) or None) if why_not is None else None,
    }


def _requested_act(request: Request) -> dict[str, Any]:
    """Return the act that is meant, and the name sent with it, as arguments of the services."""
    sent = validate_input(UndoInput, request.data)
    return {"expected": sent["version"], "confirm": sent["confirm"]}
