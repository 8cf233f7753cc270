"""Endpoints of drafts: the check list, and changes by hand.

Contracts, API; tournament rules, Other formulas to ship (Swiss).
"""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules.drafts.draft import Severity
from tournaments.api.request_context import idempotent_post
from tournaments.api.serialization import (
    Json,
    NumberListField,
    PositiveNumbersField,
    Serializer,
    WholeNumberField,
    validate_input,
)
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import is_staff, require_permission
from tournaments.drafts.selectors import DraftCheck, draft_check
from tournaments.drafts.services import ACTS, LONGEST_NOTE, OF_TABLES, ChangeRequest, change_draft
from tournaments.models import Round
from tournaments.rounds.api import RoundOutput, RoundView


class RemarkOutput(Serializer):
    """A line of a draft's check list; a ``fault`` prevents publishing."""

    code = serializers.CharField(source="remark.code")
    weight = serializers.ChoiceField(
        choices=[str(weight) for weight in Severity], source="remark.weight"
    )
    match = serializers.IntegerField(allow_null=True, source="match.pk")
    table = serializers.IntegerField(allow_null=True)
    players = NumberListField(source="remark.players")
    message = serializers.CharField(source="words")


class CheckOutput(Serializer):
    """A draft's check list, and the numbers of players without a match.

    ``version`` must be sent with a change.
    """

    version = serializers.IntegerField()
    remarks = RemarkOutput(many=True)
    unpaired = NumberListField()


class ChangedOutput(RoundOutput):
    """A draft after a change, with its check list."""

    check = CheckOutput()


class ChangeInput(Serializer):
    """A change of a draft: the action, and players (numbers) or matches (ids)."""

    action = serializers.ChoiceField(
        choices=list(dict.fromkeys((*ACTS, *OF_TABLES))),
        help_text="At tables of three and more: swap, move, bye, order, break, table",
    )
    version = WholeNumberField(
        min_value=0, required=False, help_text="Of the check list; 409 where it is another by now"
    )
    players = PositiveNumbersField(max_length=10_000, required=False)
    matches = PositiveNumbersField(max_length=10_000, required=False)
    table = WholeNumberField(min_value=1, max_value=9_999, required=False)
    note = serializers.CharField(
        max_length=LONGEST_NOTE,
        allow_blank=True,
        required=False,
        help_text="Why; everybody may read it beside the pairing",
    )


class DraftView(RoundView):
    """Base view of the endpoints for a drafted round."""

    def check(self, ordinal: int) -> DraftCheck:
        """Return the check list of a draft, for staff. Raises Http404 for other rounds."""
        require_permission(is_staff(self.sight, self.event))
        facts = load_facts(self.event)
        found = facts.round_at(ordinal)
        if found is None or found[1].state != Round.State.DRAFT:
            raise Http404
        return draft_check(facts, *found)


class DraftCheckView(DraftView):
    """Endpoint: the check list of a drafted round."""

    @extend_schema(operation_id="rounds_check", responses=CheckOutput)
    def get(self, request: Request, slug: str, ordinal: int) -> Response:
        """Return the check list of a draft, the gravest first; empty: nothing to note.

        A remark that is a ``fault`` keeps the round from being published.
        """
        self.shown(ordinal)
        return self.answer(request, check_json(self.check(ordinal)))


class DraftChangesView(DraftView):
    """Endpoint: change a drafted round manually."""

    @idempotent_post("rounds_changes", ChangeInput, ChangedOutput)
    def post(self, request: Request, slug: str, ordinal: int) -> Response:
        """Swap two players, let two meet, break matches, give a bye, pair a part again, or move.

        In Swiss rounds; elsewhere tables alone. At multiplayer tables: ``move`` names a
        player and the match to go to, ``order`` the players of a table as they are to sit.

        409 ``stale`` with an older ``version``, ``pairings_fixed`` where schedule or bracket
        decides, ``no_half_byes``, ``table_full``, ``size_not_allowed``.
        """
        self.shown(ordinal)
        values = validate_input(ChangeInput, request.data)
        asked = ChangeRequest(
            action=values["action"],
            players=tuple(values.get("players", ())),
            matches=tuple(values.get("matches", ())),
            table=values.get("table"),
            note=values.get("note", ""),
        )
        change_draft(
            event=self.event,
            ordinal=ordinal,
            expected=values.get("version"),
            asked=asked,
            by=self.actor,
        )
        return Response(self.shown(ordinal) | {"check": check_json(self.check(ordinal))})


def check_json(check: DraftCheck) -> Json:
    """Return a draft's check list as JSON."""
    return {
        "version": check.version,
        "remarks": RemarkOutput(check.lines, many=True).data,
        "unpaired": [entry.number for entry, _points in check.unpaired],
    }
