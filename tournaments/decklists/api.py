"""A player's decklist through the API.

Contracts, API.
"""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from decks.api.formats import ListSerializer, validate_decklist_body
from decks.api.parsing import ObjectParser
from decks.checking import check_decklist_zones
from decks.decklists.selectors import stored_deck, stored_violations
from decks.formats.selectors import violations_as_json
from decks.models import Decklist
from decks.readers.kinds import convert_to_list_text
from rules.deckbuilding.deck_json import deck_to_json
from rules.deckbuilding.render import render_deck
from tournaments.api.request_context import EventView, idempotent_post
from tournaments.api.serialization import (
    LARGEST,
    Json,
    Serializer,
    WholeNumberField,
    validate_input,
)
from tournaments.core.visibility import can_see_decklist
from tournaments.decklists.selectors.rules import event_deck_rules
from tournaments.decklists.selectors.versions import valid_submission
from tournaments.decklists.services import LONGEST_REASON, release_decklists, submit_decklist
from tournaments.models import DeckSubmission, Entry
from tournaments.players.api import PlayerView


class PlayerDecklist(PlayerView):
    """Endpoint: a player's current decklist; PUT submits another one."""

    parser_classes = [ObjectParser]

    @extend_schema(operation_id="decklist_retrieve", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return the list and its violations; 403 where it is hidden from the caller."""
        entry = self.entry(number)
        if not can_see_decklist(self.sight, entry):
            raise PermissionDenied
        same = self.not_modified(request)
        return same or self.answer(request, submission_json(valid_submission(entry)))

    @extend_schema(
        operation_id="decklist_update", request=ListSerializer, responses=OpenApiTypes.OBJECT
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        """Submit a list, legal or not; once lists are locked the staff gives a ``reason``."""
        entry = self.entry(number)
        sent = validate_decklist_body(request.data)
        reason = _reason(sent)
        submission = submit_decklist(
            entry=entry, text=self._text(entry, sent), reason=reason, by=self.actor
        )
        return Response(submission_json(submission))

    def _text(self, entry: Entry, sent: Json) -> str:
        """Return the decklist as text."""
        language, rules = sent.get("language") or "", event_deck_rules(self.event)
        if sent.get("text") is not None:
            declared = f"Language: {language}\n" if language else ""
            return f"{declared}{convert_to_list_text(sent['text'], rules)}"
        checked = check_decklist_zones(rules, zones=sent["zones"], language=language)
        return render_deck(checked.deck, rules.format, catalogue=rules.catalogue)


def _reason(sent: Json) -> str:
    """Return the reason sent with a decklist. Raises ValidationError if it can't be stored."""
    reason = sent.get("reason")
    if reason is None:
        return ""
    if not isinstance(reason, str) or len(reason) > LONGEST_REASON:
        words = _("Write at most %(most)s characters.") % {"most": LONGEST_REASON}
        raise ValidationError({"reason": [words]})
    return reason


def submission_json(submission: DeckSubmission | None) -> Json:
    """Return a submitted decklist with its receipt as JSON; {submitted: false} for None.

    The list has the keys of the endpoint ``validate``.
    """
    if submission is None:
        return {"submitted": False}
    decklist: Decklist = submission.decklist
    kept: dict[str, Any] = {
        "submitted": True,
        "format": decklist.format,
        "legal": decklist.legal,
        "language": decklist.deck["language"],
        "counts": decklist.counts,
        "zones": deck_to_json(stored_deck(decklist)),
        "violations": violations_as_json(stored_violations(decklist)),
    }
    return kept | {
        "fingerprint": decklist.fingerprint,
        "submitted_at": submission.submitted_at.isoformat(),
        "locked": submission.locked_at is not None,
    }


class ListsReleaseInput(Serializer):
    """Input of ``ListsRelease``: the number of the stage in progress."""

    stage = WholeNumberField(min_value=1, max_value=LARGEST)


class ListsRelease(EventView):
    """Endpoint: show the decklists that the open stage withholds to its players."""

    @idempotent_post("lists_release", ListsReleaseInput, ListsReleaseInput)
    def post(self, request: Request, slug: str) -> Response:
        """Show the players of the stage its lists, as the setting says; organisers.

        409 ``no_lists_held``; ``stale`` where the ``stage`` is not the one in play any more.
        """
        number = validate_input(ListsReleaseInput, request.data)["stage"]
        release_decklists(event=self.event, expected_stage=number, by=self.actor)
        return Response({"stage": number})
