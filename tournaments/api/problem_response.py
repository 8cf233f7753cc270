"""Problem documents with additional members."""

from rest_framework.request import Request
from rest_framework.response import Response

from config.api import refusal_data, status_of
from config.problems import PROBLEM
from rules.errors import RuleError


def refused(request: Request, error: RuleError, **shown: object) -> Response:
    """Return the problem document (RFC 9457) of an error with ``shown`` as further members."""
    data = refusal_data(request._request, error) | shown
    return Response(data, status=status_of(error), content_type=PROBLEM)
