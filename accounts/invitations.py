"""Sign-up by invitation: a link that lets one person make one account.

Apps add their own invitations to ``KINDS``, as that to the staff of an event. What was opened
is kept in the reader's session by the hash of its token, so the token leaves the address.
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
from config.tokens import hash_of, new_token

DAYS = 14
SESSION_KEY = "invitation"


class Kind(Protocol):
    """A kind of invitation by which somebody may make an account."""

    def is_good(self, token_hash: str) -> bool:
        """Say whether an account can still be made with it."""

    def use(self, token_hash: str) -> bool:
        """Use it up; of several who try at the same moment one gets True."""


class ForTheSite:
    """An invitation by whoever runs the site."""

    def is_good(self, token_hash: str) -> bool:
        """Say whether it is there and not too old."""
        return self._good(token_hash).exists()

    def use(self, token_hash: str) -> bool:
        """Delete it; True for whoever deleted it."""
        return self._good(token_hash).delete()[0] == 1

    def _good(self, token_hash: str) -> QuerySet[SignUpInvitation]:
        return SignUpInvitation.objects.filter(token_hash=token_hash, expires_at__gt=timezone.now())


KINDS: list[Kind] = [ForTheSite()]


def ends() -> datetime:
    """Return when an invitation made now ends."""
    return timezone.now() + timedelta(days=DAYS)


def invite() -> str:
    """Store an invitation to make an account; return its token, of which only a hash is kept."""
    SignUpInvitation.objects.filter(expires_at__lte=timezone.now()).delete()
    token = new_token()
    SignUpInvitation.objects.create(token_hash=hash_of(token), expires_at=ends())
    return token


def remember(request: HttpRequest, token: str) -> None:
    """Keep an opened invitation in the session, under a new session key."""
    request.session.cycle_key()
    request.session[SESSION_KEY] = hash_of(token)


def opened(request: HttpRequest) -> str:
    """Return the hash of the invitation that this browser opened last, or nothing."""
    return str(request.session.get(SESSION_KEY, ""))


def is_invited(request: HttpRequest) -> bool:
    """Say whether the reader opened an invitation by which they may make an account."""
    kept = opened(request)
    return bool(kept) and any(kind.is_good(kept) for kind in KINDS)


def use(request: HttpRequest) -> bool:
    """Use up what the reader opened; False where somebody else was quicker."""
    kept = opened(request)
    return bool(kept) and any(kind.use(kept) for kind in KINDS)


@require_safe
@never_cache
def open_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Open an invitation to the site and go on to sign-up; 404 where it is used or too old."""
    if not ForTheSite().is_good(hash_of(token)):
        return render(request, "accounts/invitation_gone.html", status=404)
    remember(request, token)
    return redirect("account_signup")
