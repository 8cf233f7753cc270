"""Secrets of links: tokens, stored as hashes, and shown once.

A secret (a personal link, a token) is shown on the page after the form that created it. The form
redirects, so that a reload does not create another one. The secret is passed in a signed cookie,
restricted to that page and valid for some minutes: a reload shows it again, and the server stores
nothing.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

COOKIE = "shown_once"
MINUTES = 10


def redirect_with_secret(
    request: HttpRequest, address: str, secret: str, mark: str = ""
) -> HttpResponse:
    """Redirect to a page of this site with a secret, which ``take_secret`` returns there.

    address: path of that page; a signed cookie holds the secret for it, for ten minutes. mark: name
    of a query parameter to add.
    """
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


def take_secret(request: HttpRequest, mark: str = "", address: str = "") -> str:
    """Return the secret that ``redirect_with_secret`` passed to this page, or "".

    A reload within ten minutes returns it again. mark: query parameter that must be present.
    address: the path that it was passed to, if not this page's.
    """
    if mark and mark not in request.GET:
        return ""
    salt = address or request.path
    found = request.get_signed_cookie(COOKIE, default="", salt=salt, max_age=MINUTES * 60)
    return str(found or "")


def mark_no_store(response: HttpResponse) -> HttpResponse:
    """Mark a response that shows a secret ``no-store``; return it."""
    response["Cache-Control"] = "no-store"
    return response


TOKEN_BYTES = 24


def new_token() -> str:
    """Return a URL-safe token of 192 random bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def derive_token(secret: str, *parts: int) -> str:
    """Return the URL-safe token of 192 bits (HMAC) derived from a secret and numbers.

    Many tokens derive from one secret; none of them discloses another.
    """
    digest = hmac.digest(secret.encode(), repr(parts).encode(), "sha256")[:TOKEN_BYTES]
    return urlsafe_b64encode(digest).decode()


def token_hash(token: str) -> str:
    """Return a token's SHA-256 in hexadecimal, which is stored instead of the token."""
    return sha256(token.encode()).hexdigest()
