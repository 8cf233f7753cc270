"""Corrections through the API: what follows, and the options."""

from dataclasses import replace

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config.wording import translate
from rules.matches.settling import resolve_claim
from tournaments.api.request_context import EventView, idempotent_post, problem_response
from tournaments.api.serialization import (
    Json,
    NumberListField,
    PositiveNumbersField,
    Serializer,
    WholeNumberField,
    validate_input,
)
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import (
    Actor,
    can_enter_results,
    can_manage,
    can_rule,
    require_permission,
)
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    PLAYER_WAYS,
    TAKE_BACK,
    TAKE_OUT,
    WAYS,
    Correction,
    draw_correction,
    matches_by_key,
    result_correction,
)
from tournaments.corrections.selectors.seat import bye_correction
from tournaments.corrections.selectors.start import player_correction, seeds_correction
from tournaments.corrections.services.carrying import (
    correct_random_draw,
    correct_seeds,
    corrected_seeds,
    move_bye,
)
from tournaments.corrections.services.results import (
    carry_out_correction,
    check_has_seat,
    correct_player,
    find_replacement,
)
from tournaments.matches.services import StaleError, check_opponent
from tournaments.models import Draw, Entry, Match, TokenScope
from tournaments.players.api import PlayerView
from tournaments.players.services.departures import check_not_struck
from tournaments.results.api import EffectsInput, EffectsOutput, MatchView, ResultView, effects_json
from tournaments.rounds.api import MatchOutput


class WayInput(Serializer):
    """The chosen option of a correction; without ``way`` its effects are only computed."""

    way = serializers.ChoiceField(choices=WAYS, required=False)
    shown = serializers.CharField(
        max_length=40,
        required=False,
        help_text="``mark`` of the answer without ``way``: what would change must be the same",
    )
    void = serializers.ListField(
        child=WholeNumberField(min_value=1),
        max_length=1000,
        required=False,
        help_text="Of ``follow``: matches, by id, that are void instead of played again",
    )
    when = serializers.ChoiceField(
        choices=("now", "next_round"),
        required=False,
        help_text="Of ``follow``: when matches are played again; else before the round to come",
    )
    confirm = serializers.CharField(
        max_length=140,
        allow_blank=True,
        required=False,
        help_text="Of ``take_back``: the event's name, where results go",
    )


class CorrectionInput(WayInput, EffectsInput):
    """A corrected result and the chosen option.

    Without ``way`` nothing is stored.
    """


class LotsCorrectionInput(WayInput):
    """The correct order of a random draw made by hand, and the chosen option.

    ``order``: the numbers of all players of the draw, the first drawn first.
    """

    order = PositiveNumbersField(allow_empty=False)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)


class ByeInput(WayInput):
    """The number of the player who gets the bye instead; ``way``: ``follow`` or ``take_back``."""

    way = serializers.ChoiceField(choices=(FOLLOW, TAKE_BACK), required=False)
    player = WholeNumberField(min_value=1)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)


class SeedInput(Serializer):
    """A player's number and correct seed, null for none."""

    player = WholeNumberField(min_value=1)
    seed = WholeNumberField(min_value=1, max_value=10_000, allow_null=True)


class SeedsInput(WayInput):
    """Corrected seeds, or the correct ``order`` of a start drawn by hand."""

    seeds = SeedInput(many=True, required=False)
    order = PositiveNumbersField(required=False)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)


class PlayerCorrectionInput(WayInput):
    """The chosen option for a player who should not have taken part.

    ``comes``: the replacement's number on the waiting list; ``name``: a new player instead.
    """

    way = serializers.ChoiceField(choices=PLAYER_WAYS, required=False)
    comes = WholeNumberField(min_value=1, required=False)
    name = serializers.CharField(
        max_length=Entry._meta.get_field("name").max_length, allow_blank=True, required=False
    )
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)


class SeatChangeOutput(Serializer):
    """A seat of the open stage with the player number before and after."""

    group = serializers.CharField()
    seat = serializers.IntegerField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class MatchChangeOutput(Serializer):
    """A match with the numbers of its players before and after.

    ``begun``: it was played or in progress. ``fate``: passes (to the new players), again
    (replayed), void, forfeit or rests (bye).
    """

    match = serializers.IntegerField()
    round = serializers.IntegerField()
    before = NumberListField()
    after = NumberListField()
    begun = serializers.BooleanField()
    fate = serializers.CharField()


class CorrectionOutput(Serializer):
    """The effects of a correction, and the options to carry it out.

    Without ``way`` in the request nothing is stored: send one of ``ways`` next, with ``mark`` as
    ``shown``. ``why_not``: why later rounds can't follow. ``seats`` and ``matches`` change with
    ``follow``; ``rounds`` (ordinals) and ``results`` (their number) are deleted with ``take_back``.
    ``match``: the corrected match, once it is stored.
    """

    effects = EffectsOutput()
    mark = serializers.CharField()
    ways = serializers.ListField(child=serializers.ChoiceField(choices=PLAYER_WAYS))
    why_not = serializers.CharField(allow_blank=True)
    seats = SeatChangeOutput(many=True)
    matches = MatchChangeOutput(many=True)
    rounds = NumberListField()
    results = serializers.IntegerField()
    match = MatchOutput(required=False)


def correction_json(found: Correction, *, keeps: bool = True, takes_out: bool = False) -> Json:
    """Return a correction as JSON; ``found``: the correction.

    ``keeps``: offer the option ``keep``, leaving later rounds as they are. ``takes_out``: offer
    ``take_out``, dropping the player from now on.
    """
    follows, target = found.follows, found.target
    why_not = translate(found.why_not) if found.why_not else ""
    ways = [*([TAKE_OUT] if takes_out else []), *([KEEP] if keeps else [])]
    if found.reaches_further:
        ways = [*([FOLLOW] if follows and not why_not else []), *ways]
        ways += [TAKE_BACK] if found.takes_back else []
    rounds = target.regular_rounds if target else ()
    rows = matches_by_key(target) if target else {}
    return {
        "effects": effects_json(found.effects, drafts=True),
        "mark": found.mark,
        "ways": ways,
        "why_not": why_not,
        "seats": SeatChangeOutput(follows.seats if follows else (), many=True).data,
        "matches": [
            {
                "match": rows[each.key].pk,
                "round": rounds[each.round].ordinal,
                "before": list(each.pairing.seats),
                "after": list(each.after),
                "begun": each.begun,
                "fate": str(each.fate),
            }
            for each in found.changes
        ],
        "rounds": [item.ordinal for item in found.goes[::-1]],
        "results": len(found.results_gone),
    }


class MatchCorrection(ResultView):
    """Endpoint: correct a result after later rounds or stages were made from it."""

    writes = TokenScope.Level.MANAGE

    @idempotent_post("matches_correction", CorrectionInput, CorrectionOutput)
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Return what a correction changes and the options; with ``way`` do one of them.

        409 ``stale`` where the match has another version, or what would change is not what
        ``shown`` names; ``cannot_follow`` with the reason. Each way is one act with one undo, after
        a snapshot.
        """
        match = self.match(match_id)
        require_permission(can_enter_results(self.actor, self.event))
        sent = validate_input(CorrectionInput, request.data)
        try:
            return Response(
                self._stored(match, sent) if sent.get("way") else self._shown(match, sent)
            )
        except StaleError as stale:
            return problem_response(request, stale, match=self.shown(match))

    def _shown(self, match: Match, sent: Json) -> Json:
        if sent.get("version", match.version) != match.version:
            raise StaleError(match)
        check_opponent(match)
        check_not_struck(match.group.stage, *match.seats)
        claim = replace(self.claim(match, sent), by_staff=True)
        outcome = resolve_claim(match_rules(match, self.event), claim)
        found = result_correction(load_facts(self.event), match, outcome, sent.get("void", ()))
        return correction_json(found)

    def _stored(self, match: Match, sent: Json) -> Json:
        done = carry_out_correction(
            match=match,
            version=sent.get("version", match.version),
            claim=self.claim(match, sent),
            **_goes_on(sent, self.actor),
        )
        return correction_json(done) | {"match": self.shown(match)}


class LotsCorrection(EventView):
    """Endpoint: correct a random draw made by hand after rounds were made from it."""

    writes = TokenScope.Level.MANAGE

    @idempotent_post("draws_correction", LotsCorrectionInput, CorrectionOutput)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Return what the right order changes and the options; with ``way`` do one of them.

        Only of lots that were drawn by hand and still decide: else 409 ``lots_stay``. The order is
        a draw of its own and stays on record; what follows is one act with one undo.
        """
        require_permission(can_rule(self.actor, self.event))
        draw = get_object_or_404(Draw, event=self.event, number=number)
        sent, facts = validate_input(LotsCorrectionInput, request.data), load_facts(self.event)
        order, void = sent["order"], sent.get("void", ())
        if not sent.get("way"):
            return Response(correction_json(draw_correction(facts, draw, order, void)))
        done = correct_random_draw(
            event=self.event,
            number=number,
            order=order,
            **_goes_on(sent, self.actor),
        )
        return Response(correction_json(done))


class SeedsCorrection(EventView):
    """Endpoint: correct the seeds after the start."""

    writes = TokenScope.Level.MANAGE

    @idempotent_post("seeds_correction", SeedsInput, CorrectionOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Return what the right seeds change and the options; with ``way`` do one of them.

        ``seeds`` of who is not named stay; a start that was drawn by hand takes ``order``. 409
        ``no_start`` before the start, ``cannot_follow``, ``stale``; 400 ``same_seeds``.
        """
        require_permission(can_manage(self.actor, self.event))
        sent, facts = validate_input(SeedsInput, request.data), load_facts(self.event)
        changed = {each["player"]: each["seed"] for each in sent.get("seeds", ())}
        order = sent.get("order", ())
        if not sent.get("way"):
            seeds = corrected_seeds(facts, changed)
            found = seeds_correction(facts, seeds, order, sent.get("void", ()))
            return Response(correction_json(found))
        done = correct_seeds(
            event=self.event,
            seeds=changed,
            order=order,
            **_goes_on(sent, self.actor),
        )
        return Response(correction_json(done))


class PlayerCorrection(PlayerView):
    """Endpoint: remove or replace a player who should not have taken part."""

    writes = TokenScope.Level.MANAGE

    @idempotent_post("players_correction", PlayerCorrectionInput, CorrectionOutput)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Return what was made with a player and the options; with ``way`` do one of them.

        ``take_out`` withdraws the player from now on; with ``follow`` and ``take_back`` another
        has the seat, too: ``comes`` of the waiting list, somebody new of this ``name``, or who
        comes next for a seat that was got in an earlier stage. 409 ``not_in`` without a seat.
        """
        require_permission(can_rule(self.actor, self.event))
        sent, facts = validate_input(PlayerCorrectionInput, request.data), load_facts(self.event)
        entry = self.entry(number)
        comes, name = sent.get("comes"), sent.get("name", "")
        if not sent.get("way"):
            check_has_seat(facts, entry)
            new = find_replacement(facts, comes, name)
            found = player_correction(facts, entry.number, new, sent.get("void", ()))
            return Response(correction_json(found, takes_out=entry.plays))
        done = correct_player(
            entry=entry,
            comes=comes,
            name=name,
            **_goes_on(sent, self.actor),
        )
        return Response(correction_json(done, takes_out=entry.plays))


class MatchBye(MatchView):
    """Endpoint: give the bye of a published Swiss round to another player."""

    writes = TokenScope.Level.MANAGE

    @idempotent_post("matches_bye", ByeInput, CorrectionOutput)
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Return what changes once ``player`` rests instead; with ``way`` go one of them.

        409 ``cannot_follow`` with the reason, ``stale`` where what would change is not what
        ``shown`` names. ``void`` with the match of that player: it is not played again.
        """
        match = self.match(match_id)
        require_permission(can_rule(self.actor, self.event))
        sent, facts = validate_input(ByeInput, request.data), load_facts(self.event)
        if sent["player"] not in facts.entries:
            raise Http404
        if not sent.get("way"):
            found = bye_correction(facts, match, sent["player"], void=bool(sent.get("void")))
            return Response(correction_json(found, keeps=False))
        done = move_bye(
            match=match,
            player=sent["player"],
            **_goes_on(sent, self.actor) | {"void": bool(sent.get("void"))},
        )
        return Response(correction_json(done, keeps=False) | {"match": self.shown(match)})


def _goes_on(sent: Json, by: Actor) -> Json:
    """Return the option of a correction, as its service takes it."""
    return {
        "way": sent["way"],
        "shown": sent.get("shown", ""),
        "reason": sent.get("note", ""),
        "void": sent.get("void", ()),
        "now": sent.get("when") == "now",
        "confirm": sent.get("confirm", ""),
        "by": by,
    }
