"""A round of tables for players sent by the caller, through the API."""

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.sizes import MEBIBYTE
from rules.standings.rank_document import parse_table_request, render_table_round

MOST_FOR_ANYBODY = 256
"""Players; more take part of a second of the processor, for callers who are known."""


class TablesView(APIView):
    """Tables of three to five players."""

    largest_body = MEBIBYTE  # a thousand players and whom each has met
    throttle_scope = "heavy"

    @extend_schema(
        request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT, operation_id="tables"
    )
    def post(self, request: Request) -> Response:
        """Return ``tables`` in the order of their seats, ``byes``, ``cost`` and ``proven``.

        400 with the ``path`` of what is wrong; 401 above 256 players without a token.
        """
        wanted = parse_table_request(request.data)
        if len(wanted.entrants) > MOST_FOR_ANYBODY and not request.user.is_authenticated:
            raise NotAuthenticated(
                _("More than %(most)s players need a token. Nothing was stored.")
                % {"most": MOST_FOR_ANYBODY}
            )
        return Response(render_table_round(wanted.make()))
