"""Content negotiation of the API: each endpoint has one media type."""

from collections.abc import Iterable

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class WhateverIsAsked(DefaultContentNegotiation):
    """Ignore ``Accept`` unless the endpoint offers what it asks for."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer asked for if the endpoint has it, else its first."""
        known = list(renderers)
        try:
            return super().select_renderer(request, known, format_suffix)
        except NotAcceptable:
            return known[0], known[0].media_type
