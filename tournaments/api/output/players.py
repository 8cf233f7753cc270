"""Players as the API answers them."""

from rest_framework import serializers

from tournaments.api.fields import Serializer
from tournaments.models import Entry


class PlayerOutput(Serializer):
    """A player; the number is theirs for the whole event."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=Entry.Status.choices)
    seed = serializers.IntegerField(allow_null=True)
    club = serializers.CharField()
    fixed_table = serializers.IntegerField(allow_null=True)
