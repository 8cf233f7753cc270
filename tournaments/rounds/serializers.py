"""Serializers of rounds and their matches."""

from typing import Any

from rest_framework import serializers

from rules.events.clock import MOST_MINUTES, ClockAction, ClockState
from rules.results import Mark
from tournaments.api.fields import Numbers, Serializer, Whole, refuse_unused
from tournaments.models import Match, Round


class MatchOutput(Serializer):
    """A match and the result that counts."""

    id = serializers.IntegerField()
    stage = serializers.IntegerField()
    group = serializers.CharField()
    round = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    plays_at = serializers.IntegerField(
        allow_null=True, help_text="Its table, or that beside a later round"
    )
    a = serializers.IntegerField(allow_null=True, help_text="Null where three or more play")
    b = serializers.IntegerField(allow_null=True)
    seats = Numbers(help_text="The players in the order of their seats")
    best_of = serializers.IntegerField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Match.State.choices)
    score = Numbers(allow_null=True)
    games = serializers.ListField(child=serializers.CharField(), allow_null=True)
    games_won = Numbers(allow_null=True)
    winner = serializers.CharField(allow_null=True)
    places = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        allow_null=True,
        help_text="The place of each seat; several may share one; null for who was not there",
    )
    marks = serializers.DictField(
        child=serializers.ChoiceField(choices=[str(mark) for mark in Mark]),
        help_text="Marks of seats at a table of three or more, by number of the seat",
    )
    ended_by = serializers.CharField(allow_null=True)
    extra = serializers.BooleanField(
        help_text="An extra match: it counts for the order of level players alone"
    )
    reason = serializers.CharField(
        allow_blank=True, help_text="Why the two were paired; empty in a schedule"
    )
    by_hand = serializers.BooleanField(help_text="People paired them, not the rules")


class ClockOutput(Serializer):
    """The clock of a round: seconds remaining, and the minutes that all tables have."""

    state = serializers.ChoiceField(choices=[str(key) for key in ClockState])
    remaining = serializers.IntegerField(min_value=0)
    minutes = serializers.IntegerField()


class CostOutput(Serializer):
    """What the tables of a round cost, compared from the first number on; less is better."""

    repeats = serializers.IntegerField(help_text="Times that two at a table met before")
    apart = serializers.IntegerField(help_text="Pairs kept apart who sit together")
    again = serializers.IntegerField(help_text="Small tables had before by those at small ones")
    low = serializers.IntegerField(help_text="Points of those at small tables above the fewest")
    spread = serializers.IntegerField(help_text="Squared differences of points at a table")


class RoundOutput(Serializer):
    """A round; its number counts through the event. No clock where there is no time limit."""

    number = serializers.IntegerField()
    name = serializers.CharField(help_text="In the reader's language")
    stage = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Round.State.choices)
    clock = ClockOutput(allow_null=True)
    level = Numbers(help_text="The players level in the standings who play it; else empty")
    sets = serializers.ListField(
        child=Numbers(), help_text="The same players, each set of level ones by itself"
    )
    matches = MatchOutput(many=True)
    cost = CostOutput(allow_null=True, help_text="Of rounds at tables, else null")
    proven = serializers.BooleanField(
        allow_null=True, help_text="No set of tables costs less: every one was looked at"
    )


class RoundInput(Serializer):
    """The next round: published at once unless it is only to be drafted."""

    draft = serializers.BooleanField(default=False)


class PublishInput(Serializer):
    """The version of the draft that the caller has looked at, from its check list."""

    version = Whole(min_value=0, required=False)


class ClockInput(Serializer):
    """An act on the clock of a round; ``minutes`` for everybody belong to ``add``."""

    action = serializers.ChoiceField(choices=[str(key) for key in ClockAction])
    minutes = Whole(min_value=1, max_value=MOST_MINUTES, required=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values; raises ValidationError unless ``minutes`` come with ``add`` only."""
        if values["action"] != ClockAction.ADD:
            refuse_unused(values, "minutes")
        return values
