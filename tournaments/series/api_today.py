"""The day of a series through the API. Contracts, *Added: series*."""

from collections.abc import Iterable
from functools import cached_property

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.request_context import query_parameters, text_parameters
from tournaments.api.serialization import Json, Serializer
from tournaments.core.clocks import clock_json
from tournaments.core.draw_origins import map_readable_rows
from tournaments.core.facts_cache import read_facts
from tournaments.models import Event
from tournaments.pages.access import apply_due_writes
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.screen.selectors import still_playing
from tournaments.series.api import SeriesView
from tournaments.series.today import PlayerSeat, events_today, list_seats, search_seats

NO_STORE = {"Cache-Control": "private, no-cache"}


class DayClockOutput(Serializer):
    """A round timer: ``remaining`` seconds, and the round's full length in ``minutes``."""

    state = serializers.CharField()
    remaining = serializers.IntegerField()
    minutes = serializers.IntegerField()


class DayEventOutput(Serializer):
    """An event of the day.

    ``tables`` counts the tables of the present round, ``missing`` those without a final result.
    """

    slug = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(Event.State.choices)
    starts_at = serializers.DateTimeField()
    round = serializers.IntegerField(allow_null=True)
    clock = DayClockOutput(allow_null=True)
    tables = serializers.IntegerField()
    missing = serializers.IntegerField()


class DayOutput(Serializer):
    """The events of a series that are running, and those that begin today."""

    events = DayEventOutput(many=True)


class OpponentOutput(Serializer):
    """A player at the same table: number in the event, and name."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class SeatOutput(OpponentOutput):
    """Where a player sits, and ``against`` whom.

    ``event`` is a slug. ``table`` is null without a match, ``round`` (a label) before the first.
    """

    event = serializers.CharField()
    round = serializers.CharField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)
    against = OpponentOutput(many=True)


class SeatsOutput(Serializer):
    """Where the day's players sit."""

    seats = SeatOutput(many=True)


class DayView(SeriesView):
    """Base of API views about a series' events of today."""

    @cached_property
    def events(self) -> list[Event]:
        """Return the events of the day, as they are now."""
        return [apply_due_writes(event) for event in events_today(self.facts.events)]


class SeriesTodayView(DayView):
    """API view: the events of a series today."""

    @extend_schema(operation_id="series_today", responses=DayOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the events that run, and those that begin today; drafts are not among them."""
        return Response({"events": map_readable_rows(self.events, _event_json)}, headers=NO_STORE)


class Seats(DayView):
    """API view: where the players of today's events sit."""

    @extend_schema(
        operation_id="series_seats",
        parameters=query_parameters("name"),
        responses=SeatsOutput,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return where players sit in the events of today; with ``name`` those called so.

        Each word of it begins one of the player's name.
        """
        called = text_parameters(request, "name").get("name", "")
        seats = search_seats(list_seats(self.events), called)
        return Response({"seats": [*map(_seat_json, seats)]}, headers=NO_STORE)


def _event_json(event: Event) -> Json:
    facts = read_facts(event)
    found = facts.latest_published if event.state == Event.State.RUNNING else None
    shown = pairings_page(facts) if found else None
    left = still_playing(shown) if shown else {"all": 0, "count": 0}
    timed = found is not None and found[0].plan.timed
    return {
        "slug": event.slug,
        "name": event.name,
        "state": event.state,
        "starts_at": event.starts_at.isoformat(),
        "round": found[1].ordinal if found else None,
        "clock": clock_json(event, found[1], timed=timed) if found else None,
        "tables": left["all"],
        "missing": left["count"],
    }


def _seat_json(seat: PlayerSeat) -> Json:
    return {
        "event": seat.event.slug,
        "number": seat.entry.number,
        "name": seat.entry.display_name,
        "round": seat.round or None,
        "table": seat.row.table if seat.row else None,
        "seat": seat.row.seat if seat.row else None,
        "against": [*_opponents(seat)],
    }


def _opponents(seat: PlayerSeat) -> Iterable[Json]:
    for other in seat.others:
        yield {"number": other.number, "name": other.display_name}
