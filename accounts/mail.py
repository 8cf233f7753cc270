"""Mail: how often, pages that need it, what is said where none is sent.

No mail to an address holds a word of somebody who has not proved that the address is theirs.
"""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from config.addresses import site_address
from config.clients import client_of, has_slot, takes_slot
from config.problems import way_back
from rules.wording import gettext_noop

View = Callable[..., HttpResponseBase]
NOT_SENT = (OSError, SMTPException)
"""Exceptions raised when the mail server is unreachable or refuses the mail."""


NO_ADDRESS = gettext_noop(
    "No mail was sent, as the site doesn’t know its own address: hand links on yourself, and tell "
    "whoever runs the site to set SITE_ADDRESS."
)
"""What an organiser is told whose site can't mail a link."""
HOUR = 3600
TO_ONE_ADDRESS = 5
"""Most mails to an address within an hour, whoever asks for them."""
FROM_ONE_CLIENT = 200
"""Most mails that a client has sent within an hour: a hall is one."""


def takes_room(request: HttpRequest, email: str) -> bool:
    """Count a mail to an address; return whether it may be sent."""
    to = takes_slot(_counter_of_mailbox(email), most=TO_ONE_ADDRESS, seconds=HOUR)
    if not to:
        return False
    if takes_slot(_counter_of_client(request), most=FROM_ONE_CLIENT, seconds=HOUR):
        return True
    cache.delete(to)
    return False


def has_room(request: HttpRequest, email: str) -> bool:
    """Return whether a mail to an address may be sent now, without counting one."""
    to_them = has_slot(_counter_of_mailbox(email), most=TO_ONE_ADDRESS)
    return to_them and has_slot(_counter_of_client(request), most=FROM_ONE_CLIENT)


def _counter_of_mailbox(email: str) -> str:
    """Return the cache key of the number of mails to a mailbox, the same for any ``+word``."""
    box, _at, host = email.strip().lower().rpartition("@")
    return f"mail to {box.partition('+')[0]}@{host}"


def _counter_of_client(request: HttpRequest) -> str:
    return f"mail by {client_of(request)}"


def mails_links() -> bool:
    """Return whether mails with links are sent."""
    return bool(settings.SENDS_MAIL and site_address())


def needs_mail(view: View) -> View:
    """Return ``view`` if the site sends mail, else a page that names the alternative.

    Without mail every POST is answered with 409.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if settings.SENDS_MAIL:
            return guarded_by_address(request, *args, **kwargs)
        status = HTTPStatus.CONFLICT if request.method == "POST" else HTTPStatus.OK
        return render(request, "accounts/no_mail.html", status=status)

    guarded_by_address = needs_address(view)
    return guarded


def needs_address(view: View) -> View:
    """Return ``view``, or a page that says what to set if its mail could not hold a link."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if settings.SENDS_MAIL and not site_address():
            return no_address(request)
        return view(request, *args, **kwargs)

    return guarded


def no_address(request: HttpRequest) -> HttpResponse:
    """Return the page of a site that does not know where links of its mails would lead."""
    status = HTTPStatus.CONFLICT if request.method == "POST" else HTTPStatus.OK
    return render(request, "accounts/no_address.html", status=status)


def too_many_mails(request: HttpRequest) -> HttpResponse:
    """Return the page (429) for a mail above the limits; it reveals nothing about the address."""
    sentence = _("So many mails were asked for within an hour. None was sent: try again later.")
    context = {"sentence": sentence, "code": "too_many_mails", "back": way_back(request)}
    status = HTTPStatus.TOO_MANY_REQUESTS
    response = render(request, "errors/refused.html", context, status=status)
    response["Retry-After"] = str(HOUR)
    return response


def not_sent(request: HttpRequest) -> HttpResponse:
    """Return the page for a mail that could not be sent; it reveals nothing about the address."""
    sentence = _("The mail could not be sent: the mail server doesn’t answer. Try again later.")
    context = {"sentence": sentence, "code": "mail_not_sent", "back": way_back(request)}
    return render(request, "errors/refused.html", context, status=HTTPStatus.SERVICE_UNAVAILABLE)
