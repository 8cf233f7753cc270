"""Corrections through the API: what follows, and the ways to go on."""

from dataclasses import replace

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from rules.matches.settling import settle
from tournaments.api.fields import validated
from tournaments.api.idempotency import idempotent_post
from tournaments.api.problem_response import refused
from tournaments.api.request_context import EventView
from tournaments.api.serialization import Json
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import can_enter_results, can_manage, can_rule, require
from tournaments.corrections.selectors.byes import bye_correction_of
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    TAKE_BACK,
    correction_of,
)
from tournaments.corrections.selectors.lots import lots_correction_of
from tournaments.corrections.selectors.players import player_correction_of
from tournaments.corrections.selectors.start import seeds_correction_of
from tournaments.corrections.serializers import (
    ByeInput,
    CorrectionInput,
    CorrectionOutput,
    LotsCorrectionInput,
    PlayerCorrectionInput,
    SeedsInput,
    correction_json,
)
from tournaments.corrections.services.byes import move_bye
from tournaments.corrections.services.lots import correct_lots
from tournaments.corrections.services.players import check_in, correct_player, who_comes
from tournaments.corrections.services.results import follow, keep, take_back
from tournaments.corrections.services.seeds import correct_seeds, right_seeds
from tournaments.matches.services import StaleError, check_opponent
from tournaments.models import Draw, Match, TokenScope
from tournaments.players.api import PlayerView
from tournaments.players.services.departures import check_not_struck
from tournaments.results.api.matches import MatchView
from tournaments.results.api.results import ResultView


class MatchCorrection(ResultView):
    """A result corrected after more was made from it."""

    writes = TokenScope.Level.MANAGE

    @idempotent_post("matches_correction", CorrectionInput, CorrectionOutput)
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Return what a correction changes and the ways to go on; with ``way`` go one of them.

        409 ``stale`` where the match has another version, or what would change is not what
        ``shown`` names; ``cannot_follow`` with the reason. Each way is one act with one undo, after
        a snapshot.
        """
        match = self.match(match_id)
        require(can_enter_results(self.actor, self.event))
        sent = validated(CorrectionInput, request.data)
        try:
            return Response(
                self._stored(match, sent) if sent.get("way") else self._shown(match, sent)
            )
        except StaleError as stale:
            return refused(request, stale, match=self.shown(match))

    def _shown(self, match: Match, sent: Json) -> Json:
        if sent.get("version", match.version) != match.version:
            raise StaleError(match, self.actor)
        check_opponent(match)
        check_not_struck(match.group.stage, *match.seats)
        claim = replace(self.claim(match, sent), by_staff=True)
        outcome = settle(match_rules(match, self.event), claim)
        found = correction_of(load_facts(self.event), match, outcome, sent.get("void", ()))
        return correction_json(found)

    def _stored(self, match: Match, sent: Json) -> Json:
        values = {
            "match": match,
            "version": sent.get("version", match.version),
            "claim": self.claim(match, sent),
            "reason": sent.get("note", ""),
            "by": self.actor,
        }
        shown = sent.get("shown", "")
        if sent["way"] == FOLLOW:
            done = follow(**values, shown=shown, void=sent.get("void", ()), now=_is_now(sent))
        elif sent["way"] == TAKE_BACK:
            done = take_back(**values, shown=shown, confirm=sent.get("confirm", ""))
        else:
            done = keep(**values)
        return correction_json(done) | {"match": self.shown(match)}


class LotsCorrection(EventView):
    """An order of lots put right after more was made from it."""

    writes = TokenScope.Level.MANAGE

    @idempotent_post("draws_correction", LotsCorrectionInput, CorrectionOutput)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Return what the right order changes and the ways to go on; with ``way`` go one of them.

        Only of lots that were drawn by hand and still decide: else 409 ``lots_stay``. The order is
        a draw of its own and stays on record; what follows is one act with one undo.
        """
        require(can_rule(self.actor, self.event))
        draw = get_object_or_404(Draw, event=self.event, number=number)
        sent, facts = validated(LotsCorrectionInput, request.data), load_facts(self.event)
        order, void = sent["order"], sent.get("void", ())
        if not sent.get("way"):
            return Response(correction_json(lots_correction_of(facts, draw, order, void)))
        done = correct_lots(
            event=self.event,
            number=number,
            order=order,
            way=sent["way"],
            shown=sent.get("shown", ""),
            reason=sent.get("note", ""),
            void=void,
            now=_is_now(sent),
            confirm=sent.get("confirm", ""),
            by=self.actor,
        )
        return Response(correction_json(done))


class SeedsCorrection(EventView):
    """The seeds of a start put right after it."""

    writes = TokenScope.Level.MANAGE

    @idempotent_post("seeds_correction", SeedsInput, CorrectionOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Return what the right seeds change and the ways to go on; with ``way`` go one of them.

        ``seeds`` of who is not named stay; a start that was drawn by hand takes ``order``. 409
        ``no_start`` before the start, ``cannot_follow``, ``stale``; 400 ``same_seeds``.
        """
        require(can_manage(self.actor, self.event))
        sent, facts = validated(SeedsInput, request.data), load_facts(self.event)
        changed = {each["player"]: each["seed"] for each in sent.get("seeds", ())}
        order = sent.get("order", ())
        if not sent.get("way"):
            seeds = right_seeds(facts, changed)
            found = seeds_correction_of(facts, seeds, order, sent.get("void", ()))
            return Response(correction_json(found))
        done = correct_seeds(
            event=self.event,
            seeds=changed,
            order=order,
            way=sent["way"],
            shown=sent.get("shown", ""),
            reason=sent.get("note", ""),
            void=sent.get("void", ()),
            now=_is_now(sent),
            confirm=sent.get("confirm", ""),
            by=self.actor,
        )
        return Response(correction_json(done))


class PlayerCorrection(PlayerView):
    """A player who should not have been in."""

    writes = TokenScope.Level.MANAGE

    @idempotent_post("players_correction", PlayerCorrectionInput, CorrectionOutput)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Return what was made with a player and the ways to go on; with ``way`` go one of them.

        ``take_out`` withdraws the player from now on; with ``follow`` and ``take_back`` another
        has the seat, too: ``comes`` of the waiting list, somebody new of this ``name``, or who
        comes next for a seat that was got in an earlier stage. 409 ``not_in`` without a seat.
        """
        require(can_rule(self.actor, self.event))
        sent, facts = validated(PlayerCorrectionInput, request.data), load_facts(self.event)
        entry = self.entry(number)
        comes, name = sent.get("comes"), sent.get("name", "")
        if not sent.get("way"):
            check_in(facts, entry)
            new = who_comes(facts, comes, name)
            found = player_correction_of(facts, entry.number, new, sent.get("void", ()))
            return Response(correction_json(found, takes_out=entry.plays))
        done = correct_player(
            entry=entry,
            way=sent["way"],
            comes=comes,
            name=name,
            shown=sent.get("shown", ""),
            reason=sent.get("note", ""),
            void=sent.get("void", ()),
            now=_is_now(sent),
            confirm=sent.get("confirm", ""),
            by=self.actor,
        )
        return Response(correction_json(done, takes_out=entry.plays))


class MatchBye(MatchView):
    """The bye of a published Swiss round, given to somebody else."""

    writes = TokenScope.Level.MANAGE

    @idempotent_post("matches_bye", ByeInput, CorrectionOutput)
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Return what changes once ``player`` rests instead; with ``way`` go one of them.

        409 ``cannot_follow`` with the reason, ``stale`` where what would change is not what
        ``shown`` names. ``void`` with the match of that player: it is not played again.
        """
        match = self.match(match_id)
        require(can_rule(self.actor, self.event))
        sent, facts = validated(ByeInput, request.data), load_facts(self.event)
        if sent["player"] not in facts.entries:
            raise Http404
        if not sent.get("way"):
            found = bye_correction_of(facts, match, sent["player"], void=bool(sent.get("void")))
            return Response(correction_json(found, keeps=False))
        done = move_bye(
            match=match,
            player=sent["player"],
            way=sent["way"],
            shown=sent.get("shown", ""),
            reason=sent.get("note", ""),
            void=bool(sent.get("void")),
            now=_is_now(sent),
            confirm=sent.get("confirm", ""),
            by=self.actor,
        )
        return Response(correction_json(done, keeps=False) | {"match": self.shown(match)})


def _is_now(sent: Json) -> bool:
    return bool(sent.get("when") == "now")
