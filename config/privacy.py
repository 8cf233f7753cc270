"""Answers that are somebody's own are kept by no browser and no proxy."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

Answer = Callable[[HttpRequest], HttpResponse]
SIGNED_OUT = "GIRONE_SIGNED_OUT"


def own_answers(get_response: Answer) -> Answer:
    """Mark what was made for one reader: signed in, by personal link or by token.

    That is every answer for which a session with something in it was looked at or written, and
    every answer to a token. What is the same for all readers stays as it is, with its ETag. At
    sign-out browsers drop the pages that they hold; what desks keep to send stays.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if _is_own(request) and "no-store" not in response.get("Cache-Control", ""):
            response["Cache-Control"] = "private, no-store"
        if request.META.get(SIGNED_OUT):
            response["Clear-Site-Data"] = '"cache"'
            response["Cache-Control"] = "private, no-store"
        return response

    return middleware


def _is_own(request: HttpRequest) -> bool:
    if "Authorization" in request.headers:
        return True
    session = getattr(request, "session", None)
    if session is None or not (session.accessed or session.modified):
        return False
    return bool(session.modified or not session.is_empty())


@receiver(user_logged_out)
def _note(sender: Any, request: HttpRequest | None = None, **_more: Any) -> None:
    if request is not None:
        request.META[SIGNED_OUT] = True
