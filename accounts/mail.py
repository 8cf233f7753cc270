"""Mail of accounts: pages that send it, on a site that may send none, and a server that is gone."""

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
"""What sending raises where the mail server is gone, or does not want the mail."""


def needs_mail(view: View) -> View:
    """Show ``view`` where mail is set up, else a page that says so and names the way.

    Nothing is made then: a post is answered with 409, whatever it holds.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if settings.SENDS_MAIL:
            return view(request, *args, **kwargs)
        status = HTTPStatus.CONFLICT if request.method == "POST" else HTTPStatus.OK
        return render(request, "accounts/no_mail.html", status=status)

    return guarded


def not_sent(request: HttpRequest) -> HttpResponse:
    """Return the page for a mail that could not be sent; it says nothing about the address."""
    sentence = _("The mail could not be sent: the mail server doesn’t answer. Try again later.")
    context = {"sentence": sentence, "code": "mail_not_sent", "back": way_back(request)}
    return render(request, "errors/refused.html", context, status=HTTPStatus.SERVICE_UNAVAILABLE)
