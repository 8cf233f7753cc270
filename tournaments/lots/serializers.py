"""Serializers of the requests that draw or record an order."""

from typing import Any

from rest_framework import serializers

from tournaments.api.fields import Chosen, Serializer, refuse_unused

BY_HAND = ("witnesses", "note")
"""The fields that only a draw by hand has."""


class StartInput(Serializer):
    """How an event starts: drawn, drawn from a seed, or with the seats given."""

    seed = serializers.CharField(max_length=64, required=False)
    groups = serializers.ListField(child=Chosen(), allow_empty=False, required=False)
    witnesses = serializers.CharField(max_length=300, required=False)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    override = serializers.CharField(max_length=300, required=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values; raises ValidationError if a field does not fit the kind of draw."""
        if "groups" in values:
            refuse_unused(values, "seed")
        else:
            refuse_unused(values, *BY_HAND)
        return values


class LotsInput(Serializer):
    """Lots drawn by hand, first to last; without an order the tool draws."""

    order = Chosen(allow_empty=False, required=False)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    witnesses = serializers.CharField(max_length=300, required=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values; raises ValidationError for fields of a draw by hand without one."""
        if "order" not in values:
            refuse_unused(values, *BY_HAND)
        return values
