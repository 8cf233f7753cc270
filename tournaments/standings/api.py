"""Standings, ties and the final ranking through the API, and standings of results sent along."""

from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.sizes import MEBIBYTE
from decks.api.parsing import BodyParser
from rules.numbers import number_to_json
from rules.standings.rank_document import (
    parse_json,
    parse_table_request,
    rank_document,
    render_row,
    render_standings,
    render_table_round,
)
from rules.ties.explanations import TiedSet
from tournaments.api.request_context import EventView, idempotent_post, text_parameters
from tournaments.api.serialization import (
    LARGEST,
    Json,
    NumberListField,
    Serializer,
    WholeNumberField,
    validate_input,
)
from tournaments.api.stage_views import OF_GROUPS, StageView
from tournaments.core.event_state import StageFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_manage, require_permission
from tournaments.pages.access import public_read
from tournaments.standings.selectors.proofs import TableTies, stage_ties
from tournaments.standings.selectors.ranking import ranking_page
from tournaments.standings.services import release_standings


def standings_json(stage: StageFacts, group: str) -> list[Json]:
    """Return a group's standings as JSON rows, in the format of the ``rank`` endpoint."""
    rows = stage.outcome.standings[group].rows
    return [{"stage": stage.stage.number, "group": group, **render_row(row)} for row in rows]


def tie_json(stage: StageFacts, table: TableTies, tied: TiedSet) -> Json:
    """Return players tied on the first tiebreaker as JSON (``TieOutput``).

    ``tied`` is one of the sets of ``table``.
    """
    return {
        "stage": stage.stage.number,
        "group": table.group or None,
        "rank": table.rank,
        "criterion": tied.criterion,
        "value": [number_to_json(Fraction(value)) for value in tied.values],
        "players": list(tied.players),
        "steps": [
            {
                "criterion": step.criterion,
                "players": list(step.level),
                "values": {
                    str(player): [number_to_json(Fraction(value)) for value in values]
                    for player, values in step.values.items()
                },
                "separates": step.separates,
                "order": [list(level) for level in step.order],
            }
            for step in tied.steps
        ],
    }


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
    """A tiebreaker applied to tied players: their values, and the resulting order.

    ``order`` are groups of players, best first; players of a group are still tied.
    """

    criterion = serializers.CharField()
    players = NumberListField()
    values = serializers.DictField(child=serializers.ListField(child=serializers.JSONField()))
    separates = serializers.BooleanField()
    order = serializers.ListField(child=NumberListField())


class TieOutput(Serializer):
    """Players tied on the first tiebreaker, with each tiebreaker applied to them.

    They are of a ``group``, or have the same ``rank`` in several groups.
    """

    stage = serializers.IntegerField()
    group = serializers.CharField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    criterion = serializers.CharField()
    value = serializers.ListField(child=serializers.JSONField())
    players = NumberListField()
    steps = TieStepOutput(many=True)


class RankedOutput(Serializer):
    """A row of the final standings; tied players share a rank.

    For players eliminated in a running play-in, ``rank`` is the best possible, ``last`` the worst.
    """

    rank = serializers.IntegerField()
    number = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    display_name = serializers.CharField(source="entry.display_name")
    shared = serializers.BooleanField()
    last = serializers.IntegerField()


@public_read("stage", "group")
class StandingsView(StageView):
    """API view: the standings of a stage."""

    @extend_schema(
        operation_id="standings_list", parameters=OF_GROUPS, responses=StandingOutput(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the rows of the latest stage that has begun, or of ``?stage=`` and ``?group=``."""
        return self.of_stage(request, self._rows)

    def _rows(self, request: Request, stage: StageFacts) -> list[Json]:
        wanted = self.requested_groups(request, stage)
        ranked = [name for name in wanted if name in stage.outcome.standings]
        return [row for name in ranked for row in standings_json(stage, name)]


class ReleaseInput(Serializer):
    """The number of the latest published round, up to which standings become public."""

    round = WholeNumberField(min_value=1, max_value=LARGEST)


class Release(EventView):
    """API view: publish hidden standings."""

    @idempotent_post("standings_release", ReleaseInput, ReleaseInput)
    def post(self, request: Request, slug: str) -> Response:
        """Show everybody the standings up to the latest published round; organisers.

        409 ``nothing_held``; ``another_round`` where the ``round`` is not the latest any more.
        """
        require_permission(can_manage(self.actor, self.event))
        number = validate_input(ReleaseInput, request.data)["round"]
        release_standings(event=self.event, expected_round=number, by=self.actor)
        return Response({"round": number})


@public_read("stage", "group")
class TieBreaks(StageView):
    """API view: how tiebreakers ordered the tied players of a stage."""

    @extend_schema(
        operation_id="tie_breaks_list", parameters=OF_GROUPS, responses=TieOutput(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return players tied on the first tiebreaker, and what each other one separates.

        Of the latest stage that has begun, or of ``?stage=`` and ``?group=``; players of different
        groups that are compared have a ``rank`` in place of the group.
        """
        return self.of_stage(request, self._rows)

    def _rows(self, request: Request, stage: StageFacts) -> list[Json]:
        across = [] if text_parameters(request, "group") else [""]
        wanted = {*self.requested_groups(request, stage), *across}
        traces = [table for table in stage_ties(stage) if table.group in wanted]
        return [tie_json(stage, table, tied) for table in traces for tied in table.sets]


@public_read()
class Ranking(StageView):
    """API view: the final standings of an event."""

    @extend_schema(operation_id="ranking_list", responses=RankedOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the ranking; while the event runs, of those who are out or sure of a place."""
        if (same := self.not_modified(request)) is not None:
            return same
        rows = ranking_page(read_facts(self.event)).rows
        return self.answer(request, RankedOutput(rows, many=True).data)


class ResultsParser(BodyParser):
    """Request parser that accepts any JSON value; `rules` validates it."""

    def value(self, content: bytes) -> Any:
        """Return the parsed value; raises BadInput if the body is not JSON."""
        return parse_json(content)


class RankView(APIView):
    """API view: compute standings from results sent by the caller."""

    parser_classes = [ResultsParser]
    largest_body = 2 * MEBIBYTE  # thirty thousand matches
    throttle_scope = "heavy"

    @extend_schema(request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT, operation_id="rank")
    def post(self, request: Request) -> Response:
        """Return the standings; 400 with the ``path`` in the JSON that is wrong, ``too_costly``.

        A document has matches of two or tables, whose matches are ``{"round": 1, "seats": ["anna",
        "bruno", "carla"], "places": [1, 2, 2]}`` or have ``scores``, null for who was absent.
        ``usual`` is the usual size of a table. ``points`` are a preset (``win5``, ``win3``,
        ``places``), numbers, halves and quarters as text (``"1/2"``), or one a place.
        ``dropped_cap`` is the most that the match-win percentage of a ``withdrawn`` player counts.
        400 ``unknown_points``, ``invalid_points``, ``criterion_needs_two``.
        """
        return Response(render_standings(rank_document(request.data).standings))


MOST_FOR_ANYBODY = 256
"""Players; more take part of a second of the processor, for callers who are known."""


class TablesView(APIView):
    """API view: assign players sent by the caller to multiplayer tables of three to five."""

    largest_body = MEBIBYTE  # a thousand players and whom each has met
    throttle_scope = "heavy"

    @extend_schema(
        request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT, operation_id="tables"
    )
    def post(self, request: Request) -> Response:
        """Return ``tables`` in the order of their seats, ``byes``, ``cost`` and ``proven``.

        400 with the ``path`` of what is wrong; 401 above 256 players without a token.

        Each of ``players`` has ``player`` and perhaps ``points``, ``met`` (times by opponent),
        ``small`` (small tables had), ``byes`` and ``seats`` ([seat, times]); ``apart`` are pairs.
        The cost is the least that was found, and ``proven`` if every set was looked at, up to 16
        players. The same document always has the same answer; 1,024 players at most.
        """
        wanted = parse_table_request(request.data)
        if len(wanted.entrants) > MOST_FOR_ANYBODY and not request.user.is_authenticated:
            raise NotAuthenticated(
                _("A token is needed for more than %(most)s players.") % {"most": MOST_FOR_ANYBODY}
            )
        return Response(render_table_round(wanted.make()))
