"""Forms for a code of the app or a recovery code."""

from typing import Any

from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.core.cache import cache
from django.utils.translation import gettext_lazy as _


class Digits(forms.Form):
    """A form whose code is typed with the number keys of a telephone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        code = self.fields["code"]
        code.label = _("Code")
        code.widget.attrs.update(inputmode="numeric", autofocus=True)
        code.widget.attrs.pop("placeholder", None)


class Once(Digits):
    """Takes each code of the app once, for as long as it is good; allauth forgets it earlier."""

    user: Any
    authenticator: Authenticator

    def clean_code(self) -> str:
        """Return the code; an error where it is wrong, or was used."""
        code = str(super().clean_code())  # type: ignore[misc]
        good_for = app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1)
        used = f"second-factor:{self.user.pk}:{''.join(code.split())}"
        by_app = self.authenticator.type == Authenticator.Type.TOTP
        if by_app and not cache.add(used, True, timeout=good_for):
            raise get_adapter().validation_error("incorrect_code")
        return code


class Authenticate(Once, AuthenticateForm):  # type: ignore[misc]
    """The second step of signing in."""


class Reauthenticate(Once, ReauthenticateForm):  # type: ignore[misc]
    """Asked before something that matters, when signing in was a while ago."""


class Activate(Digits, ActivateTOTPForm):  # type: ignore[misc]
    """The first code of a new app."""
