"""The shapes of the deck formats' calls, as the API's schema shows them."""

from rest_framework import serializers

from rules.deckbuilding.deck import HIGHEST_COUNT


class EntrySerializer(serializers.Serializer[object]):
    """So many copies of one card."""

    name = serializers.CharField()
    count = serializers.IntegerField(min_value=1, max_value=HIGHEST_COUNT, default=1)
    kind = serializers.CharField(required=False)
    expansion = serializers.CharField(required=False)
    number = serializers.CharField(required=False)
    version = serializers.CharField(required=False)
    genus = serializers.CharField(required=False)
    language = serializers.CharField(required=False)


class ListSerializer(serializers.Serializer[object]):
    """A list as text or by zones: one of the two."""

    text = serializers.CharField(required=False)
    zones = serializers.DictField(child=EntrySerializer(many=True), required=False)
    language = serializers.CharField(required=False)


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


class CheckedSerializer(serializers.Serializer[object]):
    """A list, and all that its format finds wrong with it."""

    format = serializers.CharField()
    legal = serializers.BooleanField()
    language = serializers.CharField()
    counts = serializers.DictField(child=serializers.IntegerField())
    zones = serializers.DictField(child=EntrySerializer(many=True))
    violations = ViolationSerializer(many=True)
