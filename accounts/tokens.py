"""API tokens: their lifetime and their last use."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

from django import forms
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.auth import TokenAuthentication
from knox.models import AuthToken

from accounts.models import TokenUse, User

DAYS = {
    "1": "1",
    "7": "7",
    "30": "30",
    "365": "365",
    "0": _("Until it is revoked"),
}
USUAL = "30"
NOTED_EVERY = 600
"""Minimum seconds between two writes of a token's last use, so that calls rarely write."""


class TokenLifetimeForm(forms.Form):
    """Form for the lifetime of a new API token, in days."""

    days = forms.ChoiceField(
        label=_("Valid for (days)"), choices=list(DAYS.items()), initial=USUAL, required=False
    )

    def clean_days(self) -> int:
        """Return the days, 0 for no expiry; the default if nothing was sent."""
        return int(self.cleaned_data["days"] or USUAL)


def create_api_token(user: User, days: int) -> tuple[AuthToken, str]:
    """Create an API token; return (token row, secret).

    days: its lifetime, 0 for no expiry. Only the secret's hash is stored.
    """
    token, secret = AuthToken.objects.create(user=user, expiry=timedelta(days=days) or None)
    return token, str(secret)


class ApiTokenAuthentication(TokenAuthentication):
    """DRF authentication by API token; records when a token was last used."""

    def validate_user(self, auth_token: AuthToken) -> tuple[Any, AuthToken]:
        """Return user and token; raises AuthenticationFailed for an inactive user."""
        known: tuple[Any, AuthToken] = super().validate_user(auth_token)
        if cache.add(f"token-used:{auth_token.digest}", 1, timeout=NOTED_EVERY):
            with suppress(DatabaseError, InterfaceError):  # no reason to refuse the call
                TokenUse.objects.update_or_create(token=auth_token, defaults={"at": timezone.now()})
        return known
