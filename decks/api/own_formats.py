"""Rules as data: those that come with the program, and a list tried against rules sent along."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.sizes import KIBIBYTE
from config.wording import translate
from decks.api.formats import check_list, fields_of
from decks.api.parsing import ObjectParser
from decks.api.serializers import CheckedSerializer, ListSerializer
from decks.formats.presentation import checked_as_json
from decks.rulebook import DeckRules
from rules.deckbuilding.data.files import ReadyMade, ready_made
from rules.deckbuilding.data.formats import format_of
from rules.deckbuilding.data.json import rules_from_json, rules_to_json
from rules.deckbuilding.data.play_words import all_words


class RulesSerializer(ListSerializer):
    """Rules of a format of one's own, and a list as text or by zones."""

    rules = serializers.JSONField()


class TriedSerializer(CheckedSerializer):
    """A list, its violations of these rules, the rules in words, and what they do not check."""

    rules = serializers.ListField(child=serializers.CharField())
    not_checked = serializers.ListField(child=serializers.CharField())


class ReadyFormats(APIView):
    """The rules of other games that come with the program."""

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="formats_ready")
    def get(self, request: Request) -> Response:
        """Return the rules of each game as data, their source, and the date on which they held."""
        return Response([_ready_json(one) for one in ready_made()])


class TryRules(APIView):
    """A list against rules that come with it; nothing is stored and nobody need be signed in."""

    parser_classes = [ObjectParser]
    largest_body = 512 * KIBIBYTE  # rules and a list
    throttle_scope = "heavy"

    @extend_schema(request=RulesSerializer, responses=TriedSerializer, operation_id="formats_try")
    def post(self, request: Request) -> Response:
        """Return the list as it was read, what is wrong with it, and the rules in words.

        400 ``invalid_rules`` with the ``path`` of what is wrong in the rules.
        """
        sent = fields_of(request.data)
        shape = format_of(
            rules_from_json(sent.get("rules")), key="try", game="try", game_name="–", name="–"
        )
        checked = checked_as_json(check_list(DeckRules(format=shape), sent))
        words = [translate(sentence) for sentence in all_words(shape)]
        return Response(checked | {"rules": words, "not_checked": list(shape.not_checked)})


def _ready_json(one: ReadyMade) -> dict[str, Any]:
    return {
        "key": one.key,
        "game": one.game,
        "name": one.name,
        "source": one.source,
        "date": one.dated.isoformat(),
        "lists": one.lists,
        "rules": rules_to_json(one.rules),
    }
