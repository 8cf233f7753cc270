"""Middleware that keeps personal responses out of caches."""

from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.deprecation import MiddlewareMixin

from config.offline import KEEP_HEADER, MARK, READER

SIGNED_OUT = "GIRONE_SIGNED_OUT"


class OwnAnswers(MiddlewareMixin):
    """Mark responses made for one reader (session, personal link, token) as ``no-store``.

    These are all responses for which a non-empty session was accessed or modified, and all
    responses to a token. Public responses keep their ETag. At sign-out browsers clear their cache,
    but not the storage in which desks queue results; the service worker forgets what it kept for
    a session at the next page that is not of that session.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Mark the response if it is one reader's own."""
        if _is_own(request):
            if "no-store" not in response.get("Cache-Control", ""):
                response["Cache-Control"] = "private, no-store"
            _note_reader(request, response)
        if request.META.get(SIGNED_OUT):
            response["Clear-Site-Data"] = '"cache"'
            response["Cache-Control"] = "private, no-store"
        return response


def _is_own(request: HttpRequest) -> bool:
    if "Authorization" in request.headers:
        return True
    session = getattr(request, "session", None)
    if session is None or not (session.accessed or session.modified):
        return False
    return bool(session.modified or not session.is_empty())


def _note_reader(request: HttpRequest, response: HttpResponse) -> None:
    """Add headers to a response made for one session: whose it is, and whether it may be kept."""
    key = getattr(getattr(request, "session", None), "session_key", None)
    if not key or "Authorization" in request.headers:
        return
    response[READER] = salted_hmac("girone.offline", key).hexdigest()[:16]
    view = request.resolver_match.func if request.resolver_match else None
    if getattr(view, MARK, False):
        response[KEEP_HEADER] = "1"


@receiver(user_logged_out)
def _mark_signed_out(sender: Any, request: HttpRequest | None = None, **_more: Any) -> None:
    if request is not None:
        request.META[SIGNED_OUT] = True
