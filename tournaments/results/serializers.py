"""Serializers of results and of the effects of a correction."""

from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from rules.matches.match_rules import Claim
from rules.results import EndedBy, Mark, TieBreak, Winner, of_two
from rules.stages.stage_snapshot import Met
from tournaments.api.fields import LARGEST, Numbers, Serializer, Whole
from tournaments.api.serialization import Json
from tournaments.models import Round
from tournaments.models.match import MOST_SEATS
from tournaments.results.selectors.effects import Effects

TAKE_BACK = "take_back"
LATER = ("keep", TAKE_BACK)
"""What a correction does with rounds and stages made from the old result."""


def _one_of(known: type[StrEnum]) -> serializers.ChoiceField:
    """Return a field for one of these words, or none."""
    return serializers.ChoiceField(choices=list(map(str, known)), allow_null=True, required=False)


def _seats(words: str) -> serializers.ListField:
    """Return a field for numbers of seats."""
    return serializers.ListField(
        child=Whole(max_value=LARGEST, min_value=-LARGEST),
        max_length=MOST_SEATS,
        required=False,
        help_text=words,
    )


@extend_schema_field(
    {
        "oneOf": [
            {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": MOST_SEATS}},
            {"type": "boolean", "enum": [True]},
        ]
    }
)
class DrawnField(serializers.Field):  # type: ignore[type-arg]
    """True, or the seats between which a table was drawn."""

    def to_internal_value(self, data: Any) -> tuple[int, ...]:
        """Return the seats, none for all who were left."""
        if data is True:
            return ()
        if not isinstance(data, list) or any(
            type(seat) is not int or abs(seat) > LARGEST for seat in data
        ):
            raise serializers.ValidationError(_("This is true, or a list of seats."))
        if not data:
            raise serializers.ValidationError(_("Name the seats, or send true for all."))
        return tuple(data[: MOST_SEATS + 1])

    def to_representation(self, value: Any) -> Any:
        """Return the value unchanged."""
        return value


class SaysInput(Serializer):
    """The version of the match whose reported result the player has seen."""

    version = Whole(min_value=0)


class ResultInput(Serializer):
    """A result and the version of the match that the caller has seen.

    At a table of three and more it is one of ``places``, ``winner_seat``, ``drawn``, ``scores``, or
    a ``winner`` that is “none” or “void”.
    """

    version = Whole(min_value=0)
    places = serializers.ListField(
        child=Whole(min_value=-LARGEST, max_value=LARGEST, allow_null=True),
        max_length=2 * MOST_SEATS,
        required=False,
        help_text="Of a table: the place of each seat; several may share one",
    )
    winner_seat = Whole(
        min_value=-LARGEST, max_value=LARGEST, required=False, help_text="Of a table: who won"
    )
    drawn = DrawnField(required=False, help_text="Of a table: the seats that drew, or true: all")
    scores = serializers.ListField(
        child=Whole(min_value=-LARGEST, max_value=LARGEST, allow_null=True),
        max_length=2 * MOST_SEATS,
        required=False,
        help_text="Of a table: a score for each seat",
    )
    absent = _seats("Of a table: seats whose players did not come")
    conceded = _seats("Of a table: seats whose players conceded")
    disqualified = _seats("Of a table: seats whose players were disqualified")
    score = serializers.ListField(
        child=Whole(min_value=0, max_value=LARGEST),
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

    version = Whole(min_value=0, required=False)


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
    """Those who meet; one seat is a bye, and at a table ``a`` and ``b`` are null."""

    group = serializers.CharField()
    a = serializers.IntegerField(allow_null=True)
    b = serializers.IntegerField(allow_null=True)
    seats = Numbers()


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


OF_TABLES = ("places", "winner_seat", "drawn", "scores", "absent", "conceded", "disqualified")
"""Fields of results that only tables of three and more have."""


def claim_in(values: Json) -> Claim:
    """Return the submitted result; settling refuses what a match of its size has not."""
    score, games = values.get("score"), values.get("games")
    winner, ended_by = values.get("winner"), values.get("ended_by")
    tie_break = values.get("tie_break")
    marks = [
        (seat, mark)
        for name, mark in (
            ("absent", Mark.ABSENT),
            ("conceded", Mark.CONCEDED),
            ("disqualified", Mark.DISQUALIFIED),
        )
        for seat in values.get(name) or ()
    ]
    return Claim(
        winner=Winner(winner) if winner else None,
        score=(score[0], score[1]) if score else None,
        games=tuple(games) if games is not None else None,
        tie_break=TieBreak(tie_break) if tie_break else None,
        order=tuple(values["places"]) if values.get("places") is not None else None,
        first=values.get("winner_seat"),
        drawn=values.get("drawn"),
        scores=tuple(values["scores"]) if values.get("scores") is not None else None,
        marks=tuple(marks),
        ended_by=EndedBy(ended_by) if ended_by else None,
        note=values.get("note", ""),
    )


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
    a, b = of_two(players, None) if len(players) < 3 else (None, None)
    return {"group": group, "a": a, "b": b, "seats": list(players)}
