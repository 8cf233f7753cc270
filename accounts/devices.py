"""Who asks: the device on which an account has signed in before, else the client's address.

A limit that counts by account alone lets a stranger lock its owner out, and one by address alone
lets a stranger lock out the hall behind it. So a browser keeps a signed cookie after each sign-in
and each new password: for the accounts it names it is counted by itself. For every other account
it is a stranger, so that an account of one's own buys no guesses at others.
"""

from secrets import token_urlsafe
from typing import TypeVar

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac

from config.clients import client_address

COOKIE, PATH = "device", "/accounts/"
DAYS = 400
"""As long as browsers keep a cookie at most."""
ACCOUNTS = 8
"""Most accounts that one device is known for: the latest."""
Response = TypeVar("Response", bound=HttpResponseBase)


def requester_key(request: HttpRequest, email: str) -> str:
    """Return the key by which attempts to sign in to an account are counted.

    ``device ID`` in a browser that has signed in to this account, else the client's address. email:
    that of the account.
    """
    number = _known_accounts(request).get(_account_key(email))
    return f"device {number}" if number else client_address(request)


def remember_device(request: HttpRequest, response: Response, email: str) -> Response:
    """Set the cookie by which this device is recognised for an account; return the response."""
    known = _known_accounts(request)
    key = _account_key(email)
    number = known.pop(key, None) or token_urlsafe(12)
    latest = dict([*known.items(), (key, number)][-ACCOUNTS:])
    response.set_cookie(
        COOKIE,
        signing.dumps(latest, salt=COOKIE),
        max_age=DAYS * 24 * 3600,
        path=PATH,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS,
    )
    return response


def _account_key(email: str) -> str:
    """Return what stands for an address in the cookie, which doesn't hold the address itself."""
    return salted_hmac(COOKIE, email.strip().lower()).hexdigest()[:20]


def _known_accounts(request: HttpRequest) -> dict[str, str]:
    try:
        found = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=DAYS * 24 * 3600
        )
    except signing.BadSignature:
        return {}
    return dict(found)
