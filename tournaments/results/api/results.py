"""Endpoints of results: entered, reported, corrected, and the effects of a correction."""

from collections.abc import Callable
from dataclasses import replace

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config import transaction
from rules.errors import BadInput
from rules.matches.battle_cards import with_battle_cards
from rules.matches.match_rules import Claim, MatchRules
from rules.matches.settling import settle
from tournaments.api.fields import refuse_unused, validated
from tournaments.api.idempotency import idempotent_post
from tournaments.api.problem_response import refused
from tournaments.api.serialization import Json
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import can_enter_results, can_report, is_staff, require
from tournaments.matches.services import StaleError, check_opponent, locked_match
from tournaments.models import Match, TokenScope
from tournaments.players.services.departures import check_not_struck
from tournaments.results.api.matches import MatchView
from tournaments.results.selectors.effects import Effects, correction_effects
from tournaments.results.serializers import (
    LATER,
    OF_TABLES,
    TAKE_BACK,
    EffectsInput,
    EffectsOutput,
    ResultInput,
    SaysInput,
    claim_in,
    effects_json,
)
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.results.services.results import ChoiceNeededError, enter_result
from tournaments.results.services.table_reports import contradict_result
from tournaments.rounds.serializers import MatchOutput

BY_PROGRAM = "API"


class ResultOutput(MatchOutput):
    """A match with its result; after a correction also what that changed."""

    effects = EffectsOutput(required=False)


class ResultView(MatchView):
    """Base class of the endpoints that take a result of a match."""

    writes = TokenScope.Level.RESULTS

    def claim(self, match: Match, values: Json) -> Claim:
        """Return the submitted result, battle cards included."""
        rules, in_play = match_rules(match, self.event), values.get("battle_cards", ())
        claim = with_battle_cards(rules, claim_in(values), ("a" in in_play, "b" in in_play))
        if match.size > 2:
            return claim
        refuse_unused(values, *OF_TABLES)
        return _as_decision(rules, claim) if can_enter_results(self.actor, self.event) else claim

    def effects(self, effects: Effects) -> Json:
        """Return the effects of a correction as JSON, limited to what the caller may see."""
        return effects_json(effects, drafts=is_staff(self.sight, self.event))


class Result(ResultView):
    """The result of a match."""

    @extend_schema(operation_id="matches_result", request=ResultInput, responses=ResultOutput)
    def put(self, request: Request, slug: str, match_id: int) -> Response:
        """Enter the result, as staff at once, as a player for the opponent to confirm.

        A result that counts already is corrected; its ``note`` says why. A ``winner`` stands
        beside any score; ``note`` is the reason. 409 ``stale`` with the present ``match`` when the
        version is an older one; 409 ``choice_needed`` with the ``effects`` of a correction that
        contradicts rounds or stages made from the old result, unless ``later`` says what happens
        to them.
        """
        match = self.match(match_id)
        require(can_enter_results(self.actor, self.event) or can_report(self.actor, match))
        sent = validated(ResultInput, request.data)
        try:
            effects = self._enter(match, sent)
        except StaleError as stale:
            return refused(request, stale, match=self.shown(match))
        except ChoiceNeededError as open_choice:
            effects = self.effects(open_choice.effects)
            return refused(request, open_choice, effects=effects, choices=LATER)
        return Response(self.shown(match) | ({"effects": effects} if effects else {}))

    def _enter(self, match: Match, values: Json) -> Json | None:
        """Store the result; return the effects of a correction, None if it is the first result."""
        claim, version = self.claim(match, values), values["version"]
        if not can_enter_results(self.actor, self.event):
            self._report(match, version, claim)
            return None
        later = values.get("later")
        entered = enter_result(
            match=match,
            version=version,
            claim=claim,
            reason=values.get("note", "").strip() or BY_PROGRAM,
            take_back=None if later is None else later == TAKE_BACK,
            by=self.actor,
        )
        return None if entered.effects is None else self.effects(entered.effects)

    @transaction.atomic
    def _report(self, match: Match, version: int, claim: Claim) -> None:
        match = locked_match(match)
        if match.version != version:
            raise StaleError(match, self.actor)
        report_result(match=match, claim=claim, by=self.actor)


class SaysView(MatchView):
    """Base class of the calls by which a player says yes or no to what another reported."""

    writes = TokenScope.Level.RESULTS

    def answer_to(self, request: Request, match_id: int, says: Callable[..., Match]) -> Response:
        """Store it and return the match; 409 ``stale`` with the present ``match``."""
        match = self.match(match_id)
        require(can_report(self.actor, match))
        version = validated(SaysInput, request.data)["version"]
        try:
            says(match=match, version=version, by=self.actor)
        except StaleError as stale:
            return refused(request, stale, match=self.shown(match))
        return Response(self.shown(match))


class Confirm(SaysView):
    """A player's yes to the reported result."""

    @idempotent_post("matches_confirm", SaysInput, MatchOutput)
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Confirm what the opponent, or another of the table, has reported.

        At a table of three and more it counts once more than half agree. Said again it changes
        nothing. 409 ``own_report``, ``stale``.
        """
        return self.answer_to(request, match_id, confirm_result)


class Contradict(SaysView):
    """A player's no to the reported result of their table."""

    @idempotent_post("matches_contradict", SaysInput, MatchOutput)
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Say that the reported result of a table of three and more is wrong: it is disputed.

        Said again it changes nothing. 409 ``match_of_two`` where two report each their own,
        ``own_report``, ``stale``.
        """
        return self.answer_to(request, match_id, contradict_result)


class ResultEffects(ResultView):
    """The effects that a result would have, without storing it."""

    @extend_schema(operation_id="matches_effects", request=EffectsInput, responses=EffectsOutput)
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Return who would move, which places change hands, and what would be paired otherwise.

        Nothing is stored; for the staff.
        """
        match = self.match(match_id)
        require(can_enter_results(self.actor, self.event))
        sent = validated(EffectsInput, request.data)
        if sent.get("version", match.version) != match.version:
            return refused(request, StaleError(match, self.actor), match=self.shown(match))
        check_opponent(match)
        check_not_struck(match.group.stage, *match.seats)
        claim = self.claim(match, sent)
        outcome = settle(match_rules(match, self.event), replace(claim, by_staff=True))
        effects = correction_effects(load_facts(self.event), match, outcome)
        return Response(self.effects(effects))


def _as_decision(rules: MatchRules, claim: Claim) -> Claim:
    """Return the claim as a decision of the staff if its winner contradicts its score.

    Such a decision needs a reason; a default is given for programs that send none.
    """
    if claim.winner is None or claim.tie_break is not None or claim.note.strip():
        return claim
    try:
        settle(rules, replace(claim, by_staff=True))
    except BadInput:
        return replace(claim, note=BY_PROGRAM)
    return claim
