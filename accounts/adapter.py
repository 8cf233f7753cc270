"""How allauth signs people in here."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.invitations import is_invited
from accounts.mail import NOT_SENT, not_sent
from config.clients import client_of

WAYS = {
    "reauthenticate": _("Use your password"),
    "mfa_reauthenticate": _("Use a code"),
    "mfa_reauthenticate:webauthn": _("Use a passkey"),
}
"""What allauth calls otherwise than the pages of this site."""
log = logging.getLogger(__name__)


class Adapter(DefaultAccountAdapter):
    """Counts wrong passwords by account and address together; mail that is lost is no crash.

    By account alone, anybody could lock an organiser out in the middle of an event by typing
    five wrong passwords.
    """

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client as all limits of the site count it."""
        return client_of(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}@{self.get_client_ip(request)}"

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return the ways to show once more who one is, in the words of our pages."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**way, "description": WAYS.get(way["id"], way["description"])} for way in methods]

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Say whether the reader may make an account: everybody, or who was invited."""
        return settings.SIGN_UP == "open" or is_invited(request)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail where the site sends any; a lost mail server is a page that says so."""
        if not settings.SENDS_MAIL:
            return
        try:
            super().send_mail(template_prefix, email, context)
        except NOT_SENT as lost:
            log.error("%s: no mail was sent (%s)", template_prefix, type(lost).__name__)
            raise ImmediateHttpResponse(not_sent(self.request)) from None

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Tell of a change by mail; the change holds, whether the mail leaves or not."""
        try:
            super().send_notification_mail(*args, **kwargs)
        except ImmediateHttpResponse:
            return
