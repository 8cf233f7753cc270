"""Endpoint of the prospects of a stage."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules.scenarios import Bound, Margin, Measure, Prospect, Verdict
from tournaments.api.serialization import Json, Serializer
from tournaments.api.stage_views import OF_GROUPS, StageView
from tournaments.core.event_state import StageFacts
from tournaments.pages.offers import public_read
from tournaments.prospects.selectors import (
    MARKS,
    NOW,
    MarginFormatter,
    cached_prospects,
    may_see_prospects,
    plain_formatter,
)


def prospect_json(group: str, prospect: Prospect, formatter: MarginFormatter) -> Json:
    """Return a player's verdict, and what each result of the next match would mean, as JSON."""
    after = {
        result: str(prospect.after[result]) if result in prospect.after else None
        for result in (MARKS if prospect.after else ())
    }
    return {
        "player": prospect.player,
        "group": group,
        "status": str(prospect.verdict),
        "next": {"opponent": prospect.opponent, **after} if after else None,
        "margins": [
            _margin_json(result, margin, formatter)
            for result, margins in prospect.margins.items()
            for margin in margins
        ],
        "exact": prospect.exact,
    }


def _margin_json(result: str, margin: Margin, formatter: MarginFormatter) -> Json:
    notes = formatter.notes_on_rivals if result == NOW else formatter.notes
    return {
        "after": result,
        "measure": str(margin.measure),
        "of": margin.of,
        "than": margin.than,
        "through": _bound_json(margin.through),
        "out": _bound_json(margin.out),
        "text": "; ".join(notes((margin,))),
    }


def _bound_json(bound: Bound | None) -> Json | None:
    return None if bound is None else dict(zip(("least", "most"), bound, strict=True))


class NextOutput(Serializer):
    """What each result of the next match would mean: through, out or open.

    At multiplayer tables there is no one opponent; with points by place only ``win``, the
    first place alone, is told.
    """

    opponent = serializers.IntegerField(allow_null=True)
    win = serializers.CharField()
    draw = serializers.CharField(allow_null=True)
    loss = serializers.CharField(allow_null=True)


class BoundOutput(Serializer):
    """The bounds of a score, from and to; without both, any score of that ending will do."""

    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)


class MarginOutput(Serializer):
    """The scores that are certainly enough, or certainly too few, in the player's last match.

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
    """Whether a player goes on; unless ``exact``, judged by points alone."""

    player = serializers.IntegerField()
    group = serializers.CharField()
    status = serializers.ChoiceField(choices=[(str(v), str(v)) for v in Verdict])
    next = NextOutput(allow_null=True)
    margins = MarginOutput(many=True)
    exact = serializers.BooleanField()


@public_read("stage", "group")
class Scenarios(StageView):
    """Who is through, who is out, and what the next match must bring."""

    throttle_scope = "heavy"

    @extend_schema(
        operation_id="scenarios_list", parameters=OF_GROUPS, responses=ProspectOutput(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the prospects in a stage of groups, of all players or of ``?group=``.

        404 where the event shows them to its staff only; none where nobody goes on.

        ``margins`` by a ``win``, ``draw`` or ``loss`` in the last match, or ``now`` without one:
        from ``through`` a ``measure`` surely advances, up to ``out`` it surely does not, whatever
        else happens. Measures are ``made`` of ``of``, ``margin`` over the opponent, ``lead`` over
        what ``than`` makes, ``margin_lead`` over their margin.
        """
        if not may_see_prospects(self.actor, self.event):
            raise Http404
        return self.of_stage(request, self._rows)

    def _rows(self, request: Request, stage: StageFacts) -> list[Json]:
        found = cached_prospects(stage)
        formatter = plain_formatter(self.event)
        return [
            prospect_json(name, found[player], formatter)
            for name in self.requested_groups(request, stage)
            for player in stage.state.seats[name]
            if player is not None and player in found
        ]
