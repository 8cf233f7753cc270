"""Mails about an account, by allauth's templates: queued with the act, made at each try.

A row keeps the template and what no other row has; the links, which hold tokens, are made here.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.core.mail import EmailMultiAlternatives
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Outgoing, User
from accounts.outbox.mail import MailChannel
from accounts.outbox.queue import DeliveryKind, queue_deliveries, register_kind
from config.addresses import site_address

RESET = "account/email/password_reset_key"
UNKNOWN = "account/email/unknown_account"
EXISTS = "account/email/account_already_exists"
CONFIRM = ("account/email/email_confirmation_signup", "account/email/email_confirmation")
REQUESTED = timedelta(hours=1)
"""How long a mail may wait that somebody requested, who will by then have requested another."""
LIFE = timedelta(days=1)
KEPT = ("ip", "user_agent", "from_email", "to_email")
"""Values of allauth's notifications that no row has, besides the time."""
SESSION_KEY, REMEMBERED = "mails", 3


def queue_account_mail(
    request: HttpRequest, template: str, email: str, context: Mapping[str, Any]
) -> None:
    """Queue one of allauth's mails, and remember it in the request's session.

    template: allauth's prefix, such as ``account/email/unknown_account``. email: the receiver.
    context: of the template; only values that no database row holds are stored.
    """
    about = {"template": template} | {name: context[name] for name in KEPT if name in context}
    if isinstance(context.get("timestamp"), datetime):
        about["timestamp"] = context["timestamp"].isoformat()
    user = context.get("user")
    row = Outgoing(receiver=email, user=user if isinstance(user, User) else None, about=about)
    requested = template in (RESET, UNKNOWN, EXISTS)
    queue_deliveries([row], ACCOUNT, ends_at=timezone.now() + (REQUESTED if requested else LIFE))
    request.session[SESSION_KEY] = [*request.session.get(SESSION_KEY, []), row.pk][-REMEMBERED:]


def latest_requested_mail(request: HttpRequest) -> Outgoing | None:
    """Return the mail requested last in this session, else None; at most one query."""
    keys = request.session.get(SESSION_KEY, [])
    return Outgoing.objects.filter(pk__in=keys).first() if keys else None


def compose_account_mail(item: Outgoing) -> EmailMultiAlternatives | None:
    """Return the mail of a queued row, with newly created links.

    None if the account or address no longer exists, or if the row's contents were deleted.
    """
    template = item.about.get("template", "")
    if not template:  # forgotten
        return None
    find = LINKS.get(template)
    links = find(item) if find else {}
    if links is None:
        return None
    site = site_address()
    name = urlsplit(site).netloc
    context = {key: item.about[key] for key in KEPT if key in item.about}
    if "timestamp" in item.about:
        context["timestamp"] = datetime.fromisoformat(item.about["timestamp"])
    context |= {key: f"{site}{path}" for key, path in links.items()}
    context |= {"user": item.user, "email": item.receiver, "site_address": site}
    context["current_site"] = SimpleNamespace(name=name, domain=name)
    made: EmailMultiAlternatives = get_adapter().render_mail(template, item.receiver, context)
    return made


def _reset_link(item: Outgoing) -> dict[str, str] | None:
    user = item.user
    if user is None or not user.is_active:
        return None
    key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    address = {"uidb36": user_pk_to_url_str(user), "key": key}
    return {"password_reset_url": reverse("account_reset_password_from_key", kwargs=address)}


def _confirmation_link(item: Outgoing) -> dict[str, str] | None:
    known = EmailAddress.objects.filter(user=item.user, email__iexact=item.receiver)
    address = known.filter(verified=False).first()
    if item.user is None or address is None:
        return None
    key = EmailConfirmationHMAC.create(address).key
    return {"activate_url": reverse("account_confirm_email", args=[key])}


def _signup_link(_item: Outgoing) -> dict[str, str]:
    return {"signup_url": reverse("account_signup")}


def _account_links(item: Outgoing) -> dict[str, str]:
    return _signup_link(item) | {"password_reset_url": reverse("account_reset_password")}


LINKS: dict[str, Callable[[Outgoing], dict[str, str] | None]] = {
    RESET: _reset_link,
    UNKNOWN: _signup_link,
    EXISTS: _account_links,
    **dict.fromkeys(CONFIRM, _confirmation_link),
}
ACCOUNT = DeliveryKind("account", MailChannel, compose_account_mail, LIFE)
register_kind(ACCOUNT)
