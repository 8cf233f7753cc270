"""A secret shown once, on the page after the form that made it: a personal link, a token.

The form answers by a redirect, so that a reload does not make another one. The secret goes along
in a cookie of the reader's browser alone, signed, for that page and for some minutes: a reload
shows it again, and nothing of it is stored here.
"""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

COOKIE = "shown_once"
MINUTES = 10


def hand_over(request: HttpRequest, address: str, secret: str, mark: str = "") -> HttpResponse:
    """Answer by a redirect to a page that shows the secret; ``mark`` is put into its query."""
    to = f"{address}?{mark}=1" if mark else address
    response = HttpResponseRedirect(to, status=HTTPStatus.FOUND)
    response.set_signed_cookie(
        COOKIE,
        secret,
        salt=address,
        max_age=MINUTES * 60,
        path=address,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure(),
    )
    return response


def handed_over(request: HttpRequest, mark: str = "") -> str:
    """Return the secret to show on this page, or "" where there is none (any more)."""
    if mark and mark not in request.GET:
        return ""
    found = request.get_signed_cookie(COOKIE, default="", salt=request.path, max_age=MINUTES * 60)
    return str(found or "")


def kept_out_of_caches(response: HttpResponse) -> HttpResponse:
    """Return an answer that shows a secret, marked so that nobody stores it."""
    response["Cache-Control"] = "no-store"
    return response
