"""Events through the API: listed, made, changed, deleted; their settings as they are sent.

Source: contracts, API.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from config import transaction
from config.wording import error_message
from decks.stored_formats import load_format
from rules.criteria import CRITERIA
from rules.criteria.of_tables import TABLE_CRITERIA
from rules.errors import BadInput, RuleError
from rules.events.timetable import MOST_BREAKS
from rules.formulas.base import check_option
from rules.people.contacts import LONGEST_MEMBERSHIP, MOST_MEMBERSHIPS, read_terms
from rules.wording import gettext_noop
from tournaments.api.request_context import (
    EventView,
    OwnETagMixin,
    check_scope,
    choice_parameter,
    idempotent_post,
    page_serializer,
    problem_response,
    query_parameters,
    request_actor,
    storable_text_parameters,
)
from tournaments.api.serialization import (
    BreakField,
    EventOutput,
    EventTimeField,
    Json,
    LegsField,
    MatchPointsField,
    Serializer,
    TimeOfDayField,
    WholeNumberField,
    checked_event_json,
    event_json,
    field_validation_error,
    validate_input,
)
from tournaments.core.draw_origins import map_readable_rows, readable_rows
from tournaments.core.formulas import formula_by_slug, is_multiplayer, points_columns, result_points
from tournaments.core.moments import zone_choices
from tournaments.core.permissions import Actor, can_manage, require_permission
from tournaments.core.slugs import check_slug
from tournaments.core.valid_columns import column_validator, integer_limits
from tournaments.events.selectors.events import table_clashes, visible_events
from tournaments.events.selectors.games import default_settings
from tournaments.events.services import (
    LONGEST_INFORMATION,
    change_event,
    change_event_state,
    create_event,
    delete_event,
)
from tournaments.log.services import lock_event
from tournaments.models import Event
from tournaments.models.play import MOST_SEATS
from tournaments.pages.access import allow_caching, public_read


def _number_field(column: str, **options: Any) -> serializers.IntegerField:
    """Return a field for a column of whole numbers, within the column's limits."""
    return serializers.IntegerField(**integer_limits(Event, column), required=False, **options)


def _text_field(column: str, **options: Any) -> serializers.CharField:
    """Return a field for a column of text, held to what the column may hold."""
    checks = [column_validator(Event, column)]
    return serializers.CharField(allow_blank=True, required=False, validators=checks, **options)


class PointsInput(Serializer):
    """Points for a win, a draw and a loss.

    At multiplayer tables a ``preset``, or points by place (``places``).
    """

    win = MatchPointsField(required=False)
    draw = MatchPointsField(required=False)
    loss = MatchPointsField(required=False)
    preset = serializers.CharField(
        max_length=20, required=False, help_text="Of tables: win5, win3 or places"
    )
    places = serializers.ListField(
        child=_number_field("points_win"),
        min_length=1,
        max_length=MOST_SEATS,
        required=False,
        help_text="Of tables: the points of place 1, 2, …",
    )
    bye = _number_field("points_win", help_text="Of tables: the points of a bye")


def _known_slug(slug: str, find: Callable[[str], object]) -> str:
    """Return a slug that can be found. Raises ValidationError."""
    with field_validation_error():
        find(slug)
    return slug


class EventInput(Serializer):
    """Request body to create an event: its settings."""

    name = serializers.CharField(max_length=120)
    slug = serializers.SlugField(
        max_length=70, required=False, help_text="Made from the name unless one is asked for"
    )
    about = _text_field("about")
    format = serializers.CharField(max_length=60)
    formula = serializers.CharField(max_length=60)
    legs = LegsField(required=False)
    starts_at = EventTimeField(default=timezone.now)
    time_zone = serializers.CharField(required=False)
    venue = _text_field("venue", max_length=200)
    fee = _text_field("fee", max_length=200)
    registration_opens = EventTimeField(allow_null=True, required=False)
    registration_closes = EventTimeField(allow_null=True, required=False)
    capacity = _number_field("capacity", allow_null=True)
    decklists = serializers.ChoiceField(choices=Event.Decklists.choices, required=False)
    minutes = _number_field("minutes")
    criteria = serializers.ListField(
        child=serializers.ChoiceField(choices=[]), allow_empty=False, required=False
    )
    points = PointsInput(required=False)
    options = serializers.DictField(required=False)
    show_prospects = serializers.BooleanField(required=False)
    apart_clubs = serializers.BooleanField(required=False)
    paired_elsewhere = serializers.BooleanField(required=False)
    confirm_after = _number_field("confirm_after", help_text="Minutes; 0: the opponent confirms")
    breaks = serializers.ListField(child=BreakField(), max_length=MOST_BREAKS, required=False)
    ends_by = TimeOfDayField(
        allow_null=True, required=False, help_text="18:30, by its time zone; null: no such hour"
    )
    overtime = _number_field("overtime", allow_null=True)
    standings_held = serializers.ChoiceField(choices=Event.Held.choices, required=False)
    listed = serializers.BooleanField(required=False)
    tables = _text_field("tables", max_length=120, help_text="Its tables in the hall: 1-20, 31-40")
    memberships = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_MEMBERSHIP),
        max_length=MOST_MEMBERSHIPS,
        required=False,
        help_text="Names of the membership numbers that registration asks for",
    )
    reason = serializers.CharField(
        max_length=300,
        required=False,
        help_text="Why the criteria of a running event change; asked for then",
    )
    status = serializers.ChoiceField(choices=Event.State.choices, required=False)

    def get_fields(self) -> dict[str, Any]:
        """Fill in the choices of registered formats, formulas and criteria."""
        fields = super().get_fields()
        known = dict.fromkeys((*CRITERIA.keys(), *TABLE_CRITERIA.keys()))
        fields["criteria"].child.choices = list(known)  # type: ignore[attr-defined]
        return fields

    def validate_slug(self, slug: str) -> str:
        """Return the slug in lower case. Raises ValidationError without a letter or digit."""
        small = slugify(slug).strip("-")
        if not small:
            raise serializers.ValidationError(_("A slug must contain a letter or digit."))
        return small

    def validate_memberships(self, names: list[str]) -> list[str]:
        """Return the names, each once. Raises ValidationError."""
        with field_validation_error():
            return list(read_terms({"memberships": names}).memberships)

    def validate_format(self, slug: str) -> str:
        """Return a known format. Raises ValidationError."""
        return _known_slug(slug, load_format)

    def validate_formula(self, slug: str) -> str:
        """Return a known formula. Raises ValidationError."""
        return _known_slug(slug, formula_by_slug)

    def validate_time_zone(self, name: str) -> str:
        """Return an existing time zone. Raises ValidationError."""
        if (name, name) not in zone_choices():
            raise serializers.ValidationError(_("Choose one of the options."))
        return name


class EventChange(EventInput):
    """Request body to change an event; ``version``: that which the caller read."""

    version = WholeNumberField(
        min_value=0, required=False, help_text="409 where the event has another by now"
    )


class TableClashOutput(Serializer):
    """An event of the same day and venue, and the tables that both events use."""

    event = serializers.CharField(help_text="Its slug")
    tables = serializers.CharField()


class ChangedEventOutput(EventOutput):
    """An event after a change, with the events that use the same tables."""

    table_clashes = TableClashOutput(
        many=True, help_text="Of the same day and venue; only events that the caller may see"
    )


def clashes_json(event: Event, actor: Actor) -> list[Json]:
    """Return [{event, tables}]: other events that use tables of this event.

    Only events that the actor may see. ``event`` is a slug, ``tables`` text such as "1–20".
    """
    found = table_clashes(event, actor).clashes
    return [
        {"event": one["event"].slug, "tables": one["tables"].in_words}
        for one in found
        if one["event"]
    ]


class InformationOutput(Serializer):
    """The text of an event's information page."""

    text = serializers.CharField(help_text="Markdown; HTML and images are left out of the page")
    version = serializers.IntegerField(help_text="Of the event")


class InformationInput(Serializer):
    """Request body: a new text; ``version``: of the event as the caller read it."""

    text = serializers.CharField(
        max_length=LONGEST_INFORMATION, allow_blank=True, trim_whitespace=False
    )
    version = WholeNumberField(
        min_value=0, required=False, help_text="409 where the event has another by now"
    )


NO_SETTING = frozenset({"legs", "status", "reason", "version"})


def settings_from_input(values: Mapping[str, Any], event: Event | None = None) -> dict[str, Any]:
    """Return validated API input as settings for the services.

    ``event``: the one that is changed, None for a new one.
    """
    settings = {key: value for key, value in values.items() if key not in NO_SETTING}
    points = settings.pop("points", None)
    formula = settings.get("formula") or (event.formula if event else "")
    if points:
        settings |= _points_settings(formula, points, settings.get("format"), event)
    elif event is not None and formula != event.formula:
        settings["table_points"] = None
    if "breaks" in settings:
        settings["breaks"] = [dict(one) for one in settings["breaks"]]
    if "memberships" in settings:
        terms, names = event.contact_terms if event else {}, settings.pop("memberships")
        if names != terms.get("memberships", []):
            settings["contact_terms"] = {**terms, "memberships": names}
    if "options" in settings or "legs" in values:
        before = event.options if event and event.formula == formula else {}
        options = {**before, **settings.get("options", {})}
        if "legs" in values:
            options |= _legs_option(formula, values["legs"])
        settings["options"] = options
    elif event is not None and formula != event.formula:
        settings["options"] = {}
    return settings


def _points_settings(
    formula: str, points: Mapping[str, Any], format_slug: str | None, event: Event | None
) -> dict[str, Any]:
    """Return points as settings: those of places where the formula has multiplayer tables.

    Raises ValidationError.
    """
    if is_multiplayer(formula):
        return {"table_points": {key: _whole_points(value) for key, value in points.items()}}
    unused = sorted(set(points) - {"win", "draw", "loss"})
    if unused:
        raise ValidationError({"points": [_("Only for multiplayer tables.")]})
    return _points_columns(points, format_slug, event)


def _whole_points(value: Any) -> Any:
    """Return points as JSON; raises ValidationError for a part of a point."""
    if isinstance(value, Fraction):
        if value.denominator > 1:
            raise ValidationError({"points": [_("A whole number.")]})
        return int(value)
    return value


def _points_columns(
    points: Mapping[str, Fraction], format_slug: str | None, event: Event | None
) -> dict[str, Any]:
    """Return the columns of the points sent; those left out are the event's, else the usual."""
    usual = {} if event else default_settings(str(format_slug))
    present = event or Event(**{key: one for key, one in usual.items() if "points" in key})
    worth = dict(zip(("win", "draw", "loss"), result_points(present), strict=True))
    return points_columns(**{**worth, **points})


def _legs_option(formula: str, legs: int | list[int]) -> dict[str, Any]:
    """Return the formula option ``legs``, empty if the formula has none. Raises ValidationError."""
    option = formula_by_slug(formula).option("legs")
    if option is None:
        if legs in (1, [1]):
            return {}
        raise ValidationError({"legs": [_("Leave this out.")]})
    value: object = legs[0] if isinstance(legs, list) and len(legs) == 1 else legs
    if option.kind == "choices":
        value = [legs] * len(option.items) if isinstance(legs, int) else legs
    try:
        return {"legs": check_option(option, value)}
    except BadInput as wrong:
        raise ValidationError({"legs": [error_message(wrong)]}) from None


# What a status asks for, by the action that leads to it.
MOVES = {
    "registration": "open_registration",
    "closed": "close_registration",
    "finished": "finish",
    "running": "reopen",
}


def call_with_field_errors(write: Any) -> Event:
    """Return the event that ``write()`` returns; raises ValidationError by field.

    Only for BadInput codes that belong to a field; other errors are unchanged.
    """
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
            "no_swiss_rounds": "paired_elsewhere",
            "foreign_formula": "formula",
            "unknown_formula": "formula",
        }
        own = {"bad_value": str(fault.sentence.values.get("field", ""))}
        if field := (fields | own).get(fault.code):
            raise ValidationError({field: [error_message(fault)]}) from None
        raise
    return event


def move_to_status(event: Event, status: str | None, actor: Actor) -> Event:
    """Open, close or finish an event as requested by ``status``; return it.

    None leaves it unchanged. Raises ValidationError for an impossible status.
    """
    if status is None or status == event.state:
        return event
    if status not in MOVES:
        raise ValidationError({"status": [_("Choose one of the options.")]})
    if status == "running" and event.state != Event.State.FINISHED:
        raise ValidationError({"status": [_("To start the event, call start/ instead.")]})
    return change_event_state(event=event, action=MOVES[status], by=actor)


FILTERS = ("format", "formula")


class StaleEventError(RuleError):
    """Error for a caller who read an older version of the event."""

    def __init__(self) -> None:
        super().__init__(
            "stale",
            gettext_noop("The resource has changed. Read it again."),
        )


def _locked_as_seen(event: Event, version: int | None) -> Event:
    """Return the event, locked. Raises StaleEventError if it has another version by now."""
    event = lock_event(event)
    if version not in (None, event.version):
        raise StaleEventError
    return event


@public_read("status", "format", "formula", "page")
class EventList(OwnETagMixin, generics.GenericAPIView[Event]):
    """Endpoint that lists the events that the caller may see, or creates one."""

    serializer_class = EventOutput
    queryset = Event.objects.none()

    @extend_schema(
        operation_id="events_list",
        parameters=query_parameters(*FILTERS, "search", page=True, status=Event.State.values),
        responses=page_serializer(EventOutput),
        filters=False,
    )
    def get(self, request: Request) -> Response:
        """Return a page of events; ``?status=``, ``?format=``, ``?formula=`` and ``?search=``."""
        check_scope(request, None, "read")
        actor = request_actor(request)
        if request.auth is None:
            allow_caching(request._request, actor)
        found = visible_events(actor).order_by("-starts_at", "pk")
        if state := choice_parameter(request, "status", Event.State.values):
            found = found.filter(state=state)
        found = found.filter(**storable_text_parameters(request, *FILTERS))
        if words := storable_text_parameters(request, "search").get("search"):
            found = found.filter(name__icontains=words[:80])
        page = self.paginate_queryset(readable_rows(found))
        return self.get_paginated_response(map_readable_rows(page or (), checked_event_json))

    @idempotent_post("events_create", EventInput, {201: EventOutput})
    def post(self, request: Request) -> Response:
        """Make an event; it is a draft that its staff alone sees.

        409 ``slug_taken`` where another event has the ``slug``; one made from the name is free.

        Without them points, tiebreakers and minutes are those of its format, and a match for third
        place is off. ``points`` may be halves and quarters as text (``"5/4"``). At multiplayer
        tables they are ``{"preset": "win5"}`` (``win3``, ``places``), ``win``, ``draw``, ``loss``
        and ``bye``, or ``{"places": [4, 3, 2, 1], "bye": 4}``. 400 ``criterion_needs_two``,
        ``invalid_sizes``, ``invalid_cut``, ``unknown_points``, ``invalid_points``,
        ``format_needs_two``, ``invalid_tables``.
        """
        check_scope(request, None, "manage")
        actor = request_actor(request)
        require_permission(actor.user is not None)
        event = create_from_values(validate_input(EventInput, request.data), actor)
        return Response(event_json(event), status=201)


@public_read()
class EventDetail(EventView):
    """Endpoint for one event with its settings."""

    @extend_schema(operation_id="events_retrieve", responses=EventOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the event."""
        return self.not_modified(request) or self.answer(request, event_json(self.event))

    @extend_schema(operation_id="events_update", request=EventChange, responses=ChangedEventOutput)
    def patch(self, request: Request, slug: str) -> Response:
        """Change settings, or with ``status`` open and close registration or finish.

        409 ``stale`` with the present ``event`` when ``version`` is not that of the event.

        ``table_clashes`` names events of the same day and venue that share table numbers. 409
        ``too_few_tables`` where a round needs more; a drafted round gets the new tables. What
        players registered for can't change after the start.
        """
        require_permission(can_manage(self.actor, self.event))
        zone = {"zone": self.event.zone}
        sent = validate_input(EventChange, request.data, partial=True, context=zone)
        try:
            self._change(sent)
        except StaleEventError as stale:
            return problem_response(request, stale, event=event_json(self.event))
        clashes = clashes_json(self.event, self.actor)
        return self.answer(request, event_json(self.event) | {"table_clashes": clashes})

    @transaction.atomic
    def _change(self, values: Mapping[str, Any]) -> None:
        """Change the event in its present state. Raises StaleEventError."""
        self.event = _locked_as_seen(self.event, values.get("version"))
        changes = settings_from_input(values, self.event)
        if changes.pop("slug", self.event.slug) != self.event.slug:
            raise ValidationError({"slug": [_("This can’t be changed.")]})
        reason = values.get("reason", "")
        self.event = call_with_field_errors(
            lambda: change_event(event=self.event, changes=changes, by=self.actor, reason=reason)
        )
        self.event = move_to_status(self.event, values.get("status"), self.actor)

    @extend_schema(operation_id="events_delete", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete an event that has not started; 409 afterwards."""
        require_permission(can_manage(self.actor, self.event))
        delete_event(event=self.event, by=self.actor)
        return Response(status=204)


class FinishEvent(EventView):
    """Endpoint that finishes an event."""

    @idempotent_post("events_finish", None, EventOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Finish the event; where nothing is missing the last stage is closed in the same act.

        409 with what is missing, ``stage_open`` before the last stage.
        """
        require_permission(can_manage(self.actor, self.event))
        finished = change_event_state(event=self.event, action="finish", by=self.actor)
        return Response(event_json(finished))


@public_read()
class EventInformation(EventView):
    """Endpoint for an event's information page, in Markdown."""

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
        require_permission(can_manage(self.actor, self.event))
        sent = validate_input(InformationInput, request.data)
        try:
            self._write(**sent)
        except StaleEventError as stale:
            return problem_response(request, stale, information=information_json(self.event))
        return self.answer(request, information_json(self.event))

    @transaction.atomic
    def _write(self, text: str, version: int | None = None) -> None:
        """Store the text. Raises StaleEventError."""
        self.event = _locked_as_seen(self.event, version)
        self.event = change_event(event=self.event, changes={"information": text}, by=self.actor)


def information_json(event: Event) -> Json:
    """Return an event's information page as {text, version}."""
    return {"text": event.information, "version": event.version}


@transaction.atomic
def create_from_values(values: Mapping[str, Any], by: Actor) -> Event:
    """Create an event from validated API input, in the requested status; return it."""
    if asked := values.get("slug"):
        check_slug(asked)
    event = call_with_field_errors(lambda: create_event(values=settings_from_input(values), by=by))
    return move_to_status(event, values.get("status"), by)
