"""The shapes of the deck formats' calls, as the API's schema shows them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from rules.deckbuilding.deck import HIGHEST_COUNT
from rules.deckbuilding.printings import LONGEST_NUMBER


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "maxLength": LONGEST_NUMBER},
            {"type": "integer", "minimum": 0, "maximum": 10**LONGEST_NUMBER - 1},
        ]
    }
)
class CardNumber(serializers.Field):  # type: ignore[type-arg]
    """A card's number: a text, or a whole number that is taken as one."""


class EntrySerializer(serializers.Serializer[object]):
    """A card and its number of copies."""

    name = serializers.CharField()
    count = serializers.IntegerField(min_value=1, max_value=HIGHEST_COUNT, default=1)
    kind = serializers.CharField(required=False)
    expansion = serializers.CharField(required=False)
    number = CardNumber(required=False)
    version = serializers.CharField(required=False)
    genus = serializers.CharField(required=False)
    language = serializers.CharField(required=False)


class ListSerializer(serializers.Serializer[object]):
    """A list as text or by zones: one of the two."""

    text = serializers.CharField(required=False, allow_null=True)
    zones = serializers.DictField(child=EntrySerializer(many=True), required=False, allow_null=True)
    language = serializers.CharField(required=False, allow_null=True)


class ExchangeSerializer(serializers.Serializer[object]):
    """The registered list, and what goes out and comes in, or the deck found on the table.

    ``out`` by the zone that a card leaves, ``in`` by the one that it enters. The side need not
    be named: what goes out goes there. ``games_played`` counts within the match, in Doomtrooper
    within the event.
    """

    registered = serializers.DictField(child=EntrySerializer(many=True))
    out = serializers.DictField(child=EntrySerializer(many=True), required=False)
    table = serializers.DictField(child=EntrySerializer(many=True), required=False)
    games_played = serializers.IntegerField(min_value=0, max_value=999, required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields, with the one named ``in``, which is a keyword of Python."""
        entering = serializers.DictField(child=EntrySerializer(many=True), required=False)
        return {**super().get_fields(), "in": entering}


class ViolationSerializer(serializers.Serializer[object]):
    """One fault, with the sentence in the reader's language."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(["error", "warning", "info"])
    zone = serializers.CharField(allow_null=True)
    card = serializers.CharField(allow_null=True)
    found = serializers.IntegerField(allow_null=True)
    minimum = serializers.IntegerField(allow_null=True)
    maximum = serializers.IntegerField(allow_null=True)
    line = serializers.IntegerField(allow_null=True)
    message = serializers.CharField()
    suggestions = serializers.ListField(child=serializers.CharField())
    lines = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), required=False
    )


class CheckedSerializer(serializers.Serializer[object]):
    """A list, and all that its format finds wrong with it."""

    format = serializers.CharField()
    legal = serializers.BooleanField()
    language = serializers.CharField()
    counts = serializers.DictField(child=serializers.IntegerField())
    zones = serializers.DictField(child=EntrySerializer(many=True))
    violations = ViolationSerializer(many=True)
