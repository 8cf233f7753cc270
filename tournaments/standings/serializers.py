"""Standings, ties and the final ranking as JSON, players by number."""

from fractions import Fraction

from rest_framework import serializers

from rules.scenarios import Bound, Margin, Measure, Prospect, Verdict
from rules.standings.portable import render_number, render_row
from rules.ties.trace import TiedSet
from tournaments.api.fields import Numbers, Serializer
from tournaments.api.serialization import Json
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.prospects.selectors.needed_scores import Teller
from tournaments.standings.selectors.standings import ranking_page
from tournaments.standings.selectors.tie_trace import TableTrace


def standings_json(stage: StageFacts, group: str) -> list[Json]:
    """Return the rows of one group, in the format of ``rank``."""
    rows = stage.outcome.standings[group].rows
    return [{"stage": stage.stage.number, "group": group, **render_row(row)} for row in rows]


def tie_json(stage: StageFacts, table: TableTrace, tied: TiedSet) -> Json:
    """Return players tied on the first criterion, with every criterion applied to them."""
    return {
        "stage": stage.stage.number,
        "group": table.group or None,
        "rank": table.rank,
        "criterion": tied.criterion,
        "value": [render_number(Fraction(value)) for value in tied.values],
        "players": list(tied.players),
        "steps": [
            {
                "criterion": step.criterion,
                "players": list(step.level),
                "values": {
                    str(player): [render_number(Fraction(value)) for value in values]
                    for player, values in step.values.items()
                },
                "separates": step.separates,
                "order": [list(level) for level in step.order],
            }
            for step in tied.steps
        ],
    }


def prospect_json(group: str, prospect: Prospect, teller: Teller) -> Json:
    """Return whether a player goes on, and what each result of the next match would mean."""
    after = {result: str(verdict) for result, verdict in prospect.after.items()}
    return {
        "player": prospect.player,
        "group": group,
        "status": str(prospect.verdict),
        "next": {"opponent": prospect.opponent, **after} if after else None,
        "margins": [
            _margin_json(result, margin, teller)
            for result, margins in prospect.margins.items()
            for margin in margins
        ],
        "exact": prospect.exact,
    }


def _margin_json(result: str, margin: Margin, teller: Teller) -> Json:
    return {
        "after": result,
        "measure": str(margin.measure),
        "of": margin.of,
        "than": margin.than,
        "through": _bound_json(margin.through),
        "out": _bound_json(margin.out),
        "text": "; ".join(teller.notes(result, (margin,))),
    }


def _bound_json(bound: Bound | None) -> Json | None:
    return None if bound is None else dict(zip(("least", "most"), bound, strict=True))


def ranking_json(facts: EventFacts) -> list[Json]:
    """Return the final ranking as far as it is known."""
    return [
        {"rank": row.rank, "number": row.entry.number, "name": row.entry.name}
        for row in ranking_page(facts).rows
    ]


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
