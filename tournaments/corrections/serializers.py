"""Serializers of corrections: the way to go on, and what follows."""

from rest_framework import serializers

from config.wording import translate
from tournaments.api.fields import Chosen, Numbers, Serializer, Whole
from tournaments.api.serialization import Json
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    PLAYER_WAYS,
    TAKE_BACK,
    TAKE_OUT,
    WAYS,
    Correction,
    matches_by_key,
)
from tournaments.models import Entry
from tournaments.results.serializers import EffectsInput, EffectsOutput, effects_json
from tournaments.rounds.serializers import MatchOutput


class WayInput(Serializer):
    """The way to go on with a correction; without ``way`` nothing is stored."""

    way = serializers.ChoiceField(choices=WAYS, required=False)
    shown = serializers.CharField(
        max_length=40,
        required=False,
        help_text="``mark`` of the answer without ``way``: what would change must be the same",
    )
    void = serializers.ListField(
        child=Whole(min_value=1),
        max_length=1000,
        required=False,
        help_text="Of ``follow``: matches, by id, that are void instead of played again",
    )
    when = serializers.ChoiceField(
        choices=("now", "next_round"),
        required=False,
        help_text="Of ``follow``: when matches are played again; else before the round to come",
    )
    confirm = serializers.CharField(
        max_length=140,
        allow_blank=True,
        required=False,
        help_text="Of ``take_back``: the event's name, where results go",
    )


class CorrectionInput(WayInput, EffectsInput):
    """A corrected result, and the way to go on; without ``way`` nothing is stored."""


class LotsCorrectionInput(WayInput):
    """The order in which lots were really drawn by hand, and the way to go on."""

    order = Chosen(allow_empty=False)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)


class ByeInput(WayInput):
    """Who should rest instead, and the way to go on: ``follow`` or ``take_back``."""

    way = serializers.ChoiceField(choices=(FOLLOW, TAKE_BACK), required=False)
    player = Whole(min_value=1)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)


class SeedInput(Serializer):
    """The right seed of a player, null for none."""

    player = Whole(min_value=1)
    seed = Whole(min_value=1, max_value=10_000, allow_null=True)


class SeedsInput(WayInput):
    """The seeds that were wrong, or the right ``order`` of a start drawn by hand, and the way."""

    seeds = SeedInput(many=True, required=False)
    order = Chosen(required=False)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)


class PlayerCorrectionInput(WayInput):
    """A player who should not have been in, who ``comes`` instead, and the way to go on.

    ``comes`` is somebody of the waiting list, ``name`` somebody new.
    """

    way = serializers.ChoiceField(choices=PLAYER_WAYS, required=False)
    comes = Whole(min_value=1, required=False)
    name = serializers.CharField(
        max_length=Entry._meta.get_field("name").max_length, allow_blank=True, required=False
    )
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)


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
    ways = serializers.ListField(child=serializers.ChoiceField(choices=PLAYER_WAYS))
    why_not = serializers.CharField(allow_blank=True)
    seats = SeatChangeOutput(many=True)
    matches = MatchChangeOutput(many=True)
    rounds = Numbers()
    results = serializers.IntegerField()
    match = MatchOutput(required=False)


def correction_json(found: Correction, *, keeps: bool = True, takes_out: bool = False) -> Json:
    """Return a correction as JSON.

    Without ``keeps`` no way leaves what was made; with ``takes_out`` a player can be out from now
    on.
    """
    follows, target = found.follows, found.target
    why_not = translate(found.why_not) if found.why_not else ""
    ways = [*([TAKE_OUT] if takes_out else []), *([KEEP] if keeps else [])]
    if found.reaches_further:
        ways = [*([FOLLOW] if follows and not why_not else []), *ways]
        ways += [TAKE_BACK] if found.takes_back else []
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
