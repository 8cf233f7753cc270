"""Endpoint of the prospects of a stage."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules.scenarios import Bound, Margin, MarginMeasure, Prospect, Verdict
from tournaments.api.serialization import Json, Serializer
from tournaments.api.stage_views import OF_GROUPS, StageView
from tournaments.core.event_state import StageFacts
from tournaments.pages.access import public_read
from tournaments.prospects.selectors import (
    MARKS,
    NOW,
    MarginFormatter,
    cached_prospects,
    may_see_prospects,
    plain_formatter,
)


def prospect_json(group: str, prospect: Prospect, formatter: MarginFormatter) -> Json:
    """Return a player's prospect as ``ProspectOutput``."""
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

    ``opponent`` is null at multiplayer tables; with points by place only ``win`` (first place) is
    given.
    """

    opponent = serializers.IntegerField(allow_null=True)
    win = serializers.CharField()
    draw = serializers.CharField(allow_null=True)
    loss = serializers.CharField(allow_null=True)


class BoundOutput(Serializer):
    """The least and the most of a score, null if unlimited."""

    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)


class MarginOutput(Serializer):
    """The scores that certainly suffice, or certainly don't, in the last match.

    ``after`` is the assumed result, or "now": the player has no match left, and the score is a
    rival's. ``measure`` is ``made`` (points of ``of``), ``margin`` (over the opponent), ``lead``
    (over the points of ``than``), or ``margin_lead`` (over their margin). ``text`` says it in
    words.
    """

    after = serializers.ChoiceField(choices=["win", "draw", "loss", "now"])
    measure = serializers.ChoiceField(choices=[str(measure) for measure in MarginMeasure])
    of = serializers.IntegerField()
    than = serializers.IntegerField(allow_null=True)
    through = BoundOutput(allow_null=True)
    out = BoundOutput(allow_null=True)
    text = serializers.CharField()


class ProspectOutput(Serializer):
    """Whether a player advances; judged by points alone unless ``exact``."""

    player = serializers.IntegerField()
    group = serializers.CharField()
    status = serializers.ChoiceField(choices=[(str(v), str(v)) for v in Verdict])
    next = NextOutput(allow_null=True)
    margins = MarginOutput(many=True)
    exact = serializers.BooleanField()


@public_read("stage", "group")
class Scenarios(StageView):
    """API view: who surely advances from a stage, and what next matches decide."""

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
