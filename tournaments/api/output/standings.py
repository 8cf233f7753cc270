"""Standings, ties, prospects and ranks as the API answers them."""

from rest_framework import serializers

from rules.scenarios import Measure, Verdict
from tournaments.api.fields import Numbers, Serializer


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
    """A criterion asked about level players: what each had, and the order that came of it."""

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


class NextOutput(Serializer):
    """What each result of the next match would mean: through, out or open."""

    opponent = serializers.IntegerField()
    win = serializers.CharField()
    draw = serializers.CharField()
    loss = serializers.CharField()


class BoundOutput(Serializer):
    """From where on, or up to where; with neither whatever score says how the match ended."""

    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)


class MarginOutput(Serializer):
    """What score surely suffices, or surely does not, after a result of the player's last match.

    ``after`` "now": the player has none, and a rival's last match is measured. ``measure``: what
    ``of`` makes in the match (``made``), by how much more than the opponent (``margin``), how much
    more than ``than`` in theirs (``lead``), by how much a better margin (``margin_lead``). ``text``
    says it in the reader's language.
    """

    after = serializers.ChoiceField(choices=["win", "draw", "loss", "now"])
    measure = serializers.ChoiceField(choices=[str(measure) for measure in Measure])
    of = serializers.IntegerField()
    than = serializers.IntegerField(allow_null=True)
    through = BoundOutput(allow_null=True)
    out = BoundOutput(allow_null=True)
    text = serializers.CharField()


class ProspectOutput(Serializer):
    """Whether a player goes on; not ``exact``: by points alone, what is open may be decided."""

    player = serializers.IntegerField()
    group = serializers.CharField()
    status = serializers.ChoiceField(choices=[(str(v), str(v)) for v in Verdict])
    next = NextOutput(allow_null=True)
    margins = MarginOutput(many=True)
    exact = serializers.BooleanField()


class RankedOutput(Serializer):
    """A line of the final ranking; level players share a rank."""

    rank = serializers.IntegerField()
    number = serializers.IntegerField()
    name = serializers.CharField()
