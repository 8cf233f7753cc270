"""What the calls on results take."""

from rest_framework import serializers

from rules.results import EndedBy, TieBreak, Winner
from tournaments.api.fields import LARGEST, Serializer

TAKE_BACK = "take_back"
LATER = ("keep", TAKE_BACK)
"""What a correction does with rounds and stages that were made from the old result."""


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
    winner = serializers.ChoiceField(
        choices=[str(key) for key in Winner], allow_null=True, required=False
    )
    ended_by = serializers.ChoiceField(
        choices=[str(key) for key in EndedBy], allow_null=True, required=False
    )
    tie_break = serializers.ChoiceField(
        choices=[str(key) for key in TieBreak], allow_null=True, required=False
    )
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    later = serializers.ChoiceField(
        choices=LATER,
        required=False,
        help_text="Of a correction: what happens to rounds and stages made from the old result",
    )


class EffectsInput(ResultInput):
    """A result that is not stored; with ``version`` 409 where the match has another by now."""

    version = serializers.IntegerField(min_value=0, required=False)
