"""Mail: how often, pages that need it, what is said where none is sent.

No mail to an address holds a word of somebody who has not proved that the address is theirs.
"""

import re
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.devices import requester_key
from config.addresses import site_address
from config.clients import has_free_slot, take_slot
from config.problems import referring_path
from rules.wording import gettext_noop

View = Callable[..., HttpResponseBase]
NOT_SENT = (OSError, SMTPException)
"""Exceptions raised when the mail server is unreachable or refuses the mail."""


NO_ADDRESS = gettext_noop(
    "No mail was sent: the site's address (SITE_ADDRESS) is not set. Pass the links on yourself."
)
"""What an organiser is told whose site can't mail a link."""
BETWEEN_MAILS = 5 * 60
"""Seconds in which a mailbox gets one mail of a kind: the link in it still works."""
FROM_ONE_ASKER = 150
ASKERS_SPAN = 10 * 60
"""Most mails of a kind that one asker sends within so many seconds: a hall is one."""
BY_ACCOUNT = {"account/email/password_reset_key": "reset"}
"""Mails that only go to an account's own address, and count by it without a mailbox's others."""
KINDS = {
    "account/email/unknown_account": "reset",
    "account/email/email_confirmation_signup": "sign-up",
    "account/email/account_already_exists": "sign-up",
}
"""Kinds of mails by their template; any other template is a kind of its own."""


def take_turn(template: str, email: str) -> str:
    """Return the key of a mailbox's turn for a mail of this kind; "" if it just had one.

    A mail that is not sent gives it back by ``cache.delete(key)``. Whoever asked for the mail
    before, it is in the same mailbox: nobody can keep it from its owner by asking first.
    """
    return take_slot(_turn(template, email), most=1, seconds=BETWEEN_MAILS)


def has_turn(template: str, email: str) -> bool:
    """Return whether ``take_turn`` would return a key now."""
    return has_free_slot(_turn(template, email), most=1)


def count_request(request: HttpRequest, template: str, email: str) -> bool:
    most = FROM_ONE_ASKER
    return bool(take_slot(_asked(request, template, email), most=most, seconds=ASKERS_SPAN))


def may_request(request: HttpRequest, template: str, email: str) -> bool:
    """Return whether ``count_request`` would return True now, without counting."""
    return has_free_slot(_asked(request, template, email), most=FROM_ONE_ASKER)


def _turn(template: str, email: str) -> str:
    address = email.strip().lower()
    if template in BY_ACCOUNT:
        return f"mail {BY_ACCOUNT[template]} of account {address}"
    box, _at, host = address.rpartition("@")  # the same mailbox for any +word
    return f"mail {KINDS.get(template, template)} to {box.partition('+')[0]}@{host}"


def _asked(request: HttpRequest, template: str, email: str) -> str:
    kind = BY_ACCOUNT.get(template) or KINDS.get(template, template)
    return f"mail {kind} by {requester_key(request, email)}"


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
    sentence = _("Too many mails. Try again in 10 minutes.")
    response = _refused(request, sentence, "too_many_mails", HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = str(ASKERS_SPAN)
    return response


def not_sent(request: HttpRequest) -> HttpResponse:
    """Return the page for a mail that could not be sent; it reveals nothing about the address."""
    sentence = _("The mail could not be sent. Try again later.")
    return _refused(request, sentence, "mail_not_sent", HTTPStatus.SERVICE_UNAVAILABLE)


def _refused(request: HttpRequest, sentence: str, code: str, status: HTTPStatus) -> HttpResponse:
    context = {"sentence": sentence, "code": code, "back": referring_path(request), "asks": True}
    return render(request, "errors/refused.html", context, status=status)


LINK = re.compile(r"https?://\S+")


def mail(
    subject: str, text: str, to: str, *, button: str, connection: Any = None
) -> EmailMultiAlternatives:
    """Return a mail with its HTML; ``button`` are the words on the link that ``text`` holds."""
    subject = f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}"
    made = EmailMultiAlternatives(subject, text, None, [to], connection=connection)
    add_html(made, button)
    return made


def add_html(made: EmailMultiAlternatives, button: str) -> None:
    """Attach the HTML of a mail: its subject, its paragraphs, its first link as a button."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", str(made.body)) if part.strip()]
    link = next(filter(LINK.fullmatch, parts), "")
    context = {
        "heading": str(made.subject).removeprefix(settings.ACCOUNT_EMAIL_SUBJECT_PREFIX),
        "parts": parts,
        "link": link,
        "button": button or link,
    }
    made.attach_alternative(render_to_string("mail.html", context).strip(), "text/html")
