"""The deck formats: their rules as data, and lists and exchanges checked without being stored.

A list can also be tried against rules sent along.
"""

from typing import Any

from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.api import field_errors
from config.sizes import KIBIBYTE
from config.wording import translate
from decks.api.parsing import ObjectParser
from decks.card_lists.selectors import version_rows
from decks.checking import (
    CheckedDeck,
    check_decklist_text,
    check_decklist_zones,
    check_exchange_by_moves,
    check_exchange_by_new_deck,
    deck_from_zones,
)
from decks.formats.selectors import checked_deck_as_json, format_as_json, format_summary
from decks.readers.kinds import convert_to_list_text
from decks.rulebook import DeckRules, current_rules, formats_with_list_dates
from rules.deckbuilding.catalogue import LARGEST_WHOLE, LONGEST_NUMBER
from rules.deckbuilding.data.files import ShippedRules, shipped_rules
from rules.deckbuilding.data.formats import format_from_rules
from rules.deckbuilding.data.json import rules_from_json, rules_to_json
from rules.deckbuilding.data.rules import rule_messages
from rules.deckbuilding.deck import HIGHEST_COUNT
from rules.deckbuilding.moves import require_exchange
from rules.errors import BadInput
from rules.json_reader import ANY_TEXT, JsonObjectReader, Reader, WholeNumber, nullable


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "maxLength": LONGEST_NUMBER},
            {"type": "integer", "minimum": 0, "maximum": LARGEST_WHOLE},
        ]
    }
)
class CardNumber(serializers.Field):  # type: ignore[type-arg]
    """Schema of a card's collector number: text, or a whole number that is read as text."""


class EntrySerializer(serializers.Serializer[object]):
    """A card and its number of copies."""

    name = serializers.CharField()
    count = serializers.IntegerField(min_value=1, max_value=HIGHEST_COUNT, default=1)
    kind = serializers.CharField(required=False)
    expansion = serializers.CharField(required=False)
    number = CardNumber(required=False)
    version = serializers.CharField(required=False)
    genus = serializers.CharField(required=False)
    language = serializers.CharField(required=False)


class ListSerializer(serializers.Serializer[object]):
    """A decklist as ``text`` or by ``zones``, not both, and the language of its cards."""

    text = serializers.CharField(required=False, allow_null=True)
    zones = serializers.DictField(child=EntrySerializer(many=True), required=False, allow_null=True)
    language = serializers.CharField(required=False, allow_null=True)


class ExchangeSerializer(serializers.Serializer[object]):
    """A registered decklist and its exchange with the side zone between games.

    The exchange is either ``out`` and ``in``, cards by the zone they leave and enter (the side need
    not be named), or ``table``, the new deck by zone. ``games_played`` counts within the match, in
    Doomtrooper within the event.
    """

    registered = serializers.DictField(child=EntrySerializer(many=True))
    out = serializers.DictField(child=EntrySerializer(many=True), required=False)
    table = serializers.DictField(child=EntrySerializer(many=True), required=False)
    games_played = serializers.IntegerField(min_value=0, max_value=999, required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields, with the one named ``in``, which is a keyword of Python."""
        entering = serializers.DictField(child=EntrySerializer(many=True), required=False)
        return {**super().get_fields(), "in": entering}


class ViolationSerializer(serializers.Serializer[object]):
    """One violation of a decklist, with its message in the reader's language."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(["error", "warning", "info"])
    zone = serializers.CharField(allow_null=True)
    card = serializers.CharField(allow_null=True)
    found = serializers.IntegerField(allow_null=True)
    minimum = serializers.IntegerField(allow_null=True)
    maximum = serializers.IntegerField(allow_null=True)
    line = serializers.IntegerField(allow_null=True)
    message = serializers.CharField()
    suggestions = serializers.ListField(child=serializers.CharField())
    lines = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), required=False
    )


class CheckedSerializer(serializers.Serializer[object]):
    """A checked decklist: its cards by zone and its violations."""

    format = serializers.CharField()
    legal = serializers.BooleanField()
    language = serializers.CharField()
    counts = serializers.DictField(child=serializers.IntegerField())
    zones = serializers.DictField(child=EntrySerializer(many=True))
    violations = ViolationSerializer(many=True)


READERS: dict[str, Reader[Any]] = {
    **dict.fromkeys(("text", "language"), nullable(ANY_TEXT)),
    "zones": nullable(JsonObjectReader),
}


class FormatList(GenericAPIView[Any]):
    """Endpoint: all formats, by page, with zones and the date of their card lists."""

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="formats_list")
    def get(self, request: Request) -> Response:
        """Return a page of formats."""
        page = self.paginate_queryset(formats_with_list_dates())
        return self.get_paginated_response([format_summary(*known) for known in page or ()])


class FormatDetail(APIView):
    """Endpoint: the rules of one format, as data and in words."""

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="formats_retrieve")
    def get(self, request: Request, slug: str) -> Response:
        """Return the rules as data and in words."""
        rules = get_rules_or_not_found(slug)
        return Response(format_as_json(rules, version_rows(rules, None)))


class ValidateDecklist(APIView):
    """Endpoint: check a decklist against a format; stores nothing, needs no sign-in."""

    parser_classes = [ObjectParser]
    throttle_scope = "heavy"

    @extend_schema(request=ListSerializer, responses=CheckedSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Return the list as it was read, and all that is wrong with it.

        ``text`` is read as a paste is on the page. What can mean several things is an error with
        ``suggestions``: ``list.parts_unnamed``, ``line.unclear``, ``line.no_card``,
        ``line.unreadable``, ``zone.unknown``. At most 500 violations are named;
        ``list.more_problems`` counts the others.
        """
        rules = get_rules_or_not_found(slug)
        sent = validate_decklist_body(request.data)
        return Response(checked_deck_as_json(check_decklist_body(rules, sent)))


def get_rules_or_not_found(slug: str) -> DeckRules:
    """Return a format's rules in effect today; raise DRF's NotFound ``unknown_format``."""
    try:
        return current_rules(slug)
    except BadInput as unknown:
        raise NotFound(translate(unknown.sentence), code=unknown.code) from None


def validate_decklist_body(body: object) -> dict[str, Any]:
    """Return the body of a request that sends a decklist, validated.

    Raises ValidationError unless it has exactly one of ``text`` and ``zones``.
    """
    data = body if isinstance(body, dict) else {}
    faults: dict[str, list[str]] = {}
    if (data.get("text") is None) is (data.get("zones") is None):
        sentence = _("Send either “text” or “zones”.")
        faults = {"text": [sentence], "zones": [sentence]}
    faults |= field_errors(data, READERS)
    if faults:
        raise ValidationError(faults)
    return data


def check_decklist_body(rules: DeckRules, data: dict[str, Any]) -> CheckedDeck:
    """Check the decklist of a validated body (``text`` or ``zones``) against rules.

    Raises the BadInput of ``check_decklist_text`` and ``check_decklist_zones``.
    """
    language = data.get("language")
    if data.get("text") is not None:
        return check_decklist_text(
            rules, text=convert_to_list_text(data["text"], rules), language=language
        )
    return check_decklist_zones(rules, zones=data["zones"], language=language)


class RulesSerializer(ListSerializer):
    """Rules of a custom format, and a decklist as text or by zones to check."""

    rules = serializers.JSONField()


class TriedSerializer(CheckedSerializer):
    """A checked decklist, the sent rules as sentences, and what these don't check."""

    rules = serializers.ListField(child=serializers.CharField())
    not_checked = serializers.ListField(child=serializers.CharField())


class PresetFormats(APIView):
    """Endpoint: the rules of other games that come with the program, as JSON to copy."""

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="formats_ready")
    def get(self, request: Request) -> Response:
        """Return the rules of each game as data, their source, and the date on which they held.

        ``as_usual``: their tiebreakers are those usual in the field. Rules that are not ``offered``
        on pages have others in their place.
        """
        return Response([_ready_json(one) for one in shipped_rules()])


class ValidateWithRules(APIView):
    """Endpoint: check a decklist against rules sent with it; needs no sign-in."""

    parser_classes = [ObjectParser]
    largest_body = 512 * KIBIBYTE  # rules and a list
    throttle_scope = "heavy"

    @extend_schema(request=RulesSerializer, responses=TriedSerializer, operation_id="formats_try")
    def post(self, request: Request) -> Response:
        """Return the list as it was read, what is wrong with it, and the rules in words.

        400 ``invalid_rules`` with the ``path`` of what is wrong in the rules.
        """
        sent = validate_decklist_body(request.data)
        shape = format_from_rules(
            rules_from_json(sent.get("rules")), key="try", game="try", game_name="–", name="–"
        )
        checked = checked_deck_as_json(check_decklist_body(DeckRules(format=shape), sent))
        words = [translate(sentence) for sentence in rule_messages(shape)]
        return Response(checked | {"rules": words, "not_checked": list(shape.not_checked)})


def _ready_json(one: ShippedRules) -> dict[str, Any]:
    return {
        "key": one.key,
        "game": one.game,
        "name": one.name,
        "source": one.source,
        "date": one.dated.isoformat(),
        "lists": one.lists,
        "as_usual": one.as_usual,
        "offered": one.offered,
        "rules": rules_to_json(one.rules),
    }


EXCHANGE_READERS: dict[str, Reader[Any]] = {
    **dict.fromkeys(("registered", "out", "in", "table"), nullable(JsonObjectReader)),
    "games_played": nullable(WholeNumber(0, 999)),
}


class CheckExchange(APIView):
    """Endpoint: check an exchange with the side zone against the registered list.

    Replies 400 ``no_exchange`` in a game whose deck stays as it was registered.
    """

    parser_classes = [ObjectParser]

    @extend_schema(request=ExchangeSerializer, responses=CheckedSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Return the deck after the exchange, and all that is wrong with it."""
        rules = get_rules_or_not_found(slug)
        sent = validate_exchange_body(request.data)
        return Response(checked_deck_as_json(_check_exchange(rules, sent)))


def validate_exchange_body(body: object) -> dict[str, Any]:
    """Return the body of a request that sends an exchange, validated.

    Raises ValidationError unless it has ``registered``, and either moves or ``table``.
    """
    data = body if isinstance(body, dict) else {}
    faults = field_errors(data, EXCHANGE_READERS)
    if data.get("registered") is None:
        faults["registered"] = [_("This field is required.")]
    moves = data.get("out") is not None or data.get("in") is not None
    if moves is (data.get("table") is not None):
        sentence = _("Send either “out” and “in” or “table”.")
        faults |= {key: [sentence] for key in ("out", "in", "table")}
    if faults:
        raise ValidationError(faults)
    return data


def _check_exchange(rules: DeckRules, sent: dict[str, Any]) -> CheckedDeck:
    require_exchange(rules.format)
    registered, played = (
        deck_from_zones(rules, sent["registered"], "registered"),
        sent.get("games_played"),
    )
    if sent.get("table") is not None:
        table = deck_from_zones(rules, sent["table"], "table")
        return check_exchange_by_new_deck(
            rules, registered=registered, table=table, games_played=played
        )
    out, into = (deck_from_zones(rules, sent.get(key) or {}, key) for key in ("out", "in"))
    return check_exchange_by_moves(
        rules, registered=registered, out=out, into=into, games_played=played
    )


app_name = "decks_api"

urlpatterns = [
    path("formats/ready/", PresetFormats.as_view(), name="ready-formats"),
    path("formats/try/", ValidateWithRules.as_view(), name="try-rules"),
    path("formats/<slug:slug>/validate/", ValidateDecklist.as_view(), name="validate"),
    path("formats/<slug:slug>/exchange/", CheckExchange.as_view(), name="exchange"),
]
