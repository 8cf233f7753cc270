"""Endpoints of matches."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.listing import numbers_asked, one_of, page_of, query_parameters, texts_asked
from tournaments.api.serialization import Json, match_json
from tournaments.api.stage_views import StageView
from tournaments.core.permissions import is_staff
from tournaments.core.rows import AnyMatch
from tournaments.models import Match, Round
from tournaments.models.match import matches_with_players
from tournaments.pages.offers import public_read
from tournaments.rounds.serializers import MatchOutput

NUMBERS = ("stage", "round", "player")


@public_read(*NUMBERS, "group", "state", "page")
class MatchList(StageView):
    """The matches of an event."""

    @extend_schema(
        operation_id="matches_list",
        parameters=query_parameters(*NUMBERS, "group", page=True, state=Match.State.values),
        responses=page_of(MatchOutput),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of matches, of all or those that the filters leave."""
        if (same := self.not_modified(request)) is not None:
            return same
        return self.paged(request, self._filtered_matches(request), lambda row: row)

    def _filtered_matches(self, request: Request) -> list[Json]:
        wanted: dict[str, Any] = numbers_asked(request, *NUMBERS) | texts_asked(request, "group")
        if state := one_of(request, "state", Match.State.values):
            wanted["state"] = state
        facts = self.facts()
        shown = [
            match_json(facts, stage, item, match)
            for stage in facts.stages
            for item in stage.rounds
            for match in stage.matches_of(item)
        ]
        player = wanted.pop("player", None)
        return [
            row
            for row in shown
            if all(row[key] == value for key, value in wanted.items())
            and (player is None or player in row["seats"])
        ]


class MatchView(StageView):
    """Base class of the endpoints for one match."""

    def match(self, match_id: int) -> Match:
        """Return a match; raises Http404 unless the caller may see it."""
        which: Json = {"pk": match_id, "round__event": self.event}
        if not is_staff(self.sight, self.event):
            which["round__state"] = Round.State.PUBLISHED
        for match in matches_with_players("round__event", "group__stage", **which):
            return match
        raise Http404

    def match_tag(self, request: Request, match: Match) -> str:
        """Return the ETag of a match, which changes with that match only."""
        state = (match.round.ordinal, match.round.state, match.table, match.seats)
        return self.tag_of(
            request, f"match {match.pk}", *state, match.version, match.state, match.reason
        )

    def tags(self, request: Request) -> Iterator[str]:
        """Yield the accepted ETags, that of the match included."""
        yield from super().tags(request)
        yield self.match_tag(request, self.match(self.kwargs["match_id"]))

    def shown(self, match: AnyMatch) -> Json:
        """Return the match as JSON, in its present state."""
        facts = self.facts()
        for stage in facts.stages:
            for item in stage.rounds:
                for each in stage.matches_of(item):
                    if each.pk == match.pk:
                        return match_json(facts, stage, item, each)
        return {}


class MatchDetail(MatchView):
    """One match."""

    @extend_schema(operation_id="matches_retrieve", responses=MatchOutput)
    def get(self, request: Request, slug: str, match_id: int) -> Response:
        """Return the match."""
        same = self.not_modified(request)
        return same or self.answer(request, self.shown(self.match(match_id)))

    def tag(self, request: Request) -> str:
        """Return the tag of the match."""
        return self.match_tag(request, self.match(self.kwargs["match_id"]))
