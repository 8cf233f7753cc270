"""Mail about accounts: pages that need it, and errors of the mail server."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from config.problems import way_back

View = Callable[..., HttpResponseBase]
NOT_SENT = (OSError, SMTPException)
"""Exceptions raised when the mail server is unreachable or refuses the mail."""


def needs_mail(view: View) -> View:
    """Return ``view`` if the site sends mail, else a page that names the alternative.

    Without mail every POST is answered with 409.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if settings.SENDS_MAIL:
            return view(request, *args, **kwargs)
        status = HTTPStatus.CONFLICT if request.method == "POST" else HTTPStatus.OK
        return render(request, "accounts/no_mail.html", status=status)

    return guarded


def not_sent(request: HttpRequest) -> HttpResponse:
    """Return the page for a mail that could not be sent; it reveals nothing about the address."""
    sentence = _("The mail could not be sent: the mail server doesn’t answer. Try again later.")
    context = {"sentence": sentence, "code": "mail_not_sent", "back": way_back(request)}
    return render(request, "errors/refused.html", context, status=HTTPStatus.SERVICE_UNAVAILABLE)
