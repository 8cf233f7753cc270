"""Standings of results that somebody sends; nothing is stored.

Contracts, rank and POST /api/v1/rank/.
"""

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.sizes import MEBIBYTE
from rules.standings.portable import parse, read, render
from rules.standings.table import rank

LONGEST_BODY = 16 * 1024 * 1024
"""Bytes; a hundred thousand matches need some eight million."""


class TooLong(APIException):
    """A body longer than the most matches need."""

    status_code = 413
    default_code = "body_too_long"


class ResultsParser(BaseParser):
    """Reads any JSON value; what it must hold is for the rules to say."""

    media_type = "application/json"
    longest = LONGEST_BODY // MEBIBYTE

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value; raises TooLong, and BadInput where it is no JSON."""
        body = stream.read(LONGEST_BODY + 1)
        if len(body) > LONGEST_BODY:
            raise TooLong(_("Results need no more than 16 megabytes. Nothing was stored."))
        return read(body)


class RankView(APIView):
    """Results in, standings out."""

    parser_classes = [ResultsParser]
    throttle_scope = "heavy"

    @extend_schema(request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT, operation_id="rank")
    def post(self, request: Request) -> Response:
        """Return the standings; 400 with the ``path`` in the JSON that is wrong."""
        return Response(render(rank(**parse(request.data))))
