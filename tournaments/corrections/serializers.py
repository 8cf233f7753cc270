"""Serializers of corrections: the way to go on, and what follows."""

from rest_framework import serializers

from tournaments.api.fields import Numbers, Serializer
from tournaments.api.serialization import Json
from tournaments.corrections.selectors.choices import Correction, matches_by_key
from tournaments.results.serializers import EffectsInput, EffectsOutput, effects_json
from tournaments.rounds.serializers import MatchOutput

KEEP, FOLLOW, TAKE_BACK = WAYS = ("keep", "follow", "take_back")


class CorrectionInput(EffectsInput):
    """A corrected result, and the way to go on; without ``way`` nothing is stored."""

    way = serializers.ChoiceField(choices=WAYS, required=False)
    shown = serializers.CharField(
        max_length=40,
        required=False,
        help_text="``mark`` of the answer without ``way``: what would change must be the same",
    )
    void = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        max_length=1000,
        required=False,
        help_text="Of ``follow``: matches, by id, that are void instead of played again",
    )
    confirm = serializers.CharField(
        max_length=140,
        allow_blank=True,
        required=False,
        help_text="Of ``take_back``: the event's name, where results go",
    )


class SeatChangeOutput(Serializer):
    """A seat of the stage in progress that somebody else gets."""

    group = serializers.CharField()
    seat = serializers.IntegerField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class MatchChangeOutput(Serializer):
    """A match that other players play; ``fate``: passes, again, void, forfeit or rests."""

    match = serializers.IntegerField()
    round = serializers.IntegerField()
    before = Numbers()
    after = Numbers()
    begun = serializers.BooleanField()
    fate = serializers.CharField()


class CorrectionOutput(Serializer):
    """What a correction changes, and what can be done; ``match`` once it is stored."""

    effects = EffectsOutput()
    mark = serializers.CharField()
    ways = serializers.ListField(child=serializers.ChoiceField(choices=WAYS))
    why_not = serializers.CharField(allow_blank=True)
    seats = SeatChangeOutput(many=True)
    matches = MatchChangeOutput(many=True)
    rounds = Numbers()
    results = serializers.IntegerField()
    match = MatchOutput(required=False)


def correction_json(found: Correction, why_not: str) -> Json:
    """Return a correction as JSON; ``why_not`` says why nothing can follow, "" if it can."""
    follows, target = found.follows, found.target
    ways = [KEEP]
    if found.reaches_further:
        ways = [*([FOLLOW] if follows and not why_not else []), KEEP, TAKE_BACK]
    rounds = target.regular_rounds if target else ()
    rows = matches_by_key(target) if target else {}
    return {
        "effects": effects_json(found.effects, drafts=True),
        "mark": found.mark,
        "ways": ways,
        "why_not": why_not,
        "seats": SeatChangeOutput(follows.seats if follows else (), many=True).data,
        "matches": [
            {
                "match": rows[each.key].pk,
                "round": rounds[each.round].ordinal,
                "before": list(each.pairing.seats),
                "after": list(each.after),
                "begun": each.begun,
                "fate": str(each.fate),
            }
            for each in found.changes
        ],
        "rounds": [item.ordinal for item in found.goes[::-1]],
        "results": len(found.results_gone),
    }
