"""Mail: how often, pages that need it, what is said where none is sent.

No mail to an address holds a word of somebody who has not proved that the address is theirs.
"""

import re
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
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
from config.clients import has_free_rate_limit_slot, take_rate_limit_slot
from config.problems import referring_path
from rules.wording import gettext_noop

View = Callable[..., HttpResponseBase]
NO_ADDRESS = gettext_noop(
    "No email was sent because SITE_ADDRESS is not set. Send the links yourself."
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


def reserve_mail(template: str, email: str) -> str:
    """Reserve the sending of a mail; return the reservation's cache key, or "" if it is too soon.

    template: allauth's prefix. A mailbox gets one mail of a kind in five minutes. If the mail is
    then not sent, ``cache.delete(key)`` releases the reservation.
    """
    return take_rate_limit_slot(_turn(template, email), most=1, seconds=BETWEEN_MAILS)


def can_reserve_mail(template: str, email: str) -> bool:
    """Return whether ``reserve_mail`` would succeed now."""
    return has_free_rate_limit_slot(_turn(template, email), most=1)


def count_mail_request(request: HttpRequest, template: str, email: str) -> bool:
    """Count a mail that the client requests; return False if there were too many in ten minutes."""
    most = FROM_ONE_ASKER
    return bool(
        take_rate_limit_slot(_asked(request, template, email), most=most, seconds=ASKERS_SPAN)
    )


def may_request_mail(request: HttpRequest, template: str, email: str) -> bool:
    """Return whether ``count_mail_request`` would return True now, without counting."""
    return has_free_rate_limit_slot(_asked(request, template, email), most=FROM_ONE_ASKER)


def _turn(template: str, email: str) -> str:
    address = email.strip().lower()
    if template in BY_ACCOUNT:
        return f"mail {BY_ACCOUNT[template]} of account {address}"
    box, _at, host = address.rpartition("@")  # the same mailbox for any +word
    return f"mail {KINDS.get(template, template)} to {box.partition('+')[0]}@{host}"


def _asked(request: HttpRequest, template: str, email: str) -> str:
    kind = BY_ACCOUNT.get(template) or KINDS.get(template, template)
    return f"mail {kind} by {requester_key(request, email)}"


def can_mail_links() -> bool:
    """Return whether the site can mail links: it sends mail and knows its own address."""
    return bool(settings.SENDS_MAIL and site_address())


def mail_required(view: View) -> View:
    """Decorate a view: if the site sends no mail, show a page that names the alternative.

    The status is 200, for POST 409. Includes ``site_address_required``.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if settings.SENDS_MAIL:
            return guarded_by_address(request, *args, **kwargs)
        status = HTTPStatus.CONFLICT if request.method == "POST" else HTTPStatus.OK
        return render(request, "accounts/no_mail.html", status=status)

    guarded_by_address = site_address_required(view)
    return guarded


def site_address_required(view: View) -> View:
    """Decorate a view: if the site sends mail but doesn't know its address, show a page saying so.

    The address is needed for links in mails. The status is 200, for POST 409.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if settings.SENDS_MAIL and not site_address():
            return missing_address_page(request)
        return view(request, *args, **kwargs)

    return guarded


def missing_address_page(request: HttpRequest) -> HttpResponse:
    """Return the page that asks the operator to set the site's address, needed for links in mails.

    The status is 200, for POST 409.
    """
    status = HTTPStatus.CONFLICT if request.method == "POST" else HTTPStatus.OK
    return render(request, "accounts/no_address.html", status=status)


def too_many_mails_page(request: HttpRequest) -> HttpResponse:
    """Return the page (429) that says too many mails were requested.

    It doesn't reveal whether an address has an account.
    """
    sentence = _("Too many emails. Try again in 10 minutes.")
    response = _refused(request, sentence, "too_many_mails", HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = str(ASKERS_SPAN)
    return response


def _refused(request: HttpRequest, sentence: str, code: str, status: HTTPStatus) -> HttpResponse:
    context = {"sentence": sentence, "code": code, "back": referring_path(request), "asks": True}
    return render(request, "errors/refused.html", context, status=status)


LINK = re.compile(r"https?://\S+")


def build_mail(subject: str, text: str, to: str, *, button: str) -> EmailMultiAlternatives:
    """Return an unsent mail as text and HTML.

    text: plain text, which may hold one link in a paragraph of its own. button: label of that link
    in the HTML.
    """
    subject = f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}"
    made = EmailMultiAlternatives(subject, text, None, [to])
    add_html(made, button)
    return made


def add_html(made: EmailMultiAlternatives, button: str) -> None:
    """Attach an HTML version to a mail: subject as heading, paragraphs, first link as a button.

    button: the button's label; "" for the link itself.
    """
    parts = [part.strip() for part in re.split(r"\n\s*\n", str(made.body)) if part.strip()]
    link = next(filter(LINK.fullmatch, parts), "")
    context = {
        "heading": str(made.subject).removeprefix(settings.ACCOUNT_EMAIL_SUBJECT_PREFIX),
        "parts": parts,
        "link": link,
        "button": button or link,
    }
    made.attach_alternative(render_to_string("mail.html", context).strip(), "text/html")
