"""Players through the API.

Source: contracts, API.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from config import transaction
from config.sizes import MEBIBYTE
from rules.errors import RuleError
from rules.events.lifecycle import RejoinStatus
from rules.people.contacts import LONGEST_ADDRESS, LONGEST_NUMBER
from rules.people.person_names import clean_club, clean_name
from rules.stages.base import MOST_BYES
from rules.wording import gettext_noop
from tournaments.api.request_context import (
    EventView,
    choice_parameter,
    idempotent_post,
    one_or_many_serializer,
    page_serializer,
    query_parameters,
    storable_text_parameters,
)
from tournaments.api.serialization import (
    LARGEST,
    Json,
    Serializer,
    WholeNumberField,
    field_validation_error,
    reject_unused_fields,
    serialize_row,
    validate_input,
)
from tournaments.core.event_state import load_facts
from tournaments.core.facts_cache import load_departures, read_name_marks
from tournaments.core.names import attach_name_marks, listed_name, load_name_marks
from tournaments.core.permissions import Actor, can_manage, can_run_rounds, require_permission
from tournaments.core.rows import AnyEntry
from tournaments.models import Entry, Event
from tournaments.pages.access import public_read
from tournaments.players.selectors.answers import player_contact
from tournaments.players.selectors.returns import JoinRequest, rejoin_state
from tournaments.players.services.contacts import change_contact
from tournaments.players.services.departures import (
    correct_departure,
    disqualify,
    drop_after_round,
    refuse_rejoin,
    rejoin,
    request_rejoin,
    withdraw,
)
from tournaments.players.services.entries import (
    add_entry,
    admit_waiting_player,
    change_entry,
    check_in,
    remove_entry,
)
from tournaments.players.services.late_entries import LOSS, MISSED, add_late_entry, enter_late


class PlayerInput(Serializer):
    """Request body to add a player or, with some of the fields, to change one."""

    name = serializers.CharField(max_length=200)
    surname = serializers.CharField(
        max_length=80,
        allow_blank=True,
        required=False,
        help_text="The words of the name by which lists are sorted; empty: guessed",
    )
    club = serializers.CharField(max_length=80, allow_blank=True, required=False)
    seed = WholeNumberField(min_value=1, max_value=10_000, allow_null=True, required=False)
    fixed_table = WholeNumberField(min_value=1, max_value=LARGEST, allow_null=True, required=False)
    status = serializers.ChoiceField(choices=Entry.Status.choices, required=False)
    byes = WholeNumberField(
        min_value=0,
        max_value=MOST_BYES,
        required=False,
        help_text="Awarded in rounds 1 to n of Swiss rounds, before the start",
    )
    left = serializers.ChoiceField(
        choices=Entry.Left.choices,
        required=False,
        help_text="Corrects how somebody withdrawn has left",
    )
    leaves_after = serializers.BooleanField(
        required=False,
        help_text="With the status withdrawn: once their match of the round is decided",
    )
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False)
    email = serializers.CharField(
        max_length=LONGEST_ADDRESS,
        allow_blank=True,
        required=False,
        help_text="Organisers only",
    )
    membership = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_NUMBER, allow_blank=True),
        required=False,
        help_text="All numbers by the key of the membership; organisers only",
    )
    late = serializers.ChoiceField(
        choices=list(MISSED),
        required=False,
        help_text="After the start of Swiss rounds: what each round missed counts as; half_bye "
        "where matches are of two and points have halves",
    )
    against_bye = serializers.BooleanField(
        required=False,
        help_text="While a Swiss round is played: the late or returning player meets who has the "
        "bye",
    )
    joins = WholeNumberField(
        min_value=1,
        required=False,
        help_text="The id of a match of the round in play that the late or returning player joins: "
        "of who has the bye or came late too, or a table of three and more without a result",
    )
    extend = serializers.BooleanField(
        required=False, help_text="The new table gets the minutes that have passed"
    )

    def validate_name(self, name: str) -> str:
        """Return the cleaned name. Raises ValidationError."""
        with field_validation_error():
            return clean_name(name)

    def validate_club(self, club: str) -> str:
        """Return the cleaned club. Raises ValidationError."""
        with field_validation_error():
            return clean_club(club)


class PlayerOutput(Serializer):
    """A player of an event; ``number`` identifies the player within the event."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    display_name = serializers.CharField(
        help_text="The name; where another player has it, with the club or the number behind it"
    )
    surname = serializers.CharField(help_text="The words of the name by which lists are sorted")
    status = serializers.ChoiceField(choices=Entry.Status.choices)
    left = serializers.ChoiceField(
        choices=Entry.Left.choices,
        allow_null=True,
        help_text="Of somebody withdrawn: no_show has played no match, dropped has",
    )
    seed = serializers.IntegerField(allow_null=True)
    club = serializers.CharField()
    fixed_table = serializers.IntegerField(allow_null=True)
    byes = serializers.IntegerField(help_text="Awarded in rounds 1 to n, before the start")


class OnePlayerOutput(PlayerOutput):
    """A player, with the fields that only staff, organisers or the player may see."""

    leaves_after = serializers.BooleanField(
        required=False,
        help_text="They drop once their match of the round is decided; the staff and the player",
    )
    email = serializers.CharField(required=False, help_text="Organisers only")
    membership = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        help_text="Numbers by the key of the membership; organisers only",
    )


def player_json(entry: AnyEntry) -> Json:
    """Return a player as JSON, with the fields of ``PlayerOutput``.

    The entry must have its name mark and departure (`attach_name_marks`, `load_departures`).
    """
    return serialize_row(
        PlayerOutput, entry, surname=listed_name(entry).surname, left=entry.departure or None
    )


class EnterInput(Serializer):
    """Request body of a late entry: what missed rounds count as, and a match to join."""

    late = serializers.ChoiceField(choices=list(MISSED), default=LOSS)
    against_bye = serializers.BooleanField(
        default=False, help_text="In the round in play they meet who has the bye"
    )
    joins = WholeNumberField(
        min_value=1, required=False, help_text="The id of a match of the round that they join"
    )
    extend = serializers.BooleanField(
        default=False, help_text="The new table gets the minutes that have passed"
    )


def join_request_from_input(sent: Mapping[str, Any]) -> JoinRequest | None:
    """Return the match to join that validated API input names, None without one.

    ``against_bye`` names the match of the player with the bye. Raises ValidationError for fields
    that exclude each other.
    """
    extend = bool(sent.get("extend"))
    if "joins" in sent:
        reject_unused_fields(sent, "against_bye")
        return JoinRequest(sent["joins"], extend=extend)
    if sent.get("against_bye"):
        return JoinRequest(extend=extend)
    reject_unused_fields(sent, "extend")
    return None


MOST_AT_ONCE = 2_000
CHANGES = ("name", "surname", "club", "seed", "fixed_table", "byes")
Status = Entry.Status


@public_read("status", "page")
class PlayerList(EventView):
    """Endpoint that lists an event's players by number, or adds one."""

    largest_body = 2 * MEBIBYTE  # two thousand players

    @extend_schema(
        operation_id="players_list",
        parameters=query_parameters("club", "search", page=True, status=Status.values),
        responses=page_serializer(PlayerOutput),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of players; ``?status=``, ``?club=`` and ``?search=`` leave only those.

        Those with ``?status=waiting`` come in the order of the waiting list.
        """
        if (same := self.not_modified(request)) is not None:
            return same
        found = self.event.entries.order_by("number")
        if status := choice_parameter(request, "status", Status.values):
            found = found.filter(status=status)
        if status == Status.WAITING:
            found = found.order_by("waiting_since", "number")
        found = found.filter(**storable_text_parameters(request, "club"))
        if words := storable_text_parameters(request, "search").get("search"):
            found = found.filter(name__icontains=words[:80])
        marks = read_name_marks(self.event)
        return self.paged(request, found, lambda entry: self.shown(entry, marks))

    def shown(self, entry: Entry, marks: Mapping[int, str]) -> Json:
        """Return a player, told apart."""
        return player_json(*load_departures(self.event, attach_name_marks((entry,), marks)))

    @idempotent_post(
        "players_create",
        one_or_many_serializer(PlayerInput),
        {201: one_or_many_serializer(PlayerOutput)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter a player, or each of a list of players, all or none.

        After the start Swiss rounds take players with ``late``.
        """
        require_permission(can_run_rounds(self.actor, self.event))
        many = isinstance(request.data, list)
        if many and len(request.data) > MOST_AT_ONCE:
            words = _("At most %(most)s are allowed.") % {"most": MOST_AT_ONCE}
            raise ValidationError([words])
        sent = validate_input(PlayerInput, request.data, many=many)
        people = sent if many else [sent]
        added = self._add_all(people)
        return Response(added if many else added[0], status=201)

    @transaction.atomic
    def _add_all(self, people: list[dict[str, Any]]) -> list[Json]:
        added = [self._add(person) for person in people]
        told = load_departures(self.event, attach_name_marks(added, load_name_marks(self.event)))
        return [player_json(entry) for entry in told]

    def _add(self, person: dict[str, Any]) -> Entry:
        entry = self._entered(person)
        if person.get("fixed_table"):
            changes = {"fixed_table": person["fixed_table"]}
            entry = change_entry(entry=entry, changes=changes, by=self.actor)
        change_requested_contact(entry, person, self.actor)
        return change_requested_status(entry, person, self.actor)

    def _entered(self, person: dict[str, Any]) -> Entry:
        given = {key: person[key] for key in ("name", "surname", "club") if key in person}
        joins = join_request_from_input(person)
        if "late" not in person and joins is None:
            more = {"seed": person.get("seed"), "byes": person.get("byes", 0)}
            return add_entry(event=self.event, **given, **more, by=self.actor)
        reject_unused_fields(person, "byes")
        if person.get("seed") is not None:
            raise ValidationError({"seed": [_("The event has started.")]})
        missed = person.get("late", LOSS)
        return add_late_entry(event=self.event, **given, missed=missed, joins=joins, by=self.actor)


class PlayerView(EventView):
    """Base of the endpoints for one player."""

    def entry(self, number: int) -> Entry:
        """Return a player by number, told apart; at most two queries. Raises Http404."""
        entry = attach_name_marks([super().entry(number)], read_name_marks(self.event))
        return load_departures(self.event, entry)[0]

    def player_tag(self, request: Request, entry: Entry) -> str:
        """Return the ETag of a player, which changes with that player only."""
        shown = player_json(entry) | self.private(entry)
        return self.tag_of(request, f"player {entry.pk}", *shown.values())

    def now(self, entry: Entry) -> Json:
        """Return a player who was changed; two queries, those of the facts for one withdrawn."""
        self.event = Event.objects.get(pk=self.event.pk)  # facts go by its version
        told = attach_name_marks((entry,), load_name_marks(self.event))
        return player_json(*load_departures(self.event, told))

    def private(self, entry: Entry) -> Json:
        """Return what the staff, organisers and the player alone may know; at most one query."""
        if not (can_run_rounds(self.sight, self.event) or self.sight.is_entry(entry)):
            return {}
        leaves = {"leaves_after": entry.plays and entry.number in self.event.leaving}
        if not can_manage(self.sight, self.event):
            return leaves
        found = player_contact(entry)
        return leaves | {"email": found.email, "membership": found.memberships}

    def tags(self, request: Request) -> Iterator[str]:
        """Yield the accepted ETags, that of the player included."""
        yield from super().tags(request)
        yield self.player_tag(request, self.entry(self.kwargs["number"]))


class PlayerDetail(PlayerView):
    """Endpoint to read, change or delete a player."""

    def tag(self, request: Request) -> str:
        """Return the ETag of the player."""
        return self.player_tag(request, self.entry(self.kwargs["number"]))

    @extend_schema(operation_id="players_retrieve", responses=OnePlayerOutput)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return the player."""
        same = self.not_modified(request)
        if same:
            return same
        entry = self.entry(number)
        return self.answer(request, player_json(entry) | self.private(entry))

    @extend_schema(operation_id="players_update", request=PlayerInput, responses=OnePlayerOutput)
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Change a player; with ``status`` check in, withdraw, disqualify, reinstate.

        A waiting player who becomes ``registered`` or ``checked_in`` gets a free place: 409
        ``no_free_place``. ``disqualified`` needs a ``reason``, which the player reads: 400
        ``reason_missing``. ``withdrawn`` with ``leaves_after`` waits for the end of their match. A
        withdrawn player who becomes ``registered`` is back from the next Swiss round on, in the
        present one by ``against_bye`` or ``joins``: 409 ``no_bye``, ``no_seat``,
        ``too_few_tables``. Wrong contacts: 400 ``bad_email``, ``bad_membership``,
        ``bad_memberships``, ``membership_twice``. ``byes`` after the start: 409 ``event_started``;
        ``left`` of others: 409 ``not_withdrawn``.
        """
        entry, runs = self.entry(number), can_run_rounds(self.actor, self.event)
        require_permission(runs or self.actor.is_entry(entry))
        sent = validate_input(PlayerInput, request.data, partial=True)
        reject_unused_fields(sent, "late")
        require_permission(runs or "status" in sent)  # a player may leave, and no more
        entry = self._change(entry, sent)
        return self.answer(request, self.now(entry) | self.private(entry))

    @transaction.atomic
    def _change(self, entry: Entry, values: dict[str, Any]) -> Entry:
        left = entry.status in (Status.WITHDRAWN, Status.DISQUALIFIED)
        if not left or values.get("status") != Status.REGISTERED:
            reject_unused_fields(values, "against_bye", "joins", "extend")
        changes = {key: values[key] for key in CHANGES if key in values}
        if changes:
            entry = change_entry(entry=entry, changes=changes, by=self.actor)
        change_requested_contact(entry, values, self.actor)
        entry = change_requested_status(entry, values, self.actor)
        if "left" in values:
            entry = correct_departure(entry=entry, left=values["left"], by=self.actor)
        return entry

    @extend_schema(operation_id="players_delete", responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Take a player off the list, before the start."""
        remove_entry(entry=self.entry(number), by=self.actor)
        return Response(status=204)


def change_requested_contact(entry: Entry, values: dict[str, Any], by: Actor) -> None:
    """Change a player's contact if validated API input contains one.

    Its keys are ``email`` and ``membership``.
    """
    sent = {"email": values.get("email"), "memberships": values.get("membership")}
    if any(value is not None for value in sent.values()):
        change_contact(entry=entry, **sent, by=by)


def change_requested_status(entry: Entry, values: dict[str, Any], by: Actor) -> Entry:
    """Change a player's status as validated API input requests; return the player.

    Without ``status``, or with the present one, nothing changes. Raises RuleError
    ``status_not_possible`` and those of the service for the new status.
    """
    status, reason = values.get("status"), values.get("reason", "")
    if status is None:
        reject_unused_fields(values, "reason")
    if status != Status.WITHDRAWN:
        reject_unused_fields(values, "leaves_after")
    if status is None or status == entry.status:
        return entry
    if status == Status.WITHDRAWN:
        leave = drop_after_round if values.get("leaves_after") else withdraw
        return leave(entry=entry, reason=reason, by=by)
    if status == Status.DISQUALIFIED:
        return disqualify(entry=entry, reason=reason, by=by)
    if entry.status == Status.WAITING and status in (Status.REGISTERED, Status.CHECKED_IN):
        return admit_waiting_player(entry=entry, here=status == Status.CHECKED_IN, by=by)
    if status == Status.CHECKED_IN:
        return check_in(entry=entry, by=by)
    if status == Status.REGISTERED and entry.status == Status.CHECKED_IN:
        return check_in(entry=entry, action="undo_check_in", by=by)
    if status == Status.REGISTERED:
        return rejoin(entry=entry, reason=reason, joins=join_request_from_input(values), by=by)
    raise RuleError(
        "status_not_possible",
        gettext_noop("Choose one of the options."),
    )


class LateEntry(PlayerView):
    """Endpoint for the late entry of a player on the waiting list."""

    @idempotent_post("players_enter", EnterInput, PlayerOutput)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Enter a waiting player into Swiss rounds after the start, with number, link and list.

        ``late`` is what each missed round counts as. 409 ``event_not_running``,
        ``event_finished``, ``entry_not_waiting``, ``late_entry_not_possible``, ``rounds_over``,
        ``no_bye``, ``no_seat``, ``too_few_tables``.
        """
        entry = self.entry(number)
        sent = validate_input(EnterInput, request.data)
        joins = join_request_from_input(sent)
        entry = enter_late(entry=entry, missed=sent["late"], joins=joins, by=self.actor)
        return Response(self.now(entry))


class ReturnOutput(Serializer):
    """Whether a dropped player may rejoin, and when they asked or were refused."""

    state = serializers.ChoiceField(choices=list(RejoinStatus))
    asked_at = serializers.DateTimeField(allow_null=True)
    refused_at = serializers.DateTimeField(allow_null=True)


class RejoinRequest(PlayerView):
    """Endpoint for a dropped player's request to rejoin."""

    @extend_schema(operation_id="players_return_retrieve", responses=ReturnOutput)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return whether the player can come back, and what became of their request.

        ``state`` is ``may_ask``, ``asked``, ``refused``, or why it is not possible: ``struck``,
        ``all_played``, ``no_place``, ``not_offered``.
        """
        entry = self.entry(number)
        require_permission(can_run_rounds(self.sight, self.event) or self.sight.is_entry(entry))
        return Response(self._json(entry))

    @idempotent_post("players_return_create", None, ReturnOutput)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Ask to be taken back, as the player; asking again while it is open changes nothing.

        409 ``entry_not_withdrawn``, ``return_not_possible``, ``return_refused``.
        """
        return Response(self._json(request_rejoin(entry=self.entry(number), by=self.actor)))

    @extend_schema(operation_id="players_return_delete", responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Refuse the player's open request, as the staff.

        409 ``return_not_asked``. Accept it by the player's ``status``, ``registered``.
        """
        refuse_rejoin(entry=self.entry(number), by=self.actor)
        return Response(status=204)

    def _json(self, entry: Entry) -> Json:
        state = rejoin_state(load_facts(entry.event, for_staff=False), entry)
        asked_at, refused_at = entry.return_asked_at, entry.return_refused_at
        return {"state": state, "asked_at": asked_at, "refused_at": refused_at}
