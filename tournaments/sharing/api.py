"""Texts for chats through the API."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.request_context import EventView, number_parameters, query_parameters
from tournaments.api.serialization import Serializer
from tournaments.core.facts_cache import read_facts
from tournaments.pages.access import public_read, short_event_url
from tournaments.sharing.texts import TEXTS, shared_text


class TextsOutput(Serializer):
    """Texts for chats, each split into messages; empty without standings."""

    pairings = serializers.ListField(child=serializers.CharField())
    results = serializers.ListField(child=serializers.CharField())
    standings = serializers.ListField(child=serializers.CharField())


@public_read("round")
class Texts(EventView):
    """API view: pairings, results and standings as plain text for chats."""

    @extend_schema(
        operation_id="texts", parameters=query_parameters("round"), responses=TextsOutput
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the texts of the latest round, or of ``?round=``, as everybody may see them.

        Messages of at most 2,000 characters in the caller's language, split between tables; without
        drafts, and without standings that are held back.
        """
        if (same := self.not_modified(request)) is not None:
            return same
        ordinal = number_parameters(request, "round").get("round")
        address = short_event_url(request._request, self.event)
        facts = read_facts(self.event)
        found = {kind: list(shared_text(facts, kind, ordinal, address)) for kind in TEXTS}
        if not found["pairings"]:
            raise Http404
        return self.answer(request, found)
