"""Serializer of an event as ``serialization.event_json`` returns it."""

from rest_framework import serializers

from rules.events.timetable import LONGEST_BREAK, LONGEST_LABEL
from tournaments.api.fields import TIME_OF_DAY, Legs, MatchPoints, Serializer
from tournaments.models import Event


class PointsOutput(Serializer):
    """Points for a win, a draw and a loss; of tables as they were sent."""

    win = MatchPoints(required=False)
    draw = MatchPoints(required=False)
    loss = MatchPoints(required=False)
    preset = serializers.CharField(required=False, help_text="Of tables: win5, win3 or places")
    places = serializers.ListField(child=serializers.IntegerField(), required=False)
    bye = serializers.IntegerField(required=False)


class BreakField(Serializer):
    """A planned break, at a time of the event's own zone."""

    at = serializers.RegexField(TIME_OF_DAY, help_text="13:00")
    minutes = serializers.IntegerField(min_value=1, max_value=LONGEST_BREAK)
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=LONGEST_LABEL, allow_blank=True, default=""
    )


class EventOutput(Serializer):
    """An event's settings and state."""

    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    format = serializers.CharField()
    formula = serializers.CharField()
    legs = Legs(help_text="1 to 4, or a list where stages differ")
    starts_at = serializers.DateTimeField()
    time_zone = serializers.CharField()
    venue = serializers.CharField()
    fee = serializers.CharField()
    registration_opens = serializers.DateTimeField(allow_null=True)
    registration_closes = serializers.DateTimeField(allow_null=True)
    capacity = serializers.IntegerField(allow_null=True)
    decklists = serializers.ChoiceField(choices=Event.Decklists.choices)
    minutes = serializers.IntegerField()
    criteria = serializers.ListField(child=serializers.CharField())
    points = PointsOutput()
    status = serializers.ChoiceField(choices=Event.State.choices)
    options = serializers.DictField()
    show_prospects = serializers.BooleanField()
    apart_clubs = serializers.BooleanField()
    confirm_after = serializers.IntegerField(
        help_text="Minutes until a report counts that nobody answers; 0: never"
    )
    breaks = BreakField(many=True)
    ends_by = serializers.RegexField(
        TIME_OF_DAY,
        allow_null=True,
        help_text="When it must end, by its time zone: 18:30; the next day if that is earlier",
    )
    overtime = serializers.IntegerField(allow_null=True, help_text="Minutes after the clock's end")
    standings_held = serializers.ChoiceField(
        choices=Event.Held.choices, help_text="Which rounds' tables only the staff see; empty: none"
    )
    standings_released = serializers.IntegerField(
        allow_null=True, help_text="The round up to which they were released"
    )
    listed = serializers.BooleanField(
        help_text="Whether it stands in lists, calendar, feed and search; its address works always"
    )
    memberships = serializers.ListField(
        child=serializers.CharField(),
        help_text="Names of the membership numbers that registration asks for",
    )
    tables = serializers.CharField(
        help_text="Its tables in the hall, as 1-20, 31-40; one number: from there on; empty: from 1"
    )
    version = serializers.IntegerField()
