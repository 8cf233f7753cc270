"""The final, the next evening and the prizes of a series through the API.

Contracts, *Added: series*.
"""

from zoneinfo import ZoneInfo

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules.events.prizes import format_amount
from tournaments.api.request_context import idempotent_post
from tournaments.api.serialization import (
    LARGEST,
    EventOutput,
    EventTimeField,
    Json,
    Serializer,
    WholeNumberField,
    event_json,
    validate_input,
)
from tournaments.core.permissions import require_permission
from tournaments.events.api import call_with_field_errors
from tournaments.models import Event
from tournaments.prizes.api import PrizesInput
from tournaments.series.api import SeriesView
from tournaments.series.finals import find_final, make_final, make_next_event, replace_finalist
from tournaments.series.prizes import (
    can_see_prizes,
    mark_series_prize,
    series_prizes,
    series_winners,
    set_series_prizes,
)
from tournaments.series.selectors import load_series_table, read_series


class NextInput(Serializer):
    """Start and name of the next event; by default a week later, with the next name."""

    starts_at = EventTimeField(required=False)
    name = serializers.CharField(max_length=120, required=False)


class FinalInput(NextInput):
    """Settings of a series' final.

    ``first`` is the number of players, the first of the standings, seeded by rank;
    ``first_round_byes`` of them, the best seeds, get a bye. By default it is a single elimination
    at the venue of the latest event.
    """

    first = serializers.JSONField()
    first_round_byes = serializers.JSONField(required=False, allow_null=True)
    format = serializers.CharField(max_length=80, required=False)
    formula = serializers.CharField(max_length=80, required=False)


class DeclinedInput(Serializer):
    """The player number, in the final, of a player who declines."""

    number = WholeNumberField(min_value=1, max_value=LARGEST)


class FinalistOutput(Serializer):
    """The player who was invited to the final in place of another."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    seed = serializers.IntegerField()


class SeriesWinnerOutput(Serializer):
    """A person with their prizes; ``value`` is split among ``sharing`` tied people."""

    person = serializers.IntegerField()
    prize = serializers.CharField()
    value = serializers.CharField(allow_null=True)
    sharing = serializers.IntegerField()
    handed_out = serializers.BooleanField()


class SeriesPrizesOutput(PrizesInput):
    """The prizes of a series by place, and its ``winners`` once it is closed."""

    winners = SeriesWinnerOutput(many=True)


class SeriesHandedOutInput(Serializer):
    """The key of a person, and whether they have received their prizes."""

    person = WholeNumberField(min_value=1)
    handed_out = serializers.BooleanField()


class EventCreationView(SeriesView):
    """Base of API views that create an event of a series."""

    @property
    def zone(self) -> ZoneInfo | None:
        """Return the time zone of the latest event, in which a start without offset is."""
        return self.facts.events[-1].zone if self.facts.events else None


class NextEvent(EventCreationView):
    """API view: create the next event of a series."""

    @idempotent_post("series_next", NextInput, {200: EventOutput, 201: EventOutput})
    def post(self, request: Request, slug: str) -> Response:
        """Make the next evening: a draft with settings, staff and tables of the latest.

        200 with the one to come if there is one; with ``starts_at``, one that begins then.
        """
        sent = validate_input(NextInput, request.data, context={"zone": self.zone})
        status = 200

        def make() -> Event:
            nonlocal status
            event, made = make_next_event(series=self.series, **sent, by=self.actor)
            status = 201 if made else 200
            return event

        return Response(event_json(call_with_field_errors(make)), status=status)


class FinalCreation(EventCreationView):
    """API view: create the final of a series."""

    @idempotent_post("series_final", FinalInput, {201: EventOutput})
    def post(self, request: Request, slug: str) -> Response:
        """Make the final: a draft with the first of the table as players.

        400 ``invalid_final`` with ``path``, and the sizes that fit; 409 ``tied_at_cut``,
        ``final_exists``. Personal links are made on the event's own page.
        """
        sent = dict(validate_input(FinalInput, request.data, context={"zone": self.zone}))
        first, byes = sent.pop("first"), sent.pop("first_round_byes", None)
        event = call_with_field_errors(
            lambda: make_final(
                series=self.series,
                first=first,
                first_round_byes=byes,
                values=sent,
                by=self.actor,
            )
        )
        return Response(event_json(event), status=201)


class FinalistReplacement(SeriesView):
    """API view: replace a player who declines the invitation to the final."""

    @idempotent_post("series_final_declined", DeclinedInput, {201: FinalistOutput})
    def post(self, request: Request, slug: str) -> Response:
        """Invite the next of the table for a player who declines; the others move up.

        409 ``nobody_left``, ``event_started``, ``replaced_already``.
        """
        number = validate_input(DeclinedInput, request.data)["number"]
        final = find_final(self.series)
        if final is None:
            raise Http404
        entry = replace_finalist(
            series=self.series, event=final.event, number=number, by=self.actor
        )
        told = {"number": entry.number, "name": entry.display_name, "seed": entry.seed}
        return Response(told, status=201)


class SeriesPrizes(SeriesView):
    """API view: the prizes of a series."""

    @extend_schema(operation_id="series_prizes", responses=SeriesPrizesOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the prizes: everybody's once they are published, else the staff's.

        A closed series has winners; values are shared among tied people.
        """
        require_permission(can_see_prizes(self.facts))
        return self._answer(request)

    @extend_schema(
        operation_id="series_prizes_update", request=PrizesInput, responses=SeriesPrizesOutput
    )
    def put(self, request: Request, slug: str) -> Response:
        """Replace the prizes; organisers, at any time. 400 ``invalid_prizes`` with the path.

        Without ``available`` or ``published`` these stay.
        """
        require_permission(self.facts.may_manage)
        sent = request.data
        if isinstance(sent, dict):
            sent = {key: value for key, value in sent.items() if key != "winners"}
        set_series_prizes(series=self.series, prizes=sent, by=self.actor)
        return self._answer(request)

    @extend_schema(
        operation_id="series_prize_handed_out",
        request=SeriesHandedOutInput,
        responses=SeriesPrizesOutput,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Note that a person has got their prizes, or has not after all; organisers.

        409 ``series_open``, ``no_prize``, ``prize_noted``.
        """
        require_permission(self.facts.may_manage)
        sent = validate_input(SeriesHandedOutInput, request.data)
        mark_series_prize(
            series=self.series, person=sent["person"], given=sent["handed_out"], by=self.actor
        )
        return self._answer(request)

    def _answer(self, request: Request) -> Response:
        self.facts = read_series(self.series.slug, self.actor)
        found: Json = series_prizes(self.series).as_json()
        found["winners"] = [
            {
                "person": one.person.key,
                "prize": one.prize,
                "value": format_amount(one.cents),
                "sharing": one.sharing,
                "handed_out": one.given,
            }
            for one in series_winners(self.series, load_series_table(self.facts))
        ]
        return self.answer(request, found)
