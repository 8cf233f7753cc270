"""What the calls take that seat players or draw lots."""

from rest_framework import serializers

from tournaments.api.fields import Serializer


class StartInput(Serializer):
    """How an event starts: drawn, drawn from a seed, or with the seats given."""

    seed = serializers.CharField(max_length=64, required=False)
    groups = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(min_value=1)),
        allow_empty=False,
        required=False,
    )
    witnesses = serializers.CharField(max_length=300, required=False)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    override = serializers.CharField(max_length=300, required=False)


class LotsInput(Serializer):
    """Lots drawn by hand, first to last; without an order the tool draws."""

    order = serializers.ListField(
        child=serializers.IntegerField(min_value=1), allow_empty=False, required=False
    )
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    witnesses = serializers.CharField(max_length=300, required=False)
