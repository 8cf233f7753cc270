"""Events through the API: listed, made, changed, deleted.

Contracts, API.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from config import transaction
from config.wording import explain
from rules.errors import BadInput, RuleError
from rules.wording import gettext_noop
from tournaments.api.event_output import EventOutput
from tournaments.api.fields import validated
from tournaments.api.idempotency import idempotent_post
from tournaments.api.listing import one_of, page_of, query_parameters, stored_texts
from tournaments.api.preconditions import HeedsOwnTag
from tournaments.api.problem_response import refused
from tournaments.api.request_context import EventView, actor_asking, check_scope
from tournaments.api.serialization import Json, event_json, listed_json
from tournaments.core.drawing import drawn, readable_rows
from tournaments.core.permissions import Actor, can_manage, require
from tournaments.core.slugs import check_slug
from tournaments.events.selectors.events import visible_events
from tournaments.events.sent_settings import settings_of
from tournaments.events.serializers import (
    ChangedEventOutput,
    EventChange,
    EventInput,
    InformationInput,
    InformationOutput,
    clashes_json,
)
from tournaments.events.services.events import (
    change_event,
    create_event,
    delete_event,
    move_event,
)
from tournaments.log.services import locked
from tournaments.models import Event
from tournaments.pages.offers import offer, public_read

# What a status asks for, by the action that leads to it.
MOVES = {
    "registration": "open_registration",
    "closed": "close_registration",
    "finished": "finish",
    "running": "reopen",
}


def call_service(write: Any) -> Event:
    """Call a service and return its result. Raises ValidationError with a field for bad options."""
    try:
        event: Event = write()
    except BadInput as fault:
        fields = {
            "bad_name": "name",
            "bad_option": "options",
            "bad_criteria": "criteria",
            "impossible_breaks": "breaks",
            "bad_registration": "registration_opens",
            "unknown_format": "format",
            "foreign_format": "format",
            "foreign_formula": "formula",
            "unknown_formula": "formula",
        }
        own = {"bad_value": str(fault.sentence.values.get("field", ""))}
        if field := (fields | own).get(fault.code):
            raise ValidationError({field: [explain(fault)]}) from None
        raise
    return event


def move_to_status(event: Event, status: str | None, actor: Actor) -> Event:
    """Return the event after the action that leads to a status."""
    if status is None or status == event.state:
        return event
    if status not in MOVES:
        raise ValidationError({"status": [_("An event can't be given this status.")]})
    if status == "running" and event.state != Event.State.FINISHED:
        raise ValidationError({"status": [_("An event is started by its own call, start/.")]})
    return move_event(event=event, action=MOVES[status], by=actor)


FILTERS = ("format", "formula")


class StaleEventError(RuleError):
    """The caller has seen an older version of the event."""

    def __init__(self) -> None:
        super().__init__(
            "stale",
            gettext_noop("The event has changed meanwhile. Nothing was stored: read it again."),
        )


@public_read("status", "format", "formula", "page")
class EventList(HeedsOwnTag, generics.GenericAPIView[Event]):
    """The events that the caller may see, the latest first."""

    serializer_class = EventOutput
    queryset = Event.objects.none()

    @extend_schema(
        operation_id="events_list",
        parameters=query_parameters(*FILTERS, "search", page=True, status=Event.State.values),
        responses=page_of(EventOutput),
        filters=False,
    )
    def get(self, request: Request) -> Response:
        """Return a page of events; ``?status=``, ``?format=``, ``?formula=`` and ``?search=``."""
        check_scope(request, None, "read")
        actor = actor_asking(request)
        if request.auth is None:
            offer(request._request, actor)
        found = visible_events(actor).order_by("-starts_at", "pk")
        if state := one_of(request, "status", Event.State.values):
            found = found.filter(state=state)
        found = found.filter(**stored_texts(request, *FILTERS))
        if words := stored_texts(request, "search").get("search"):
            found = found.filter(name__icontains=words[:80])
        page = self.paginate_queryset(readable_rows(found))
        return self.get_paginated_response(drawn(page or (), listed_json))

    @idempotent_post("events_create", EventInput, {201: EventOutput})
    def post(self, request: Request) -> Response:
        """Make an event; it is a draft that its staff alone sees.

        409 ``slug_taken`` where another event has the ``slug``; one made from the name is free.
        """
        check_scope(request, None, "manage")
        actor = actor_asking(request)
        require(actor.user is not None)
        event = create_from_values(validated(EventInput, request.data), actor)
        return Response(event_json(event), status=201)


@public_read()
class EventDetail(EventView):
    """One event."""

    @extend_schema(operation_id="events_retrieve", responses=EventOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the event."""
        return self.not_modified(request) or self.answer(request, event_json(self.event))

    @extend_schema(operation_id="events_update", request=EventChange, responses=ChangedEventOutput)
    def patch(self, request: Request, slug: str) -> Response:
        """Change settings, or with ``status`` open and close registration or finish.

        409 ``stale`` with the present ``event`` when ``version`` is not that of the event.
        """
        require(can_manage(self.actor, self.event))
        zone = {"zone": self.event.zone}
        sent = validated(EventChange, request.data, partial=True, context=zone)
        try:
            self._change(sent)
        except StaleEventError as stale:
            return refused(request, stale, event=event_json(self.event))
        clashes = clashes_json(self.event, self.actor)
        return self.answer(request, event_json(self.event) | {"table_clashes": clashes})

    @transaction.atomic
    def _change(self, values: Mapping[str, Any]) -> None:
        """Change the event in its present state. Raises StaleEventError."""
        self.event = locked(self.event)
        if values.get("version", self.event.version) != self.event.version:
            raise StaleEventError
        changes = settings_of(values, self.event)
        if changes.pop("slug", self.event.slug) != self.event.slug:
            raise ValidationError({"slug": [_("The slug of an event stays as it is.")]})
        reason = values.get("reason", "")
        self.event = call_service(
            lambda: change_event(event=self.event, changes=changes, by=self.actor, reason=reason)
        )
        self.event = move_to_status(self.event, values.get("status"), self.actor)

    @extend_schema(operation_id="events_delete", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete an event that has not started; 409 afterwards."""
        require(can_manage(self.actor, self.event))
        delete_event(event=self.event, by=self.actor)
        return Response(status=204)


@public_read()
class Information(EventView):
    """The page of information, in Markdown."""

    @extend_schema(operation_id="information_retrieve", responses=InformationOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the text of the information page, empty without one."""
        return self.not_modified(request) or self.answer(request, information_json(self.event))

    @extend_schema(
        operation_id="information_update", request=InformationInput, responses=InformationOutput
    )
    def put(self, request: Request, slug: str) -> Response:
        """Replace the text of the information page; organisers, at any time.

        409 ``stale`` with the present ``information`` when ``version`` is not that of the event.
        """
        require(can_manage(self.actor, self.event))
        sent = validated(InformationInput, request.data)
        try:
            self._write(**sent)
        except StaleEventError as stale:
            return refused(request, stale, information=information_json(self.event))
        return self.answer(request, information_json(self.event))

    @transaction.atomic
    def _write(self, text: str, version: int | None = None) -> None:
        """Store the text. Raises StaleEventError."""
        self.event = locked(self.event)
        if version is not None and version != self.event.version:
            raise StaleEventError
        self.event = change_event(event=self.event, changes={"information": text}, by=self.actor)


def information_json(event: Event) -> Json:
    """Return the page of information."""
    return {"text": event.information, "version": event.version}


@transaction.atomic
def create_from_values(values: Mapping[str, Any], by: Actor) -> Event:
    """Create an event with the requested status."""
    if asked := values.get("slug"):
        check_slug(asked)
    event = call_service(lambda: create_event(values=settings_of(values), by=by))
    return move_to_status(event, values.get("status"), by)
