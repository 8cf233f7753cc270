"""The deck formats: their rules as data, and a list checked without being stored."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.api import wrong_fields
from config.wording import translate
from decks.api.parsing import ObjectParser
from decks.api.serializers import CheckedSerializer, ListSerializer
from decks.card_lists.selectors import version_rows
from decks.checking import Checked, check_text, check_zones
from decks.formats.presentation import checked_as_json, format_as_json, format_summary
from decks.readers.kinds import as_list
from decks.rulebook import DeckRules, dated_formats, rules_of
from rules.errors import BadInput
from rules.json_reader import ANY_TEXT, Fields, Reader, maybe

READERS: dict[str, Reader[Any]] = {
    **dict.fromkeys(("text", "language"), maybe(ANY_TEXT)),
    "zones": maybe(Fields),
}


class FormatList(GenericAPIView[Any]):
    """All formats with their zones and the date of their lists, house formats included."""

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="formats_list")
    def get(self, request: Request) -> Response:
        """Return a page of formats."""
        page = self.paginate_queryset(dated_formats())
        return self.get_paginated_response([format_summary(*known) for known in page or ()])


class FormatDetail(APIView):
    """One format's rules: zones, sizes, limits, kinds, lists with their date."""

    @extend_schema(responses=OpenApiTypes.OBJECT, operation_id="formats_retrieve")
    def get(self, request: Request, slug: str) -> Response:
        """Return the rules as data and in words."""
        rules = known_rules(slug)
        return Response(format_as_json(rules, version_rows(rules, None)))


class Validate(APIView):
    """A list, checked; nothing is stored and nobody need be signed in."""

    parser_classes = [ObjectParser]
    throttle_scope = "heavy"

    @extend_schema(request=ListSerializer, responses=CheckedSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Return the list as it was read, and all that is wrong with it."""
        rules = known_rules(slug)
        sent = fields_of(request.data)
        return Response(checked_as_json(check_list(rules, sent)))


def known_rules(slug: str) -> DeckRules:
    """Return a format's rules in effect today; raises NotFound ``unknown_format``."""
    try:
        return rules_of(slug)
    except BadInput as unknown:
        raise NotFound(translate(unknown.sentence), code=unknown.code) from None


def fields_of(body: object) -> dict[str, Any]:
    """Return the validated list; raises ValidationError unless text or zones are given."""
    data = body if isinstance(body, dict) else {}
    faults: dict[str, list[str]] = {}
    if (data.get("text") is None) is (data.get("zones") is None):
        sentence = _("Send either a text or zones, one of the two.")
        faults = {"text": [sentence], "zones": [sentence]}
    faults |= wrong_fields(data, READERS)
    if faults:
        raise ValidationError(faults)
    return data


def check_list(rules: DeckRules, data: dict[str, Any]) -> Checked:
    """Return a list sent as text or by zones, checked against rules."""
    language = data.get("language")
    if data.get("text") is not None:
        return check_text(rules, text=as_list(data["text"], rules), language=language)
    return check_zones(rules, zones=data["zones"], language=language)
