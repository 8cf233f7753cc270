"""Standings, ties and the final ranking as JSON, players by number."""

from fractions import Fraction

from rest_framework import serializers

from rules.standings.rank_json import render_number, render_row
from rules.ties.trace import TiedSet
from tournaments.api.fields import Numbers, Serializer
from tournaments.api.serialization import Json
from tournaments.core.event_state import StageFacts
from tournaments.standings.selectors.tie_trace import TableTrace


def standings_json(stage: StageFacts, group: str) -> list[Json]:
    """Return the rows of one group, in the format of ``rank``."""
    rows = stage.outcome.standings[group].rows
    return [{"stage": stage.stage.number, "group": group, **render_row(row)} for row in rows]


def tie_json(stage: StageFacts, table: TableTrace, tied: TiedSet) -> Json:
    """Return players tied on the first criterion, with every criterion applied to them."""
    return {
        "stage": stage.stage.number,
        "group": table.group or None,
        "rank": table.rank,
        "criterion": tied.criterion,
        "value": [render_number(Fraction(value)) for value in tied.values],
        "players": list(tied.players),
        "steps": [
            {
                "criterion": step.criterion,
                "players": list(step.level),
                "values": {
                    str(player): [render_number(Fraction(value)) for value in values]
                    for player, values in step.values.items()
                },
                "separates": step.separates,
                "order": [list(level) for level in step.order],
            }
            for step in tied.steps
        ],
    }


class StandingOutput(Serializer):
    """A row of the standings."""

    stage = serializers.IntegerField()
    group = serializers.CharField()
    rank = serializers.IntegerField()
    player = serializers.IntegerField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    values = serializers.DictField()
    placed_by = serializers.CharField(allow_null=True)


class TieStepOutput(Serializer):
    """A criterion applied to level players: their values, and the resulting order."""

    criterion = serializers.CharField()
    players = Numbers()
    values = serializers.DictField(child=serializers.ListField(child=serializers.JSONField()))
    separates = serializers.BooleanField()
    order = serializers.ListField(child=Numbers())


class TieOutput(Serializer):
    """Players level on the first criterion: in a ``group``, or on a ``rank`` of several."""

    stage = serializers.IntegerField()
    group = serializers.CharField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    criterion = serializers.CharField()
    value = serializers.ListField(child=serializers.JSONField())
    players = Numbers()
    steps = TieStepOutput(many=True)


class RankedOutput(Serializer):
    """A line of the final ranking; level players share a rank.

    Of who went out of a play-in in progress ``rank`` is the best one possible, ``last`` the worst.
    """

    rank = serializers.IntegerField()
    number = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    display_name = serializers.CharField(source="entry.display_name")
    shared = serializers.BooleanField()
    last = serializers.IntegerField()
