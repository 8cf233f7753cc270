"""What the API's calls answer, for its schema; ``shapes`` makes the values."""

from typing import Any

from rest_framework import serializers

from rules.clock import ClockState
from rules.scenarios import Measure, Verdict
from tournaments.api.input import Legs
from tournaments.models import Entry, Event, Match, Round, Stage

Serializer = serializers.Serializer[Any]


class Numbers(serializers.ListField):
    """A list of whole numbers."""

    child = serializers.IntegerField()


class NumbersByName(serializers.DictField):
    """Whole numbers by name."""

    child = serializers.IntegerField()


class PointsOutput(Serializer):
    """What a result is worth."""

    win = serializers.IntegerField()
    draw = serializers.IntegerField()
    loss = serializers.IntegerField()


class EventOutput(Serializer):
    """An event's settings and state."""

    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    format = serializers.CharField()
    formula = serializers.CharField()
    legs = Legs(help_text="1, 2, or a list where stages differ")
    starts_at = serializers.DateTimeField()
    time_zone = serializers.CharField()
    venue = serializers.CharField()
    fee = serializers.CharField()
    registration_opens = serializers.DateTimeField(allow_null=True)
    registration_closes = serializers.DateTimeField(allow_null=True)
    capacity = serializers.IntegerField(allow_null=True)
    decklists = serializers.ChoiceField(choices=Event.Decklists.choices)
    minutes = serializers.IntegerField()
    criteria = serializers.ListField(child=serializers.CharField())
    points = PointsOutput()
    status = serializers.ChoiceField(choices=Event.State.choices)
    options = serializers.DictField()
    show_prospects = serializers.BooleanField()
    apart_clubs = serializers.BooleanField()
    confirm_after = serializers.IntegerField(
        help_text="Minutes until a report counts that nobody answers; 0: never"
    )
    version = serializers.IntegerField()


class PlayerOutput(Serializer):
    """A player; the number is theirs for the whole event."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=Entry.Status.choices)
    seed = serializers.IntegerField(allow_null=True)
    club = serializers.CharField()
    fixed_table = serializers.IntegerField(allow_null=True)


class GroupOutput(Serializer):
    """A group and who sits in it; null is an empty seat."""

    name = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class StageOutput(Serializer):
    """A stage."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    key = serializers.CharField()
    kind = serializers.CharField()
    legs = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Stage.State.choices)
    groups = GroupOutput(many=True)
    places = NumbersByName()


class DrawOutput(Serializer):
    """A draw that was made."""

    number = serializers.IntegerField()
    order = Numbers()
    seed = serializers.CharField(allow_blank=True)


class StartedOutput(EventOutput):
    """An event that has started."""

    draw = DrawOutput()
    stage = StageOutput()


class ClosedOutput(Serializer):
    """What a stage has decided, and the stage that follows."""

    places = NumbersByName()
    next = StageOutput(allow_null=True)


class MatchOutput(Serializer):
    """A match and the result that counts."""

    id = serializers.IntegerField()
    stage = serializers.IntegerField()
    group = serializers.CharField()
    round = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    a = serializers.IntegerField()
    b = serializers.IntegerField(allow_null=True)
    best_of = serializers.IntegerField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Match.State.choices)
    score = Numbers(allow_null=True)
    games = serializers.ListField(child=serializers.CharField(), allow_null=True)
    games_won = Numbers(allow_null=True)
    winner = serializers.CharField(allow_null=True)
    ended_by = serializers.CharField(allow_null=True)
    extra = serializers.BooleanField(
        help_text="An extra match: it counts for the order of level players alone"
    )
    reason = serializers.CharField(
        allow_blank=True, help_text="Why the two were paired; empty in a schedule"
    )
    by_hand = serializers.BooleanField(help_text="People paired them, not the rules")


class ClockOutput(Serializer):
    """The clock of a round: seconds that remain, of so many minutes for everybody."""

    state = serializers.ChoiceField(choices=[str(key) for key in ClockState])
    remaining = serializers.IntegerField(min_value=0)
    minutes = serializers.IntegerField()


class RoundOutput(Serializer):
    """A round; its number counts through the event. No clock where there is no time limit."""

    number = serializers.IntegerField()
    name = serializers.CharField(help_text="In the reader's language")
    stage = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Round.State.choices)
    clock = ClockOutput(allow_null=True)
    level = Numbers(help_text="The players level in the standings who play it; else empty")
    sets = serializers.ListField(
        child=Numbers(), help_text="The same players, each set of level ones by itself"
    )
    matches = MatchOutput(many=True)


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


class OptionOutput(Serializer):
    """Something that a formula lets the organiser choose."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    kind = serializers.CharField()
    default = serializers.JSONField()
    choices = serializers.ListField(child=serializers.IntegerField())


class FormulaOutput(Serializer):
    """A formula."""

    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    minimum = serializers.IntegerField()
    maximum = serializers.IntegerField(allow_null=True)
    options = OptionOutput(many=True)


class StageTimeOutput(Serializer):
    """A stage of an advised formula; it ends so many minutes after the beginning."""

    name = serializers.CharField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    ends = serializers.IntegerField()


class AdviceOutput(Serializer):
    """A formula, whether it fits, how long it takes, and what would make it fit."""

    formula = serializers.CharField()
    name = serializers.CharField()
    fits = serializers.BooleanField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    minutes = serializers.IntegerField()
    stages = StageTimeOutput(many=True)
    needs = serializers.ListField(child=serializers.CharField())
