"""Serializers of results and of the effects of a correction."""

from enum import StrEnum

from rest_framework import serializers

from rules.results import EndedBy, TieBreak, Winner, pair_of
from rules.stages.stage_snapshot import Met
from tournaments.api.fields import LARGEST, Numbers, Serializer
from tournaments.api.serialization import Json
from tournaments.models import Round
from tournaments.results.selectors.effects import Effects

TAKE_BACK = "take_back"
LATER = ("keep", TAKE_BACK)
"""What a correction does with rounds and stages made from the old result."""


def _one_of(known: type[StrEnum]) -> serializers.ChoiceField:
    """Return a field for one of these words, or none."""
    return serializers.ChoiceField(choices=list(map(str, known)), allow_null=True, required=False)


class ResultInput(Serializer):
    """A result and the version of the match that the caller has seen."""

    version = serializers.IntegerField(min_value=0)
    score = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=LARGEST),
        min_length=2,
        max_length=2,
        allow_null=True,
        required=False,
    )
    games = serializers.ListField(
        child=serializers.ChoiceField(choices=["a", "b", "draw"]),
        max_length=99,
        allow_null=True,
        required=False,
    )
    battle_cards = serializers.ListField(
        child=serializers.ChoiceField(choices=["a", "b"]),
        max_length=2,
        required=False,
        help_text="Who had battle cards in play: ``score`` is without them, the total is stored",
    )
    winner = _one_of(Winner)
    ended_by = _one_of(EndedBy)
    tie_break = _one_of(TieBreak)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    later = serializers.ChoiceField(
        choices=LATER,
        required=False,
        help_text="Of a correction: what happens to rounds and stages made from the old result",
    )


class EffectsInput(ResultInput):
    """A result that is not stored; with ``version`` 409 where the match has another by now."""

    version = serializers.IntegerField(min_value=0, required=False)


class MoveOutput(Serializer):
    """A player whose rank in a group changes."""

    group = serializers.CharField()
    player = serializers.IntegerField(source="number")
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class PlaceOutput(Serializer):
    """A place that somebody else would hold; null: nobody yet."""

    place = serializers.CharField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class MeetingOutput(Serializer):
    """Two who meet; ``b`` null is a bye."""

    group = serializers.CharField()
    a = serializers.IntegerField(allow_null=True)
    b = serializers.IntegerField(allow_null=True)


class RepairingOutput(Serializer):
    """The pairs of a round that would be replaced, and those that would replace them."""

    round = serializers.IntegerField()
    gone = MeetingOutput(many=True)
    instead = MeetingOutput(many=True)


class EffectsOutput(Serializer):
    """The consequences of a result: ranks, places, and rounds or stages that contradict it.

    ``rounds`` and ``stages``, by number, were made from the old result and contradict the new one:
    a correction needs ``later`` then. ``idle`` rounds of extra matches would count for nothing.
    """

    moves = MoveOutput(many=True)
    places = PlaceOutput(many=True)
    pairings = RepairingOutput(many=True)
    rounds = Numbers()
    stages = Numbers()
    idle = Numbers()
    reaches_further = serializers.BooleanField()


def effects_json(effects: Effects, *, drafts: bool) -> Json:
    """Return the effects of a result as JSON; drafted pairings only if ``drafts`` is true."""
    return {
        "moves": MoveOutput(effects.moves, many=True).data,
        "places": PlaceOutput(effects.places, many=True).data,
        "pairings": [
            {
                "round": each.round.ordinal,
                "gone": [_meeting_json(met) for met in each.gone],
                "instead": [_meeting_json(met) for met in each.instead],
            }
            for each in effects.repairings
            if drafts or each.round.state == Round.State.PUBLISHED
        ],
        "rounds": [item.ordinal for item in effects.rounds],
        "stages": [stage.number for stage in effects.stages],
        "idle": [item.ordinal for item in effects.idle],
        "reaches_further": effects.reaches_further,
    }


def _meeting_json(met: Met) -> Json:
    group, _number, players = met
    a, b = pair_of(players, None)
    return {"group": group, "a": a, "b": b}
