"""An exchange between two games, checked for programs; nothing is stored."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.api import wrong_fields
from decks.api.formats import known_rules
from decks.api.parsing import ObjectParser
from decks.api.serializers import CheckedSerializer, ExchangeSerializer
from decks.checking import Checked, checked_moves, checked_table, deck_of
from decks.formats.presentation import checked_as_json
from decks.rulebook import DeckRules
from rules.deckbuilding.moves import require_exchange
from rules.json_reader import Fields, Reader, Whole, maybe

EXCHANGE_READERS: dict[str, Reader[Any]] = {
    **dict.fromkeys(("registered", "out", "in", "table"), maybe(Fields)),
    "games_played": maybe(Whole(0, 999)),
}


class CheckExchange(APIView):
    """Checks an exchange of cards with the side against the registered list.

    400 ``no_exchange`` in a game whose deck stays as it was registered.
    """

    parser_classes = [ObjectParser]

    @extend_schema(request=ExchangeSerializer, responses=CheckedSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Return the deck after the exchange, and all that is wrong with it."""
        rules = known_rules(slug)
        sent = exchange_fields(request.data)
        return Response(checked_as_json(_check_exchange(rules, sent)))


def exchange_fields(body: object) -> dict[str, Any]:
    """Return the validated exchange; raises ValidationError with a sentence for each field."""
    data = body if isinstance(body, dict) else {}
    faults = wrong_fields(data, EXCHANGE_READERS)
    if data.get("registered") is None:
        faults["registered"] = [_("Send the registered list: a list of entries by zone.")]
    moves = data.get("out") is not None or data.get("in") is not None
    if moves is (data.get("table") is not None):
        sentence = _("Send either what goes out and comes in, or the deck on the table.")
        faults |= {key: [sentence] for key in ("out", "in", "table")}
    if faults:
        raise ValidationError(faults)
    return data


def _check_exchange(rules: DeckRules, sent: dict[str, Any]) -> Checked:
    require_exchange(rules.format)
    registered, played = deck_of(rules, sent["registered"], "registered"), sent.get("games_played")
    if sent.get("table") is not None:
        table = deck_of(rules, sent["table"], "table")
        return checked_table(rules, registered=registered, table=table, games_played=played)
    out, into = (deck_of(rules, sent.get(key) or {}, key) for key in ("out", "in"))
    return checked_moves(rules, registered=registered, out=out, into=into, games_played=played)
