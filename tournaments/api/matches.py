"""Matches and results through the API.

Contracts, API.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from rules.battle_cards import with_battle_cards
from rules.errors import BadInput
from rules.matches import Claim, MatchRules, settle
from rules.results import EndedBy, TieBreak, Winner
from tournaments.api.input import ResultInput
from tournaments.api.listing import filters, numbers, page_of, texts
from tournaments.api.output import MatchOutput
from tournaments.api.refusing import refused
from tournaments.api.shapes import Json, match_json
from tournaments.api.stages import StageView
from tournaments.mapping import match_rules
from tournaments.models import Match, Round, TokenScope
from tournaments.permissions import can_enter_results, can_report, is_staff, require
from tournaments.services.matches import StaleError
from tournaments.services.reports import report_result
from tournaments.services.results import correct_result, decide_result

NUMBERS = ("stage", "round", "player")
BY_PROGRAM = "API"


class MatchList(StageView):
    """The matches of an event."""

    @extend_schema(
        operation_id="matches_list",
        parameters=filters(*NUMBERS, "group", "state", page=True),
        responses=page_of(MatchOutput),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of matches, of all or those that the filters leave."""
        if (same := self.not_modified(request)) is not None:
            return same
        return self.paged(request, self._found(request), lambda row: row)

    def _found(self, request: Request) -> list[Json]:
        wanted: dict[str, Any] = numbers(request, *NUMBERS) | texts(request, "group", "state")
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
            and (player is None or player in (row["a"], row["b"]))
        ]


class MatchView(StageView):
    """A call about one match."""

    def match(self, match_id: int) -> Match:
        """Return a match that the caller may know of; 404 for every other."""
        found = Match.objects.filter(round__event=self.event).select_related("round__event")
        if not is_staff(self.sight, self.event):
            found = found.filter(round__state=Round.State.PUBLISHED)
        match: Match = get_object_or_404(
            found.select_related("a", "b", "group__stage"), pk=match_id
        )
        return match

    def match_tag(self, request: Request, match: Match) -> str:
        """Return the ETag of a match, which changes with that match alone."""
        state = (match.round.ordinal, match.round.state, match.table, match.a_id, match.b_id)
        return self.tag_of(
            request, f"match {match.pk}", *state, match.version, match.state, match.reason
        )

    def tags(self, request: Request) -> Iterator[str]:
        """Yield the tag of the match too."""
        yield from super().tags(request)
        yield self.match_tag(request, self.match(self.kwargs["match_id"]))

    def shown(self, match: Match) -> Json:
        """Return a match as JSON, as it is now."""
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


class Result(MatchView):
    """The result of a match."""

    writes = TokenScope.Level.RESULTS

    @extend_schema(operation_id="matches_result", request=ResultInput, responses=MatchOutput)
    def put(self, request: Request, slug: str, match_id: int) -> Response:
        """Enter the result, as staff at once, as a player for the opponent to confirm.

        A result that counts already is corrected; its ``note`` says why. A ``winner`` stands
        beside any score; ``note`` is the reason. 409 ``stale`` with the present ``match`` when the
        version is an older one.
        """
        match = self.match(match_id)
        require(can_enter_results(self.actor, self.event) or can_report(self.actor, match))
        sent = ResultInput(data=request.data)
        sent.is_valid(raise_exception=True)
        try:
            self._enter(match, sent.validated_data)
        except StaleError as stale:
            return refused(request, stale, match=self.shown(match))
        return Response(self.shown(match))

    def _enter(self, match: Match, values: Json) -> None:
        version, note = values["version"], values.get("note", "")
        in_play = values.get("battle_cards", ())
        rules = match_rules(match, self.event)
        claim = with_battle_cards(rules, _claim(values), ("a" in in_play, "b" in in_play))
        if not can_enter_results(self.actor, self.event):
            if match.version != version:
                raise StaleError(match)
            report_result(match=match, claim=claim, by=self.actor)
            return
        claim = _decided(rules, claim)
        if match.state == Match.State.FINAL:
            correct_result(
                match=match,
                version=version,
                claim=claim,
                reason=note.strip() or BY_PROGRAM,
                take_back=values["take_back"],
                by=self.actor,
            )
        else:
            decide_result(match=match, version=version, claim=claim, by=self.actor)


def _decided(rules: MatchRules, claim: Claim) -> Claim:
    """Return a claim whose winner stands beside any score, as a decision of the staff.

    Such a decision needs a reason; a program that gives none is the reason itself.
    """
    if claim.winner is None or claim.tie_break is not None or claim.note.strip():
        return claim
    try:
        settle(rules, replace(claim, by_staff=True))
    except BadInput:
        return replace(claim, note=BY_PROGRAM)
    return claim


def _claim(values: Json) -> Claim:
    score, games = values.get("score"), values.get("games")
    winner, ended_by = values.get("winner"), values.get("ended_by")
    tie_break = values.get("tie_break")
    return Claim(
        score=(score[0], score[1]) if score else None,
        games=tuple(games) if games is not None else None,
        winner=Winner(winner) if winner else None,
        ended_by=EndedBy(ended_by) if ended_by else None,
        tie_break=TieBreak(tie_break) if tie_break else None,
        note=values.get("note", ""),
    )
