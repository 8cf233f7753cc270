"""allauth's account adapter for this site."""

import logging
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

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
"""Labels of allauth's methods in the words of this site's pages."""
log = logging.getLogger(__name__)


class Adapter(DefaultAccountAdapter):
    """Limit wrong passwords by account and client together; survive a lost mail server.

    Counted by account alone, anybody could lock an organiser out during an event by typing five
    wrong passwords.
    """

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client as :mod:`config.clients` identifies it."""
        return client_of(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}@{self.get_client_ip(request)}"

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return the methods of reauthentication with this site's labels."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**way, "description": WAYS.get(way["id"], way["description"])} for way in methods]

    def add_message(self, request: HttpRequest, *args: Any, **more: Any) -> None:
        """Add a message, unless a script has asked: its page says so, the next one says it late."""
        if request.headers.get("X-Requested-With") != "XMLHttpRequest":
            super().add_message(request, *args, **more)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether the reader may sign up: always, or only with an invitation."""
        return settings.SIGN_UP == "open" or is_invited(request)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail if the site sends any; a failing mail server becomes an error page."""
        if not settings.SENDS_MAIL:
            return
        try:
            super().send_mail(template_prefix, email, context | _of_site(context, self.request))
        except NOT_SENT as lost:
            log.error("%s: no mail was sent (%s)", template_prefix, type(lost).__name__)
            raise ImmediateHttpResponse(not_sent(self.request)) from None

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Notify of a change by mail; the change stands even if sending fails."""
        try:
            super().send_notification_mail(*args, **kwargs)
        except ImmediateHttpResponse:
            return


def _of_site(context: Mapping[str, Any], request: HttpRequest) -> dict[str, Any]:
    """Return the addresses of a mail, and the site's name, by ``SITE_ADDRESS`` where it is set.

    allauth makes them of the host that the request names, which anybody can choose who asks for
    somebody else's new password.
    """
    if not settings.SITE_ADDRESS:
        return {}
    asked, name = request.build_absolute_uri("/"), urlsplit(settings.SITE_ADDRESS).netloc
    found = {
        key: f"{settings.SITE_ADDRESS}/{value.removeprefix(asked)}"
        for key, value in context.items()
        if isinstance(value, str) and value.startswith(asked)
    }
    return found | {"current_site": SimpleNamespace(name=name, domain=name)}
