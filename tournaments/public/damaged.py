"""What stands in place of a page or an answer of an event that can't be shown."""

import logging
from collections.abc import Callable

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from config.problems import error_page
from tournaments.models import Event
from tournaments.public.drawn import draw_event

logger = logging.getLogger(__name__)
OF_EVENTS = "events/<slug:slug>/"
REFUSALS = (Http404, PermissionDenied, SuspiciousOperation, BadRequest, DatabaseError)
"""Exceptions with an answer of their own: an event is not drawn for each of them."""


class DamagedEvent:
    """Middleware: answer "can't be shown" if a fault in an event's stored data stops a view.

    The status stays 500, and the fault is logged. Other faults of views are left to Django.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the page or problem document for a damaged event, else None."""
        asked = request.resolver_match
        if isinstance(error, REFUSALS) or asked is None or OF_EVENTS not in asked.route:
            return None
        if not _is_damaged(asked.kwargs["slug"]):
            return None
        logger.error("An event can't be shown: %s", request.path, exc_info=error)
        sentence = _(
            "This event can’t be shown, as something stored of it is damaged. Nothing else is "
            "touched: tell the site’s operator its address."
        )
        return error_page(request, 500, sentence=sentence, code="event_damaged")


def _is_damaged(slug: str) -> bool:
    """Return whether the rows of an event keep it from being drawn."""
    try:
        draw_event(Event.objects.get(slug=slug))
    except (Event.DoesNotExist, DatabaseError):
        return False
    except Exception:  # noqa: BLE001 - rows may hold anything
        return True
    return False
