"""How often a client may ask, guess and type, and the secret that a phone sends along.

A venue is one client: 300 phones behind one address join within ten minutes, and each may have
tapped a wrong name before.
"""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from config.clients import exceeds_rate_limit
from tournaments.models import Event

MINUTE = 60
TEN_MINUTES = 10 * MINUTE
PER_MINUTE, PER_TEN_MINUTES = 200, 1000
"""Requests of a client for one event."""
WRONG_SECRETS = 20
"""Unknown secrets of a client in ten minutes; one that is known is answered even then."""
TYPED_CODES = 60
"""Codes that a client types for one event in ten minutes: each is the word of a phone at hand."""
COOKIE = "join_claim"
KEPT = 60 * MINUTE


def exceeds_request_limit(request: HttpRequest, event: Event) -> bool:
    """Count a phone's request to sign in; return whether that is too many.

    The client's requests to this event are counted.
    """
    action = f"join:{event.pk}"
    return exceeds_rate_limit(
        action, request, most=PER_MINUTE, seconds=MINUTE
    ) or exceeds_rate_limit(action, request, most=PER_TEN_MINUTES, seconds=TEN_MINUTES)


def exceeds_guess_limit(request: HttpRequest) -> bool:
    """Count an unknown secret; return whether the client sent too many."""
    return exceeds_rate_limit("join-secret", request, most=WRONG_SECRETS, seconds=TEN_MINUTES)


def exceeds_code_limit(request: HttpRequest, event: Event) -> bool:
    """Count a code typed by staff; return whether the client sent too many."""
    action = f"join-code:{event.pk}"
    return exceeds_rate_limit(action, request, most=TYPED_CODES, seconds=TEN_MINUTES)


def read_secret_cookie(request: HttpRequest, event: Event) -> str:
    """Return the secret of this phone's request from its cookie, or ""."""
    salt = _path(event)
    return str(request.get_signed_cookie(COOKIE, default="", salt=salt, max_age=KEPT) or "")


def set_secret_cookie(
    request: HttpRequest, response: HttpResponse, event: Event, secret: str
) -> None:
    """Store the secret of a phone's request in a cookie for the joining pages."""
    path = _path(event)
    response.set_signed_cookie(
        COOKIE,
        secret,
        salt=path,
        max_age=KEPT,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def _path(event: Event) -> str:
    return reverse("tournaments:join", args=[event.slug])
