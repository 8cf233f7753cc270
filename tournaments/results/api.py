"""Endpoints of matches and their results."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config import transaction
from rules.errors import BadInput
from rules.matches.match_rules import Claim, MatchRules, add_battle_cards
from rules.matches.settling import resolve_claim
from rules.results import MatchEnding, SeatMark, TieBreak, Winner, two_seats
from rules.stages.base import Met
from tournaments.api.request_context import (
    choice_parameter,
    idempotent_post,
    number_parameters,
    page_serializer,
    problem_response,
    query_parameters,
    text_parameters,
)
from tournaments.api.serialization import (
    AGREED,
    LARGEST,
    Json,
    NumberListField,
    Serializer,
    WholeNumberField,
    match_json,
    reject_unused_fields,
    validate_input,
)
from tournaments.api.stage_views import StageView
from tournaments.core.event_state import load_facts
from tournaments.core.labels import AGREED_GAMES
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import can_enter_results, can_report, is_staff, require_permission
from tournaments.core.rows import AnyMatch
from tournaments.matches.services import StaleError, check_opponent, lock_match
from tournaments.models import Match, Round, TokenScope
from tournaments.models.play import MOST_SEATS, matches_with_players
from tournaments.pages.access import public_read
from tournaments.players.services.departures import check_not_struck
from tournaments.results.selectors import Effects, correction_effects
from tournaments.results.services.reports import confirm_result, dispute_result, report_result
from tournaments.results.services.results import ChoiceNeededError, enter_result
from tournaments.rounds.api import MatchOutput

NUMBERS = ("stage", "round", "player")


@public_read(*NUMBERS, "group", "state", "page")
class MatchList(StageView):
    """API view: list the matches of an event."""

    @extend_schema(
        operation_id="matches_list",
        parameters=query_parameters(*NUMBERS, "group", page=True, state=Match.State.values),
        responses=page_serializer(MatchOutput),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of matches, of all or those that the filters leave."""
        if (same := self.not_modified(request)) is not None:
            return same
        return self.paged(request, self._filtered_matches(request), lambda row: row)

    def _filtered_matches(self, request: Request) -> list[Json]:
        wanted: dict[str, Any] = number_parameters(request, *NUMBERS) | text_parameters(
            request, "group"
        )
        if state := choice_parameter(request, "state", Match.State.values):
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
    """Base of API views about one match."""

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
    """API view: read one match."""

    @extend_schema(operation_id="matches_retrieve", responses=MatchOutput)
    def get(self, request: Request, slug: str, match_id: int) -> Response:
        """Return the match."""
        same = self.not_modified(request)
        return same or self.answer(request, self.shown(self.match(match_id)))

    def tag(self, request: Request) -> str:
        """Return the tag of the match."""
        return self.match_tag(request, self.match(self.kwargs["match_id"]))


TAKE_BACK = "take_back"
LATER = ("keep", TAKE_BACK)
"""What a correction does with rounds and stages made from the old result."""


def _one_of(known: type[StrEnum], *more: str) -> serializers.ChoiceField:
    """Return a field for one of these words, or none."""
    choices = [*map(str, known), *more]
    return serializers.ChoiceField(choices=choices, allow_null=True, required=False)


def _seats(words: str) -> serializers.ListField:
    """Return a field for numbers of seats."""
    return serializers.ListField(
        child=WholeNumberField(max_value=LARGEST, min_value=-LARGEST),
        max_length=MOST_SEATS,
        required=False,
        help_text=words,
    )


def _figures(words: str) -> serializers.ListField:
    """Return a field for a figure of each seat; null for none."""
    return serializers.ListField(
        child=WholeNumberField(min_value=-LARGEST, max_value=LARGEST, allow_null=True),
        max_length=2 * MOST_SEATS,
        required=False,
        help_text=words,
    )


@extend_schema_field(
    {
        "oneOf": [
            {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": MOST_SEATS}},
            {"type": "boolean", "enum": [True]},
        ]
    }
)
class DrawnField(serializers.Field):  # type: ignore[type-arg]
    """Field for seats that drew at a multiplayer table; true means all who are left."""

    def to_internal_value(self, data: Any) -> tuple[int, ...]:
        """Return the seats, none for all who were left."""
        if data is True:
            return ()
        if not isinstance(data, list) or any(
            type(seat) is not int or abs(seat) > LARGEST for seat in data
        ):
            raise serializers.ValidationError(_("Send true or a list of seats."))
        if not data:
            raise serializers.ValidationError(_("Send true or a list of seats."))
        return tuple(data[: MOST_SEATS + 1])

    def to_representation(self, value: Any) -> Any:
        """Return the value unchanged."""
        return value


class SaysInput(Serializer):
    """The version of the match with the report that the player confirms or disputes."""

    version = WholeNumberField(min_value=0)


class ResultInput(Serializer):
    """A result, and the ``version`` of the match that the caller has seen.

    Of a multiplayer table it is one of ``places``, ``winner_seat``, ``drawn`` or ``scores``, or
    ``winner`` “none” or “void”.
    """

    version = WholeNumberField(min_value=0)
    places = _figures("Of a table: the place of each seat; several may share one")
    winner_seat = WholeNumberField(
        min_value=-LARGEST, max_value=LARGEST, required=False, help_text="Of a table: who won"
    )
    drawn = DrawnField(required=False, help_text="Of a table: the seats that drew, or true: all")
    scores = _figures("Of a table: a score for each seat")
    absent = _seats("Of a table: seats whose players did not come")
    conceded = _seats("Of a table: seats whose players conceded")
    disqualified = _seats("Of a table: seats whose players were disqualified")
    score = serializers.ListField(
        child=WholeNumberField(min_value=0, max_value=LARGEST),
        min_length=2,
        max_length=2,
        allow_null=True,
        required=False,
    )
    games = serializers.ListField(
        child=serializers.ChoiceField(choices=["a", "b", "draw"]),
        max_length=99,
        allow_null=True,
        required=False,
    )
    battle_cards = serializers.ListField(
        child=serializers.ChoiceField(choices=["a", "b"]),
        max_length=2,
        required=False,
        help_text="Who had battle cards in play: ``score`` is without them, the total is stored",
    )
    winner = _one_of(Winner)
    ended_by = _one_of(MatchEnding, AGREED)
    tie_break = _one_of(TieBreak)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    later = serializers.ChoiceField(
        choices=LATER,
        required=False,
        help_text="Of a correction: what happens to rounds and stages made from the old result",
    )


class EffectsInput(ResultInput):
    """A result whose effects are requested; it is not stored.

    409 if ``version`` is sent and outdated.
    """

    version = WholeNumberField(min_value=0, required=False)


class MoveOutput(Serializer):
    """A player's rank in a group, before and after the result."""

    group = serializers.CharField()
    player = serializers.IntegerField(source="number")
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class PlaceOutput(Serializer):
    """A place in a later stage whose holder would change; null for nobody yet."""

    place = serializers.CharField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class MeetingOutput(Serializer):
    """The players of a match; one seat is a bye.

    ``a`` and ``b`` are null at a multiplayer table.
    """

    group = serializers.CharField()
    a = serializers.IntegerField(allow_null=True)
    b = serializers.IntegerField(allow_null=True)
    seats = NumberListField()


class RepairingOutput(Serializer):
    """A round whose pairings would differ: those that would go, and those instead."""

    round = serializers.IntegerField()
    gone = MeetingOutput(many=True)
    instead = MeetingOutput(many=True)


class EffectsOutput(Serializer):
    """The effects of a result: changed ranks and places, and rounds that contradict it.

    ``rounds`` and ``stages`` are numbers of those made from the old result; a correction then needs
    ``later``. ``idle`` are rounds of tiebreaker matches that would no longer count.
    """

    moves = MoveOutput(many=True)
    places = PlaceOutput(many=True)
    pairings = RepairingOutput(many=True)
    rounds = NumberListField()
    stages = NumberListField()
    idle = NumberListField()
    reaches_further = serializers.BooleanField()


OF_TABLES = ("places", "winner_seat", "drawn", "scores", "absent", "conceded", "disqualified")
"""Fields of results that only tables of three and more have."""


def parse_claim(values: Json) -> Claim:
    """Return the result that a request's values (``ResultInput``) claim.

    Raises BadInput ``impossible_result`` for an intentional draw that isn't 0–0–3.
    """
    score, games = values.get("score"), values.get("games")
    winner, ended_by = values.get("winner"), values.get("ended_by")
    tie_break = values.get("tie_break")
    if ended_by == AGREED:
        if list(games or ()) != ["draw"] * AGREED_GAMES:
            raise BadInput("impossible_result", "An intentional draw is three drawn games (0–0–3).")
        ended_by = None
    marks = [
        (seat, mark)
        for name, mark in (
            ("absent", SeatMark.ABSENT),
            ("conceded", SeatMark.CONCEDED),
            ("disqualified", SeatMark.DISQUALIFIED),
        )
        for seat in values.get(name) or ()
    ]
    return Claim(
        winner=Winner(winner) if winner else None,
        score=(score[0], score[1]) if score else None,
        games=tuple(games) if games is not None else None,
        tie_break=TieBreak(tie_break) if tie_break else None,
        order=tuple(values["places"]) if values.get("places") is not None else None,
        first=values.get("winner_seat"),
        drawn=values.get("drawn"),
        scores=tuple(values["scores"]) if values.get("scores") is not None else None,
        marks=tuple(marks),
        ended_by=MatchEnding(ended_by) if ended_by else None,
        note=values.get("note", ""),
    )


def effects_json(effects: Effects, *, drafts: bool) -> Json:
    """Return the effects of a result as JSON; with ``drafts`` also in drafted rounds."""
    return {
        "moves": MoveOutput(effects.moves, many=True).data,
        "places": PlaceOutput(effects.places, many=True).data,
        "pairings": [
            {
                "round": each.round.ordinal,
                "gone": [_meeting_json(met) for met in each.gone],
                "instead": [_meeting_json(met) for met in each.instead],
            }
            for each in effects.repairings
            if drafts or each.round.state == Round.State.PUBLISHED
        ],
        "rounds": [item.ordinal for item in effects.rounds],
        "stages": [stage.number for stage in effects.stages],
        "idle": [item.ordinal for item in effects.idle],
        "reaches_further": effects.reaches_further,
    }


def _meeting_json(met: Met) -> Json:
    group, _number, players = met
    a, b = two_seats(players, None) if len(players) < 3 else (None, None)
    return {"group": group, "a": a, "b": b, "seats": list(players)}


BY_PROGRAM = "API"


class ResultOutput(MatchOutput):
    """A match with its result; after a correction, also with its effects."""

    effects = EffectsOutput(required=False)


class ResultView(MatchView):
    """Base of API views that receive a result."""

    writes = TokenScope.Level.RESULTS

    def claim(self, match: Match, values: Json) -> Claim:
        """Return the submitted result, battle cards included."""
        rules, in_play = match_rules(match, self.event), values.get("battle_cards", ())
        claim = add_battle_cards(rules, parse_claim(values), ("a" in in_play, "b" in in_play))
        if match.size > 2:
            return claim
        reject_unused_fields(values, *OF_TABLES)
        return _as_decision(rules, claim) if can_enter_results(self.actor, self.event) else claim

    def effects(self, effects: Effects) -> Json:
        """Return the effects of a correction as JSON, limited to what the caller may see."""
        return effects_json(effects, drafts=is_staff(self.sight, self.event))


class Result(ResultView):
    """API view: enter, report or correct the result of a match."""

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
        require_permission(
            can_enter_results(self.actor, self.event) or can_report(self.actor, match)
        )
        sent = validate_input(ResultInput, request.data)
        try:
            effects = self._enter(match, sent)
        except StaleError as stale:
            return problem_response(request, stale, match=self.shown(match))
        except ChoiceNeededError as open_choice:
            effects = self.effects(open_choice.effects)
            return problem_response(request, open_choice, effects=effects, choices=LATER)
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
        match = lock_match(match)
        if match.version != version:
            raise StaleError(match)
        report_result(match=match, claim=claim, by=self.actor)


class ReportAnswerView(MatchView):
    """Base of API views by which a player answers a reported result."""

    writes = TokenScope.Level.RESULTS

    def answer_to(self, request: Request, match_id: int, says: Callable[..., Match]) -> Response:
        """Store it and return the match; 409 ``stale`` with the present ``match``."""
        match = self.match(match_id)
        require_permission(can_report(self.actor, match))
        version = validate_input(SaysInput, request.data)["version"]
        try:
            says(match=match, version=version, by=self.actor)
        except StaleError as stale:
            return problem_response(request, stale, match=self.shown(match))
        return Response(self.shown(match))


class Confirm(ReportAnswerView):
    """API view: confirm the reported result, as a player."""

    @idempotent_post("matches_confirm", SaysInput, MatchOutput)
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Confirm what the opponent, or another of the table, has reported.

        At a multiplayer table it counts once more than half agree. Said again it changes
        nothing. 409 ``own_report``, ``stale``.
        """
        return self.answer_to(request, match_id, confirm_result)


class DisputeResult(ReportAnswerView):
    """API view: dispute a multiplayer table's reported result, as one of its players."""

    @idempotent_post("matches_contradict", SaysInput, MatchOutput)
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Say that the reported result of a multiplayer table is wrong: it is disputed.

        Said again it changes nothing. 409 ``match_of_two`` where two report each their own,
        ``own_report``, ``stale``.
        """
        return self.answer_to(request, match_id, dispute_result)


class ResultEffects(ResultView):
    """API view: the effects that a result would have; nothing is stored."""

    @extend_schema(operation_id="matches_effects", request=EffectsInput, responses=EffectsOutput)
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        """Return who would move, which places change hands, and what would be paired otherwise.

        Nothing is stored; for the staff.
        """
        match = self.match(match_id)
        require_permission(can_enter_results(self.actor, self.event))
        sent = validate_input(EffectsInput, request.data)
        if sent.get("version", match.version) != match.version:
            return problem_response(request, StaleError(match), match=self.shown(match))
        check_opponent(match)
        check_not_struck(match.group.stage, *match.seats)
        claim = self.claim(match, sent)
        outcome = resolve_claim(match_rules(match, self.event), replace(claim, by_staff=True))
        effects = correction_effects(load_facts(self.event), match, outcome)
        return Response(self.effects(effects))


def _as_decision(rules: MatchRules, claim: Claim) -> Claim:
    """Return the claim as a decision of the staff if its winner contradicts its score.

    Such a decision needs a reason; a default is given for programs that send none.
    """
    if claim.winner is None or claim.tie_break is not None or claim.note.strip():
        return claim
    try:
        resolve_claim(rules, replace(claim, by_staff=True))
    except BadInput:
        return replace(claim, note=BY_PROGRAM)
    return claim
