"""allauth's account adapter for this site."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import consume
from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMultiAlternatives
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.account_mail import queue_account_mail
from accounts.devices import remember_device, requester_key
from accounts.first_organiser import awaits_first_organiser
from accounts.invitations import is_invited
from accounts.mail import (
    add_html,
    count_mail_request,
    missing_address_page,
    reserve_mail,
    too_many_mails_page,
)
from config.addresses import site_address
from config.clients import client_address

WAYS = {
    "reauthenticate": _("Password"),
    "mfa_reauthenticate": _("Code"),
    "mfa_reauthenticate:webauthn": _("Use a passkey"),
}
"""Labels of allauth's methods in the words of this site's pages."""
BUTTONS = {
    "password_reset_url": _("Change the password"),
    "activate_url": _("Confirm this address"),
    "signup_url": _("Create an account"),
}
"""Words on the button of a mail, by the name that allauth gives its link."""
log = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    """Account adapter of django-allauth: this site's sign-in limits, mails and sign-up rules.

    Failed passwords are counted per account and requester (``requester_key``): counted per account
    alone, anybody could lock an organiser out during an event. Mails are limited by
    ``accounts.mail`` and written into the outbox.
    """

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}@{requester_key(request, str(credentials.get('email', '')))}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt to sign in; raise ValidationError if the client made too many."""
        super().pre_authenticate(request, **credentials)
        asker = requester_key(request, str(credentials.get("email", "")))
        if not consume(request, action="passwords", key=asker):
            raise self.validation_error("too_many_login_attempts")

    def post_login(self, request: HttpRequest, user: Any, **more: Any) -> HttpResponse:
        """Return the response after signing in, with the cookie that recognises the device."""
        response: HttpResponse = super().post_login(request, user, **more)
        return remember_device(request, response, user.email)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**way, "description": WAYS.get(way["id"], way["description"])} for way in methods]

    def add_message(self, request: HttpRequest, *args: Any, **more: Any) -> None:
        """Add a message unless a script sent the request, whose page shows the result itself."""
        if request.headers.get("X-Requested-With") != "XMLHttpRequest":
            super().add_message(request, *args, **more)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether the reader may sign up: always, or only with an invitation.

        On a new laptop nobody does before its organiser.
        """
        return is_invited(request) or (settings.SIGN_UP == "open" and not awaits_first_organiser())

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue a mail if the site sends any; see ``latest_requested_mail``."""
        if not settings.SENDS_MAIL:
            return
        if any(key.endswith("_url") for key in context) and not site_address():
            raise ImmediateHttpResponse(missing_address_page(self.request))
        turn = reserve_mail(template_prefix, email)
        if not turn:  # what was asked for is in the mailbox; the page says the same
            return
        if not count_mail_request(self.request, template_prefix, email):
            cache.delete(turn)
            log.warning("%s: no mail was sent (too many)", template_prefix)
            raise ImmediateHttpResponse(too_many_mails_page(self.request))
        try:
            queue_account_mail(self.request, template_prefix, email, context)
        except Exception:
            cache.delete(turn)
            raise

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, Any], *args: Any, **more: Any
    ) -> EmailMultiAlternatives:
        """Return allauth's mail with the same words as HTML beside the text."""
        made: EmailMultiAlternatives = super().render_mail(
            template_prefix, email, context, *args, **more
        )
        add_html(made, str(next((BUTTONS[key] for key in BUTTONS if key in context), "")))
        return made

    def send_notification_mail(
        self,
        template_prefix: str,
        user: Any,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Notify of a change by mail; the change is kept even if no mail may be sent."""
        try:
            super().send_notification_mail(
                template_prefix, user, {**(context or {}), "user": user}, email
            )
        except ImmediateHttpResponse:
            return
