"""Sign-up by invitation: a link with which one person creates one account.

Apps add their own kinds of invitation to ``KINDS``, such as that to the staff of an event. An
opened invitation is kept in the session by the hash of its token, so the token leaves the address.
"""

from datetime import datetime, timedelta
from typing import Protocol

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import SignUpInvitation
from config.shown_once import new_token, token_hash

DAYS = 14
SESSION_KEY = "invitation"


class InvitationKind(Protocol):
    """Protocol of a kind of invitation to sign up; ``KINDS`` holds one object for each kind."""

    def is_good(self, token_hash: str) -> bool:
        """Return whether the invitation is still valid."""

    def use(self, token_hash: str) -> bool:
        """Consume the invitation; of several concurrent calls one returns True."""


class SiteInvitations:
    """Invitations to sign up, created by the site's administrator."""

    def is_good(self, token_hash: str) -> bool:
        """Return whether it exists and has not expired; one query."""
        return self._valid_invitations(token_hash).exists()

    def use(self, token_hash: str) -> bool:
        """Delete the invitation; return whether this call deleted it."""
        return self._valid_invitations(token_hash).delete()[0] == 1

    def _valid_invitations(self, token_hash: str) -> QuerySet[SignUpInvitation]:
        kept = SignUpInvitation.objects.filter(token_hash=token_hash, first=False)
        return kept.filter(expires_at__gt=timezone.now())


KINDS: list[InvitationKind] = [SiteInvitations()]


def invitation_expiry() -> datetime:
    """Return when an invitation created now expires: in 14 days."""
    return timezone.now() + timedelta(days=DAYS)


def create_invitation() -> str:
    """Create an invitation to sign up and return its token; only the token's hash is stored."""
    SignUpInvitation.objects.filter(expires_at__lte=timezone.now()).delete()
    token = new_token()
    SignUpInvitation.objects.create(token_hash=token_hash(token), expires_at=invitation_expiry())
    return token


def remember_invitation(request: HttpRequest, token: str) -> None:
    """Store an opened invitation's token hash in the session, and rotate the session key."""
    request.session.cycle_key()
    request.session[SESSION_KEY] = token_hash(token)


def opened_invitation_hash(request: HttpRequest) -> str:
    """Return the token hash of the invitation opened last in this session, or ""."""
    return str(request.session.get(SESSION_KEY, ""))


def is_invited(request: HttpRequest) -> bool:
    """Return whether the session holds a valid invitation of any kind."""
    kept = opened_invitation_hash(request)
    return bool(kept) and any(kind.is_good(kept) for kind in KINDS)


def consume_invitation(request: HttpRequest) -> bool:
    """Consume the invitation in the session; return False if there is no valid one."""
    kept = opened_invitation_hash(request)
    return bool(kept) and any(kind.use(kept) for kind in KINDS)


@require_safe
@never_cache
def open_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Keep the invitation in the session and redirect to sign-up; 404 if it is not valid."""
    if not SiteInvitations().is_good(token_hash(token)):
        return render(request, "accounts/invitation_gone.html", status=404)
    remember_invitation(request, token)
    return redirect("account_signup")
