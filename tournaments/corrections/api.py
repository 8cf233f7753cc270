"""Corrections through the API: what follows, and the three ways to go on."""

from dataclasses import replace

from rest_framework.request import Request
from rest_framework.response import Response

from config.wording import translate
from rules.matches.settling import settle
from tournaments.api.fields import validated
from tournaments.api.idempotency import idempotent_post
from tournaments.api.problem_response import refused
from tournaments.api.serialization import Json
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import can_enter_results, require
from tournaments.corrections.selectors.choices import Correction, correction_of
from tournaments.corrections.serializers import (
    FOLLOW,
    TAKE_BACK,
    CorrectionInput,
    CorrectionOutput,
    correction_json,
)
from tournaments.corrections.services import follow, keep, take_back
from tournaments.matches.services import StaleError, check_opponent
from tournaments.models import Match, TokenScope
from tournaments.players.services.departures import check_not_struck
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
        return _json(correction_of(load_facts(self.event), match, outcome, sent.get("void", ())))

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
            done = follow(**values, shown=shown, void=sent.get("void", ()))
        elif sent["way"] == TAKE_BACK:
            done = take_back(**values, shown=shown, confirm=sent.get("confirm", ""))
        else:
            done = keep(**values)
        return _json(done) | {"match": self.shown(match)}


def _json(found: Correction) -> Json:
    return correction_json(found, translate(found.why_not) if found.why_not else "")
